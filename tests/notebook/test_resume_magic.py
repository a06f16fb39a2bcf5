"""``%agent resume``: with the options of the cell that is gone on with, in the default and in named sessions."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from cells import AgentKernel, Notebook, recording
from IPython.core.error import StdinNotImplementedError

from smolcell.errors import AgentGenerationError, AgentMaxStepsError, SetupError
from smolcell.models.errors import model_error
from smolcell.notebook.extension import ask_secret
from smolcell.notebook.magic import as_one_line


@pytest.mark.parametrize(("line", "name"), [("", ""), ("--session other", "other")])
def test_a_run_goes_on_with_its_sandbox_and_options(notebook: Notebook, line: str, name: str) -> None:
    with pytest.raises(AgentGenerationError, match="ran out at step 2"):
        notebook.cell("x = 40", line=f"-o answer {line}")
    with pytest.raises(AgentGenerationError, match="ran out at step 2"):
        notebook.magic(f"resume {name}")
    for given in ("-i x", "-f x.csv", "--new"):
        with pytest.raises(SetupError, match="leave out --in, --file and --new"):
            notebook.magic(f"resume {name} {given}")
    notebook.magic(f"resume {name} --replay {notebook.replay('final_answer(x + 2)')}")
    assert notebook.variables["answer"] == 42
    with pytest.raises(SetupError, match="there is nothing to resume: the last run of the session"):
        notebook.magic(f"resume {name}")


def test_at_the_step_limit_there_are_more_steps(notebook: Notebook) -> None:
    with pytest.raises(AgentMaxStepsError, match=r"no final answer within 1 steps .*Go on with: %agent resume"):
        notebook.cell("x = 40", "'no program'", "final_answer(x + 2)", line="-o answer --max-steps 1")
    assert "answer" not in notebook.variables
    notebook.magic("resume --max-steps 5")
    assert notebook.variables["answer"] == 42


AGAIN = "Go on where it broke off: %agent resume"
ANOTHER = "Go on with another model: %agent resume -m provider/model"


@pytest.mark.parametrize(
    ("error", "on"),
    [
        (AgentGenerationError("no"), AGAIN),
        (model_error("no", kind="busy"), AGAIN),
        (model_error("no", kind="key"), "Go on with another key: %agent resume"),
        (model_error("no", kind="model"), ANOTHER),
        (model_error("no", kind="quota"), ANOTHER),
    ],
)
def test_an_error_of_the_model_says_how_to_go_on(error: AgentGenerationError, on: str) -> None:
    lines = as_one_line(error)._render_traceback_()  # type: ignore[attr-defined]
    assert (lines[0].split(": ")[1], lines[-1]) == ("no", on)


@pytest.mark.slow
@pytest.mark.kernels
def test_in_a_notebook_it_has_a_card_of_its_own_that_is_answered(tmp_path: Path) -> None:
    first, rest = tmp_path / "first.jsonl", tmp_path / "rest.jsonl"
    recording(first, "x = 40")
    recording(rest, "final_answer(x + 2)", "final_answer(x + 2)")
    with AgentKernel(sys.executable, tmp_path) as kernel:
        cell = kernel.execute(f"%%agent -o answer --replay {first}\nGo.")
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
        assert (asked["task"], asked["resumes"] not in ("", begun["run"])) == ("Go.", True)
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
