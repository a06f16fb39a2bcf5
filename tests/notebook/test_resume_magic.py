"""``%agent resume`` in a plain shell: with the options of the cell that is gone on with, in the default and in named sessions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from cells import AgentKernel
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell

import smolcell
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.models.errors import FaultKind, model_error
from smolcell.notebook.extension import ask_secret
from smolcell.notebook.magic import as_one_line

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
    error = as_one_line(AgentGenerationError("cut"))
    lines = error._render_traceback_()  # type: ignore[attr-defined]
    assert lines == ["AgentGenerationError: cut", "Go on where it broke off: %agent resume"]


@pytest.mark.parametrize(
    ("kind", "on"),
    [
        ("key", "Go on with another key: %agent resume"),
        ("model", "Go on with another model: %agent resume -m provider/model"),
        ("quota", "Go on with another model: %agent resume -m provider/model"),
        ("busy", "Go on where it broke off: %agent resume"),
    ],
)
def test_where_the_same_model_would_fail_again_another_is_proposed(kind: FaultKind, on: str) -> None:
    assert as_one_line(model_error("no", kind=kind))._render_traceback_()[-1] == on  # type: ignore[attr-defined]


@pytest.mark.kernels
def test_in_a_notebook_it_has_a_card_of_its_own_that_is_answered(tmp_path: Path) -> None:
    first, rest = tmp_path / "first.jsonl", tmp_path / "rest.jsonl"
    recording(first, "x = 40")
    recording(rest, "final_answer(x + 2)", "final_answer(x + 2)")
    with AgentKernel(sys.executable, tmp_path) as kernel:
        cell = kernel.execute(f"%%agent -o answer --replay {first}\n{TASK}")
        page = kernel.page(cell)
        page.answer(1)
        begun = page.event("Asked")
        page.event("Ended", state="error", cut="thinking", steps=1)
        assert kernel.ends(cell, "error").content["traceback"][-1] == "Go on where it broke off: %agent resume"
        stopped = kernel.execute(f"%agent resume --replay {rest}")
        page = kernel.page(stopped)
        page.answer(2, "stop")
        kernel.ends(stopped, "error")
        resumed = kernel.execute(f"%agent resume --replay {rest}")
        page = kernel.page(resumed)
        page.answer(3)
        page.event("Ended", state="success", steps=3)
        kernel.ends(resumed)
        asked = page.event("Asked")
        assert (asked["task"], asked["resumes"] not in ("", begun["run"])) == (TASK, True)
        assert kernel.run("print(answer)") == "42\n"


@pytest.mark.parametrize(
    ("allowed", "typed", "given"), [(True, "a-key", "a-key"), (True, "", None), (False, "a-key", None)]
)
def test_a_secret_is_asked_for_if_a_person_can_type(
    allowed: bool, typed: str, given: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("getpass.getpass", lambda question: asked.append(question) or typed)
    shell = SimpleNamespace(kernel=SimpleNamespace(_allow_stdin=allowed))
    assert ask_secret(shell, "It needs a key.\nKEY: ") == given
    assert (asked, capsys.readouterr().out) == ((["KEY: "], "It needs a key.\n") if allowed else ([], ""))


def test_a_front_end_that_takes_no_questions_after_all_gives_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(question: str) -> str:
        raise StdinNotImplementedError(question)

    monkeypatch.setattr("getpass.getpass", refuse)
    assert ask_secret(SimpleNamespace(kernel=SimpleNamespace(_allow_stdin=True)), "KEY: ") is None
