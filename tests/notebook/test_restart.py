"""After a kernel's end the conversation comes back from its journal, and what its sandbox held is named as gone."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from cells import AgentKernel, Notebook, plain_shell, recording

from smolcell.errors import AgentGenerationError, SetupError
from smolcell.events import Asked
from smolcell.journal import Journal, journals_folder, read

HERE = "/home/ann/sales.ipynb"
Begin = Callable[..., Notebook]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Begin]:
    """Notebooks one after the other; each begins where the extension of the one before has ended, as a kernel that is restarted."""
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    with ExitStack() as running:

        def begin(path: str = HERE) -> Notebook:
            running.close()
            monkeypatch.setenv("JPY_SESSION_NAME", path)
            return Notebook(running.enter_context(plain_shell()), tmp_path)

        yield begin


def fails(notebook: Notebook, *programs: str, line: str = "") -> None:
    """A cell whose model is lost after these programs."""
    with pytest.raises(AgentGenerationError, match="ran out"):
        notebook.cell(*programs, line=f"-o answer {line}")


def test_a_run_goes_on_and_what_is_gone_is_named(begin: Begin) -> None:
    notebook = begin()
    notebook.variables["sales"] = [1, 2]
    fails(notebook, "x = 40\nopen('out.csv', 'w').write('1')", line="-i sales")
    notebook = begin()
    notebook.variables["sales"] = [3, 4]
    replay = notebook.replay("pass", "final_answer(sum(sales))")
    printed = notebook.magic(f"resume --replay {replay} -a auto -o answer -i sales")
    assert "the conversation of the session default was restored from its journal: 1 task, 1 step" in printed
    assert "lost with its sandbox: sales, x, out.csv. The model is told" in printed
    assert notebook.variables["answer"] == 7
    (path,) = journals_folder().glob("*.jsonl")
    asked = [event for event in read(path) if isinstance(event, Asked)]
    told = [(event.task, event.resumes, event.lost) for event in asked]
    assert told == [("Go.", "", ()), ("Go.", asked[0].run, ("x", "out.csv"))]
    with pytest.raises(SetupError, match="the last run of the session 'default' was done"):
        notebook.magic("resume")


def test_a_conversation_that_was_done_comes_back_for_the_next_task(begin: Begin) -> None:
    begin().cell("x = 1\nfinal_answer(x)", line="--session sums", task="First.")
    notebook = begin()
    assert "Give the next task with: %%agent --session sums" in notebook.magic("resume sums")
    assert "session sums: its conversation is back from its journal" in notebook.magic("")
    notebook.cell("final_answer(2)", line="-o answer --session sums")
    assert notebook.variables["answer"] == 2
    assert "First." in notebook.magic("log sums")


@pytest.mark.parametrize("what", ["another notebook", "another session", "reset", "in use", "linked", "damaged"])
def test_what_is_not_this_notebook_s_own_conversation_is_left_alone(begin: Begin, tmp_path: Path, what: str) -> None:
    notebook = begin()
    fails(notebook, "x = 40")
    (path,) = journals_folder().glob("*.jsonl")
    said = "no journal of an earlier kernel of this notebook"
    if what == "reset":
        notebook.magic("reset")
    else:
        notebook = begin("/home/ann/other.ipynb" if what == "another notebook" else HERE)
    if what == "linked":  # as a person would, to have another file written to
        os.link(path, tmp_path / "link")
    if what == "damaged":
        path.write_text(path.read_text().replace('"v": 1, "seq": 2', '"v": 9, "seq": 2'))
        said = "line 3 is no event of version 1"
    with ExitStack() as held:
        if what == "in use":
            held.callback(Journal(path).close)
        with pytest.raises(SetupError, match=said):
            notebook.magic("resume other" if what == "another session" else "resume")


def test_a_fork_is_a_session_that_stands_after_an_earlier_step(begin: Begin) -> None:
    notebook = begin()
    fails(notebook, "x = 40", "y = 2")
    printed = notebook.magic("fork 1 what-if")
    assert "the session what-if has the conversation of default up to step 1. Go on: %agent resume what-if" in printed
    assert "lost with its sandbox: x." in printed
    replay = notebook.replay("pass", "final_answer('y' in globals())")
    notebook.magic(f"resume what-if --replay {replay}")
    assert notebook.variables["answer"] is False
    for line, said in (
        ("fork 9", "there is no step 9 to fork from: the newest run has 1, 2, and 0"),
        ("fork 1 what-if", "there is a session 'what-if' already"),
        ("fork first", "%agent fork does not take 'first'"),
        ("fork 1 --session nosuch", "there is no session 'nosuch'"),
        ("resume 'what else", "No closing quotation"),
    ):
        with pytest.raises(SetupError, match=said):
            notebook.magic(line)
    told = "Go on: %agent resume 'what else' · give it another task: %%agent --session 'what else'"
    assert told in notebook.magic("fork 1 'what else'")
    notebook.magic(f"resume 'what else' --replay {replay} -o other")
    assert notebook.variables["other"] is False
    assert "the session default-fork has the conversation of default up to step 0" in notebook.magic("fork 0")


def test_a_fork_and_a_session_s_new_sandbox_outlive_the_kernel(begin: Begin) -> None:
    notebook = begin()
    fails(notebook, "x = 40")
    fails(notebook, "y = 40", line="--timeout 50")  # a new sandbox, the same journal
    notebook.magic("fork 1 what-if")
    notebook = begin()
    replay = notebook.replay("pass", "final_answer(1)")
    for name in ("default", "what-if"):
        printed = notebook.magic(f"resume {name} --replay {replay} -a auto -o answer")
        assert "2 tasks, 2 steps" in printed
        assert notebook.variables.pop("answer") == 1


@pytest.mark.slow
@pytest.mark.kernels
@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_kernel_s_run_goes_on_in_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed while a person is asked: what they had approved is in the journal, and the proposal was not run."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "sales.ipynb"))
    with AgentKernel(sys.executable, tmp_path) as kernel:
        cell = kernel.agent("x = 40", "print(x)")
        page = kernel.page(cell)
        page.answer(1)
        page.pending(2)
        os.kill(kernel.pid, signal.SIGKILL)
    rest = recording(tmp_path / "rest.jsonl", "final_answer('x' in globals())")
    with AgentKernel(sys.executable, tmp_path) as kernel:
        cell = kernel.execute(f"%agent resume --replay {rest} -o answer")
        said = kernel.until(lambda m: m.type == "stream" and m.parent == cell).content["text"]
        assert "1 task, 2 steps; it ended: AgentStopped: the kernel ended" in said
        assert "lost with its sandbox: x." in said
        page = kernel.page(cell)
        asked = page.event("Asked")
        assert (asked["task"], asked["lost"]) == ("Go.", ["x"])
        page.answer(3)
        kernel.ends(cell)
        kernel.run("assert answer is False")
