"""Folders of the user that the code may read where they are, and nothing besides them; graphics cards of containers."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import engines
import pytest
from examples import quick
from local_parts import LocalInTests

from smolcell import CodeAgent
from smolcell.approval.gates import allow_all
from smolcell.errors import CapabilityError, InterpreterError, SetupError
from smolcell.events import Asked, File
from smolcell.executors.docker import DockerExecutor, containers
from smolcell.executors.docker.containers import Shape, read_gpu
from smolcell.executors.local import LocalPythonExecutor, environment
from smolcell.executors.wasm import WasmExecutor
from smolcell.testing import ScriptedModel
from smolcell.worker import cloud
from smolcell.worker.system.jail import build_view

Make = Callable[[], Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a folder of data in it, links in that which lead out, and a secret beside it."""
    here = tmp_path / "notebook"
    big = here / "data" / "big"
    big.mkdir(parents=True)
    (big / "a.csv").write_text("1,2")
    (here / "secret.txt").write_text("secret")
    (big / "out").symlink_to("../../secret.txt")
    (big / "whole").symlink_to(here / "secret.txt")
    (big / "up").symlink_to("..")
    monkeypatch.chdir(here)
    return here


def docker(**options: Any) -> DockerExecutor:
    with engines.engine():
        return engines.DockerInTests(**options)


SANDBOXES: dict[str, Make] = {
    "full": lambda: LocalPythonExecutor(python="full"),
    "reduced": lambda: LocalInTests(python="full", without=["namespaces"]),
    "guarded": lambda: LocalPythonExecutor(["os"]),
    "without walls": lambda: LocalInTests(["os"], without=["namespaces", "landlock", "seccomp"]),
    "docker, full": lambda: docker(python="full"),
    "docker, guarded": lambda: docker(additional_authorized_imports=["os"]),
}


LOCAL = [name for name in SANDBOXES if "docker" not in name]


@pytest.fixture(scope="module", params=quick(SANDBOXES, *LOCAL))
def mounted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    patch = pytest.MonkeyPatch()
    here = folder.__wrapped__(tmp_path_factory.mktemp("mounts"), patch)  # type: ignore[attr-defined]
    with SANDBOXES[request.param]() as made:
        told = made.mount(["data/big"])
        assert told == (File(name="data/big/", size=0, read_only=True),)
        yield made, here, request.param
    patch.undo()


def test_the_code_reads_the_folder_by_its_name(mounted: Any) -> None:
    executor, here, _ = mounted
    assert executor("open('data/big/a.csv').read()").output == "1,2"
    (here / "data" / "big" / "later.csv").write_text("new")  # it is no copy
    assert executor("open('data/big/later.csv').read()").output == "new"
    assert executor("import os\nos.listdir('data')").output == ["big"]
    assert executor.files() == ()


WRITES = (
    "open('data/big/new', 'w')",
    "open('data/big/a.csv', 'a')",
    "os.remove('data/big/a.csv')",
    "os.mkdir('data/big/sub')",
    "os.rename('data/big/a.csv', 'data/big/b.csv')",
    "os.truncate('data/big/a.csv', 0)",
    "os.symlink('a.csv', 'data/big/link')",
    "os.chmod('data/big/a.csv', 0)",
    "os.utime('data/big/a.csv', (1, 1))",
)
READS = ("data/big/out", "data/big/whole", "data/big/up/../secret.txt", "SECRET")


def test_nothing_in_it_can_be_changed(mounted: Any) -> None:
    executor, here, name = mounted
    target = here / "data" / "big"
    before = sorted(path.name for path in target.iterdir()), (target / "a.csv").stat()
    for write in WRITES:
        try:
            executor(f"import os\n{write}")
        except InterpreterError:
            continue
        assert (write[:8], name) in {("os.chmod", "reduced"), ("os.utime", "reduced")}  # there they do nothing
    after = sorted(path.name for path in target.iterdir()), (target / "a.csv").stat()
    assert (after[0], after[1].st_mode, after[1].st_mtime_ns) == (before[0], before[1].st_mode, before[1].st_mtime_ns)
    assert (target / "a.csv").read_text() == "1,2"


@pytest.mark.parametrize("path", READS)
def test_links_in_it_open_nothing_outside(mounted: Any, path: str) -> None:
    executor, here, _ = mounted
    with pytest.raises(InterpreterError):
        executor(f"open({path.replace('SECRET', str(here / 'secret.txt'))!r}).read()")


def test_the_boundary_says_what_is_mounted(mounted: Any) -> None:
    executor, here, name = mounted
    executor("1")
    boundary = executor.boundary()
    (files,) = [wall for wall in boundary.walls if wall.name == "files"]
    assert files.detail.endswith(f"; mounted read-only: {here / 'data' / 'big'} (as data/big)")
    assert boundary.isolated is files.stands is (name != "without walls")
    assert boundary.python.partition(",")[0] == ("full" if "full" in name or name == "reduced" else "guarded")


def test_a_link_that_the_code_removed_is_there_again_in_the_next_sandbox_process(folder: Path) -> None:
    with LocalPythonExecutor(python="full") as executor:
        executor.mount(["data/big"])
        executor("import os\nos.remove('data/big')\nos.rmdir('data')\nos.symlink('/', 'data')")
        with pytest.raises(Exception, match="ended during the step"):
            executor("import os\nos._exit(1)")
        assert executor("open('data/big/a.csv').read()").output == "1,2"
    assert sorted(path.name for path in folder.iterdir()) == ["data", "secret.txt"]


def test_a_mount_starts_an_open_sandbox_again_and_the_same_one_again_does_not(folder: Path) -> None:
    with LocalPythonExecutor(python="full") as executor:
        executor("x = 1")
        executor.mount(["data/big"])
        assert executor("open('data/big/a.csv').read()").state_lost
        executor("x = 2")
        executor.mount(["data/big", "data/big/a.csv"])
        assert executor("x").output == 2


def test_with_a_mount_no_socket_is_opened_in_level_full(folder: Path) -> None:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "data" / "big" / "s"))
    (folder / "data" / "big" / "s").chmod(0o777)
    listening.listen()
    datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    datagrams.bind(str(folder / "data" / "big" / "d"))
    (folder / "data" / "big" / "d").chmod(0o777)
    with listening, datagrams, LocalPythonExecutor(python="full") as executor:
        executor.mount(["data/big"])
        for code in (
            "socket.socket(socket.AF_UNIX).connect('data/big/s')",
            "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', 'data/big/d')",
        ):
            with pytest.raises(InterpreterError, match="Operation not permitted"):
                executor("import socket\n" + code)
        pool = "from multiprocessing import Pool\nwith Pool(2) as pool: pool.map(abs, [-1])"
        executor(pool)


@pytest.mark.parametrize("name", ["full", "reduced"])
def test_a_mounted_folder_shows_an_environment_without_its_configuration(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = folder / "data" / "env" / "share" / "jupyter" / "kernels" / "a" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text("key")
    read = [*environment.readable_paths(), str(folder / "data" / "env" / "share")]
    monkeypatch.setattr(environment, "readable_paths", lambda: read)
    with SANDBOXES[name]() as executor:
        executor.mount(["data"])
        assert executor("import os\n[sorted(os.listdir(path)) for path in ('data', 'data/big')]").output == [
            ["big", "env"],
            ["a.csv", "out", "up", "whole"],
        ]
        with pytest.raises(InterpreterError, match=r"PermissionError|FileNotFoundError"):
            executor("open('data/env/share/jupyter/kernels/a/kernel.json').read()")


def test_what_no_sandbox_may_see_is_not_mounted(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    for name in (".ssh", "data", "state/journals"):
        (home / name).mkdir(parents=True)
    (folder / "hidden").symlink_to(home / ".ssh")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(home / "state"))
    executor = LocalPythonExecutor()
    hidden = ["~/.ssh", "~/state", "~/state/journals", "/etc", "/proc/self", "/tmp", "hidden"]
    for path in ("/", "~", tmp_path, *hidden, "nothing"):
        with pytest.raises(SetupError) as refusal:
            executor.mount([path])
        assert "\n" not in str(refusal.value)
    assert executor.mount(["~/data"]) == (File(name="data/", size=0, read_only=True),)
    executor.close()


def test_what_another_user_may_not_read_names_the_command(folder: Path) -> None:
    (folder / "data").chmod(0o700)
    with pytest.raises(SetupError, match=r"cannot read it; type: chmod -R o\+rX /.*/data$"):
        DockerExecutor().mount(["data"])


def test_other_sandboxes_say_so_in_one_line(folder: Path) -> None:
    with pytest.raises(
        CapabilityError, match=r"^the sandbox 'wasm' cannot mount folders; leave out --read-only to copy, or use"
    ):
        WasmExecutor().mount(["data/big"])


def test_an_agent_mounts_files_and_tells_the_model_that_they_are_read_only(folder: Path) -> None:
    model = ScriptedModel("<code>\nfinal_answer(open('data/big/a.csv').read())\n</code>")
    with CodeAgent([], model, gate=allow_all) as agent:
        assert agent.run("Read.", files=["data/big"], read_only=True) == "1,2"
        asked = next(event for event in agent.memory.events if isinstance(event, Asked))
    assert asked.files == (File(name="data/big/", size=0, read_only=True),)
    assert "- data/big/ (read-only)" in str(model.calls)
    assert str(folder) not in str(model.calls)


# --- graphics cards


@pytest.mark.parametrize(("gpu", "count", "ids"), [("all", -1, []), (2, 2, []), (["0", "GPU-1f"], 0, ["0", "GPU-1f"])])
def test_a_container_is_made_with_graphics_cards(gpu: Any, count: int, ids: Any) -> None:
    with engines.engine() as engine:
        image = DockerExecutor(gpu=gpu)
        made = containers.create(engine, image._image(engine), f"{containers.PREFIX}gpu", 1, image.shape)
        try:
            (asked,) = engine.client.api.inspect_container(made)["HostConfig"]["DeviceRequests"]
        finally:
            containers.remove(engine, f"{containers.PREFIX}gpu", 30)
    assert (asked["Count"], asked["DeviceIDs"], asked["Capabilities"]) == (count, ids, [["gpu"]])


def test_an_engine_without_a_driver_says_what_to_type() -> None:
    with engines.engine(), docker(gpu="all") as executor, pytest.raises(SetupError) as refusal:
        executor("1")
    assert str(refusal.value).startswith("the Docker engine has no driver for graphics cards (")
    assert "sudo nvidia-ctk runtime configure --runtime=docker" in str(refusal.value)


@pytest.mark.parametrize("gpu", [0, -1, True, "0", "", [], [0], [""]])
def test_what_names_no_cards_is_refused(gpu: Any) -> None:
    with pytest.raises(SetupError, match="is not valid; write gpu='all'"):
        DockerExecutor(gpu=gpu)


def test_without_gpu_a_container_gets_none() -> None:
    assert (read_gpu(None), Shape().gpu) == ((), ())


def test_behind_the_walls_of_a_provider_the_cards_devices_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/nowhere")
    found = {"/dev/nvidia*": ["/dev/tty", "/dev/shm"]}
    monkeypatch.setattr(cloud, "glob", SimpleNamespace(glob=found.__getitem__))
    assert build_view(cloud.folder_options({"gpu": True})).devices[-1] == "/dev/tty"
    assert "/dev/tty" not in build_view(cloud.folder_options({})).devices


@pytest.mark.parametrize("without", [[], ["namespaces"]])
def test_a_device_of_the_list_can_be_opened_in_a_sandbox(without: list[str]) -> None:
    code = "import os\ntry: os.open('/dev/tty', os.O_RDWR)\nexcept OSError as error: found = error.errno\nfound"
    with LocalInTests(python="full", without=without, devices=["/dev/tty"]) as executor:
        assert executor(code).output == 6  # it is open, and there is no terminal behind it
    with LocalInTests(python="full", without=without) as executor:
        assert executor(code).output in (2, 13)
