"""An approved step is on disk before it runs; what is on disk can be read back, whatever happened to it."""

import errno
import json
import os
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from smolcell import journal
from smolcell.errors import JournalError
from smolcell.events import Allowed, Asked, Ended, Event, Proposed, sha256
from smolcell.journal import Journal, read

CANARY = "canary-4711-canary"
ASKED = Asked(run="r1", task="Plot \ud800 Grüße")
PROPOSED = Proposed(run="r1", step=1, text="print(1)")
ALLOWED = Allowed(run="r1", step=1, text="print(1)", sha256=sha256("print(1)"), by="person")
ENDED = Ended(run="r1", state="success", steps=1)
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def write(path: Path, *events: Event) -> None:
    with Journal(path, clock=lambda: NOON) as log:
        for event in events:
            log.append(event)


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_was_written_is_read_back(path: Path) -> None:
    write(path, ASKED, PROPOSED)
    write(path, ALLOWED, ENDED)
    assert read(path) == [ASKED, PROPOSED, ALLOWED, ENDED]
    assert (read(path).skipped, [record["seq"] for record in records(path)]) == (0, [0, 1, 2, 3])


def test_a_line_has_version_number_time_and_event(path: Path) -> None:
    write(path, ASKED, ENDED)
    first, second = records(path)
    assert {key: first[key] for key in ("v", "seq", "at")} == {"v": 1, "seq": 0, "at": "2026-11-21T12:00:00+00:00"}
    assert (second["seq"], second["event"]["event"]) == (1, "Ended")
    assert "redacted" not in first


def test_secrets_are_redacted_and_the_original_keeps_its_hash(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", CANARY)
    text = f"login({CANARY!r})"
    write(path, Proposed(run="r1", step=1, text=text))
    (record,) = records(path)
    assert CANARY not in path.read_text()
    assert record["redacted"] is True
    assert record["sha256"] == {"text": sha256(text)}
    assert record["event"]["text"] == "login('[redacted]')"


class Disk:
    """A file that notes what is done to it, on a disk that is full after ``room`` bytes, until ``room`` is raised."""

    def __init__(self, path: Path, room: int = 10_000) -> None:
        self.file = path.open("wb", buffering=0)
        self.room, self.done, self.close = room, list[str](), self.file.close

    def write(self, data: bytes, /) -> int | None:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.done.append("write")
        written = self.file.write(data[: self.room])
        self.room -= written
        return written

    def fileno(self) -> int:
        self.done.append("fsync")
        return self.file.fileno()


def test_a_permit_is_flushed_to_disk_before_append_returns(path: Path) -> None:
    file = Disk(path)
    with Journal(path, file=file) as log:
        log.append(PROPOSED)
        assert file.done == ["write"]
        log.append(ALLOWED)
        assert file.done == ["write", "write", "fsync"]
        assert read(path) == [PROPOSED, ALLOWED]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_an_error_that_says_that_the_step_is_not_run(path: Path) -> None:
    said = r"a\.jsonl cannot be written: .*the step is not run"
    with Journal(path, file=Path("/dev/full").open("wb", buffering=0)) as log, pytest.raises(JournalError, match=said):
        log.append(ALLOWED)


def test_a_line_that_a_full_disk_tore_costs_that_line_only(path: Path) -> None:
    file = Disk(path, room=580)
    with Journal(path, file=file) as log:
        log.append(ASKED)
        for _ in range(2):
            with pytest.raises(JournalError):
                log.append(ALLOWED)
        file.room = 10_000
        log.append(ENDED)
    assert read(path) == [ASKED, ENDED]
    assert read(path).skipped == 1


def test_a_torn_last_line_is_skipped_and_a_continued_journal_starts_a_new_one(path: Path) -> None:
    write(path, ASKED, PROPOSED)
    whole = path.read_bytes()
    for cut in range(whole.index(b"\n") + 2, len(whole) - 1, 7):
        path.write_bytes(whole[:cut])
        assert (read(path), read(path).skipped) == ([ASKED], 1)
        write(path, ENDED)
        assert (read(path), read(path).skipped) == ([ASKED, ENDED], 1)


def test_garbage_is_skipped_and_counted(path: Path) -> None:
    write(path, ASKED)
    with path.open("ab") as file:
        file.write(b'\x00\xff\xfe\n[]\n7\n{"v": 1}\n{"v": 1, "event": {"event": "Nobody"}}\n{"v": 2, "event": {}}\n\n')
        file.write(b"[" * 100_000 + b"\n")
    write(path, ENDED)
    assert (read(path), read(path).skipped, read(path).damaged) == ([ASKED, ENDED], 7, 2)


def test_a_missing_journal_is_an_error_that_names_it(path: Path) -> None:
    with pytest.raises(JournalError, match=r"a\.jsonl cannot be read: No such file"):
        read(path)


@posix
@pytest.mark.parametrize(("name", "said"), [("pipe", "a pipe"), ("/dev/zero", "a device"), (".", "a folder")])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, name: str, said: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(JournalError, match=f"cannot be read: it is {said}, and no file"):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("bound", "value", "said"),
    [
        ("smolcell.machine.state.MAX_FILE_BYTES", 200, "it has more than 200 bytes"),
        ("smolcell.journal.MAX_EVENTS", 1, "it has more than 1 events"),
    ],
)
def test_a_file_that_is_larger_than_any_journal_is_not_read(
    path: Path, bound: str, value: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(path, ASKED, PROPOSED)
    monkeypatch.setattr(bound, value)
    with pytest.raises(JournalError, match=f"cannot be read: {said}"):
        read(path)


def test_a_line_of_more_values_than_an_event_has_is_garbage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, ASKED, ENDED)
    monkeypatch.setattr(journal, "MAX_VALUES", 1_000)
    with path.open("a") as file:
        file.write(f"[{'[],' * 1_000}0]\n")
    assert (read(path), read(path).skipped, read(path).damaged) == ([ASKED, ENDED], 1, 3)


def test_a_closed_journal_takes_nothing(path: Path) -> None:
    log = Journal(path)
    log.close()
    log.close()
    with pytest.raises(JournalError, match="closed"):
        log.append(ENDED)


def test_threads_may_append_at_once(path: Path) -> None:
    with Journal(path) as log:
        threads = [threading.Thread(target=lambda: [log.append(ENDED) for _ in range(50)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert read(path) == [ENDED] * 200
    assert [record["seq"] for record in records(path)] == list(range(200))


# --- where it lies ---------------------------------------------------------------------------------------------------


def test_a_new_journal_lies_in_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path / "state"))
    with Journal.create("../My session!") as one, Journal.create("") as two:
        assert one.path.parent == two.path.parent == tmp_path / "state" / "journals"
        assert one.path.name.startswith(f"{datetime.now(UTC):%Y-%m-%d}-My-session-")
        assert "-session-" in two.path.name
    monkeypatch.delenv("SMOLCELL_STATE_DIR")
    assert journal.journals_folder().parts[-2:] == ("smolcell", "journals")


@posix
def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Journal.create(folder=tmp_path / "journals") as log:
            modes = [stat.S_IMODE(place.stat().st_mode) for place in (log.path, log.path.parent)]
        (tmp_path / "open").mkdir(mode=0o777)
        with Journal.create(folder=tmp_path / "open") as log:
            modes.append(stat.S_IMODE(log.path.parent.stat().st_mode))
    finally:
        os.umask(before)
    assert modes == [0o600, 0o700, 0o700]


@posix
def test_links_are_not_followed(tmp_path: Path, path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    path.symlink_to(victim)
    (tmp_path / "hard").hardlink_to(victim)
    (tmp_path / "linked").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "fifo")
    for place in (path, tmp_path / "hard", tmp_path / "fifo", tmp_path):
        with pytest.raises(JournalError):
            Journal(place)
    with pytest.raises(JournalError, match="link"):
        Journal.create(folder=tmp_path / "linked")
    assert victim.read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_someone_else_is_not_used(tmp_path: Path, path: Path) -> None:
    path.touch()
    (tmp_path / "theirs").mkdir()
    os.chown(path, 12345, 12345)
    os.chown(tmp_path / "theirs", 12345, 12345)
    with pytest.raises(JournalError, match="not a plain file of this user"):
        Journal(path)
    with pytest.raises(JournalError, match="another user"):
        Journal.create(folder=tmp_path / "theirs")


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, path: Path) -> None:
    path.touch()
    with pytest.raises(JournalError, match="cannot be written"):
        Journal.create(folder=path / "journals")


def test_two_processes_write_at_once_each_to_its_own_file(tmp_path: Path) -> None:
    program = (
        "import sys; from smolcell.journal import Journal; from smolcell.events import Ended\n"
        "with Journal.create(folder=sys.argv[1]) as log:\n"
        "    for _ in range(100): log.append(Ended(run='r', state='success', steps=1))"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "journals")]
    for process in [subprocess.Popen(command) for _ in range(2)]:
        assert process.wait() == 0
    assert [len(read(file)) for file in (tmp_path / "journals").iterdir()] == [100, 100]
