"""A link that leads out of its folder reaches a sandbox only if a person allows it, and a file of the operating system never."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from smolcell.errors import SandboxError, SetupError
from smolcell.executors import files
from smolcell.executors.files import WorkFolder, find_beside, find_mountable, measure_files, names_in_folder
from smolcell.executors.local import LocalPythonExecutor
from smolcell.machine import host_files
from smolcell.machine.host_files import follow, open_file


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder with a cloned folder in it, beside private files and a share."""
    for name in ("share/deep", "here/clone/deep", "here/own", "work"):
        (tmp_path / name).mkdir(parents=True)
    for name in (
        "share/sales.csv",
        "share/deep/more.csv",
        "here/own/private.csv",
        "here/clone/a.csv",
        "here/clone/deep/b.csv",
    ):
        (tmp_path / name).write_text(f"of {name}")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


OUT = {
    "a file outside": ({"clone/l": "../../share/sales.csv"}, "clone/l"),
    "by an absolute path": ({"clone/l": "{top}/share/sales.csv"}, "clone/l"),
    "a file of the current folder, outside the link's": ({"clone/l": "../own/private.csv"}, "clone/l"),
    "a folder of the current folder, outside the link's": ({"clone/l": "../own"}, "clone/l"),
    "beside its folder": ({"clone/deep/l": "../a.csv"}, "clone/deep/l"),
    "in the current folder itself": ({"l": "../share/sales.csv"}, "l"),
    "a folder": ({"clone/l": "../../share"}, "clone/l"),
    "a file below a link to a folder": ({"clone/l": "../../share"}, "clone/l/sales.csv"),
    "a folder below a link to a folder": ({"clone/l": "../../share"}, "clone/l/deep"),
    "two links to folders": ({"clone/l": "../own", "own/m": "../../share"}, "clone/l/m/sales.csv"),
    "a chain": ({"clone/l": "m", "clone/m": "deep/n", "clone/deep/n": "../../../share/sales.csv"}, "clone/l"),
    "a chain through a link to a folder": ({"clone/l": "m/sales.csv", "clone/m": "../../share"}, "clone/l"),
    "a link inside, reached through one that leads out": ({"clone/l": "../own", "own/m": "private.csv"}, "clone/l/m"),
    "by its absolute path": ({"clone/l": "../../share/sales.csv"}, "{top}/here/clone/l"),
    "outside the current folder": ({"../share/l": "../here/own/private.csv"}, "../share/l"),
    "below a link outside the current folder": ({"../share/l": "../here/own"}, "{top}/share/l/private.csv"),
    "to a folder above it": ({"clone/deep/l": ".."}, "clone/deep/l"),
    "through the kernel's links": ({"clone/l": "/proc/self/root{top}/share/sales.csv"}, "clone/l"),
}


def planted(here: Path, links: dict[str, str], named: str) -> str:
    for name, target in links.items():
        (here / name).symlink_to(target.format(top=here.parent))
    return named.format(top=here.parent)


@pytest.mark.parametrize("case", OUT)
def test_a_link_out_of_its_folder_is_refused_with_its_real_target(here: Path, case: str) -> None:
    named = planted(here, *OUT[case])
    real = os.path.realpath(named)
    for find in (names_in_folder, find_mountable, LocalPythonExecutor().send_files, LocalPythonExecutor().mount):
        with pytest.raises(SetupError) as refusal:
            find([named])  # type: ignore[operator]
        assert f"a link that leads to {real}, outside the folder that the link lies in; name that path" in str(
            refusal.value
        )
    assert files.find_links([named]) == {named: Path(real)}


@pytest.mark.parametrize("case", OUT)
def test_a_link_whose_target_is_allowed_goes_in_under_its_own_name(here: Path, case: str) -> None:
    named = planted(here, *OUT[case])
    real = Path(os.path.realpath(named))
    ((_, path),) = names_in_folder([named], links=[real]).items()
    assert path == real
    with pytest.raises(SetupError, match="outside the folder"):
        names_in_folder([named], links=[real.parent, here])
    assert names_in_folder([real])  # named itself, it goes in


@pytest.mark.parametrize(
    ("links", "named"),
    [
        ({"clone/l": "a.csv"}, "clone/l"),
        ({"clone/l": "deep"}, "clone/l/b.csv"),
        ({"l": "clone/deep/b.csv"}, "l"),
        ({"l": "m", "m": "clone"}, "l/a.csv"),
        ({"../l": "here/own"}, "own/private.csv"),  # above the folder in which it is named
    ],
)
def test_a_link_that_stays_in_its_folder_goes_in_unasked(here: Path, links: dict[str, str], named: str) -> None:
    named = planted(here, links, named)
    assert list(names_in_folder([named]).values()) == [Path(os.path.realpath(named))]
    assert files.find_links([named]) == {}


def test_links_above_the_home_folder_do_not_count(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here.parent / "homes").mkdir()
    (here.parent / "homes" / "me").symlink_to("../share")
    monkeypatch.setenv("HOME", str(here.parent / "homes" / "me"))
    assert names_in_folder(["~/sales.csv"]) == {"sales.csv": here.parent / "share" / "sales.csv"}


def test_of_a_folder_that_is_copied_whole_only_its_own_files_go_in(
    here: Path, caplog: pytest.LogCaptureFixture
) -> None:
    planted(
        here, {"clone/l": "../own/private.csv", "clone/deep/up": "../a.csv", "clone/m": "../own", "clone/n": "l"}, ""
    )
    planted(
        here, {"clone/e": "/proc/self/environ", "clone/k": "/proc/self", "clone/r": "/proc/self/root/etc/hostname"}, ""
    )
    folder = WorkFolder(here.parent / "work")
    named = names_in_folder(["clone"])
    measure_files(named)
    folder.put(named)
    assert [file.name for file in folder.all()] == ["clone/a.csv", "clone/deep/b.csv", "clone/deep/up"]
    for left_out in ("clone/l", "clone/e", "clone/n", "clone/r"):
        assert f"{left_out} (a link that leads out)" in caplog.text
    assert "clone/m/ (a link to a folder)" in caplog.text


def test_a_link_out_of_its_folder_is_not_offered(here: Path) -> None:
    planted(here, {"clone/l": "../own/private.csv", "clone/m": "../own", "clone/n": "a.csv"}, "")
    offered = find_beside(["clone/l", "clone/m/private.csv", "clone/n", "clone/a.csv"])
    assert [file.name for file in offered] == ["clone/n", "clone/a.csv"]


# --- the kernel's files ------------------------------------------------------------------------------------------------

on_linux = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="Linux has these file systems")


@on_linux
@pytest.mark.parametrize(
    "path", ["/proc/self/environ", "/proc/version", "/proc/self", "/proc", "/sys/kernel", "/dev/pts"]
)
@pytest.mark.parametrize("link", [False, True])
def test_a_file_of_the_kernel_is_refused_whatever_is_allowed(here: Path, path: str, link: bool) -> None:
    (here / "clone" / "l").symlink_to(path)
    named = "clone/l" if link else path
    for find in (names_in_folder, find_mountable):
        with pytest.raises(
            SetupError, match="a file of the operating system, as in /proc and /sys; such files are never passed on"
        ):
            find([named], links=[Path(path).resolve()])


@on_linux
def test_a_file_of_the_kernel_is_known_by_its_file_system_wherever_that_is_mounted(
    here: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As if a process had mounted the kernel's files below a folder of the user's."""
    deep = here / "clone" / "deep"
    inodes = {(path.stat().st_dev, path.stat().st_ino) for path in (deep, deep / "b.csv")}
    monkeypatch.setattr(
        host_files.linux,
        "file_system",
        lambda number: 0x9FA0 if (os.fstat(number).st_dev, os.fstat(number).st_ino) in inodes else 0,
    )
    monkeypatch.setattr(files, "_mount_points", lambda: [deep])
    with pytest.raises(SetupError, match="a file of the operating system"):
        names_in_folder(["clone/deep/b.csv"])
    with pytest.raises(SetupError, match=r"clone is not mounted: .* contains files of the operating system"):
        find_mountable(["clone"])
    measure_files(names_in_folder(["clone"]))
    assert "clone/deep/ (a file of the operating system" in caplog.text
    assert find_beside(["clone/deep/b.csv"]) == ()
    with pytest.raises(OSError, match="a file of the operating system"):
        open_file(deep / "b.csv")


@on_linux
def test_a_link_of_the_kernel_to_a_file_without_a_path_is_refused(here: Path) -> None:
    with (here / "gone").open("w") as file:
        (here / "gone").unlink()
        (here / "clone" / "l").symlink_to(f"/proc/self/fd/{file.fileno()}")
        for named in ("clone/l", f"/proc/self/fd/{file.fileno()}"):
            with pytest.raises(SetupError, match="there is no such file or folder"):
                names_in_folder([named])
        assert find_beside(["clone/l"]) == ()


@on_linux
def test_the_places_of_mounts_are_read() -> None:
    assert Path("/proc") in files._mount_points()


def test_devices_pipes_and_sockets_are_refused(here: Path) -> None:
    os.mkfifo(here / "clone" / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("clone/socket")
        for path in ("clone/pipe", "clone/socket", "/dev/null", "/dev/zero", "/dev/tty"):
            (here / "clone" / "l").symlink_to(here / path)
            for named in (path, "clone/l"):
                with pytest.raises(SetupError, match="neither a file nor a folder"):
                    names_in_folder([named], links=[here / path, Path(path)])
            with pytest.raises(OSError, match=r"no longer an ordinary file|No such device"):
                open_file(here / path)
            (here / "clone" / "l").unlink()


# --- between the check and the copy ------------------------------------------------------------------------------------


def test_a_link_that_is_exchanged_during_the_check_counts_as_it_was_followed(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = here / "clone" / "l"
    link.symlink_to("../own/private.csv")
    followed = os.path.realpath

    def then_exchanged(path: Path) -> str:
        found = followed(path)
        if path == link:
            link.unlink()
            link.write_text("harmless")
        return found

    monkeypatch.setattr(os.path, "realpath", then_exchanged)
    assert follow(link, here) == (here / "own" / "private.csv", True)


def test_a_file_that_became_a_link_after_the_check_is_not_read(here: Path) -> None:
    folder = WorkFolder(here.parent / "work")
    named = names_in_folder(["clone/a.csv", "clone/deep"])
    (here / "clone" / "a.csv").unlink()
    (here / "clone" / "a.csv").symlink_to("../own/private.csv")
    with pytest.raises(
        SandboxError, match=r"clone/a\.csv cannot be copied into the sandbox: it was replaced by a link"
    ):
        folder.put(named)
    assert folder.all() == ()


@pytest.mark.parametrize("replaced", ["clone", "clone/deep"])
def test_a_folder_that_became_a_link_after_the_check_is_not_read(here: Path, replaced: str) -> None:
    file, folder = here / "clone" / "deep" / "b.csv", WorkFolder(here.parent / "work")
    (named,) = names_in_folder(["clone/deep/b.csv"]).values()
    (here / replaced).rename(here / "moved")
    (here / replaced).symlink_to(here / "moved")
    assert file.exists()
    with pytest.raises(OSError, match="a folder of its path was replaced by a link"):
        open_file(named)
    with pytest.raises(SandboxError, match="was replaced by a link"):
        folder.put({"b.csv": named})


def test_a_folder_that_became_a_link_after_it_was_mounted_is_not_mounted_again(here: Path) -> None:
    with LocalPythonExecutor() as executor:
        executor.mount(["own"])
        (here / "own").rename(here / "moved")
        (here / "own").symlink_to("../share")
        with pytest.raises(SandboxError, match=r"own is not mounted: .* was replaced by a link"):
            executor("1")


def test_a_folder_that_may_be_passed_but_not_listed_is_no_obstacle(here: Path) -> None:
    (here / "own").chmod(0o111)
    try:
        with open_file(here / "own" / "private.csv") as file:
            assert file.read() == b"of here/own/private.csv"
    finally:
        (here / "own").chmod(0o755)
