"""Files in and out of the work folder: the same names, nothing else of the disk, no trap of the code's followed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from smolcell.core.text import visible
from smolcell.errors import CapabilityError, LimitError, SandboxError, SetupError, SmolcellError
from smolcell.events import File
from smolcell.executors import files
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.files import WorkFolder, measure_files, names_in_folder
from smolcell.executors.local import LocalPythonExecutor


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with data in it, and a neighbour."""
    (tmp_path / "here" / "data" / "deep").mkdir(parents=True)
    (tmp_path / "here" / "data" / "sales.csv").write_text("a\n1\n")
    (tmp_path / "here" / "data" / "deep" / "more.txt").write_text("more")
    (tmp_path / "elsewhere.txt").write_text("out")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


def put(work: Path, *paths: str) -> WorkFolder:
    folder = WorkFolder(work)
    folder.put(names_in_folder(paths))
    return folder


def held(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# --- names -------------------------------------------------------------------------------------------------------------


def test_a_path_below_the_current_folder_keeps_its_name_and_any_other_its_last_part(here: Path) -> None:
    found = names_in_folder(
        ["data/sales.csv", "./data/deep", str(here / "data" / "deep" / "more.txt"), "../elsewhere.txt"]
    )
    assert found == {
        "data/sales.csv": here / "data" / "sales.csv",
        "data/deep": here / "data" / "deep",
        "data/deep/more.txt": here / "data" / "deep" / "more.txt",
        "elsewhere.txt": here.parent / "elsewhere.txt",
    }


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["nope.csv"], "nope.csv: there is no such file or folder"),
        (["."], "this folder cannot be copied as a whole"),
        (["data", "../data"], "would both be 'data' in the sandbox; rename one of them"),
        (["pipe"], "pipe: neither a file nor a folder"),
        (["/dev/null"], "/dev/null: neither a file nor a folder"),
        (["sales.csv\0"], "null byte"),
        (["~nobody-has-this-name/x"], "home directory"),
        (["x" * 300], "File name too long"),
        (["data/sales.csv/x"], "there is no such file or folder"),
        (["/"], "this folder cannot be copied as a whole"),
    ],
)
def test_what_cannot_go_in_is_named(here: Path, paths: list[str], said: str) -> None:
    (here.parent / "data").mkdir()
    os.mkfifo(here / "pipe")
    with pytest.raises(SetupError, match=said):
        names_in_folder(paths)


def test_too_much_is_refused_before_anything_is_copied(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILES", 1)
    with pytest.raises(SetupError, match=r"data: too much to copy in \(at most 1 files, 1,073,741,824 bytes"):
        measure_files(names_in_folder(["data"]))
    monkeypatch.setattr(files, "MAX_FILES", 10_000)
    (here / "data" / "sparse").touch()
    os.truncate(here / "data" / "sparse", files.MAX_BYTES)
    with pytest.raises(SetupError, match="data: too much to copy in"):
        measure_files(names_in_folder(["data"]))
    (here / "data" / "sparse").unlink()
    for number in range(30):
        (here / "data" / f".hidden{number}").mkdir()
    monkeypatch.setattr(files, "MAX_EXAMINED", 20)
    with pytest.raises(SetupError, match="data: too much to copy in"):
        measure_files(names_in_folder(["data"]))


def test_files_that_go_in_are_listed_with_their_size(here: Path) -> None:
    assert measure_files(names_in_folder(["data", "../elsewhere.txt"])) == (
        File(name="data/", size=8),
        File(name="elsewhere.txt", size=3),
    )


# --- copies ------------------------------------------------------------------------------------------------------------


def test_files_are_copies_at_the_same_names(here: Path, work: Path) -> None:
    put(work, "data", "../elsewhere.txt")
    found = {name: (work / name).read_text() for name in held(work)}
    assert found == {"data/sales.csv": "a\n1\n", "data/deep/more.txt": "more", "elsewhere.txt": "out"}


def test_a_link_that_leads_out_of_a_named_folder_stays_out(here: Path, work: Path) -> None:
    (here / "data" / "secret").symlink_to(here.parent / "elsewhere.txt")
    (here / "data" / "same").symlink_to("sales.csv")
    (here / "data" / "loop").symlink_to("loop")
    put(work, "data")
    assert sorted(path.name for path in (work / "data").iterdir()) == ["deep", "sales.csv", "same"]
    assert not (work / "data" / "same").is_symlink()


@pytest.mark.parametrize("real", [".env", "deep/.env.local", "deep/id_rsa", ".git/config", ".hidden/deep/plain.txt"])
def test_a_link_to_a_file_that_stays_out_by_its_real_name_stays_out(here: Path, work: Path, real: str) -> None:
    data = here / "data"
    (data / real).parent.mkdir(parents=True, exist_ok=True)
    (data / real).write_text("x")
    (data / "README.txt").symlink_to(real)
    (data / "chain.txt").symlink_to("README.txt")
    put(work, "data")
    assert held(work) == ["data/deep/more.txt", "data/sales.csv"]


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (".git", "a hidden folder"),
        (".git/hooks", "a hidden folder"),
        (".git/config", "a hidden folder"),
        ("data/.env", "which may hold keys"),
        ("data/ID_RSA", "which may hold keys"),
        ("../.aws/credentials", "a hidden folder"),
        ("..", "outside the folder that the link lies in"),
        ("../other", "outside the folder that the link lies in"),
    ],
)
def test_a_named_link_is_judged_by_where_it_leads(here: Path, target: str, reason: str) -> None:
    (here / ".git" / "hooks").mkdir(parents=True)
    (here.parent / ".aws").mkdir()
    (here.parent / "other").mkdir()
    for name in (".git/config", ".git/hooks/push", "data/.env", "data/ID_RSA", "../.aws/credentials"):
        (here / name).write_text("x")
    (here / "link").symlink_to(target)
    (here / "chain").symlink_to("link")
    for name in ("link", "chain", *(["link/config"] if target == ".git" else [])):
        with pytest.raises(SetupError) as caught:
            names_in_folder([name])
        assert str((here / target).resolve()) in str(caught.value)
        assert reason in str(caught.value)
    if not (here / target).samefile(here.parent):
        assert names_in_folder([(here / target).resolve()])  # named itself, it goes in


def test_a_named_link_to_ordinary_data_goes_in(here: Path, work: Path) -> None:
    (here / "sales").symlink_to("data/deep")
    put(work, "sales")
    assert held(work) == ["sales/more.txt"]


def test_files_that_hold_keys_stay_out_however_their_names_are_written(here: Path) -> None:
    for name in (".ENV", ".Env.local", ".NETRC", "Id_Rsa"):
        (here / "data" / name).write_text("x")
    assert measure_files(names_in_folder(["data"])) == (File(name="data/", size=8),)


def test_files_that_stay_out_are_logged(here: Path, work: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = here / "data"
    (data / "secret").symlink_to(here.parent / "elsewhere.txt")
    (data / "up").symlink_to(here.parent)
    (data / "gone").symlink_to("nowhere")
    os.mkfifo(data / "pipe")
    for name in (".ssh/id_ed25519", ".git/config", ".env.local", "deep/id_rsa", "deep/.netrc", ".zattrs", "two\nlines"):
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text("x")
    assert measure_files(names_in_folder(["data"])) == (File(name="data/", size=10),)
    (message,) = caplog.messages
    for part in (
        "data/.git/ (a hidden folder), data/.ssh/ (a hidden folder), data/up/ (a link to a folder)",
        "data/.env.local (it may hold keys: name the file itself to send it)",
        "data/gone (a link to nowhere), data/pipe (not an ordinary file), data/secret (a link that leads out)",
        "and 1 more",
    ):
        assert part in message
    put(work, "data", "data/.ssh/id_ed25519", "data/deep/id_rsa")  # these two are named
    more = [".ssh/id_ed25519", ".zattrs", "deep/id_rsa", "deep/more.txt", "sales.csv", "two\nlines"]
    assert held(work) == [f"data/{name}" for name in more]


def test_a_home_folder_is_found_and_names_that_are_no_text_go_in(
    here: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(here.parent))
    odd = os.fsdecode(b"\xff.csv")
    (here / odd).write_text("odd")
    put(work, "~/elsewhere.txt", odd)
    assert sorted(path.name for path in work.iterdir()) == ["elsewhere.txt", odd]
    assert measure_files(names_in_folder([odd])) == (File(name=visible(odd), size=3),)


def test_a_file_is_copied_as_it_is_while_it_grows(here: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIECE_BYTES", 4)
    growing = here / "log"
    growing.write_bytes(b"0123456789")
    taken = []
    for piece in files.pieces(growing):
        taken.append(piece)
        with growing.open("ab") as file:
            file.write(b"x" * 10)
    assert b"".join(taken) == b"0123456789"
    growing.unlink()
    os.mkfifo(growing)
    with pytest.raises(OSError, match="no longer an ordinary file"):
        next(files.pieces(growing))  # and does not wait for a writer


@pytest.mark.parametrize("trap", ["data", "data/sales.csv"])
def test_a_link_the_code_planted_is_not_written_through(here: Path, work: Path, trap: str) -> None:
    victim = here.parent / "victim"
    victim.mkdir()
    (victim / "sales.csv").write_text("mine")
    (work / trap).parent.mkdir(exist_ok=True)
    (work / trap).symlink_to(victim if trap == "data" else victim / "sales.csv")
    put(work, "data")
    assert (victim / "sales.csv").read_text() == "mine"
    assert sorted(path.name for path in victim.iterdir()) == ["sales.csv"]
    assert (work / "data" / "sales.csv").read_text() == "a\n1\n"


def test_a_file_sent_again_is_copied_again(here: Path, work: Path) -> None:
    folder = put(work, "data/sales.csv")
    (here / "data" / "sales.csv").write_text("b\n")
    folder.put(names_in_folder(["data/sales.csv"]))
    assert (work / "data" / "sales.csv").read_text() == "b\n"


# --- what the code wrote -----------------------------------------------------------------------------------------------


def test_what_is_new_or_other_is_told_once(here: Path, work: Path) -> None:
    folder = put(work, "data")
    assert folder.changed() == ()
    (work / "out.csv").write_text("12345")
    (work / "data" / "sales.csv").write_text("changed")
    (work / ".cache").mkdir()
    (work / ".cache" / "fonts").write_text("of a library")
    assert folder.changed() == (File(name="data/sales.csv", size=7), File(name="out.csv", size=5))
    assert folder.changed() == ()


def test_names_are_shown_as_they_are_and_bounded(work: Path) -> None:
    folder = WorkFolder(work)
    (work / "a\u202eb").write_text("odd")
    for number in range(150):
        (work / f"f{number:03}").write_text("")
    found = folder.changed()
    assert len(found) == files.MAX_LISTED
    assert found[0] == File(name=visible("a\u202eb"), size=3) != File(name="a\u202eb", size=3)
    assert folder.keep(found[0].name, work.parent / "kept").read_text() == "odd"


def test_a_file_is_kept_and_nothing_is_overwritten(here: Path, work: Path) -> None:
    folder = WorkFolder(work)
    (work / "sub").mkdir()
    (work / "sub" / "out.csv").write_text("1")
    assert folder.keep("sub/out.csv", here) == here / "out.csv"
    assert (here / "out.csv").read_text() == "1"
    with pytest.raises(FileExistsError):
        folder.keep("sub/out.csv", here / "out.csv")
    with pytest.raises(SandboxError, match=r"no file 'nope'; its files: sub/out\.csv"):
        folder.keep("nope", here / "nope")
    assert not (here / "nope").exists()


def test_a_link_the_code_planted_is_not_read(here: Path, work: Path) -> None:
    folder = WorkFolder(work)
    (work / "out.csv").symlink_to(here.parent / "elsewhere.txt")
    (work / "sub").symlink_to(here.parent)
    os.mkfifo(work / "pipe")
    assert folder.all() == ()
    for name in ("out.csv", "sub/elsewhere.txt", "pipe", "../elsewhere.txt"):
        with pytest.raises(SandboxError, match="has no file"):
            folder.keep(name, here / "kept")


def test_a_folder_that_becomes_a_link_meanwhile_is_not_followed(
    here: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "sub").mkdir()
    (work / "sub" / "elsewhere.txt").write_text("its own")
    folder = WorkFolder(work)
    seen = folder._look()
    monkeypatch.setattr(folder, "_look", lambda: seen)
    (work / "sub" / "elsewhere.txt").unlink()
    (work / "sub").rmdir()
    (work / "sub").symlink_to(here.parent)
    with pytest.raises(SandboxError, match="cannot be read"):
        folder.keep("sub/elsewhere.txt", here / "kept")
    assert not (here / "kept").exists()


def test_half_a_file_is_not_kept(here: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / "out.csv").write_text("1")
    folder = WorkFolder(work)

    def broken(_: str) -> Iterator[bytes]:
        yield b"half"
        raise SandboxError("the sandbox ended")

    monkeypatch.setattr(folder, "_pieces", broken)
    with pytest.raises(SandboxError, match="the sandbox ended"):
        folder.keep("out.csv", here / "kept")
    assert not (here / "kept").exists()


# --- the sandbox -------------------------------------------------------------------------------------------------------


def test_code_reads_the_files_and_what_it_writes_is_told(here: Path) -> None:
    with LocalPythonExecutor() as executor:
        assert executor.send_files(["data"]) == (File(name="data/", size=8),)
        read = executor("open('data/sales.csv').read()")
        assert (read.output, read.files) == ("a\n1\n", ())
        wrote = executor("f = open('data/new.txt', 'w'); _ = f.write('xy'); f.close()")
        assert wrote.files == (File(name="data/new.txt", size=2),)
        (here / "late.txt").write_text("late")
        executor.send_files(["late.txt"])
        late = executor("open('late.txt').read()")
        assert (late.output, late.files) == ("late", ())
        names = ["data/deep/more.txt", "data/new.txt", "data/sales.csv", "late.txt"]
        assert [file.name for file in executor.files()] == names
        assert executor.keep_file("data/new.txt", here / "new.txt").read_text() == "xy"
    assert executor.files() == ()
    with pytest.raises(SandboxError, match="so it has no files"):
        executor.keep_file("data/new.txt", here / "again.txt")
    assert (here / "data" / "sales.csv").read_text() == "a\n1\n"


def test_a_new_worker_has_the_files_again(here: Path) -> None:
    with LocalPythonExecutor() as executor:
        executor.send_files(["data/sales.csv"])
        executor("1")
        os.kill(executor._channel.pid, 9)
        with pytest.raises(SmolcellError, match="ended"):
            executor("import time; time.sleep(600)")
        assert executor("open('data/sales.csv').read()").output == "a\n1\n"


def test_a_folder_that_was_emptied_has_the_files_again(make: Callable[..., LocalPythonExecutor], here: Path) -> None:
    executor = make(timeout=60, unguarded=True, disk=16)
    executor.send_files(["data/sales.csv"])
    with pytest.raises(LimitError, match="holds more than 32 MB; its process was killed, and the folder emptied"):
        executor("for i in range(1000):\n    with open(str(i), 'wb') as file: file.write(bytes(8 << 20))")
    assert executor("import os\nsorted(os.listdir()), open('data/sales.csv').read()").output == (["data"], "a\n1\n")


def test_the_folder_is_not_emptied_under_a_step_that_fills_it(make: Callable[..., LocalPythonExecutor]) -> None:
    executor = make(timeout=60, unguarded=True, disk=16)
    executor("import subprocess\nleft = subprocess.Popen(['sleep', '600'])")  # ending it does not help
    with pytest.raises(LimitError, match="holds more than 32 MB; its process was killed, and the folder emptied"):
        executor("for i in range(5):\n    with open(str(i), 'wb') as file: file.write(bytes(8 << 20))")
    assert executor("import os\nos.listdir()").output == []


def test_a_sandbox_without_a_folder_says_so() -> None:
    with pytest.raises(CapabilityError, match="accepts no files; leave out --file"):
        WorkerExecutor().send_files(["x"])
