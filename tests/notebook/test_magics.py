"""The magics in a plain shell: whatever is wrong with a cell is said in one line, before anything is started."""

from __future__ import annotations

import json
import os
import re
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from indexes import TOOLS, configure, plots
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from leftovers import workers
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import smolcell
from smolcell import telemetry
from smolcell.errors import AgentGenerationError, ApprovalError, CapabilityError, SetupError, SmolcellError
from smolcell.notebook.commands import COMMANDS, status
from smolcell.session import Session
from smolcell.settings import NAMES, Settings, resolve

TASK = "Add one and one."
APPROVALS = "ask, risky, auto, deny"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No provider's token, no settings file, no server of this machine."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr("smolcell.models.first_local_model", lambda servers: None)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    made = InteractiveShell()
    smolcell.load_ipython_extension(made)
    yield made
    smolcell.unload_ipython_extension(made)
    made.history_manager.end_session()
    made.restore_sys_module_state()


@pytest.fixture
def replay(tmp_path: Path) -> str:
    return recording(tmp_path / "replay.jsonl", "final_answer(1 + 1)")


def recording(path: Path, *programs: str, task: str = TASK) -> str:
    """A recording, written by hand, of a model that proposes these programs."""
    lines: list[dict[str, Any]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": task, "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def agent(shell: InteractiveShell, line: str, task: str = TASK) -> None:
    shell.run_cell_magic("agent", line, task)


def test_files_go_in_by_name_and_what_the_code_wrote_can_be_kept(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("1,2")
    program = "f = open('sum.txt', 'w')\n_ = f.write(open('data/sales.csv').read())\nf.close()\nfinal_answer('done')"
    agent(shell, f"-f data/sales.csv -a auto --replay {recording(tmp_path / 'r.jsonl', program)} -o said")
    capsys.readouterr()
    shell.run_line_magic("agent", "files")
    listed = "3 bytes  data/sales.csv\n3 bytes  sum.txt\nkeep one with: %agent files keep NAME [TARGET]\n"
    assert capsys.readouterr().out == listed
    shell.run_line_magic("agent", "files keep sum.txt")
    assert (shell.user_ns["said"], Path("sum.txt").read_text()) == ("done", "1,2")
    with pytest.raises(SetupError, match=r"sum\.txt exists and is not overwritten; give another name"):
        shell.run_line_magic("agent", "files keep sum.txt")
    shell.run_line_magic("agent", "files keep --session default sum.txt other.txt")
    assert Path("other.txt").read_text() == "1,2"


def test_a_folder_is_mounted_and_read_where_it_is(shell: InteractiveShell, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("1,2")
    program = "final_answer(open('data/sales.csv').read())"
    agent(shell, f"-f data --read-only -a auto --replay {recording(tmp_path / 'r.jsonl', program)} -o said")
    assert shell.user_ns["said"] == "1,2"
    with pytest.raises(SetupError, match=r"--read-only applies to -f: name the folder, for example -f data --read"):
        agent(shell, "--read-only")
    with pytest.raises(CapabilityError, match="the sandbox 'e2b' cannot mount folders; leave out --read-only"):
        agent(shell, f"-s e2b -f data --read-only --replay {recording(tmp_path / 'r.jsonl', program)}")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("drop x", r"does not take 'drop x'\. %agent files \[keep NAME"),
        ("keep", "does not take 'keep'"),
        ("keep 'x", "Close every quote"),
    ],
)
def test_a_wrong_word_after_files_is_told(shell: InteractiveShell, line: str, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        shell.run_line_magic("agent", f"files {line}")


def test_the_help_of_the_line_magic_lists_every_command(shell: InteractiveShell) -> None:
    help_text = shell.find_line_magic("agent").__doc__
    assert list(shell._smolcell.magics.commands()) == list(COMMANDS)  # type: ignore[attr-defined]
    assert re.findall(r"^    %agent (\w+)", help_text, re.MULTILINE) == list(COMMANDS)


def test_a_file_that_is_not_there_starts_nothing(shell: InteractiveShell, replay: str) -> None:
    with pytest.raises(SetupError, match=r"nope\.csv: there is no such file or folder"):
        agent(shell, f"-f nope.csv -a auto --replay {replay}")
    assert nothing_started(shell)


def nothing_started(shell: InteractiveShell) -> bool:
    return workers(os.getpid()) == [] and "session default: running" not in said(shell)


def said(shell: InteractiveShell) -> str:
    """What ``%agent status`` prints."""
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        shell.run_line_magic("agent", "status")
    return str(captured.stdout)


# --- what is wrong with a cell ------------------------------------------------------------------------------------------

BAD_LINES = {
    "unknown option": ("--nosuch", ["--nosuch", "--model", "--sandbox", "--approve", "--replay"]),
    "stray word": ("stray", ["stray", "--model"]),
    "shortened option": ("--appr auto", ["--appr", "--approve"]),
    "option without its value": ("--model", ["--model", "expected one argument"]),
    "open quote": ("--out 'x", ["quote"]),
    "model without provider": ("--model gpt-4", ["model", "gpt-4", "provider/model"]),
    "unknown provider": ("--model nosuch/model", ["model", "nosuch", "openai", "huggingface", "ollama"]),
    "unknown sandbox": ("--replay {replay} --sandbox nosuch", ["sandbox", "nosuch", "local"]),
    "unknown approval": ("--replay {replay} --approve perhaps", ["--approve", "perhaps", APPROVALS]),
    "unknown variable": ("--replay {replay} --in nosuch", ["--in", "nosuch"]),
    "several, one unknown": ("--replay {replay} -i known,nosuch", ["--in", "nosuch"]),
    "variable that is no name": ("--replay {replay} -i 1x", ["--in", "1x", "name of a variable"]),
    "result that is no name": ("--replay {replay} --out 1x", ["--out", "1x", "name of a variable"]),
    "result that is a keyword": ("--replay {replay} --out for", ["--out", "for", "name of a variable"]),
    "result that is an attribute": ("--replay {replay} --out a.b", ["--out", "a.b", "name of a variable"]),
    "pull of no name": ("--replay {replay} --pull a-b", ["--pull", "a-b", "name of a variable"]),
    "unknown tool": ("--replay {replay} --tool nosuch", ["--tool", "nosuch"]),
    "tool that is none": ("--replay {replay} --tool known", ["--tool", "known", "int", "function"]),
    "no step": ("--replay {replay} --max-steps 0", ["--max-steps", "'0'", "at least 1"]),
    "a word of steps": ("--replay {replay} --max-steps many", ["--max-steps", "'many'", "at least 1"]),
    "half a step": ("--replay {replay} --max-steps 1.5", ["--max-steps", "'1.5'", "at least 1"]),
    "negative steps": ("--replay {replay} --max-steps=-3", ["--max-steps", "'-3'", "at least 1"]),
    "no time": ("--replay {replay} --timeout 0", ["--timeout", "'0'", "at least 0.1"]),
    "time without end": ("--replay {replay} --timeout inf", ["--timeout", "'inf'", "at least 0.1"]),
    "no time at all": ("--replay {replay} --timeout nan", ["--timeout", "'nan'", "at least 0.1"]),
    "no output": ("--replay {replay} --max-output 0", ["--max-output", "'0'", "at least 100"]),
    "no memory": ("--replay {replay} --memory 1", ["--memory", "'1'", "at least 64"]),
    "memory with a unit": ("--replay {replay} --memory 2GB", ["--memory", "'2GB'", "at least 64"]),
    "both recordings": ("--record new.jsonl --replay {replay}", ["--record", "--replay", "one of them"]),
    "missing recording": ("--replay nosuch.jsonl", ["nosuch.jsonl", "--record"]),
    "folder for a recording": ("--replay .", ["cannot be read", "--record"]),
    "recording that is none": ("--replay notes.txt", ["notes.txt", "is not a recording", "--record"]),
    "session without a name": ("--replay {replay} --session ''", ["--session", "1 to 80"]),
    "imports that are no names": ("--replay {replay} --imports 'a b'", ["--imports", "'a b'", "numpy,scipy.*"]),
    "imports of a path": ("--replay {replay} --imports ../x", ["--imports", "'../x'", "numpy,scipy.*"]),
    "imports that are misspelled": ("--replay {replay} --imports panda.*", ["--imports panda.*", "'panda'", "pandas"]),
    "imports that are like nothing": ("--replay {replay} --imports qqqzzz", ["no module named 'qqqzzz' is installed"]),
    "file without a name": ("--replay {replay} --file ''", ["--file", "the name of a file"]),
    "session with a long name": ("--replay {replay} --session " + "x" * 81, ["--session", "1 to 80"]),
}


@pytest.mark.parametrize(("line", "words"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_named_with_what_is_valid_and_starts_nothing(
    shell: InteractiveShell, replay: str, tmp_path: Path, line: str, words: Sequence[str]
) -> None:
    (tmp_path / "notes.txt").write_text("not a recording\n")
    shell.user_ns["known"] = 1
    with pytest.raises(SetupError) as raised:
        agent(shell, line.format(replay=replay))
    message = str(raised.value)
    assert [word for word in words if word not in message] == [], message
    assert nothing_started(shell)
    assert one_line(raised.value) == [f"SetupError: {message}"]


def one_line(error: SmolcellError) -> list[str]:
    """What IPython shows of it."""
    lines: list[str] = error._render_traceback_()  # type: ignore[attr-defined]
    return lines


@pytest.mark.parametrize(("task", "name"), [("Add @nosuch.", "@nosuch"), ("Mail me@home about @nosuch", "@nosuch")])
def test_a_name_in_the_task_that_is_no_variable_is_named(
    shell: InteractiveShell, replay: str, task: str, name: str
) -> None:
    with pytest.raises(SetupError, match=rf"{name} in the task: there is no variable 'nosuch' in this notebook"):
        agent(shell, f"--replay {replay}", task)
    assert nothing_started(shell)


def test_a_name_that_is_nearly_right_is_suggested(shell: InteractiveShell, replay: str) -> None:
    shell.user_ns["sales"] = 1
    with pytest.raises(SetupError, match="did you mean 'sales'"):
        agent(shell, f"--replay {replay} -i sale")


@pytest.mark.parametrize(("line", "task"), [(" -i twice", "Go."), ("", "Use @twice.")])
def test_a_function_as_a_variable_is_told_to_be_a_tool(
    shell: InteractiveShell, replay: str, line: str, task: str
) -> None:
    shell.run_cell("def twice(n): return 2 * n")
    with pytest.raises(SetupError, match=r"'twice' is a function.*with: -t twice$"):
        agent(shell, f"--replay {replay}{line}", task)
    assert nothing_started(shell)


def test_an_empty_task_is_an_error(shell: InteractiveShell, replay: str) -> None:
    with pytest.raises(SetupError, match="the task is empty: write what you want done on the lines below %%agent"):
        agent(shell, f"--replay {replay}", "   \n\t\n")
    with pytest.raises(UsageError, match="the cell body is empty"):  # IPython's own word on it
        agent(shell, f"--replay {replay}", "")
    assert nothing_started(shell)


def test_without_a_model_there_are_three_commands_to_choose_from(shell: InteractiveShell) -> None:
    with pytest.raises(SetupError, match="no model is configured") as raised:
        agent(shell, "")
    assert [line.split()[0] for line in str(raised.value).splitlines()[1:]] == ["!hf", "%agent", "!ollama"]
    assert nothing_started(shell)


def test_a_task_of_a_megabyte_is_told_to_be_a_variable(shell: InteractiveShell, replay: str) -> None:
    with pytest.raises(SetupError, match=r"the task has 1,000,015 characters, .*-i NAME") as raised:
        agent(shell, f"--replay {replay} --approve auto", "Add one and one." + "word " * 200_000)
    assert len(str(raised.value)) < 500
    assert nothing_started(shell)


def test_a_text_of_a_megabyte_goes_in_as_a_variable(shell: InteractiveShell, tmp_path: Path) -> None:
    shell.user_ns["text"] = "word " * 200_000
    replay = recording(tmp_path / "long.jsonl", "final_answer(len(text.split()))", task="Count the words")
    agent(shell, f"--replay {replay} --approve auto -o words", "Count the words of @text.")
    assert shell.user_ns["words"] == 200_000


def test_a_task_that_the_recording_does_not_hold_says_which_it_holds(shell: InteractiveShell, replay: str) -> None:
    with pytest.raises(AgentGenerationError, match=r"(?s)does not hold the task 'Something else'.*Add one and one"):
        agent(shell, f"--replay {replay} --approve auto", "Something else")


def test_settings_of_the_environment_are_named_where_they_are_wrong(
    shell: InteractiveShell, replay: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_MAX_STEPS", "plenty")
    with pytest.raises(SetupError, match=r"--max-steps in the environment is 'plenty': .* at least 1"):
        agent(shell, f"--replay {replay}")
    assert nothing_started_quietly()


def nothing_started_quietly() -> bool:
    return workers(os.getpid()) == []


def test_settings_of_a_file_are_named_where_they_are_wrong(
    shell: InteractiveShell, replay: str, tmp_path: Path
) -> None:
    (tmp_path / "smolcell.toml").write_text('approve = "never"\n')
    with pytest.raises(SetupError, match=rf"--approve in .*smolcell.toml is 'never': valid values are: {APPROVALS}"):
        agent(shell, f"--replay {replay}")
    (tmp_path / "smolcell.toml").write_text("approve = \n")
    with pytest.raises(SetupError, match=r"smolcell.toml cannot be read"):
        agent(shell, f"--replay {replay}")
    (tmp_path / "smolcell.toml").write_text('api_key = "abc"\n')
    with pytest.raises(SetupError, match="SMOLCELL_API_KEY"):
        agent(shell, f"--replay {replay}")
    assert nothing_started_quietly()


# --- %agent -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["stop", "reset", "log"])
def test_a_session_that_is_not_there_is_named_with_those_that_are(
    shell: InteractiveShell, replay: str, command: str
) -> None:
    with pytest.raises(SetupError, match=r"there is no session 'nosuch'; sessions are: none yet"):
        shell.run_line_magic("agent", f"{command} nosuch")
    agent(shell, f"--replay {replay} --approve auto --session first")
    with pytest.raises(SetupError, match=r"there is no session 'nosuch'; sessions are: first"):
        shell.run_line_magic("agent", f"{command} nosuch")


def test_an_unknown_command_is_named_with_those_that_are(shell: InteractiveShell) -> None:
    with pytest.raises(SetupError, match=r"unknown command 'nosuch'; commands are: .*config.*log.*reset.*stat.*stop"):
        shell.run_line_magic("agent", "nosuch")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nosuch=1", ["nosuch", *NAMES]),
        ("word", ["key=value", "word", *NAMES]),
        ("approve=perhaps", ["--approve in %agent config", "perhaps", APPROVALS]),
        ("timeout=soon", ["--timeout in %agent config", "soon"]),
        ("api_key=abc", ["SMOLCELL_API_KEY"]),
        ("instructions='open", ["quote"]),
    ],
)
def test_a_bad_configuration_is_named_and_changes_nothing(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], line: str, words: Sequence[str]
) -> None:
    shell.run_line_magic("agent", "config max_steps=7")
    with pytest.raises(SetupError) as raised:
        shell.run_line_magic("agent", f"config max_steps=8 {line}")
    assert [word for word in words if word not in str(raised.value)] == [], str(raised.value)
    shell.run_line_magic("agent", "config")
    assert "max_steps      7   (set here)" in capsys.readouterr().out


def test_configuration_is_kept_shown_and_taken_back(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_line_magic("agent", "config max_steps=7 approve=risky")
    shell.run_line_magic("agent", "config approve=")
    shell.run_line_magic("agent", "config")
    rows = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines() if len(line.split()) > 1)
    assert (rows["max_steps"].split()[0], rows["approve"].strip()) == ("7", "ask")


# --- a run --------------------------------------------------------------------------------------------------------------


def test_a_run_s_results_are_variables_and_its_state_is_told(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.user_ns["given"] = [1, 2, 3]
    replay = recording(tmp_path / "r.jsonl", "given.append(4)\ntotal = sum(given)", "final_answer(total)")
    agent(shell, f"--replay {replay} --approve auto -i given -o answer --pull total")
    assert (shell.user_ns["answer"], shell.user_ns["total"], shell.user_ns["given"]) == (10, 10, [1, 2, 3])
    capsys.readouterr()
    shell.run_line_magic("agent", "")
    state = capsys.readouterr().out
    assert "session default: idle, 1 task, 2 steps" in state
    assert len(workers(os.getpid())) == 1
    shell.run_line_magic("agent", "log")
    assert "final_answer(total)" in capsys.readouterr().out
    shell.run_line_magic("agent", "reset")
    assert workers(os.getpid()) == []
    assert "no session yet" in said(shell)


def test_modules_are_allowed_for_a_session_in_its_running_sandbox(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tries = "try:\n    import wsgiref.util\nexcept ImportError:\n    found = 'refused'\nelse:\n    found = 'allowed'"
    first = recording(tmp_path / "1.jsonl", f"kept = 1\n{tries}\nfinal_answer(found)")
    then = recording(tmp_path / "2.jsonl", f"{tries}\nfinal_answer([found, kept])")
    anew = recording(tmp_path / "3.jsonl", f"{tries}\nfinal_answer(found)")
    shell.run_line_magic("agent", "allow")
    assert capsys.readouterr().out == "smolcell: imports allowed for the session default: none\n"
    line = "--approve auto --python guarded -o answer"
    agent(shell, f"{line} --replay {first}")
    assert shell.user_ns["answer"] == "refused"
    shell.run_line_magic("agent", "allow wsgiref")
    agent(shell, f"{line} --replay {then}")
    assert shell.user_ns["answer"] == ["allowed", 1]  # in the same sandbox
    assert "  imports allowed for this session: wsgiref.*" in said(shell)
    agent(shell, f"{line} --replay {anew} --timeout 30")  # a limit: a new sandbox
    assert shell.user_ns["answer"] == "allowed"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("allow panda", "no module named 'panda' is installed here; did you mean pandas"),
        ("allow a-b", "'a-b' is no module's name"),
        ("allow --all", "%agent allow NAME"),
        ("allow numpy.ctypeslib", "cannot be allowed: it reaches beyond the work folder"),
    ],
)
def test_what_cannot_be_allowed_is_told(shell: InteractiveShell, line: str, said: str) -> None:
    with pytest.raises(SetupError, match=re.escape(said)):
        shell.run_line_magic("agent", line)
    assert nothing_started(shell)


@pytest.mark.slow
@pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
def test_packages_are_installed_for_a_session_before_and_while_its_sandbox_runs(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = recording(tmp_path / "1.jsonl", "import squarify\nfinal_answer(squarify.plot())")
    tiny = recording(tmp_path / "2.jsonl", "import tinyplots_core as t, squarify\nfinal_answer(t.draw())")
    with closing(plots()) as index:
        configure(monkeypatch, index, tmp_path)
        shell.run_line_magic("agent", "install squarify==0.1")
        told = capsys.readouterr().out
        agent(shell, f"--approve auto -o answer --replay {draw}")
        assert shell.user_ns["answer"] == "drawn"
        shell.run_line_magic("agent", "install tinyplots")
        agent(shell, f"--approve auto -o answer --replay {tiny} --timeout 30")  # a limit: a new sandbox
        assert shell.user_ns["answer"] == "tiny"
        capsys.readouterr()
        shell.run_line_magic("agent", "install tinyplots numpy")
    assert told.startswith(
        "smolcell: installed for the session default, not for the notebook\n"
        "From 127.0.0.1 (2 packages, 2 kB):\n  squarify 0.1 (1 kB, first released 2010-02-03)\n  axes-of 3 ("
    )
    assert capsys.readouterr().out.endswith("tinyplots, numpy: already installed, and not changed\n")
    with pytest.raises(ImportError):
        import squarify  # type: ignore[import-not-found]  # noqa: F401


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("install", "%agent install NAME"),
        ("install --index-url http://127.0.0.1:1 x", "'--index-url' cannot be installed here: only names of packages"),
        ("install git+https://127.0.0.1/x", "cannot be installed here: only names of packages"),
        ("install 'x; touch y'", "cannot be installed here: only names of packages"),
    ],
)
def test_what_cannot_be_installed_is_told(shell: InteractiveShell, line: str, said: str) -> None:
    with pytest.raises(SetupError, match=re.escape(said)):
        shell.run_line_magic("agent", line)
    assert nothing_started(shell)


@pytest.mark.parametrize("setting", ["installs=never", "approve=deny"])
def test_settings_forbid_installs(shell: InteractiveShell, setting: str) -> None:
    shell.run_line_magic("agent", f"config {setting}")
    with pytest.raises(SetupError, match="nothing is installed: the settings say"):
        shell.run_line_magic("agent", "install squarify")
    assert nothing_started(shell)


def test_variables_stay_in_the_sandbox_between_cells_until_a_new_session(
    shell: InteractiveShell, tmp_path: Path
) -> None:
    first = recording(tmp_path / "1.jsonl", "kept = 5\nfinal_answer(kept)")
    second = recording(tmp_path / "2.jsonl", "final_answer(kept + 1)", "final_answer('gone')")
    agent(shell, f"--replay {first} --approve auto")
    agent(shell, f"--replay {second} --approve auto -o after")
    assert shell.user_ns["after"] == 6
    agent(shell, f"--replay {second} --approve auto -o after --new")
    assert shell.user_ns["after"] == "gone"


def test_what_a_cell_says_of_the_sandbox_holds_for_its_session(shell: InteractiveShell, tmp_path: Path) -> None:
    keep = recording(tmp_path / "1.jsonl", "kept = 5\nfinal_answer(kept)")
    look = recording(
        tmp_path / "2.jsonl", "try:\n    import socket\nexcept ImportError:\n    kept = -kept\nfinal_answer(kept)"
    )
    agent(shell, f"--replay {keep} --approve auto --python guarded")
    agent(shell, f"--replay {look} --approve auto -o after")
    assert shell.user_ns["after"] == -5  # the same sandbox, still guarded
    agent(shell, f"--replay {look} --approve auto -o after --timeout 50")
    assert shell.user_ns["after"] == 5
    own = shell._smolcell.sessions.get("default")
    executor = own.agent.executor
    assert executor.boundary().limits["seconds a step"] == 50
    agent(shell, f"--replay {look} --approve auto -o after")
    assert executor.boundary().limits["seconds a step"] == 50
    shell.run_line_magic("agent", "fork 1 twin")
    assert shell._smolcell.sessions.get("twin").options == own.options != {}
    shell.run_line_magic("agent", "config timeout=40")
    agent(shell, f"--replay {look} --approve auto -o after")
    assert executor.boundary().limits["seconds a step"] == 40
    agent(shell, f"--replay {keep} --approve auto --new")
    assert shell._smolcell.sessions.get("default").options == {}


def test_if_no_person_can_be_asked_nothing_runs(shell: InteractiveShell, replay: str) -> None:
    with pytest.raises(ApprovalError, match="--approve auto"):
        agent(shell, f"--replay {replay} -o answer")
    assert "answer" not in shell.user_ns
    with pytest.raises(ApprovalError):
        agent(shell, f"--replay {replay} -o answer --approve deny")
    assert "answer" not in shell.user_ns


def test_a_recorded_run_replays(shell: InteractiveShell, replay: str, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    agent(shell, f"--model replay:{replay} --record {again} --approve auto -o first")
    agent(shell, f"--replay {again} --approve auto -o second --new")
    assert (shell.user_ns["first"], shell.user_ns["second"]) == (2, 2)


def test_a_pull_of_a_name_that_the_code_never_made_is_named(shell: InteractiveShell, replay: str) -> None:
    with pytest.raises(SmolcellError, match="nosuch"):
        agent(shell, f"--replay {replay} --approve auto --pull nosuch -o answer")


def test_loading_switches_colab_s_widgets_on(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    output = types.SimpleNamespace(enable_custom_widget_manager=lambda: asked.append("on"))
    monkeypatch.setitem(sys.modules, "google.colab", types.SimpleNamespace(output=output))
    smolcell.unload_ipython_extension(shell)
    smolcell.load_ipython_extension(shell)
    smolcell.load_ipython_extension(shell)
    assert asked == ["on"]


def test_config_names_the_settings_file_for_all_notebooks(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_line_magic("agent", "config")
    assert re.search(
        r"^for all notebooks: .*smolcell\.toml \(does not exist yet\)$", capsys.readouterr().out, re.MULTILINE
    )


# --- loading ------------------------------------------------------------------------------------------------------------


def test_unloading_restores_exactly_what_loading_changed() -> None:
    from smolcell.protocols import current_front_end

    shell = InteractiveShell()
    hooks = ("events", "input_transformers_post", "input_transformers_cleanup", "ast_transformers", "custom_exceptions")

    def look() -> list[object]:
        magics = {kind: dict(table) for kind, table in shell.magics_manager.magics.items()}
        return [magics, vars(shell).keys(), [repr(getattr(shell, name, None)) for name in hooks], current_front_end()]

    shell.find_line_magic("reset")  # IPython loads it on first use; that is not undone
    before = look()
    for _ in range(2):
        smolcell.load_ipython_extension(shell)
        smolcell.load_ipython_extension(shell)  # twice is harmless
        assert "agent" in shell.magics_manager.magics["cell"]
        smolcell.unload_ipython_extension(shell)
        smolcell.unload_ipython_extension(shell)
        assert look() == before
    shell.history_manager.end_session()


def test_help_names_every_option(shell: InteractiveShell) -> None:
    text = shell.find_cell_magic("agent").__doc__
    assert [
        option
        for option in "--model --api-base --sandbox --approve --in --out --pull --imports --tool --mcp --max-steps --timeout "
        "--max-output --memory --session --new --record --replay --background".split()
        if option not in text
    ] == []


# --- nothing is lost ----------------------------------------------------------------------------------------------------


def test_new_with_a_cell_that_cannot_run_keeps_the_old_session(shell: InteractiveShell, tmp_path: Path) -> None:
    first = recording(tmp_path / "1.jsonl", "kept = 5\nfinal_answer(kept)")
    second = recording(tmp_path / "2.jsonl", "final_answer(kept + 1)", task="Add one.")
    agent(shell, f"-a auto --replay {first}")
    with pytest.raises(SetupError, match="missing"):
        agent(shell, "--new -a auto --replay missing.jsonl")
    agent(shell, f"-a auto -o more --replay {second}", "Add one.")
    assert shell.user_ns["more"] == 6


def test_new_starts_afresh(shell: InteractiveShell, tmp_path: Path) -> None:
    first = recording(tmp_path / "1.jsonl", "kept = 5\nfinal_answer(kept)")
    second = recording(
        tmp_path / "2.jsonl",
        "try:\n    kept\n    final_answer('kept')\nexcept NameError:\n    final_answer('gone')",
        task="Look.",
    )
    agent(shell, f"-a auto --replay {first}")
    agent(shell, f"--new -a auto -o found --replay {second}", "Look.")
    assert shell.user_ns["found"] == "gone"
    assert len(workers(os.getpid())) == 1


def test_a_pull_that_fails_leaves_the_answer(shell: InteractiveShell, replay: str) -> None:
    with pytest.raises(SmolcellError, match="nosuch"):
        agent(shell, f"-a auto -o total --pull nosuch --replay {replay}")
    assert shell.user_ns["total"] == 2


def test_a_function_is_lent_under_the_name_it_has_in_the_notebook(shell: InteractiveShell, tmp_path: Path) -> None:
    def original(number: int) -> int:
        """Double a number."""
        return 2 * number

    shell.user_ns["twice"] = original
    path = recording(tmp_path / "tool.jsonl", "final_answer(twice(21))")
    agent(shell, f"-a auto -t twice -o total --replay {path}")
    assert shell.user_ns["total"] == 42


def test_an_unknown_sandbox_is_named_even_where_there_is_no_model(shell: InteractiveShell) -> None:
    with pytest.raises(SetupError, match="nosuch"):
        agent(shell, "-s nosuch")


# --- the mode in force --------------------------------------------------------------------------------------------------


def in_a_cell(replies: str = "<code>\nfinal_answer(3)\n</code>") -> Any:
    from smolcell import CodeAgent
    from smolcell.testing import ScriptedModel

    return CodeAgent(tools=[], model=ScriptedModel(replies))


def test_an_agent_in_a_cell_follows_the_mode_that_is_set_now(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    with in_a_cell() as made:
        result = made.run("Say three.", return_full_result=True)
    assert (result.state, result.output, result.events[0].approve) == ("success", 3, "auto")
    monkeypatch.setenv("SMOLCELL_APPROVE", "deny")
    with in_a_cell() as made:
        result = made.run("Say three.", return_full_result=True)
    assert (result.state, result.events[0].approve) == ("refused", "deny")


def test_the_configured_mode_holds_for_agents_in_cells_too(shell: InteractiveShell) -> None:
    shell.run_line_magic("agent", "config approve=auto")
    with in_a_cell() as made:
        assert made.run("Say three.") == 3


def test_a_bad_mode_in_the_environment_is_an_error_of_the_run_and_not_of_loading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "perhaps")
    made = InteractiveShell()
    smolcell.load_ipython_extension(made)
    try:
        with pytest.raises(SetupError, match=APPROVALS), in_a_cell() as one:
            one.run("Say three.")
    finally:
        smolcell.unload_ipython_extension(made)
        made.history_manager.end_session()
        made.restore_sys_module_state()


# --- secrets ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "cell", "address"),
    [
        ({"api_base": "http://c/v1"}, {"model": "openai/m"}, "http://c/v1"),
        ({"api_base": "http://c/v1", "model": "anthropic/m"}, {}, "http://c/v1"),
        ({"api_base": "http://c/v1", "model": "openai/m"}, {"model": "anthropic/m"}, None),
        ({"api_base": "http://c/v1"}, {"model": "openai/m,anthropic/m"}, None),
        ({}, {"model": "anthropic/m"}, None),
        ({}, {"model": "anthropic/m", "api_base": "http://d/v1"}, "http://d/v1"),
        ({}, {"model": "openai/m"}, "http://e/v1"),
    ],
)
def test_an_address_is_of_the_model_it_was_set_with(
    config: dict[str, str], cell: dict[str, str], address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another provider's key is not for it; ``openai/…`` is any server's."""
    monkeypatch.setenv("SMOLCELL_API_BASE", "http://e/v1")
    assert resolve(cell, config).api_base == address


def test_a_password_in_a_configured_address_is_not_printed(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_line_magic("agent", "config api_base=http://user:secretpassword@localhost/v1")
    shell.run_line_magic("agent", "config")
    printed = capsys.readouterr().out
    assert "localhost/v1" in printed
    assert "secretpassword" not in printed


def test_the_state_says_which_model_would_be_taken_and_why(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first() -> str:
        return said(shell).split(" · ")[0]

    assert first().startswith("model none: no model is configured. Choose one of three:\n  !hf auth login")
    monkeypatch.setenv("MISTRAL_API_KEY", "key-of-a-test")
    assert first() == "model mistral/codestral-latest (MISTRAL_API_KEY is set)"
    (tmp_path / "smolcell.toml").write_text('model = "groq/llama"\n')
    asked = "; GROQ_API_KEY is not set: you are asked for it"
    assert first() == f"model groq/llama (set by {tmp_path / 'smolcell.toml'}{asked})"
    monkeypatch.setenv("SMOLCELL_MODEL", "ollama/qwen")
    assert first() == "model ollama/qwen (set by SMOLCELL_MODEL)"
    shell.run_line_magic("agent", "config model=vllm/m")
    assert first() == "model vllm/m (set by %agent config)"


def test_a_model_without_its_key_is_an_error_if_no_person_can_type_it(shell: InteractiveShell) -> None:
    with pytest.raises(SetupError, match="groq/llama needs a key, but none was typed: set GROQ_API_KEY"):
        agent(shell, "-m groq/llama")
    assert nothing_started(shell)


def test_tools_that_come_along_are_named_like_one_s_own(shell: InteractiveShell, tmp_path: Path) -> None:
    program = "final_answer([name.__name__ for name in (wikipedia_search, visit_webpage)])"
    agent(
        shell, f"-t wikipedia_search,visit_webpage -a auto --replay {recording(tmp_path / 'r.jsonl', program)} -o said"
    )
    assert shell.user_ns["said"] == ["wikipedia_search", "visit_webpage"]
    with pytest.raises(SetupError, match="no function 'web_serch' in this notebook; did you mean 'web_search'"):
        agent(shell, f"-t web_serch --replay {recording(tmp_path / 'r.jsonl', program)}")


def test_an_mcp_server_of_a_cell_serves_its_session(shell: InteractiveShell, tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(
        "from mcp.server.mcpserver import MCPServer\nserver = MCPServer('s')\n\n@server.tool()\n"
        "def double(number: int) -> int:\n    'Twice it.'\n    return 2 * number\n\nserver.run()\n"
    )
    command = f"{sys.executable} {server}"
    agent(
        shell,
        f"--mcp '{command}' -a auto --replay {recording(tmp_path / 'r.jsonl', 'final_answer(double(21))')} -o said",
    )
    shell.user_ns["mine"] = {"command": sys.executable, "args": [str(server)]}
    agent(shell, f"--mcp mine -a auto --replay {recording(tmp_path / 's.jsonl', 'final_answer(double(4))')} -o again")
    assert (shell.user_ns["said"], shell.user_ns["again"]) == (42, 8)
    with pytest.raises(SetupError, match="there is no program no-such-server"):
        agent(shell, f"--mcp no-such-server --replay {recording(tmp_path / 'r.jsonl', '1')}")


def test_status_says_that_the_walls_of_a_sandbox_which_never_was_open_are_not_tested_yet(replay: str) -> None:
    settings = Settings(session="s")
    with closing(Session("s")) as session:
        session.prepare(settings, replay=replay)
        said = status(settings, {"s": session})
    assert "  not tested yet: " in said
    assert "missing" not in said


def test_stats_has_a_row_for_each_run_of_a_session(
    shell: InteractiveShell, replay: str, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(shell, f"-a auto --replay {replay}")
    capsys.readouterr()
    shell.run_line_magic("agent", "stats")
    head, row = (line.split() for line in capsys.readouterr().out.splitlines())
    assert (head[:2], row[1]) == (["run", "state"], "success")
    with pytest.raises(SetupError, match="there is no session 'none'"):
        shell.run_line_magic("agent", "stats none")


def test_telemetry_is_off_in_a_session_where_config_says_so(
    shell: InteractiveShell, replay: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry, "_exporter", None)
    telemetry.instrument(provider)
    shell.run_line_magic("agent", "config otel=off")
    agent(shell, f"-a auto --replay {replay}")
    assert exporter.get_finished_spans() == ()
    shell.run_line_magic("agent", "config otel=on")
    agent(shell, f"-a auto --replay {replay} --new")
    assert exporter.get_finished_spans()[-1].name == "invoke_agent"


def test_a_contract_is_written_of_the_session_and_holds_later_cells(
    shell: InteractiveShell, replay: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_line_magic("agent", "contract -a auto --max-steps 5 --purpose 'Add numbers' --agents-md")
    assert "smolcell: written: smolcell.contract.toml; and its section in AGENTS.md" in capsys.readouterr().out
    assert "Purpose: Add numbers" in (tmp_path / "AGENTS.md").read_text()
    held = f"--replay {replay} -a auto -o answer --contract smolcell.contract.toml"
    agent(shell, f"{held} --max-steps 5")
    assert shell.user_ns["answer"] == 2
    with pytest.raises(
        SetupError, match=r"limits\.max_steps is 20, and 5 is the most, locked by smolcell\.contract\.toml:"
    ):
        agent(shell, held)
    with pytest.raises(SetupError, match="--purpose takes a value"):
        shell.run_line_magic("agent", "contract --purpose")


def test_nothing_in_the_name_of_a_job_s_folder_is_run(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []
    shell.user_ns.update(ran=ran, other="another")
    folder = tmp_path / "{ran.append('x')} $other" / "out"
    folder.mkdir(parents=True)
    quoted = str(folder).replace("'", "'\"'\"'")  # as the panel's Review writes it
    result = shell.run_cell(f"%agent approvals '{quoted}'")
    told = f"{capsys.readouterr().out}{result.error_in_exec}"
    assert (ran, "{ran.append('x')} $other" in told) == ([], True), told
