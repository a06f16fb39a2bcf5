"""``%agent undo``, ``goto`` and ``checkpoints`` in a plain shell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import smolcell
from smolcell.errors import SetupError


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    made = InteractiveShell()
    smolcell.load_ipython_extension(made)
    yield made
    smolcell.unload_ipython_extension(made)
    made.history_manager.end_session()
    made.restore_sys_module_state()


def recording(path: Path, *programs: str) -> str:
    lines = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": "t", "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def test_a_cell_s_steps_are_listed_and_taken_back_by_a_copy(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = recording(tmp_path / "a.jsonl", "x = 1", "x = 2", "final_answer(x)")
    shell.run_cell_magic("agent", f"--replay {first} -a auto -o answer", "t")
    capsys.readouterr()
    shell.run_line_magic("agent", "checkpoints")
    listed = capsys.readouterr().out.splitlines()
    assert [row.split("  ")[0].partition(":")[2] for row in listed[:-1]] == ["0", "1", "2"]
    assert all("  copy, " in row for row in listed[:-1])
    shell.run_line_magic("agent", "goto 1")
    assert "What ran after step 1 was taken back: a copy of the sandbox took over." in capsys.readouterr().out
    second = recording(tmp_path / "b.jsonl", "final_answer(x)")
    shell.run_line_magic("agent", f"resume --replay {second} -a auto -o answer")
    assert shell.user_ns["answer"] == 1
    shell.run_line_magic("agent", "undo 2")
    assert "This run was taken back" in capsys.readouterr().out
    shell.run_line_magic("agent", "checkpoints")
    assert "there is no step to go back to yet" in capsys.readouterr().out


@pytest.mark.parametrize("line", ["undo 0", "undo x", "undo 1 2", "goto", "goto x", "goto a:", "goto 1 2"])
def test_words_of_another_form_are_an_error(shell: InteractiveShell, line: str) -> None:
    with pytest.raises(SetupError, match="does not take"):
        shell.run_line_magic("agent", line)


def test_a_session_that_is_not_there_is_an_error(shell: InteractiveShell) -> None:
    with pytest.raises(SetupError, match="there is no session 'nosuch'"):
        shell.run_line_magic("agent", "undo --session nosuch")
