"""``smolcell`` where standard input, output or error is closed, full, read by nobody, or in an encoding without most letters."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import PATIENCE, recording, smolcell
from examples import quick

pytestmark = pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell; not run on Windows")
RUN = "run Go. --replay {replay} -a auto"
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="macOS only: no device that is always full")


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    return recording(tmp_path / "r.jsonl", "Go.", "print('drawn')", "final_answer('→ 42')")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of a line; ``smolcell`` is the command."""
    return subprocess.run(
        ["/bin/sh", "-c", f'smolcell() {{ {sys.executable} -m smolcell "$@"; }}\n{line}'],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


@needs_full
@pytest.mark.parametrize("command", quick([RUN, "replay {journal}", "sandboxes"], "replay {journal}"))
def test_a_full_disk_behind_standard_output_is_one_line_and_a_failure(
    command: str, replay: Path, tmp_path: Path
) -> None:
    event = {"event": "Asked", "run": "r", "task": "Go."}
    journal = tmp_path / "journal.jsonl"
    journal.write_text(json.dumps({"v": 1, "seq": 0, "at": "2026-11-21T12:00:00+00:00", "event": event}) + "\n")
    done = shell(f"smolcell {command.format(replay=replay, journal=journal)} > /dev/full")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert done.stderr.endswith("smolcell: standard output cannot be written: No space left on device\n")
    if command.startswith("run"):  # and where the answer can be read instead
        kept = re.search(r"^journal: (\S+)", done.stderr, re.MULTILINE)
        assert kept is not None
        assert "→ 42" in smolcell("replay", kept[1]).stdout


@pytest.mark.parametrize(
    ("redirected", "answer", "told"),
    [
        pytest.param("2> /dev/full", "→ 42\n", "", marks=[needs_full, pytest.mark.slow]),
        ("2>&-", "→ 42\n", ""),
        (">&-", "", "smolcell: standard output is closed: its output is lost\n"),
        pytest.param("<&- >&- 2>&-", "", "", marks=pytest.mark.slow),
        pytest.param("2>&1 >/dev/null | head -n 1", "Task\n", "", marks=pytest.mark.slow),
    ],
    ids=["error full", "error closed", "output closed", "all closed", "error read in part"],
)
def test_unreadable_output_changes_neither_the_answer_nor_the_status(
    redirected: str, answer: str, told: str, replay: Path, tmp_path: Path
) -> None:
    command, _, reader = redirected.partition("|")
    line = f"{{ smolcell run Go. --replay {replay} -a auto; echo $? > {tmp_path}/status; }} {command}"
    done = shell(f"{line} | {reader}" if reader else line)
    assert ((tmp_path / "status").read_text(), done.stdout) == ("0\n", answer)
    assert done.stderr.startswith(told)
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_no_file_takes_the_place_of_a_stream_that_is_closed(replay: Path, tmp_path: Path) -> None:
    shell(f"smolcell run Go. --replay {replay} -a auto <&- >&- 2>&-")
    (journal,) = (tmp_path / "smolcell-state" / "journals").glob("*.jsonl")
    lines = journal.read_text().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(len(lines)))


def test_an_encoding_without_the_letters_writes_them_as_escapes(replay: Path) -> None:
    done = shell(f"smolcell run Go. --replay {replay} -a auto", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout) == (0, "\\u2192 42\n")
    assert "\\u2502 drawn" in done.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("/dev/zero", "smolcell: standard input has more than 1,000,000 characters; pass a long text with --file\n"),
        (sys.executable, "smolcell: standard input cannot be read as text: 'utf-8' codec can't decode byte"),
        ("/dev/null", 'smolcell: the task is empty. Say what you want done: smolcell run "…"\n'),
    ],
    ids=["endless", "binary", "empty"],
)
def test_a_task_that_cannot_be_read_is_one_line(given: str, said: str) -> None:
    done = shell(f"smolcell run - -a auto < {given}", PYTHONIOENCODING="utf-8:strict")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1


def test_a_user_without_a_home_is_told_what_to_set(replay: Path) -> None:
    homeless = "import pwd, sys; pwd.getpwuid = {}.__getitem__; from smolcell.cli import main; sys.exit(main())"
    words = ["run", "Go.", "--replay", str(replay), "-a", "auto"]
    kept = {name: value for name, value in os.environ.items() if name not in ("HOME", "SMOLCELL_STATE_DIR")}
    command = [sys.executable, "-c", homeless, *words]
    done = subprocess.run(command, env=kept, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the journal cannot be stored, since this user has no home folder: the step is not run" in done.stderr
    assert done.stderr.endswith("Set SMOLCELL_STATE_DIR to one of your folders\n")


def test_a_current_folder_that_is_gone_is_one_line(replay: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    path = Path(__file__).resolve().parents[2]
    done = shell(f"cd {gone} && rmdir {gone} && smolcell run Go. --replay {replay} -a auto", PYTHONPATH=str(path))
    said = "smolcell: the current folder cannot be used: No such file or directory; go to another one: cd ~\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
