"""The walls as far as they are values: the filter's program, Landlock's rights, the report, what counts as isolated."""

from __future__ import annotations

import errno
import itertools
import os
import struct
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from smolcell.events import Wall
from smolcell.executors import walls
from smolcell.worker import supervisor
from smolcell.worker.system import jail, linux

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
EPERM, ENOSYS = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
WIDE = jail.ActiveWalls(files=True, network=True, processes=True, strangers=True, counted=True, truncation=True)
NARROW = jail.ActiveWalls(pid=7)


def verdict(code: bytes, number: int, args: Sequence[int] = (), audit: int = MACHINES["x86_64"]) -> int:
    """Run a filter as the kernel would: classic BPF over ``struct seccomp_data`` (seccomp(2))."""
    padded = [*args, *[0] * (6 - len(args))]
    data = struct.pack("=iIQ6Q", number, audit, 0, *[value & (2**64 - 1) for value in padded])
    steps = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
    held, at = 0, 0
    while True:
        kind, then, otherwise, value = steps[at]
        at += 1
        if kind == 0x20:
            (held,) = struct.unpack_from("=I", data, value)
        elif kind == 0x54:
            held &= value
        elif kind == 0x06:
            return int(value)
        else:
            true = {0x15: held == value, 0x25: held > value, 0x35: held >= value}[kind]
            at += then if true else otherwise


def asked(name: str, *args: int, around: jail.ActiveWalls = WIDE, machine: str = "x86_64") -> int:
    number = linux.system_call_number(name, machine)
    assert number is not None
    return verdict(linux.build_filter(jail.build_rules(around), machine), number, args, MACHINES[machine])


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("around", [WIDE, NARROW], ids=["namespaces", "none"])
def test_what_reaches_around_a_wall_is_refused_everywhere(around: jail.ActiveWalls, machine: str) -> None:
    known = [name for name in jail.ALWAYS if linux.system_call_number(name, machine) is not None]
    assert [name for name in known if asked(name, around=around, machine=machine) != EPERM] == []
    assert machine == "aarch64" or known == list(jail.ALWAYS)  # some calls only the older machine has


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_table_end_the_process_and_new_ones_do_not_exist(machine: str) -> None:
    code = linux.build_filter(jail.build_rules(WIDE), machine)
    assert verdict(code, 1, audit=0x40000003) == linux.KILL
    assert verdict(code, linux.LAST_REVIEWED, audit=MACHINES[machine]) == linux.ALLOW
    assert verdict(code, linux.LAST_REVIEWED + 1, audit=MACHINES[machine]) == ENOSYS
    assert asked("clone3", machine=machine) == ENOSYS
    if machine == "x86_64":
        assert verdict(code, 0x40000000 | 57) == linux.KILL  # x32


def test_threads_and_processes_start_but_no_namespaces() -> None:
    thread, process = 0x3D0F00, 0x01200011
    assert asked("clone", thread) == asked("clone", process) == linux.ALLOW
    for bit in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert asked("clone", process | bit) == EPERM
        assert asked("clone", thread | bit, around=NARROW) == EPERM
    assert asked("clone", thread, around=NARROW) == linux.ALLOW
    assert asked("clone", process, around=NARROW) == asked("fork", around=NARROW) == EPERM  # nothing counts them
    assert asked("fork") == asked("vfork") == linux.ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("around", [WIDE, NARROW], ids=["namespaces", "none"])
def test_no_thread_has_open_files_of_its_own(around: jail.ActiveWalls, machine: str) -> None:
    """The disk limit looks at the open files of one thread of each process."""
    for flags in (2, 6, 2 | 1 << 32):  # CLOSE_RANGE_UNSHARE, also with CLOSE_RANGE_CLOEXEC
        assert asked("close_range", 3, 2**32 - 1, flags, around=around, machine=machine) == EPERM
    for flags in (0, 4):
        assert asked("close_range", 3, 2**32 - 1, flags, around=around, machine=machine) == linux.ALLOW
    assert asked("clone", 0x3D0F00 & ~0x400, around=around, machine=machine) == EPERM  # a thread without CLONE_FILES


def test_sockets() -> None:
    unix, internet, netlink, vsock = 1, 2, 16, 40
    assert asked("socket", unix) == linux.ALLOW
    for family in (internet, netlink, vsock, 38):
        assert asked("socket", family) == EPERM
    for family in (unix, internet, netlink, vsock):
        assert asked("socket", family, around=NARROW) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("around", [WIDE, NARROW, WIDE._replace(mounted=True)], ids=["namespaces", "none", "mounted"])
@pytest.mark.parametrize("flags", [0, 0o4000, 0o2000000, 0o2004000, 1 << 32, 1 << 63])
def test_socket_pairs_are_connected_for_good(around: jail.ActiveWalls, machine: str, flags: int) -> None:
    """Datagram pairs, and raw ones, which the kernel treats alike, can be connected to any named socket."""
    stream, ordered = 1, 5

    def paired(family: int, kind: int) -> bool:
        return asked("socketpair", family, kind | flags, around=around, machine=machine) == linux.ALLOW

    assert [kind for kind in range(16) if paired(1, kind)] == [stream, ordered]
    assert [family for family in range(50) if paired(family, stream)] == [1]


@pytest.mark.parametrize("machine", MACHINES)
def test_where_no_socket_can_be_opened_none_is_given_a_name_or_a_peer(machine: str) -> None:
    calls = ("bind", "connect", "listen", "accept", "accept4")
    cases = [
        (NARROW, EPERM),
        (WIDE._replace(mounted=True), EPERM),
        (WIDE, linux.ALLOW),
        (WIDE._replace(mounted=True, egress=True), linux.ALLOW),
    ]
    for around, expected in cases:
        assert {asked(name, around=around, machine=machine) for name in calls} == {expected}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("around", [WIDE, NARROW], ids=["namespaces", "none"])
def test_no_descriptor_signals_another_process(around: jail.ActiveWalls, machine: str) -> None:
    refused = {"fcntl": (8, 15), "ioctl": (0x8901, 0x8902)}  # F_SETOWN, _SETOWN_EX; FIOSETOWN, SIOCSPGRP
    used = {
        "fcntl": (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 1030, 1031),
        "ioctl": (0x5401, 0x5413, 0x541B, 0x5421, 0x8903, 0x8904),
    }
    for name, numbers in refused.items():
        for high in (0, 1 << 32, 1 << 63):  # the kernel reads 32 bits
            assert {asked(name, 0, number | high, around=around, machine=machine) for number in numbers} == {EPERM}
    for name, numbers in used.items():
        assert {asked(name, 0, number, around=around, machine=machine) for number in numbers} == {linux.ALLOW}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("mounted", [False, True])
def test_with_an_allowed_host_only_tcp_over_ipv4_opens(machine: str, mounted: bool) -> None:
    unix, internet, stream, flags = 1, 2, 1, 0o2000000 | 0o4000
    around = WIDE._replace(egress=True, mounted=mounted)

    def opened(*args: int) -> bool:
        return asked("socket", *args, around=around, machine=machine) == linux.ALLOW

    assert [protocol for protocol in range(300) if opened(internet, stream | flags, protocol)] == [0, 2, 4, 6]
    assert [kind for kind in range(16) if opened(internet, kind, 0)] == [stream]
    assert [family for family in range(50) if opened(family, stream, 0)] == (
        [internet] if mounted else [unix, internet]
    )
    assert not opened(internet, stream, 6 | 1 << 31)
    assert asked("socket", internet, stream, 0, around=NARROW._replace(egress=True), machine=machine) == EPERM


def test_arguments_are_compared_as_the_kernel_reads_them() -> None:
    assert asked("ioctl", 0, 0x5412) == asked("ioctl", 0, 0x5412 | 1 << 40) == EPERM
    assert asked("ioctl", 0, 0x541C) == EPERM
    assert asked("ioctl", 0, 0x5413) == linux.ALLOW
    assert asked("prlimit64", 0) == linux.ALLOW
    assert asked("prlimit64", 4711) == EPERM
    assert asked("personality", 0xFFFFFFFF) == linux.ALLOW
    assert asked("personality", 0x0040000) == EPERM


def test_without_a_namespace_signals_reach_only_the_process_itself() -> None:
    assert asked("kill", 1) == linux.ALLOW  # of its own namespace
    assert asked("kill", 7, around=NARROW) == asked("kill", 0, around=NARROW) == linux.ALLOW
    for pid in (-1, 1, 8, -8):
        assert asked("kill", pid, around=NARROW) == asked("tgkill", pid, around=NARROW) == EPERM
    assert asked("kill", 8, around=NARROW._replace(strangers=True)) == linux.ALLOW
    assert asked("pidfd_send_signal", around=NARROW) == EPERM


def test_without_a_mount_namespace_files_are_not_changed_without_opening_them() -> None:
    assert asked("chmod") == asked("utimensat") == asked("setxattr") == linux.ALLOW
    assert asked("chmod", around=NARROW) == asked("fchmod", around=NARROW) == 0x50000  # does nothing
    assert asked("setxattr", around=NARROW) == 0x50000 | errno.ENOTSUP
    assert asked("truncate", around=NARROW) == EPERM
    assert asked("truncate", around=NARROW._replace(truncation=True)) == linux.ALLOW


def test_a_long_table_is_within_reach_of_its_jumps() -> None:
    names = {name: linux.error(1) for name in linux.NUMBERS}
    code = linux.build_filter(linux.Rules(names, {}), "x86_64")
    for pair in linux.NUMBERS.values():
        if pair[0] is not None:
            assert verdict(code, pair[0]) == EPERM
    assert len(code) // 8 < 4096  # the kernel's bound


LANDLOCK = [
    (1, 13, 0, 0, 8), (2, 14, 0, 0, 8), (3, 15, 0, 0, 8), (4, 15, 3, 0, 16),
    (5, 16, 3, 0, 16), (6, 16, 3, 3, 24), (7, 16, 3, 3, 24), (99, 16, 3, 3, 24),
]  # fmt: skip


@pytest.mark.parametrize(("abi", "files", "network", "scopes", "size"), LANDLOCK)
def test_landlock_handles_what_each_version_knows(abi: int, files: int, network: int, scopes: int, size: int) -> None:
    assert linux.handled_accesses(abi) == ((1 << files) - 1, network, scopes)
    assert len(linux.ruleset_attribute(abi)) == size


def test_only_the_outermost_of_paths_are_mounted() -> None:
    paths = ("/usr/lib", "/usr", "/usr-local", "/opt/x/y", "/opt/x", "/usr")
    assert jail.plan_mounts(paths) == {"/opt/x": True, "/usr": True, "/usr-local": True}


PREFIXES = [  # in which configuration is found without being told
    "usr",
    "usr/local",
    "usr/local/conda",
    "usr/local/conda/envs/a",
    "usr/local/pyenv/versions/3.11.7",
    "usr/local/pyenv/versions/3.11.7/envs/b",
    "usr/local/nvm/versions/node/v20",
    "usr/local/lib/nodejs/node-v20",
    "usr/share/miniconda",
    "usr/share/miniconda/envs/c",
    "usr/local/share/venv",
]


def write(folder: Path, *names: str) -> None:
    for path in (folder / name for name in names):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("key")


@pytest.mark.parametrize("prefix", [*PREFIXES, "home/env", "home/.local", "odd [x]* name"])
def test_configuration_of_each_kind_of_installation_is_found(prefix: str, tmp_path: Path) -> None:
    top = tmp_path / prefix
    modules = [
        "lib/python3.9/distutils/distutils.cfg",
        "lib/python3.9/site-packages/setuptools/_distutils/distutils.cfg",
    ]
    scripts = ["bin/activate", "bin/Activate.ps1", "bin/activate.fish", "bin/activate_this.py", "bin/postdeactivate"]
    write(tmp_path, "usr/share/miniconda/bin/conda")
    write(top, "bin/python", "bin/pip", "share/fonts/a", "lib/x.so", "pyvenv.cfg", "lib/python3.9/os.py")
    write(top, "etc/npmrc", "share/jupyter/kernels/a/kernel.json", "conda-meta/state", ".condarc", "pip.conf", ".env")
    dotenv = ["share/.env", "lib/.env", "lib/python3.9/.env", "lib/python3.9/site-packages/.env"]
    write(top, *modules, *scripts, *dotenv, "lib/node_modules/npm/npmrc", "lib/R/etc/Renviron.site")
    told = [] if prefix in PREFIXES else [str(top / "bin"), str(top / "lib/python3.9/site-packages")]
    for read in [told[:1], told[1:]] if told else [[]]:
        found = jail.find_configuration(read, str(tmp_path / "usr"))
        expected = ["etc", "share/jupyter", "conda-meta", ".condarc", "pip.conf", ".env", *modules, *dotenv]
        expected += ["lib/node_modules/npm/npmrc", "lib/R/etc/Renviron.site", *(scripts if prefix != "usr" else ())]
        assert {os.path.relpath(path, top) for path in found} == set(expected)


def test_configuration_is_found_through_links_and_so_is_what_they_lead_to(tmp_path: Path) -> None:
    write(tmp_path, "real/bin/activate", "real/share/jupyter/x", "real/share/keys", "secret/kernel.json")
    for name, target in {"etc": "../secret", "pip.conf": "share/keys", "var": "..", "pkgs": "."}.items():
        (tmp_path / "real" / name).symlink_to(target)
    (tmp_path / "named").symlink_to(tmp_path / "real")
    found = jail.find_configuration([str(tmp_path / "named" / "share")], str(tmp_path / "usr"))
    assert {os.path.relpath(path, tmp_path) for path in found} == {
        "real/share/jupyter",
        "real/share/keys",
        "secret",
    }  # not bin/activate: it has no bin/python


def test_what_hides_configuration_is_granted_child_by_child_and_covered(tmp_path: Path) -> None:
    usr = tmp_path / "usr"
    write(usr, "bin/a", "etc/npmrc", "etc/fonts/a", "lib/a", "local/bin/a", "local/etc/npmrc", "local/.npmrc")
    write(usr, "local/tool/bin/a", "local/tool/var/keys", "lib/python3/distutils/distutils.cfg", "lib/python3/os.py")
    write(usr, "local/lib/R/bin/R", "local/lib/R/etc/ldpaths")  # without which R does not start
    (usr / "local" / "man").symlink_to("/home")
    hidden = jail.find_configuration([], str(usr))
    plan = jail.plan_mounts([str(usr), str(usr / "etc" / "fonts"), str(usr / "etc"), str(usr / "lib")], hidden)
    assert {os.path.relpath(path, usr): shown for path, shown in plan.items()} == {
        ".": True,
        "etc": False,
        "etc/fonts": True,
        "lib/python3/distutils/distutils.cfg": False,
        "local/.npmrc": False,
        "local/etc": False,
        "local/tool/var": False,
    }
    order = list(plan)
    assert order.index(str(usr)) < order.index(str(usr / "etc")) < order.index(str(usr / "etc" / "fonts"))
    granted = {os.path.relpath(path, usr): rights for path, rights in jail.list_rights(plan)}
    names = {"lib", "lib/python3", "lib/python3/distutils"}  # only files are covered there
    whole = {"bin", "etc/fonts", "lib/a", "lib/python3/os.py", "local/bin", "local/lib", "local/tool/bin"}
    assert granted == {**dict.fromkeys(names, linux.READ_DIR), **dict.fromkeys(whole, linux.READ)}


def test_each_name_of_a_folder_is_covered(tmp_path: Path) -> None:
    write(
        tmp_path,
        "env/lib/node_modules/npm/npmrc",
        "env/lib/x",
        "env/etc/x",
        "env/etc/own/lib/x",
        "env/etc/own/lib/npmrc",
    )
    (tmp_path / "env" / "lib64").symlink_to("lib")
    (tmp_path / "other").symlink_to(tmp_path / "env")
    paths = [str(tmp_path / name) for name in ("env/lib", "env/lib64", "other", "other/etc/own/lib")]
    hidden = {str(tmp_path / "env" / name) for name in ("lib/node_modules/npm/npmrc", "etc", "etc/own/lib/npmrc")}
    plan = {os.path.relpath(path, tmp_path): shown for path, shown in jail.plan_mounts(paths, hidden).items()}
    assert list(plan.items()) == [
        ("env/lib", True),
        ("env/lib/node_modules/npm/npmrc", False),
        ("env/lib64", True),
        ("env/lib64/node_modules/npm/npmrc", False),
        ("other", True),
        ("other/etc", False),
        ("other/lib/node_modules/npm/npmrc", False),
        ("other/etc/own/lib", True),  # an environment in a folder that is covered
        ("other/etc/own/lib/npmrc", False),
    ]


def test_links_below_usr_are_not_followed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usr = tmp_path / "usr"
    write(usr, "etc/npmrc", "lib/x")
    (usr / "theirs").symlink_to(tmp_path)
    (tmp_path / "bin").symlink_to(usr)
    configuration = jail.find_configuration
    monkeypatch.setattr(jail, "SYSTEM", (str(usr), str(tmp_path / "bin")))
    monkeypatch.setattr(jail, "find_configuration", lambda read: configuration(read, str(usr)))
    shown = jail.build_view({"work": "/w", "jail": {"read": [str(usr / "etc")], "write": []}})
    assert shown.links == (str(tmp_path / "bin"),)
    assert [path for path, _ in shown.rights if path.startswith(str(tmp_path))] == [str(usr / "lib")]
    assert [path for path in shown.mounts if path.startswith(str(tmp_path))] == [str(usr), str(usr / "etc")]


# --- the report ---

ALL = {**dict.fromkeys(walls.MECHANISMS, ""), "profile": "only on macOS"}


def stands(report: dict[str, str]) -> tuple[bool, bool, bool]:
    found = {wall.name: wall.stands for wall in walls.read_walls(report)}
    return found["files"], found["network"], found["processes"]


@pytest.mark.parametrize(("files", "network", "processes"), list(itertools.product([True, False], repeat=3)))
def test_isolated_needs_three_walls(files: bool, network: bool, processes: bool) -> None:
    found = [
        Wall(name=name, stands=stands)
        for name, stands in (("files", files), ("network", network), ("processes", processes))
    ]
    assert walls.is_isolated(found) is ((files, network, processes) == (True, True, True))


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ((), (True, True, True)),
        (("landlock", "seccomp"), (True, True, True)),
        (("namespaces",), (True, True, True)),
        (("namespaces", "identity"), (True, True, True)),
        (("namespaces", "landlock"), (False, True, True)),
        (("namespaces", "landlock", "identity"), (False, True, False)),
        (("namespaces", "seccomp"), (False, False, False)),
        (("namespaces", "signals"), (True, True, False)),
        (walls.MECHANISMS, (False, False, False)),
    ],
)
def test_which_mechanism_makes_which_wall(missing: tuple[str, ...], expected: tuple[bool, bool, bool]) -> None:
    assert stands({**ALL, **dict.fromkeys(missing, "refused here")}) == expected


@pytest.mark.parametrize(
    "said", [None, "yes", [], {}, {"namespaces": True}, {"namespaces": 0, "seccomp": None}, {"walls": ""}, {1: ""}]
)
def test_an_invalid_report_counts_as_no_wall(said: object) -> None:
    report = walls.read_report({"walls": said})
    assert stands(report) == (False, False, False)
    assert set(report) == {*walls.MECHANISMS, "profile"}


def test_a_reason_is_bounded_and_visible() -> None:
    report = walls.read_report({"walls": {**ALL, "namespaces": "\x1b[2J" + "x" * 10_000, "landlock": "y" * 10_000}})
    details = [wall.detail for wall in walls.read_walls(report)]
    assert all(len(detail) < 1000 and "\x1b" not in detail for detail in details)


def test_a_runner_that_cannot_have_the_walls_of_the_first_does_not_start(
    monkeypatch: pytest.MonkeyPatch, idle: supervisor.Supervisor
) -> None:
    closed: list[bool] = []
    later = SimpleNamespace(walls={**ALL, "landlock": "gone"}, close=lambda: closed.append(True))
    monkeypatch.setattr(supervisor.child, "Child", lambda *_: later)
    idle._runners.walls = dict(ALL)
    with pytest.raises(SystemExit, match="the sandbox's walls do not stand as before"):
        idle._runners.start()
    assert closed == [True]


def test_no_runner_starts_beside_what_the_one_before_left_running(
    capsys: pytest.CaptureFixture[str], idle: supervisor.Supervisor
) -> None:
    link = SimpleNamespace(receive=lambda *_: None, outbox=None, sock=None, flush=lambda: None)
    gone: Any = SimpleNamespace(
        pid=0, kill=lambda: None, read_printed=lambda: b"", link=link, close=lambda: False, ended=lambda: "signal 9"
    )
    idle._requests.child = gone
    idle._wait, idle._end_tree = list, lambda: None  # type: ignore[method-assign]
    idle.serve()
    assert (idle._requests.child, idle._over, idle.status) == (None, True, supervisor.NOT_EMPTY)
    assert capsys.readouterr().err == "processes of the code did not end\n"
