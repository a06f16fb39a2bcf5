"""The Docker sandbox on a real engine: what it is given, what it says of itself, and that nothing is left of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import engines
import pytest
from engines import DockerInTests, alive, eventually

from smolcell.errors import SandboxError, SetupError, SmolcellError
from smolcell.events import File
from smolcell.executors import create_executor
from smolcell.executors.docker import DockerExecutor
from smolcell.executors.docker.engine import Engine


def test_a_permit_runs_in_a_container_that_is_gone_after_closing(contained: Callable[..., DockerInTests]) -> None:
    before = alive()
    executor = contained()
    assert executor("1 + 1").output == 2
    assert len(alive() - before) == 1
    executor.close()
    assert eventually(lambda: alive() <= before)


def test_the_name_docker_makes_one_and_a_variant_is_its_image() -> None:
    made = create_executor("docker:my-image:3", memory=512)
    assert isinstance(made, DockerExecutor)
    assert (made.image.image, made.memory, made.shape.memory) == ("my-image:3", 512, 512)


@pytest.mark.parametrize("word", ["memory", "disk", "cpus", "pids"])
def test_a_limit_that_would_be_none_is_refused(word: str) -> None:
    with pytest.raises(SetupError, match=rf"{word}=-1 is too little for a container; write: {word}=[\d.]+, or more$"):
        DockerExecutor(**{word: -1})


# --- files -------------------------------------------------------------------------------------------------------------


def test_files_go_in_and_out_over_the_wire(
    contained: Callable[..., DockerInTests], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "empty").mkdir(parents=True)
    (tmp_path / "data" / "sales.csv").write_text("a\n1\n")
    big = os.urandom(9 << 20)
    (tmp_path / "big.bin").write_bytes(big)
    (tmp_path / "nothing.txt").touch()
    monkeypatch.chdir(tmp_path)
    executor = contained(additional_authorized_imports=["os"])
    assert executor.send_files(["data", "big.bin", "nothing.txt"]) == (
        File(name="data/", size=4),
        File(name="big.bin", size=9 << 20),
        File(name="nothing.txt", size=0),
    )
    read = executor(
        "import os, hashlib\nopen('data/sales.csv').read(), hashlib.sha256(open('big.bin', 'rb').read()).hexdigest()"
    )
    assert (read.output, read.files) == (("a\n1\n", hashlib.sha256(big).hexdigest()), ())
    wrote = executor(
        "with open('data/new.bin', 'wb') as f: f.write(bytes(range(256)) * 40_000)\nos.remove('data/sales.csv')"
    )
    assert wrote.files == (File(name="data/new.bin", size=10_240_000),)
    assert [file.name for file in executor.files()] == ["big.bin", "data/new.bin", "nothing.txt"]
    assert executor.keep_file("data/new.bin", tmp_path).read_bytes() == bytes(range(256)) * 40_000
    with pytest.raises(SandboxError, match="no file 'nope'; its files: big"):
        executor.keep_file("nope", tmp_path)
    executor.send_files(["data"])  # copied again
    assert executor("open('data/sales.csv').read()").output == "a\n1\n"


def test_links_that_code_plants_are_followed_nowhere(
    contained: Callable[..., DockerInTests], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    executor = contained(kind=engines.UnguardedDocker)
    code = "import os\nos.mkdir('/tmp/t')\nos.symlink('/tmp/t', 'data')\nos.symlink('/etc/passwd', 'out')\nos.mkfifo('pipe')"
    executor(code)
    executor.send_files(["data"])
    assert executor("os.listdir('/tmp/t'), os.path.islink('data'), open('data/x.txt').read()").output == (
        [],
        False,
        "mine",
    )
    assert executor.files() == (File(name="data/x.txt", size=4),)


def test_a_new_container_has_the_files_again(
    contained: Callable[..., DockerInTests], engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    executor = contained()
    executor.send_files(["x.txt"])
    executor("1")
    channel = executor._channel
    assert channel is not None
    engines.in_mid_step(executor, lambda: engine.client.api.kill(channel.id))
    with pytest.raises(SmolcellError, match="ended unexpectedly: its container was killed from outside"):
        executor("import time; time.sleep(30)")
    again = executor("open('x.txt').read()")
    assert (again.output, again.state_lost) == ("mine", False)  # the loss was told


def test_files_that_do_not_fit_are_an_error_that_says_so(
    contained: Callable[..., DockerInTests], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "big.bin").write_bytes(bytes(20 << 20))
    monkeypatch.chdir(tmp_path)
    executor = contained(disk=8)
    executor("1")
    with pytest.raises(SandboxError, match="… cannot be copied into the sandbox: No space left"):
        executor.send_files(["big.bin"])
