"""``%agent export``: the cells run in a kernel that knows nothing of the run, and give its answer."""

from __future__ import annotations

import ast
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from cells import RECORD, AgentKernel
from examples import quick
from IPython.core.inputtransformer2 import TransformerManager
from kernels import KernelClient
from persons import Person

from smolcell import CodeAgent, ToolCallingAgent, WikipediaSearchTool, journal, tool
from smolcell.approval.gates import create_gate
from smolcell.errors import SetupError
from smolcell.exports import Export
from smolcell.exports.cells import export
from smolcell.testing import ScriptedModel, allow_all
from smolcell.tools.builtin import sources
from smolcell.tools.tool import FunctionTool


class Case(NamedTuple):
    """A run: the programs that the model proposes, what the notebook hands in, and what a person answers to each proposal."""

    programs: tuple[str, ...]
    given: str = ""
    answers: tuple[tuple[str, dict[str, str]], ...] = ()
    shown: str = "answer"


def read_cases() -> dict[str, Case]:
    """The cases of export_cases.txt, by name: "=== name", then sections, each below its kind."""
    cases = {}
    text = Path(__file__).with_name("export_cases.txt").read_text(encoding="utf-8")
    for block in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        kinds, texts = (re.split(r"^--- (\w+)\n", rest, flags=re.MULTILINE)[start::2] for start in (1, 2))
        sections = [(kind, each.removesuffix("\n")) for kind, each in zip(kinds, texts, strict=True)]
        whole = dict(sections)
        cases[name] = Case(
            tuple(
                each if kind == "words" else f"I go on.\n<code>\n{each}\n</code>"
                for kind, each in sections
                if kind in ("words", "program")
            ),
            whole.get("given", ""),
            tuple((kind, {"text": each} if each else {}) for kind, each in sections if kind in ("edit", "refuse")),
            whole.get("shown", "answer"),
        )
    return cases


CASES = read_cases()
CASES["line ends of Windows"] = Case(("<code>\na = 1\r\nb = '''x\r\ny'''\r\nfinal_answer((a, b))\n</code>",))


def ran(case: Case) -> tuple[Any, Export]:
    """Run a case for real; its answer, and its export."""
    given: dict[str, Any] = {}
    exec(case.given, given)
    person = Person(*case.answers, *["approve"] * len(case.programs))
    imports = ["numpy.*", "pandas.*", "matplotlib.*"]
    with CodeAgent(
        model=ScriptedModel(*case.programs),
        view=person,
        gate=create_gate("ask", person),
        additional_authorized_imports=imports,
        max_steps=sum("<code>" in program for program in case.programs),
    ) as agent:
        names = {name: value for name, value in given.items() if name in ("data", "frame")}
        result = agent.run("Go.", additional_args=names, return_full_result=True)
        assert result.state in ("success", "max_steps_error")
        return result.output, result.export()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KernelClient]:
    with KernelClient(sys.executable, tmp_path_factory.mktemp("kernel")) as made:
        made.run("%matplotlib inline")
        yield made


@pytest.fixture
def fresh(kernel: KernelClient) -> KernelClient:
    kernel.run("%reset -f")
    return kernel


def shown(kernel: KernelClient, expression: str = "answer") -> Any:
    return ast.literal_eval(kernel.run(f"print(repr({expression}))"))


@pytest.mark.kernels
@pytest.mark.parametrize("name", quick(CASES, *(name for name in CASES if name.endswith("(quick)"))))
def test_the_cells_give_the_run_s_answer(fresh: KernelClient, name: str) -> None:
    case = CASES[name]
    answer, made = ran(case)
    fresh.run(case.given)
    for cell in made.each_cell():
        fresh.run(cell)

    assert shown(fresh, case.shown) == eval(case.shown, {"answer": answer})
    if case.given.startswith("data"):
        assert shown(fresh, "mine") == [1, 2]  # the person's own object stays as it was

    fresh.run(f"%reset -f\n{case.given}")
    fresh.run(made.one_cell())
    assert shown(fresh, case.shown) == eval(case.shown, {"answer": answer})


@pytest.mark.slow
@pytest.mark.kernels
def test_a_plot_is_drawn_again(fresh: KernelClient) -> None:
    _, made = ran(CASES["a plot"])
    cell = fresh.execute(made.each_cell()[0])
    fresh.reply(cell)
    fresh.idle(cell)

    assert [list(m.content["data"]) for m in fresh.of(cell, "display_data")] == [["text/plain", "image/png"]]


def test_only_what_ran_to_its_end_is_there_in_its_edited_form() -> None:
    person = Person("approve", "approve", ("edit", {"text": "z = 4"}), "approve")
    replies = (f"I go on.\n{code(each)}" for each in ("import os", "x = 1\ny = x / 0", "z = 3", "final_answer(x + z)"))
    model, gate = ScriptedModel(*replies), create_gate("ask", person)
    with CodeAgent(model=model, view=person, gate=gate, python="guarded") as agent:
        made = agent.run("Add.\nThen stop. # %%", return_full_result=True).export()

    assert made.script().splitlines() == [
        "# %%",
        "# Task: Add.…",
        "# The steps that were approved and ran to their end. In ordinary cells they run without a sandbox.",
        "# Not here: step 1, which failed (ForbiddenError)",
        "# Not here: step 2, which failed (ZeroDivisionError)",
        "",
        "# Step 2, which failed (ZeroDivisionError): as far as it ran",
        "x = 1",
        "",
        "# %%",
        "# Step 3: I go on.",
        "z = 4",
        "",
        "# %%",
        "# Step 4: I go on.",
        "answer = x + z",
        "answer",
    ]


def agent_of(*replies: str, **more: Any) -> CodeAgent:
    return CodeAgent(model=ScriptedModel(*replies), gate=allow_all, **more)


def code(text: str) -> str:
    return f"<code>\n{text}\n</code>"


def exported(*replies: str, task: str = "Go.") -> Export:
    """What is exported of a run with these replies, all of which are approved."""
    with agent_of(*replies) as agent:
        agent.run(task)
        return agent.export()


@pytest.mark.kernels
def test_steps_of_an_earlier_task_come_along_if_they_are_needed(fresh: KernelClient) -> None:
    replies = (
        "import math\nbig = [math.pi] * 3",
        "unused = 1",
        "big.append(1.0)\nfinal_answer(0)",
        "final_answer(len(big))",
    )
    with agent_of(*map(code, replies)) as agent:
        agent.run("One.")
        assert agent.run("Two.", reset=False) == 4
        made = agent.export()
    for cell in made.each_cell():
        fresh.run(cell)

    assert shown(fresh) == 4
    assert "unused" not in made.script()


@tool
def price(item: str) -> float:
    """The price of an item, in euros."""
    return {"tea": 2.5, "cake": 4.0}[item]


@pytest.mark.kernels
def test_a_tool_is_the_notebook_s_own_function_or_a_stand_in_that_says_so(fresh: KernelClient) -> None:
    with agent_of(code("final_answer(price('tea') + price('cake'))"), tools=[price]) as agent:
        assert agent.run("Go.") == 6.5
        known, unknown = agent.export(defined=["price"]), export(agent.memory.events)
    fresh.run("def price(item):\n    return {'tea': 2.5, 'cake': 4.0}[item]")
    fresh.run(known.one_cell())
    assert shown(fresh) == 6.5
    assert "# Calls functions of this notebook: price\n" in known.script()

    for cell in unknown.each_cell()[:-1]:
        fresh.run(cell)
    failed = fresh.execute(unknown.each_cell()[-1])
    reply = fresh.reply(failed).content
    assert (reply["ename"], reply["evalue"]) == (
        "NotImplementedError",
        "price is not part of this export: define or import it in this cell",
    )
    assert unknown.notes == ("price is a tool that this notebook does not define: define it first",)


def test_tools_that_can_be_imported_are() -> None:
    lent = {
        "shout": FunctionTool(textwrap.dedent, name="shout"),
        "wikipedia_search": WikipediaSearchTool(),
        "price": price,
    }

    assert sources(lent) == {
        "shout": "from textwrap import dedent as shout",
        "wikipedia_search": "from smolcell import WikipediaSearchTool\n\nwikipedia_search = WikipediaSearchTool()",
        "price": f"from {__name__} import price",
    }


def test_another_agent_is_a_stand_in_that_says_so() -> None:
    counter = agent_of(code("final_answer(len(text.split()))"), name="counter", description="Counts words.")
    with agent_of(
        code("n = counter('Count.', additional_args={'text': 'a b'})\nfinal_answer(n + 1)"), managed_agents=[counter]
    ) as agent:
        assert agent.run("Go.") == 3
        made = agent.export()

    assert made.notes == ("counter is a tool that this notebook does not define: define it first",)
    assert made.cells[0].startswith("# Task: Go.\n") and "\ndef counter(*args, **kwargs):\n" in made.cells[0]
    assert made.cells[1:] == (
        "# Step 1\nn = counter('Count.', additional_args={'text': 'a b'})\nanswer = n + 1\nanswer",
    )


def test_the_calls_of_an_agent_that_calls_tools_are_cells() -> None:
    calls = (
        {"name": "price", "arguments": {"item": "tea"}},
        {"name": "final_answer", "arguments": {"answer": "It is 2.5."}},
    )
    model = ScriptedModel(*map(json.dumps, calls))
    with ToolCallingAgent(tools=[price], model=model, gate=allow_all) as agent:
        assert agent.run("Go.") == "It is 2.5."
        made = agent.export(defined=["price"])

    assert [cell.split("\n")[-2:] for cell in made.cells] == [
        ["# Step 1, call 1", "price(item='tea')"],
        ["answer = 'It is 2.5.'", "answer"],
    ]


def test_what_was_edited_within_a_step_is_said() -> None:
    asking = tool(approve=True)(price.function)  # type: ignore[attr-defined]
    person = Person("approve", ("edit", {"text": "price(item='cake')"}))
    model = ScriptedModel(code("final_answer(price('tea'))"))
    with CodeAgent(tools=[asking], model=model, view=person, gate=create_gate("ask", person)) as agent:
        assert agent.run("Go.") == 4.0
        made = agent.export(defined=["price"])

    assert "# A call of it was edited: price(item='tea') ran as price(item='cake')\n" in made.script()
    assert made.notes == ("a person changed or refused a call that step 1 made: ordinary cells make it unchanged",)


def test_no_word_of_a_person_or_a_model_becomes_code() -> None:
    words = "x\nimport os\r1\u2028y\x0bz\u202e"
    made = exported(f"{words}\n{code('final_answer(1)')}", task=words)

    module = ast.parse(made.one_cell())
    assert [type(node).__name__ for node in module.body] == ["Assign", "Expr"]
    assert made.one_cell().isascii() or "…" in made.one_cell()


@pytest.mark.parametrize(
    ("looks", "notes"),
    [
        ("1", ()),
        (  # without what stands after "key=" it would be no program
            "f'/?key={max(1000, 2000)}'",
            ("step 1 has text that looks like a secret and could not be redacted: check it first",),
        ),
    ],
)
def test_a_secret_is_taken_out_and_what_only_looks_like_one_is_named(
    monkeypatch: pytest.MonkeyPatch, looks: str, notes: tuple[str, ...]
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcdefgh01234567")
    made = exported(
        code(f"key = 'abcdefgh01234567'\nurl = {looks}\nfinal_answer(len(key))"), task="Use abcdefgh01234567."
    )

    assert "abcdefgh01234567" not in made.script()
    assert looks in made.script()
    assert made.notes == (*notes, "a secret was redacted in step 1: read it from the environment instead")


def test_a_step_that_ipython_would_change_is_written_without_comments_and_that_is_said() -> None:
    program = (
        'async def f():  # one\n    """\n    >>> x\n    """\ntext = """\n>>> rm\n"""\n...  # two\nfinal_answer(text)'
    )
    made = exported(code(program))

    cell = ["# Step 1", "async def f():", "    '\\n    >>> x\\n    '", "text = '\\n>>> rm\\n'", "...", "answer = text"]
    assert made.cells[-1].splitlines()[-7:] == [*cell, "answer"]
    assert TransformerManager().transform_cell(made.one_cell()) == made.one_cell() + "\n"
    assert made.notes == (
        "step 1 is written without its comments, each text on one line: otherwise IPython would change it",
    )


def test_a_text_in_a_step_makes_no_cell_of_a_file() -> None:
    program = 'text = """\n# %%\nraise SystemExit\n# %%\n"""\nfinal_answer(text)'
    made = exported(code(program))

    assert [line for line in made.script().split("\n") if "%%" in line] == [
        "# %%",
        "text = '\\n# %%\\nraise SystemExit\\n# %%\\n'",
    ]


def test_a_step_that_ipython_would_change_however_it_is_written_is_not_exported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    transform = TransformerManager.transform_cell
    monkeypatch.setattr(
        TransformerManager, "transform_cell", lambda self, cell: transform(self, cell).replace("n = 6", "n = 7")
    )
    made = exported(code("n = 6"), code("final_answer(n)"))

    why = "step 1 is not exported: IPython would not run the approved program"
    assert made.cells[0].endswith(f"\n\n# Step 1\nraise NotImplementedError({why!r})")
    assert made.cells[1:] == ("# Step 2\nanswer = n\nanswer",)
    assert made.notes == (why,)


def test_cells_that_ipython_would_change_together_are_written_again() -> None:
    """A bracket of one cell is open to IPython's eye, and not to Python's, until the next cell's text."""
    programs = 'a = 1  # don\'t say """', 'def f():\n    """\n    >>> x\n    """', "final_answer(f.__doc__)"
    made = exported(*map(code, programs))

    for text in (made.one_cell(), made.script()):
        assert ast.dump(ast.parse(TransformerManager().transform_cell(text))) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    "task", ["Read it, encoding=latin-1.", "Mind its coding: utf-7 +AAo-raise SystemExit", "coding: none"]
)
def test_no_task_says_how_the_file_is_read(task: str) -> None:
    made = exported(code("final_answer('é')"), task=task)

    names: dict[str, Any] = {}
    exec(compile(made.script().encode(), "steps.py", "exec"), names)
    assert names["answer"] == "é"


def test_a_journal_exports_as_well(tmp_path: Path) -> None:
    with agent_of(code("final_answer(6 * 7)")) as agent:
        agent.run("Go.")
        path, known = agent.journal.path, agent.export()

    assert export(journal.read(path)) == known


def test_a_resumed_run_is_exported_from_its_beginning() -> None:
    with agent_of(code("n = 6"), "no code", code("final_answer(n * 7)"), max_steps=1) as agent:
        agent.run("Go.", return_full_result=True)
        agent.max_steps = 5
        first = next(event.run for event in agent.memory.events)
        result = agent.resume(return_full_result=True)
        made = agent.export()

    assert (result.output, made.run != first) == (42, True)
    assert [cell.split("\n")[-1] for cell in made.cells] == ["n = 6", "answer"]


def test_where_nothing_ran_there_is_nothing_to_export() -> None:
    person = Person("stop")
    with CodeAgent(model=ScriptedModel(code("x = 1")), view=person, gate=create_gate("ask", person)) as agent:
        with pytest.raises(SetupError, match="nothing ran yet: there is nothing to export"):
            agent.export()
        agent.run("Go.", return_full_result=True)
        with pytest.raises(SetupError, match=r"no step of the run \w+ ran to its end: there is nothing to export"):
            agent.export()


def test_a_notebook_of_the_cells_is_valid() -> None:
    _, made = ran(CASES["classes (quick)"])
    notebook = nbformat.from_dict(made.notebook())
    nbformat.validate(notebook)

    assert [cell.source for cell in notebook.cells] == list(made.each_cell())
    assert made.script().startswith("from __future__ import annotations\n\n# %%\n")


# --- the magic --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.kernels
def test_the_magic_puts_the_steps_below(tmp_path: Path) -> None:
    with AgentKernel(sys.executable, tmp_path) as kernel:
        kernel.run("sales = [1, 2]")
        kernel.ends(kernel.agent("total = sum(sales)", "final_answer(total * 2)", line="-i sales -o doubled -a auto"))
        cell = kernel.execute("%agent export")
        reply = kernel.ends(cell)
        (payload,) = reply.content["payload"]

        assert (payload["source"], payload["replace"]) == ("set_next_input", False)
        assert kernel.printed(cell).startswith("smolcell: the steps are below, as one cell.")
        kernel.run("del doubled")
        kernel.run(payload["text"])
        assert shown(kernel, "doubled") == 6

        kernel.run(f"%agent export --file {tmp_path}/steps.ipynb")
        kernel.run(f"%agent export --file {tmp_path}/steps.py --as found")
        notebook = nbformat.read(tmp_path / "steps.ipynb", 4)
        assert "\n\n".join(cell.source for cell in notebook.cells) == payload["text"]
        assert (tmp_path / "steps.py").read_text().endswith("found = total * 2\nfound\n")


@pytest.mark.slow
@pytest.mark.kernels
def test_a_page_that_inserts_cells_is_asked_to(tmp_path: Path) -> None:
    """The extension listens for a comm; a front end without it closes the comm, and gets one cell."""
    with AgentKernel(sys.executable, tmp_path) as kernel:
        cell = kernel.agent("half = 21", "final_answer(half * 2)", line="-o answer -a auto")
        page = kernel.page(cell)
        kernel.ends(cell)
        record = kernel.record(cell)
        run = record[RECORD]["events"][0]["run"]

        asked = _from_page(kernel, "%agent export")
        opened = kernel.until(lambda m: m.type == "comm_open" and m.parent == asked).content
        assert (opened["target_name"], opened["data"]["cell"]) == ("smolcell.exports.cells", "a-cell")
        assert opened["data"]["client"] == kernel.client.session.session
        assert "cells" not in opened["data"]  # a page that comes too late has none to insert
        comm = opened["comm_id"]
        kernel.send_comm(comm, {"type": "here"})
        given = kernel.until(lambda m: m.type == "comm_msg" and m.content["comm_id"] == comm).content["data"]
        assert [text.split("\n")[-1] for text in given["cells"]] == ["half = 21", "answer"]
        kernel.send_comm(comm, {"type": "inserted"})
        assert (kernel.ends(asked).content["payload"], kernel.printed(asked)) == ([], "smolcell: 2 cells below\n")

        asked = _from_page(kernel, "%agent export")
        opened = kernel.until(lambda m: m.type == "comm_open" and m.parent == asked).content
        kernel.request("comm_close", {"comm_id": opened["comm_id"], "data": {}})
        assert [payload["source"] for payload in kernel.ends(asked).content["payload"]] == ["set_next_input"]

        page.say(type="export", id="e1", run=run)
        made = page.until("cells", id="e1")
        assert ([text.split("\n")[-1] for text in made["cells"]], made["why"]) == (["half = 21", "answer"], "")
        page.say(type="record", id="r1", run=run)
        assert page.until("record", id="r1")["data"] == record
        kernel.run("%agent reset")
        page.say(type="export", id="e2", run=run)
        made = page.until("cells", id="e2")
        assert (made["cells"], made["why"]) == ([], "the session of this run was ended or reset")


def _from_page(kernel: AgentKernel, code: str) -> str:
    """Send a cell as JupyterLab does, which says which cell it is."""
    content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
    message = kernel.client.session.msg("execute_request", content, metadata={"cellId": "a-cell"})
    kernel.client.shell_channel.send(message)
    return str(message["header"]["msg_id"])
