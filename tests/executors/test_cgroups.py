"""Control groups: if one may be made, what it bounds, and that none is left behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import below, eventually, living

from smolcell.errors import LimitError
from smolcell.executors.local import LocalPythonExecutor, cgroups
from smolcell.executors.local.cgroups import Groups, Home, read_groups
from smolcell.worker.system import processes as members
from smolcell.worker.system.processes import MAX_PROCESSES, MAX_PROCESSES_WITHOUT_NAMESPACE, total_memory_limit

MOUNT = "31 24 0:27 {root} {place} rw,nosuid - {kind} cgroup rw,{options}\n"


# --- where they are ---


def mount(place: str, options: str = "", root: str = "/", kind: str = "cgroup") -> str:
    return MOUNT.format(root=root, place=place, kind=kind, options=options)


VERSION_1 = mount("/cg/pids", "pids") + mount("/cg/m", "cpu,memory") + mount("/cg/all", kind="cgroup2")
VERSION_2 = mount("/cg", kind="cgroup2")
PART = mount("/cg/pids", "pids", root="/docker/1")
SCOPE = Home(Path("/cg/user.slice/a.scope"), unified=True)


@pytest.mark.parametrize(
    ("own", "mounts", "found"),
    [
        (
            "9:name=systemd:/\n8:pids:/jobs\n4:cpu,memory:/jobs/a\n0::/\n",
            VERSION_1,
            {"memory": Home(Path("/cg/m/jobs/a"), unified=False), "pids": Home(Path("/cg/pids/jobs"), unified=False)},
        ),
        ("0::/user.slice/a.scope\n", VERSION_2, {"memory": SCOPE, "pids": SCOPE}),
        ("3:pids:/docker/1/x\n", PART, {"pids": Home(Path("/cg/pids/x"), unified=False)}),
        ("3:pids:/docker/2\n", PART, {}),
        ("3:pids:/docker/1/../2\n", PART, {}),
    ],
)
def test_groups_are_found_where_they_are_mounted(own: str, mounts: str, found: dict[str, Home]) -> None:
    assert read_groups(own, mounts) == found


def test_where_there_are_no_groups_each_is_missing_by_name() -> None:
    groups = Groups(100, homes={})
    groups.make()
    reason = "this system has no such control group"
    assert (groups.folders, groups.missing) == ({}, {"pids": reason, "memory": reason})
    (wall,) = groups.walls("bounded")
    assert wall.stands
    assert wall.detail.startswith("bounded; ") and wall.detail.count(reason) == 2


# --- whether one may be made ---


@pytest.fixture
def scope(tmp_path: Path) -> Path:
    """A group of version 2 with the notebook in it, in one that was delegated."""
    own = tmp_path / "unit" / "notebook"
    own.mkdir(parents=True)
    (own / "cgroup.events").write_text("populated 1\n")
    (own.parent / "cgroup.subtree_control").write_text("memory pids\n")
    return own


@pytest.fixture
def delegated(monkeypatch: pytest.MonkeyPatch, scope: Path) -> None:
    def mark(path: Path, name: str) -> bytes:
        if (path, name) == (scope.parent, "user.delegate"):
            return b"1"
        raise OSError

    monkeypatch.setattr(cgroups.os, "getxattr", mark, raising=False)


def version_2(own: Path) -> Groups:
    return Groups(100, dict.fromkeys(("memory", "pids"), Home(own, unified=True)))


@pytest.mark.usefixtures("delegated")
def test_a_delegated_group_takes_one_with_limits_beside_the_notebook(scope: Path) -> None:
    groups = version_2(scope)
    groups.make()
    groups.take(4711)
    (folder,) = {Path(folder) for folder in groups.folders.values()}
    assert folder.parent == scope.parent
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "memory.max": str((total_memory_limit(100) + cgroups.OWN_MEMORY) << 20),
        "memory.swap.max": "0",
        "pids.max": str(MAX_PROCESSES + cgroups.SANDBOX_PROCESSES),
        "cgroup.procs": "4711",
    }
    assert groups.missing == {}


def test_a_group_that_was_not_delegated_is_left_alone(scope: Path) -> None:
    groups = version_2(scope)
    groups.make()
    assert [path.name for path in scope.parent.iterdir() if path.is_dir()] == ["notebook"]
    assert set(groups.missing) == {"memory", "pids"}
    assert all("DelegateSubgroup=" in reason for reason in groups.missing.values())


@pytest.mark.usefixtures("delegated")
@pytest.mark.parametrize(
    ("name", "text"), [("memory.max", "1000\n"), ("cpu.max", "50000 100000\n"), ("pids.max", "9\n")]
)
def test_the_limits_around_the_notebook_are_not_left(scope: Path, name: str, text: str) -> None:
    (scope / name).write_text(text)
    assert set(version_2(scope).missing.values()) == {
        "a group beside the notebook's own would leave the limits that are set there"
    }
    (scope / name).write_text("max 100000\n" if name == "cpu.max" else "max\n")
    assert version_2(scope).missing == {}


@pytest.mark.usefixtures("delegated")
def test_a_controller_that_was_not_delegated_is_missing_alone(scope: Path) -> None:
    (scope.parent / "cgroup.subtree_control").write_text("pids\n")
    groups = version_2(scope)
    assert groups.folders.keys() == {"pids"}
    assert groups.missing == {"memory": "it was not delegated to the notebook's user"}


def test_the_top_of_all_groups_may_hold_more_than_groups(tmp_path: Path) -> None:
    (tmp_path / "cgroup.subtree_control").write_text("pids hugetlb\n")
    groups = version_2(tmp_path)
    assert Path(groups.folders["pids"]).parent == tmp_path
    assert groups.missing == {"memory": "it is not enabled in the root control group (version 2)"}


def test_groups_that_would_not_be_bound_themselves_are_not_made(tmp_path: Path) -> None:
    (tmp_path / "memory.use_hierarchy").write_text("0\n")
    groups = Groups(100, {"memory": Home(tmp_path, unified=False)})
    assert groups.missing["memory"] == "the limits of the notebook's own group would not apply to groups below it"


def test_a_folder_that_cannot_be_written_is_a_reason(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("")
    groups = Groups(0, {"pids": Home(own, unified=False)})
    assert groups.folders.keys() == {"pids"}
    groups.make()
    assert (groups.folders, groups.missing) == ({}, {"pids": "Not a directory"})


def test_what_dead_owners_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    me = members.stat(os.getpid())
    assert me is not None
    number = "0123456789abcdef"
    dead = [f"smolcell-{2**22 + 1}-5-{number}", f"smolcell-{os.getpid()}-{me.start + 1}-{number}"]
    kept = [f"smolcell-{os.getpid()}-{me.start}-{number}", "smolcell-1-2", "docker"]
    full = f"smolcell-{2**22 + 2}-5-{number}"
    for name in (*dead, *kept, f"{full}/below"):
        (tmp_path / name).mkdir(parents=True)
    cgroups.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, full])
    cgroups.sweep(tmp_path / "nowhere")


# --- on a kernel ---


def _writable() -> str:
    """Why this system lends no group; "" if it does."""
    groups = Groups(100)
    groups.make()
    groups.end()
    return "; ".join(groups.missing.values())


@pytest.fixture(scope="module")
def _lent() -> None:
    if missing := _writable():
        pytest.skip(f"no control groups are lent here: {missing}")


@pytest.fixture
def opened(make: Callable[..., Any], _lent: None) -> Iterator[LocalPythonExecutor]:
    executor = make(unguarded=True, memory=256, timeout=20)
    executor("1")
    yield executor


def folders(executor: LocalPythonExecutor) -> set[str]:
    return set(executor._channel._groups.folders.values())  # type: ignore[union-attr]


def test_the_whole_sandbox_is_in_its_groups_and_they_end_with_it(opened: LocalPythonExecutor) -> None:
    mine = folders(opened)
    opened("import subprocess\nsubprocess.Popen(['/bin/sleep', '600'])")
    tree = {opened._channel.pid, *below(opened._channel.pid)}
    assert len(tree) >= 3
    assert {folder: set(members.list_members(folder)) for folder in mine} == dict.fromkeys(mine, tree)
    assert "control groups" in {wall.name for wall in opened.boundary().walls if wall.stands}
    opened.close()
    assert [folder for folder in mine if Path(folder).exists()] == []
    assert not living(tree)


def test_what_the_kernel_ends_for_its_memory_has_a_name(opened: LocalPythonExecutor) -> None:
    folder = Path(opened._channel._groups.folders["memory"])  # type: ignore[union-attr]
    bound = next(folder / name for name in ("memory.max", "memory.limit_in_bytes") if (folder / name).exists())
    assert int(bound.read_text()) == (total_memory_limit(256) + cgroups.OWN_MEMORY) << 20
    bound.write_text(str(120 << 20))  # before the process meets its own limit
    for file in ("memory.swap.max", "memory.memsw.limit_in_bytes"):
        if (folder / file).exists():
            (folder / file).write_text("0" if file == "memory.swap.max" else str(120 << 20))
    with pytest.raises(
        LimitError, match="MemoryError: memory ran out; the sandbox's processes may take 640 MB together"
    ):
        opened("kept = []\nfor _ in range(20): kept.append(bytearray(b'x') * (10 << 20))")
    assert opened("1 + 1").output == 2  # the supervisor was spared


def test_processes_of_root_are_counted(_lent: None, make: Callable[..., Any]) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root: the kernel counts the processes of others without a group")
    executor = make(unguarded=True, timeout=60, without=["namespaces", "identity"])
    bomb = """
import os, time
n = 0
try:
    while True:
        if os.fork() == 0: time.sleep(60)
        n += 1
except OSError: pass
n
"""
    assert executor("import os\nos.getuid()").output == 0
    assert executor.capabilities["processes"] is True
    most = MAX_PROCESSES_WITHOUT_NAMESPACE
    assert most // 2 < executor(bomb).output <= most + cgroups.SANDBOX_PROCESSES


def test_a_daemon_whose_origin_is_hidden_ends_when_the_worker_is_killed(_lent: None, make: Callable[..., Any]) -> None:
    executor = make(unguarded=True, timeout=60, without=["namespaces"])
    executor("import os\nif os.fork() == 0:\n    os.setsid()\n    os.execve('/bin/sleep', ['sleep', '63'], {})")
    (folder, *_) = folders(executor)
    assert eventually(lambda: len(members.list_members(folder)) == 3)
    inside = set(members.list_members(folder))
    os.kill(executor._channel.pid, signal.SIGKILL)
    executor.close()
    assert eventually(lambda: not living(inside))
