"""After a kernel's end the conversation comes back from its journal, and what its sandbox held is named as gone."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cells import PATIENCE, AgentKernel, recording
from IPython.core.interactiveshell import InteractiveShell

import smolcell
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.journal import Journal, journals_folder, read

TASK = "Add one and one."


@pytest.fixture
def shells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., InteractiveShell]]:
    """Shells one after the other; each begins where the extension of the one before has ended, as a kernel that is restarted."""
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    made: list[InteractiveShell] = []

    def end() -> None:
        for shell in made:
            smolcell.unload_ipython_extension(shell)
            shell.history_manager.end_session()
            shell.restore_sys_module_state()
        made.clear()

    def begin(notebook: str = "/home/ann/sales.ipynb") -> InteractiveShell:
        end()
        monkeypatch.setenv("JPY_SESSION_NAME", notebook)
        made.append(InteractiveShell())
        smolcell.load_ipython_extension(made[0])
        return made[0]

    yield begin
    end()


def fails(shell: InteractiveShell, folder: Path, *programs: str, line: str = "") -> None:
    """A cell whose model is lost after these programs."""
    replay = recording(folder / "short.jsonl", *programs, task=TASK)
    with pytest.raises(AgentGenerationError, match="ran out"):
        shell.run_cell_magic("agent", f"--replay {replay} -a auto -o answer {line}", TASK)


def test_a_run_goes_on_and_what_is_gone_is_named(
    shells: Callable[..., InteractiveShell], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = shells()
    shell.user_ns["sales"] = [1, 2]
    fails(shell, tmp_path, "x = 40\nopen('out.csv', 'w').write('1')", line="-i sales")
    shell = shells()
    shell.user_ns["sales"] = [3, 4]
    replay = recording(tmp_path / "long.jsonl", "pass", "final_answer(sum(sales))", task=TASK)
    capsys.readouterr()
    shell.run_line_magic("agent", f"resume --replay {replay} -a auto -o answer -i sales")
    printed = capsys.readouterr().out
    assert "the conversation of the session default was restored from its journal: 1 task, 1 step" in printed
    assert "lost with its sandbox: sales, x, out.csv. The model is told" in printed
    assert shell.user_ns["answer"] == 7
    (path,) = journals_folder().glob("*.jsonl")
    asked = [event for event in read(path) if type(event).__name__ == "Asked"]
    assert [(event.task, event.resumes, event.lost) for event in asked] == [  # type: ignore[union-attr]
        (TASK, "", ()),
        (TASK, asked[0].run, ("x", "out.csv")),
    ]
    with pytest.raises(SetupError, match="the last run of the session 'default' was done"):
        shell.run_line_magic("agent", "resume")


def test_a_conversation_that_was_done_comes_back_for_the_next_task(
    shells: Callable[..., InteractiveShell], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = recording(tmp_path / "one.jsonl", "x = 1\nfinal_answer(x)", task=TASK)
    shells().run_cell_magic("agent", f"--replay {replay} -a auto --session sums", TASK)
    shell = shells()
    shell.run_line_magic("agent", "resume sums")
    assert "Give the next task with: %%agent --session sums" in capsys.readouterr().out
    shell.run_line_magic("agent", "")
    assert "session sums: its conversation is back from its journal" in capsys.readouterr().out
    more = recording(tmp_path / "two.jsonl", "final_answer(2)", task="More.")
    shell.run_cell_magic("agent", f"--replay {more} -a auto -o answer --session sums", "More.")
    assert shell.user_ns["answer"] == 2
    shell.run_line_magic("agent", "log sums")
    assert TASK in capsys.readouterr().out


@pytest.mark.parametrize("what", ["another notebook", "another session", "reset", "in use", "linked", "damaged"])
def test_what_is_not_this_notebook_s_own_conversation_is_left_alone(
    shells: Callable[..., InteractiveShell], tmp_path: Path, what: str
) -> None:
    shell = shells()
    fails(shell, tmp_path, "x = 40")
    (path,) = journals_folder().glob("*.jsonl")
    said, name, holder = "no journal of an earlier kernel of this notebook", "default", None
    if what == "reset":
        shell.run_line_magic("agent", "reset")
    else:
        shell = shells("/home/ann/other.ipynb" if what == "another notebook" else "/home/ann/sales.ipynb")
    if what == "another session":
        name = "other"
    if what == "in use":
        holder = Journal(path)
    if what == "linked":  # as a person would, to have another file written to
        os.link(path, tmp_path / "link")
    if what == "damaged":
        path.write_text(path.read_text().replace('"v": 1, "seq": 2', '"v": 9, "seq": 2'))
        said = "line 3 is no event of version 1"
    try:
        with pytest.raises(SetupError, match=said):
            shell.run_line_magic("agent", f"resume {name}")
    finally:
        if holder is not None:
            holder.close()


def test_a_fork_is_a_session_that_stands_after_an_earlier_step(
    shells: Callable[..., InteractiveShell], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = shells()
    fails(shell, tmp_path, "x = 40", "y = 2")
    shell.run_line_magic("agent", "fork 1 what-if")
    printed = capsys.readouterr().out
    assert "the session what-if has the conversation of default up to step 1. Go on: %agent resume what-if" in printed
    assert "lost with its sandbox: x." in printed
    replay = recording(tmp_path / "long.jsonl", "pass", "final_answer('y' in globals())", task=TASK)
    shell.run_line_magic("agent", f"resume what-if --replay {replay}")
    assert shell.user_ns["answer"] is False
    for line, said in (
        ("fork 9", "there is no step 9 to fork from: the newest run has 1, 2, and 0"),
        ("fork 1 what-if", "there is a session 'what-if' already"),
        ("fork first", "%agent fork does not take 'first'"),
        ("fork 1 --session nosuch", "there is no session 'nosuch'"),
    ):
        with pytest.raises(SetupError, match=said):
            shell.run_line_magic("agent", line)
    shell.run_line_magic("agent", "fork 1 'what else'")
    assert (
        "Go on: %agent resume 'what else' · give it another task: %%agent --session 'what else'"
        in capsys.readouterr().out
    )
    shell.run_line_magic("agent", f"resume 'what else' --replay {replay} -o other")
    assert shell.user_ns["other"] is False
    with pytest.raises(SetupError, match="No closing quotation"):
        shell.run_line_magic("agent", "resume 'what else")
    shell.run_line_magic("agent", "fork 0")
    assert "the session default-fork has the conversation of default up to step 0" in capsys.readouterr().out


def test_a_fork_and_a_session_s_new_sandbox_outlive_the_kernel(
    shells: Callable[..., InteractiveShell], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = shells()
    fails(shell, tmp_path, "x = 40")
    fails(shell, tmp_path, "y = 40", line="--timeout 50")  # a new sandbox, the same journal
    shell.run_line_magic("agent", "fork 1 what-if")
    shell = shells()
    replay = recording(tmp_path / "long.jsonl", "pass", "final_answer(1)", task=TASK)
    for name, steps in (("default", 2), ("what-if", 2)):
        capsys.readouterr()
        shell.run_line_magic("agent", f"resume {name} --replay {replay} -a auto -o answer")
        assert f"2 tasks, {steps} steps" in capsys.readouterr().out
        assert shell.user_ns.pop("answer") == 1


@pytest.mark.kernels
@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_kernel_s_run_goes_on_in_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed while a person is asked: what they had approved is in the journal, and the proposal was not run."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "sales.ipynb"))
    with AgentKernel(sys.executable, tmp_path) as kernel:
        cell = kernel.agent("x = 40", "print(x)", folder=tmp_path)
        page = kernel.page(cell)
        page.answer(1)
        page.pending(2)
        os.kill(kernel.pid, signal.SIGKILL)
    rest = recording(tmp_path / "rest.jsonl", "final_answer('x' in globals())")
    with AgentKernel(sys.executable, tmp_path) as kernel:
        cell = kernel.execute(f"%agent resume --replay {rest} -o answer")
        said = kernel.until(lambda m: m.type == "stream" and m.parent == cell, PATIENCE).content["text"]
        assert "1 task, 2 steps; it ended: AgentStopped: the kernel ended" in said
        assert "lost with its sandbox: x." in said
        page = kernel.page(cell)
        asked = page.event("Asked")
        assert (asked["task"], asked["lost"]) == ("Go.", ["x"])
        page.answer(3)
        kernel.ends(cell)
        kernel.run("assert answer is False", PATIENCE)
