"""The magics in a plain shell: whatever is wrong with a cell is said in one line, before anything is started."""

from __future__ import annotations

import json
import os
import pkgutil
import re
import sys
import types
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cells import Notebook, plain_shell
from indexes import TOOLS, configure, plots
from leftovers import workers
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import smolcell
from smolcell import CodeAgent, telemetry
from smolcell.core.spec import NAMES, AgentSpec
from smolcell.errors import AgentGenerationError, ApprovalError, CapabilityError, SetupError, SmolcellError
from smolcell.notebook import doctor
from smolcell.notebook.commands import COMMANDS, status
from smolcell.notebook.completion import options
from smolcell.notebook.session import Session
from smolcell.notebook.settings import resolve
from smolcell.protocols import current_front_end
from smolcell.testing import ScriptedModel

APPROVALS = "ask, risky, auto, deny"
ADD = "final_answer(1 + 1)"


def nothing_started() -> bool:
    return workers(os.getpid()) == []


def test_files_go_in_by_name_and_what_the_code_wrote_can_be_kept(notebook: Notebook, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("1,2")
    program = "f = open('sum.txt', 'w')\n_ = f.write(open('data/sales.csv').read())\nf.close()\nfinal_answer('done')"
    notebook.cell(program, line="-f data/sales.csv -o said")
    listed = "3 bytes  data/sales.csv\n3 bytes  sum.txt\nkeep one with: %agent files keep NAME [TARGET]\n"
    assert notebook.magic("files") == listed
    notebook.magic("files keep sum.txt")
    assert (notebook.variables["said"], Path("sum.txt").read_text()) == ("done", "1,2")
    with pytest.raises(SetupError, match=r"sum\.txt exists and is not overwritten; give another name"):
        notebook.magic("files keep sum.txt")
    notebook.magic("files keep --session default sum.txt other.txt")
    assert Path("other.txt").read_text() == "1,2"


def test_a_folder_is_mounted_and_read_where_it_is(notebook: Notebook, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("1,2")
    program = "final_answer(open('data/sales.csv').read())"
    notebook.cell(program, line="-f data --read-only -o said")
    assert notebook.variables["said"] == "1,2"
    with pytest.raises(SetupError, match=r"--read-only applies to -f: name the folder, for example -f data --read"):
        notebook.agent("--read-only")
    with pytest.raises(CapabilityError, match="the sandbox 'e2b' cannot mount folders; leave out --read-only"):
        notebook.cell(program, line="-s e2b -f data --read-only")


@pytest.mark.parametrize(
    ("line", "task"), [("-f sales.csv", "Go."), ("-f sales.csv --read-only", "Go."), ("", "Use @file:sales.csv now.")]
)
def test_a_link_that_leads_elsewhere_ends_the_cell_if_no_one_is_asked(
    notebook: Notebook, tmp_path: Path, line: str, task: str
) -> None:
    (tmp_path / "private.csv").write_text("private")
    (tmp_path / "clone").mkdir()
    os.chdir(tmp_path / "clone")
    Path("sales.csv").symlink_to("../private.csv")
    said = rf"sales\.csv is a link to {tmp_path}/private\.csv\. approval mode is auto.*name that path itself"
    with pytest.raises(ApprovalError, match=said):
        notebook.cell("final_answer(1)", line=line, task=task)


def test_help_names_every_option_and_every_command(notebook: Notebook) -> None:
    of_cells, of_lines = (notebook.shell.find_magic("agent", kind).__doc__ for kind in ("cell", "line"))
    assert [option.flags[-1] for option in options() if option.flags[-1] not in of_cells] == []
    functions = [command.function for command in COMMANDS.values()]
    assert all(callable(pkgutil.resolve_name(each) if isinstance(each, str) else each) for each in functions)
    assert re.findall(r"^    %agent (\w+)", of_lines, re.MULTILINE) == list(COMMANDS)


# --- what is wrong with a cell ------------------------------------------------------------------------------------------

BAD_LINES, BAD_COMMANDS = json.loads(Path(__file__).with_name("bad_lines.json").read_text(encoding="utf-8")).values()
BAD_TASKS = {
    "unknown variable": ("Add @nosuch.", ["@nosuch in the task: there is no variable 'nosuch' in this notebook"]),
    "address and unknown variable": ("Mail me@home about @nosuch", ["@nosuch in the task"]),
    "function": ("Use @twice.", ["'twice' is a function", "with: -t twice"]),
    "nothing": ("   \n\t\n", ["the task is empty: write what you want done on the lines below %%agent"]),
    "a megabyte": ("Go." + "word " * 200_000, ["the task has 1,000,002 characters", "-i NAME"]),
}
BAD_CELLS = {
    **{name: (line, "Go.", words) for name, (line, words) in BAD_LINES.items()},
    **{f"a task of {name}": ("--replay {replay}", task, words) for name, (task, words) in BAD_TASKS.items()},
}


@pytest.mark.parametrize(("line", "task", "words"), BAD_CELLS.values(), ids=BAD_CELLS)
def test_a_bad_cell_is_told_in_one_line_with_what_is_valid_and_starts_nothing(
    notebook: Notebook, tmp_path: Path, line: str, task: str, words: Sequence[str]
) -> None:
    (tmp_path / "notes.txt").write_text("not a recording\n")
    notebook.shell.run_cell("known = 1\ndef twice(n): return 2 * n")
    with pytest.raises(SetupError) as raised:
        notebook.agent(line.format(replay=notebook.replay(ADD)), task)
    message = str(raised.value)
    assert [word for word in words if word not in message] == [], message
    assert len(message) < 2_000
    assert nothing_started()
    assert raised.value._render_traceback_() == [f"SetupError: {message}"]  # what IPython shows of it


def test_without_a_model_there_are_three_commands_to_choose_from(notebook: Notebook) -> None:
    with pytest.raises(SetupError, match="no model is configured") as raised:
        notebook.agent("")
    assert [line.split()[0] for line in str(raised.value).splitlines()[1:]] == ["!hf", "%agent", "!ollama"]
    assert nothing_started()


def test_a_text_of_a_megabyte_goes_in_as_a_variable(notebook: Notebook) -> None:
    notebook.variables["text"] = "word " * 200_000
    notebook.cell("final_answer(len(text.split()))", line="-o words", task="Count the words of @text.")
    assert notebook.variables["words"] == 200_000


def test_a_task_that_the_recording_does_not_hold_says_which_it_holds(notebook: Notebook) -> None:
    replay = notebook.replay(ADD, task="Add one and one.")
    with pytest.raises(AgentGenerationError, match=r"(?s)does not hold the task 'Something else'.*Add one and one"):
        notebook.agent(f"--replay {replay} --approve auto", "Something else")


def test_settings_are_named_where_they_are_wrong(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for text, said in (
        ('approve = "never"\n', rf"--approve in .*smolcell.toml is 'never': valid values are: {APPROVALS}"),
        ("approve = \n", r"smolcell.toml cannot be read"),
        ('api_key = "abc"\n', "SMOLCELL_API_KEY"),
    ):
        (tmp_path / "smolcell.toml").write_text(text)
        with pytest.raises(SetupError, match=said):
            notebook.cell(ADD)
    (tmp_path / "smolcell.toml").unlink()
    monkeypatch.setenv("SMOLCELL_MAX_STEPS", "plenty")
    with pytest.raises(SetupError, match=r"--max-steps in the environment is 'plenty': .* at least 1"):
        notebook.cell(ADD)
    assert nothing_started()


# --- %agent -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "said"), BAD_COMMANDS.items(), ids=BAD_COMMANDS)
def test_a_bad_command_says_what_is_right_and_starts_nothing(notebook: Notebook, words: str, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        notebook.magic(words)
    assert nothing_started()


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
def test_a_bad_configuration_is_named_and_changes_nothing(notebook: Notebook, line: str, words: Sequence[str]) -> None:
    notebook.magic("config max_steps=7")
    with pytest.raises(SetupError) as raised:
        notebook.magic(f"config max_steps=8 {line}")
    assert [word for word in words if word not in str(raised.value)] == [], str(raised.value)
    assert "max_steps      7   (set here)" in notebook.magic("config")


def test_configuration_is_kept_shown_without_passwords_and_taken_back(notebook: Notebook) -> None:
    notebook.magic("config max_steps=7 approve=risky api_base=http://user:secretpassword@localhost/v1")
    notebook.magic("config approve=")
    printed = notebook.magic("config")
    rows = dict(line.split(None, 1) for line in printed.splitlines() if len(line.split()) > 1)
    assert (rows["max_steps"].split()[0], rows["approve"].strip()) == ("7", "ask")
    assert re.search(r"^for all notebooks: .*smolcell\.toml \(does not exist yet\)$", printed, re.MULTILINE)
    assert ("localhost/v1" in printed, "secretpassword" in printed) == (True, False)


# --- a run --------------------------------------------------------------------------------------------------------------


def test_a_run_s_results_are_variables_and_its_state_is_told(notebook: Notebook) -> None:
    notebook.variables["given"] = [1, 2, 3]
    programs = ("given.append(4)\ntotal = sum(given)", "final_answer(total)")
    notebook.cell(*programs, line="-i given -o answer --pull total")
    assert [notebook.variables[name] for name in ("answer", "total", "given")] == [10, 10, [1, 2, 3]]
    assert "session default: idle, 1 task, 2 steps" in notebook.magic("")
    assert len(workers(os.getpid())) == 1
    assert "final_answer(total)" in notebook.magic("log")
    head, row = (line.split() for line in notebook.magic("stats").splitlines())
    assert (head[:2], row[1]) == (["run", "state"], "success")
    with pytest.raises(SetupError, match=r"there is no session 'nosuch'; sessions are: default"):
        notebook.magic("stop nosuch")
    notebook.magic("reset")
    assert nothing_started()
    assert "no session yet" in notebook.magic("status")


def test_modules_are_allowed_for_a_session_in_its_running_sandbox(notebook: Notebook) -> None:
    tries = "try:\n    import wsgiref.util\nexcept ImportError:\n    found = 'refused'\nelse:\n    found = 'allowed'"
    assert notebook.magic("allow") == "smolcell: imports allowed for the session default: none\n"
    line = "--python guarded -o answer"
    notebook.cell(f"kept = 1\n{tries}\nfinal_answer(found)", line=line)
    assert notebook.variables["answer"] == "refused"
    notebook.magic("allow wsgiref")
    notebook.cell(f"{tries}\nfinal_answer([found, kept])", line=line)
    assert notebook.variables["answer"] == ["allowed", 1]  # in the same sandbox
    assert "  imports allowed for this session: wsgiref.*" in notebook.magic("status")
    notebook.cell(f"{tries}\nfinal_answer(found)", line=f"{line} --timeout 30")  # a limit: a new sandbox
    assert notebook.variables["answer"] == "allowed"


@pytest.mark.slow
@pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
def test_packages_are_installed_for_a_session_before_and_while_its_sandbox_runs(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(plots()) as index:
        configure(monkeypatch, index, tmp_path)
        told = notebook.magic("install squarify==0.1")
        notebook.cell("import squarify\nfinal_answer(squarify.plot())", line="-o answer")
        assert notebook.variables["answer"] == "drawn"
        notebook.magic("install tinyplots")
        program = "import tinyplots_core as t, squarify\nfinal_answer(t.draw())"
        notebook.cell(program, line="-o answer --timeout 30")  # a limit: a new sandbox
        assert notebook.variables["answer"] == "tiny"
        again = notebook.magic("install tinyplots numpy")
    assert told.startswith(
        "smolcell: installed for the session default, not for the notebook\n"
        "From 127.0.0.1 (2 packages, 2 kB):\n  squarify 0.1 (1 kB, first released 2010-02-03)\n  axes-of 3 ("
    )
    assert again.endswith("tinyplots, numpy: already installed, and not changed\n")
    with pytest.raises(ImportError):
        import squarify  # type: ignore[import-not-found]  # noqa: F401


@pytest.mark.parametrize("setting", ["installs=never", "approve=deny"])
def test_settings_forbid_installs(notebook: Notebook, setting: str) -> None:
    notebook.magic(f"config {setting}")
    with pytest.raises(SetupError, match="nothing is installed: the settings say"):
        notebook.magic("install squarify")
    assert nothing_started()


def test_variables_stay_in_the_sandbox_between_cells_until_a_new_session_begins(notebook: Notebook) -> None:
    notebook.cell("kept = 5\nfinal_answer(kept)")
    with pytest.raises(SetupError, match="missing"):
        notebook.agent("--new -a auto --replay missing.jsonl")  # it cannot run, so nothing is lost
    notebook.cell("final_answer(kept + 1)", line="-o after")
    assert notebook.variables["after"] == 6
    notebook.cell("final_answer('kept' in globals())", line="-o after --new")
    assert notebook.variables["after"] is False
    assert len(workers(os.getpid())) == 1


def test_what_a_cell_says_of_the_sandbox_holds_for_its_session(notebook: Notebook) -> None:
    look = "try:\n    import socket\nexcept ImportError:\n    kept = -kept\nfinal_answer(kept)"
    notebook.cell("kept = 5\nfinal_answer(kept)", line="--python guarded")
    notebook.cell(look, line="-o after")
    assert notebook.variables["after"] == -5  # the same sandbox, still guarded
    notebook.cell(look, line="-o after --timeout 50")
    assert notebook.variables["after"] == 5
    own = notebook.magics.sessions.get("default")
    limits = own.agent.executor.boundary().limits
    assert limits["seconds a step"] == 50
    notebook.cell(look, line="-o after")
    assert own.agent.executor.boundary().limits == limits
    notebook.magic("fork 1 twin")
    assert notebook.magics.sessions.get("twin").options == own.options != {}
    notebook.magic("config timeout=40")
    notebook.cell(look, line="-o after")
    assert own.agent.executor.boundary().limits["seconds a step"] == 40
    notebook.cell(ADD, line="--new")
    assert notebook.magics.sessions.get("default").options == {}


@pytest.mark.parametrize("line", ["--approve ask", "--approve deny"])
def test_if_no_person_can_be_asked_nothing_runs(notebook: Notebook, line: str) -> None:
    with pytest.raises(ApprovalError, match="--approve auto" if "ask" in line else "deny"):
        notebook.agent(f"--replay {notebook.replay(ADD)} -o answer {line}")
    assert "answer" not in notebook.variables


def test_a_recorded_run_replays(notebook: Notebook, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    notebook.agent(f"--model replay:{notebook.replay(ADD)} --record {again} --approve auto -o first")
    notebook.agent(f"--replay {again} --approve auto -o second --new")
    assert (notebook.variables["first"], notebook.variables["second"]) == (2, 2)


def test_a_pull_that_fails_is_named_and_leaves_the_answer(notebook: Notebook) -> None:
    with pytest.raises(SmolcellError, match="nosuch"):
        notebook.cell(ADD, line="-o total --pull nosuch")
    assert notebook.variables["total"] == 2


def test_a_function_is_lent_under_the_name_it_has_in_the_notebook(notebook: Notebook) -> None:
    def original(number: int) -> int:
        """Double a number."""
        return 2 * number

    notebook.variables["twice"] = original
    notebook.cell("final_answer(twice(21))", line="-t twice -o total")
    assert notebook.variables["total"] == 42


def test_tools_that_come_along_are_named_like_one_s_own(notebook: Notebook) -> None:
    program = "final_answer([name.__name__ for name in (wikipedia_search, visit_webpage)])"
    notebook.cell(program, line="-t wikipedia_search,visit_webpage -o said")
    assert notebook.variables["said"] == ["wikipedia_search", "visit_webpage"]


@pytest.mark.slow
def test_an_mcp_server_of_a_cell_serves_its_session(notebook: Notebook, tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(
        "from mcp.server.mcpserver import MCPServer\nserver = MCPServer('s')\n\n@server.tool()\n"
        "def double(number: int) -> int:\n    'Twice it.'\n    return 2 * number\n\nserver.run()\n"
    )
    notebook.cell("final_answer(double(21))", line=f"--mcp '{sys.executable} {server}' -o said")
    notebook.variables["mine"] = {"command": sys.executable, "args": [str(server)]}
    notebook.cell("final_answer(double(4))", line="--mcp mine -o again")
    assert (notebook.variables["said"], notebook.variables["again"]) == (42, 8)


# --- loading ------------------------------------------------------------------------------------------------------------


def test_loading_switches_colab_s_widgets_on(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    output = types.SimpleNamespace(enable_custom_widget_manager=lambda: asked.append("on"))
    monkeypatch.setitem(sys.modules, "google.colab", types.SimpleNamespace(output=output))
    smolcell.unload_ipython_extension(notebook.shell)
    smolcell.load_ipython_extension(notebook.shell)
    smolcell.load_ipython_extension(notebook.shell)
    assert asked == ["on"]


def test_unloading_restores_exactly_what_loading_changed() -> None:
    hooks = ("events", "input_transformers_post", "input_transformers_cleanup", "ast_transformers", "custom_exceptions")

    def look() -> list[object]:
        magics = {kind: dict(table) for kind, table in shell.magics_manager.magics.items()}
        return [magics, vars(shell).keys(), [repr(getattr(shell, name, None)) for name in hooks], current_front_end()]

    with plain_shell() as shell:
        shell.find_line_magic("reset")  # IPython loads it on first use; that is not undone
        before = look()
        for _ in range(2):
            smolcell.load_ipython_extension(shell)
            smolcell.load_ipython_extension(shell)  # idempotent
            assert "agent" in shell.magics_manager.magics["cell"]
            smolcell.unload_ipython_extension(shell)
            smolcell.unload_ipython_extension(shell)
            assert look() == before


# --- the mode in force --------------------------------------------------------------------------------------------------


def run_in_a_cell() -> Any:
    with CodeAgent(tools=[], model=ScriptedModel("<code>\nfinal_answer(3)\n</code>")) as made:
        return made.run("Say three.", return_full_result=True)


@pytest.mark.usefixtures("notebook")
def test_an_agent_in_a_cell_follows_the_mode_that_is_set_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    result = run_in_a_cell()
    assert (result.state, result.output, result.events[0].approve) == ("success", 3, "auto")
    monkeypatch.setenv("SMOLCELL_APPROVE", "deny")
    result = run_in_a_cell()
    assert (result.state, result.events[0].approve) == ("refused", "deny")


def test_the_configured_mode_holds_for_agents_in_cells_too(notebook: Notebook) -> None:
    notebook.magic("config approve=auto")
    assert run_in_a_cell().output == 3


def test_a_bad_mode_in_the_environment_is_an_error_of_the_run_and_not_of_loading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "perhaps")
    with plain_shell() as shell:
        smolcell.load_ipython_extension(shell)
        with pytest.raises(SetupError, match=APPROVALS):
            run_in_a_cell()


# --- models and their addresses -----------------------------------------------------------------------------------------


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


def test_the_state_says_which_model_would_be_taken_and_why(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first() -> str:
        return notebook.magic("status").split(" · ")[0]

    assert first().startswith("model none: no model is configured. Choose one of three:\n  !hf auth login")
    monkeypatch.setenv("MISTRAL_API_KEY", "key-of-a-test")
    assert first() == "model mistral/codestral-latest (MISTRAL_API_KEY is set)"
    (tmp_path / "smolcell.toml").write_text('model = "groq/llama"\n')
    asked = "; GROQ_API_KEY is not set: you are asked for it"
    assert first() == f"model groq/llama (set by {tmp_path / 'smolcell.toml'}{asked})"
    monkeypatch.setenv("SMOLCELL_MODEL", "ollama/qwen")
    assert first() == "model ollama/qwen (set by SMOLCELL_MODEL)"
    notebook.magic("config model=vllm/m")
    assert first() == "model vllm/m (set by %agent config)"


# --- states, telemetry, contracts, jobs ---------------------------------------------------------------------------------


def test_status_says_that_the_walls_of_a_sandbox_which_never_was_open_are_not_tested_yet(notebook: Notebook) -> None:
    settings = AgentSpec(session="s")
    with closing(Session("s")) as session:
        session.prepare(settings, replay=str(notebook.replay(ADD)))
        said = status(settings, {"s": session})
    assert "  not tested yet: " in said
    assert "missing" not in said


@pytest.mark.slow
def test_the_doctor_goes_through_its_stages_in_a_notebook(notebook: Notebook) -> None:
    replay = notebook.replay("final_answer(2**32)", task=doctor.TASK)
    printed = notebook.magic(f"doctor --replay {replay} --approve auto")
    found = re.findall(r"^(?:ok|ok, but|FAILED|not tried) +(.+?): ", printed, re.MULTILINE)
    assert {"this Python", "a task without tools", "the boundary", "code that never ends", "the model"} <= set(found)
    assert "FAILED" not in printed


def test_telemetry_is_off_in_a_session_where_config_says_so(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry, "_exporter", None)
    telemetry.instrument(provider)
    notebook.magic("config otel=off")
    notebook.cell(ADD)
    assert exporter.get_finished_spans() == ()
    notebook.magic("config otel=on")
    notebook.cell(ADD, line="--new")
    assert exporter.get_finished_spans()[-1].name == "invoke_agent"


def test_a_contract_is_written_of_the_session_and_holds_later_cells(notebook: Notebook, tmp_path: Path) -> None:
    written = notebook.magic("contract -a auto --max-steps 5 --purpose 'Add numbers' --agents-md")
    assert "smolcell: written: smolcell.contract.toml; and its section in AGENTS.md" in written
    assert "Purpose: Add numbers" in (tmp_path / "AGENTS.md").read_text()
    notebook.cell(ADD, line="-o answer --contract smolcell.contract.toml --max-steps 5")
    assert notebook.variables["answer"] == 2
    with pytest.raises(SetupError, match=r"max_steps is 20, and 5 is the most, locked by smolcell\.contract\.toml:"):
        notebook.cell(ADD, line="--contract smolcell.contract.toml")


def test_nothing_in_the_name_of_a_job_s_folder_is_run(
    notebook: Notebook, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []
    notebook.variables.update(ran=ran, other="another")
    folder = tmp_path / "{ran.append('x')} $other" / "out"
    folder.mkdir(parents=True)
    quoted = str(folder).replace("'", "'\"'\"'")  # as the panel's Review writes it
    result = notebook.shell.run_cell(f"%agent approvals '{quoted}'")
    told = f"{capsys.readouterr().out}{result.error_in_exec}"
    assert (ran, "{ran.append('x')} $other" in told) == ([], True), told
