"""``%agent resume`` in a plain shell: with the options of the cell that is gone on with, in the default and in named sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import smolcell
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.notebook.magic import rendered

TASK = "Add one and one."


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
    lines += [{"task": TASK, "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


@pytest.mark.parametrize(("line", "name"), [("", ""), ("--session other", "other")])
def test_a_run_goes_on_with_its_sandbox_and_options(
    shell: InteractiveShell, tmp_path: Path, line: str, name: str
) -> None:
    short, long = (
        recording(tmp_path / "short.jsonl", "x = 40"),
        recording(tmp_path / "long.jsonl", "final_answer(x + 2)"),
    )
    with pytest.raises(AgentGenerationError, match="ran out at step 2"):
        shell.run_cell_magic("agent", f"--replay {short} -a auto -o answer {line}", TASK)
    with pytest.raises(AgentGenerationError, match="ran out at step 2"):
        shell.run_line_magic("agent", f"resume {name}")
    shell.run_line_magic("agent", f"resume {name} --replay {long}")
    assert shell.user_ns["answer"] == 42
    with pytest.raises(SetupError, match="there is nothing to resume: the last run of the session"):
        shell.run_line_magic("agent", f"resume {name}")


def test_at_the_step_limit_there_are_more_steps(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = recording(tmp_path / "long.jsonl", "x = 40", "'no program'", "final_answer(x + 2)")
    shell.run_cell_magic("agent", f"--replay {replay} -a auto -o answer --max-steps 1", TASK)
    assert "no final answer within 1 steps" in (printed := capsys.readouterr().out)
    assert "Go on with: %agent resume" in printed
    shell.run_line_magic("agent", "resume --max-steps 5")
    assert shell.user_ns["answer"] == 42


@pytest.mark.parametrize(("line", "name"), [("", "default"), ("nosuch", "nosuch"), ("--session nosuch", "nosuch")])
def test_nothing_to_resume_is_said(shell: InteractiveShell, line: str, name: str) -> None:
    with pytest.raises(SetupError, match=rf"the session '{name}' has run no task in this kernel"):
        shell.run_line_magic("agent", f"resume {line}")


@pytest.mark.parametrize("line", ["-i x", "-f x.csv", "--new"])
def test_what_a_run_that_goes_on_cannot_take_is_refused(shell: InteractiveShell, tmp_path: Path, line: str) -> None:
    replay = recording(tmp_path / "short.jsonl", "x = 40")
    with pytest.raises(AgentGenerationError):
        shell.run_cell_magic("agent", f"--replay {replay} -a auto", TASK)
    with pytest.raises(SetupError, match="leave out --in, --file and --new"):
        shell.run_line_magic("agent", f"resume {line}")


def test_an_error_of_the_model_says_how_to_go_on() -> None:
    error = rendered(AgentGenerationError("cut"))
    lines = error._render_traceback_()  # type: ignore[attr-defined]
    assert lines == ["AgentGenerationError: cut", "Go on where it broke off: %agent resume"]
