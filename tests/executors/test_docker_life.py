"""Containers end with their kernel, however it ends; and a sweep takes the leftovers of dead kernels only."""

from __future__ import annotations

import dataclasses
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import engines
import pytest
from engines import alive, eventually

from smolcell.executors.docker import containers
from smolcell.executors.docker.containers import LABEL, Owner, Shape
from smolcell.executors.docker.engine import Engine
from smolcell.executors.reaper import Reaper

POINTS = 50 if os.environ.get("SMOLCELL_FULL") else 5
PROMISED = 10.0  # seconds in which nothing is left; machines are busy, so a test takes three times that


# --- whose a container is ----------------------------------------------------------------------------------------------


def test_labels_say_whose_a_container_is_and_are_read_back() -> None:
    here = Owner.here()
    assert Owner.of(here.labels()) == here
    assert (here.pid, here.uid) == (os.getpid(), os.getuid())
    assert here.start > 0 and here.boot and here.view and here.kernel == f"pid-{os.getpid()}"
    assert not here.is_gone(here)


def test_labels_are_anybodys_words() -> None:
    said = {
        f"{LABEL}pid": "-1",
        f"{LABEL}start": "x",
        f"{LABEL}uid": "1" * 5000,
        f"{LABEL}name": "\x1b[2J\nn" + "n" * 5000,
    }
    read = Owner.of(said)
    assert (read.pid, read.start, read.boot) == (0, 0, "")
    assert "\x1b" not in read.name and "\n" not in read.name and len(read.name) < 300
    assert not read.is_gone(Owner.here())


def dead() -> Owner:
    """The owner that a process was which has ended."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    child.communicate()
    return dataclasses.replace(Owner.here(), pid=child.pid, start=int(start))


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({}, True),
        ({"boot": "another machine, or start"}, False),
        ({"view": "pid:[1]"}, False),
        ({"uid": 4711}, False),
        ({"start": 0}, False),
        ({"boot": ""}, False),
        ({"pid": os.getpid()}, True),  # the id was given out again
    ],
)
def test_only_what_is_known_to_be_gone_is_gone(change: dict[str, object], gone: bool) -> None:
    assert dataclasses.replace(dead(), **change).is_gone(Owner.here()) is gone


@pytest.fixture
def somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the engine's labels this process is another user's, so that no one else's sweep takes what the test makes."""
    here = dataclasses.replace(Owner.here(), uid=1_000_000 + os.getpid())
    monkeypatch.setattr(Owner, "here", classmethod(lambda _: here))


@contextmanager
def containers_of(engine: Engine, *owners: Owner) -> Iterator[list[str]]:
    """A container for each of these owners; the names."""
    image = engines.image(engine)
    names = [f"{containers.PREFIX}test-{os.urandom(6).hex()}" for _ in owners]
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, owner in zip(names, owners, strict=True):
                patch.setattr(Owner, "here", classmethod(lambda _, owner=owner: owner))
                containers.create(engine, image, name, 1, Shape())
        yield names
    finally:
        for name in names:
            containers.remove(engine, name, 20)


def test_a_sweep_removes_what_belongs_to_dead_kernels_of_this_machine_and_user_only(
    engine: Engine, somebody: None
) -> None:
    gone = dead()
    others = [
        dataclasses.replace(gone, boot="x"),
        dataclasses.replace(gone, uid=4711),
        dataclasses.replace(gone, view="x"),
    ]
    with containers_of(engine, gone, Owner.here(), *others) as names:
        swept = containers.sweep(engine)
        assert len(swept) == 1
        assert alive() & set(names) == set(names[1:])


@pytest.mark.parametrize(("answer", "swept"), [(204, ["mine"]), (404, ["mine"]), (409, ["mine"]), (500, [])])
def test_a_sweep_leaves_what_carries_our_labels_under_another_name(
    answer: int, swept: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``docker run`` names what it makes of an image that was committed from a sandbox."""
    labels = dead().labels()
    names = {"mine": [f"/{containers.PREFIX}0"], "theirs": ["/nice_name"], "nobody's": None}
    found = [{"Id": each, "Names": said, "Labels": labels} for each, said in names.items()]
    asked: list[str] = []
    monkeypatch.setattr(containers, "remove", lambda _, name, __: asked.append(name) or answer)
    api = SimpleNamespace(containers=lambda **_: found)
    engine: Any = SimpleNamespace(errors=nullcontext, client=SimpleNamespace(api=api))
    assert containers.sweep(engine) == swept
    assert asked == ["mine"]


def test_the_next_start_sweeps(engine: Engine, somebody: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.executors.docker._swept", set())
    with containers_of(engine, dead()) as names, engines.sandboxes() as make:
        assert make()("1").output == 1
        assert names[0] not in alive()


# --- how a kernel may end ----------------------------------------------------------------------------------------------

KERNEL = """
import os, sys, time
from engines import DockerInTests
if sys.argv[1] == "loop":
    print("go", flush=True)
    while True:
        with DockerInTests() as executor:
            executor("import time; time.sleep(0.2)")
executor = DockerInTests(timeout=600)
executor("1")
if sys.argv[1] == "fork" and os.fork() == 0:
    time.sleep(60)  # a child that holds every descriptor of the kernel
    os._exit(0)
from smolcell.executors.reaper import reaper
print(reaper.pid, flush=True)
executor("import time; time.sleep(600)")
"""


def kernel(how: str) -> subprocess.Popen[str]:
    """A process with a container, in a step that does not end (or in a loop of starting and ending them)."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(Path(__file__).parent)])}
    if engines.IMAGE:
        environ["SMOLCELL_TEST_IMAGE"] = engines.IMAGE
    return subprocess.Popen(
        [sys.executable, "-c", KERNEL, how], stdout=subprocess.PIPE, text=True, env=environ, start_new_session=True
    )


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def test_nothing_is_left_of_kernels_killed_at_random_points(engine: Engine) -> None:
    before = alive()
    seed = random.randrange(1 << 30)
    points = random.Random(seed)
    longest = 0.0
    for _ in range(0, POINTS, 5):
        kernels = [kernel("loop") for _ in range(5)]
        for each in kernels:
            assert each.stdout is not None and each.stdout.readline() == "go\n"
        delays = sorted(points.uniform(0, 3) for _ in kernels)
        for delay, last, each in zip(delays, [0.0, *delays], kernels, strict=False):
            time.sleep(delay - last)
            each.kill()
        started = time.monotonic()
        assert eventually(lambda: alive() <= before, 3 * PROMISED), f"seed {seed}: left are {alive() - before}"
        longest = max(longest, time.monotonic() - started)
        for each in kernels:
            end(each)
    print(f"{POINTS} kernels killed (seed {seed}): nothing left after at most {longest:.1f} s")


@pytest.mark.parametrize("how", ["alone", "fork"])
def test_a_container_ends_with_its_kernel_even_where_a_child_holds_its_connection(engine: Engine, how: str) -> None:
    before = alive()
    process = kernel(how)
    try:
        assert process.stdout is not None and int(process.stdout.readline()) > 0
        assert len(alive() - before) == 1
        process.kill()
        assert eventually(lambda: alive() <= before, 3 * PROMISED)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # the child
        end(process)


def test_without_a_reaper_the_engine_ends_it_with_its_stdin(engine: Engine) -> None:
    before = alive()
    process = kernel("alone")
    try:
        assert process.stdout is not None
        os.kill(int(process.stdout.readline()), signal.SIGKILL)
        assert len(alive() - before) == 1
    finally:
        end(process)
    assert eventually(lambda: alive() <= before, 3 * PROMISED)


def test_a_program_registered_with_the_reaper_is_run_when_the_kernel_is_gone(tmp_path: Path) -> None:
    reaper = Reaper()
    for name in ("kept", "forgotten"):
        code = "import os, sys; open(sys.argv[1], 'w').write(os.environ['WORD'])"
        reaper.register_command(name, [sys.executable, "-c", code, str(tmp_path / name)], {"WORD": name})
    reaper.register_command("no such program", [str(tmp_path / "none")], {})
    reaper.forget("forgotten")
    reaper.end()
    assert eventually(lambda: (tmp_path / "kept").exists() and (tmp_path / "kept").read_text() == "kept")
    assert not (tmp_path / "forgotten").exists()
