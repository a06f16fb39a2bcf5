"""An interrupt, whatever the run is at: it ends at once, the session goes on, and card and journal say what was cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cells import AgentKernel
from examples import quick
from kernels import kernel_env, parameters
from processes import eventually

from smolcell.events import Ended, Observed
from smolcell.journal import read

pytestmark = pytest.mark.kernels

SETUP = """
import asyncio, time
from smolcell import CodeAgent, UserInputTool, tool
from smolcell.events import Delta, Replied

@tool
def sleeping() -> None:
    "Sleep, on the notebook's thread."
    print('began')
    time.sleep(600)

@tool(concurrent=True)
def aside() -> None:
    "Sleep, on a thread of its own."
    time.sleep(600)

@tool
async def waiting() -> None:
    "Wait, on the event loop."
    await asyncio.sleep(600)

@tool(approve=True)
def asking() -> None:
    "Ask first."

user_input = UserInputTool()

class Model:
    name = 'never ends'
    async def reply(self, messages, tools=()):
        yield Delta(text='I begin.')
        await asyncio.sleep(600)
        yield Replied(text='never')

agent = CodeAgent([], Model())
"""


@pytest.fixture(scope="module", params=parameters(["6.31"]))
def kernel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A kernel with the tools, and an agent whose model never ends its reply."""
    with AgentKernel(kernel_env(request.param), tmp_path_factory.mktemp("kernel")) as running:
        running.run(SETUP)
        yield running


def calls(name: str) -> str:
    return f"print('called', flush=True)\n{name}()"


NEVER_ENDS = {
    "a synchronous tool": calls("sleeping"),
    "a tool on a thread": calls("aside"),
    "an async tool": calls("waiting"),
    "code": "print('called', flush=True)\nwhile True:\n    pass",
    "a C call": "print('called', flush=True)\nsum(range(10**13))",
    "code that catches everything": "print('called', flush=True)\nwhile True:\n    try:\n        while True:\n"
    "            pass\n    except BaseException:\n        pass",
}


@pytest.mark.parametrize("name", quick(NEVER_ENDS, "a tool on a thread", "an async tool", "code"))
def test_an_interrupt_while_something_runs(kernel: AgentKernel, name: str) -> None:
    tools = {"a synchronous tool": "-t sleeping", "a tool on a thread": "-t aside", "an async tool": "-t waiting"}
    cell = kernel.agent(NEVER_ENDS[name], line=f"--approve auto {tools.get(name, '')}")
    page = kernel.page(cell)
    if name == "a synchronous tool":  # it holds the thread that tells the page
        kernel.until(lambda m: m.type == "stream" and "began" in kernel.printed(cell))
    else:
        page.printed("called")
    kernel.settle(0.1)  # so that it most likely is in the call and not before it; nothing depends on that
    ends_at_once(kernel, cell, page, "running")


def test_an_interrupt_while_the_model_replies(kernel: AgentKernel) -> None:
    cell = kernel.execute("agent.run('Go.')")
    page = kernel.page(cell)
    kernel.until(lambda m: m.type == "comm_msg" and "I begin." in str(m.content["data"]))
    ends_at_once(kernel, cell, page, "thinking", "print('journal:', agent.journal.path)")


@pytest.mark.parametrize("call", ["asking()", "user_input('Which?')"])
def test_an_interrupt_while_the_code_waits_for_a_person(kernel: AgentKernel, call: str) -> None:
    cell = kernel.agent(call, line=f"-t {call.partition('(')[0]}")
    page = kernel.page(cell)
    page.answer(1)
    page.event("Proposed", call=1)
    ends_at_once(kernel, cell, page, "asking")
    assert page.send({**page.pending(1), "choice": "approve"})["ok"] is False


def test_stop_on_the_card_ends_an_async_tool(kernel: AgentKernel) -> None:
    cell = kernel.agent(calls("waiting"), line="--approve auto -t waiting")
    page = kernel.page(cell)
    run = page.event("Allowed")["run"]
    page.printed("called")
    page.say(type="stop", run=run)
    assert (page.event("Ended")["state"], page.event("Ended")["cut"]) == ("stopped", "running")
    assert kernel.ends(cell, "error").content["ename"] == "AgentStopped"
    goes_on(kernel)


def test_a_call_and_a_question_are_answered_on_the_card(kernel: AgentKernel) -> None:
    program = "asking()\nfinal_answer(user_input('Which year?'))"
    cell = kernel.agent(program, line="-t asking,user_input -o answer")
    page = kernel.page(cell)
    step = page.pending(1)
    assert page.send({**step, "choice": "approve"})["ok"] is True
    call = page.event("Proposed", call=1)
    assert (call["kind"], call["text"], call["step"]) == ("call", "asking()", 1)
    assert page.send({**step, "choice": "approve"})["ok"] is False  # the step's own answer is none to the call
    assert page.send({**page.waits(call), "choice": "approve"})["ok"] is True
    question = page.event("Proposed", call=2)
    assert (question["kind"], question["text"]) == ("question", "Which year?")
    assert page.send({**page.waits(question), "choice": "edit", "text": "1984"})["ok"] is True
    assert page.event("Ended")["state"] == "success"
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "1984\n"


def test_two_sessions_at_once_mix_neither_outputs_nor_approvals(kernel: AgentKernel) -> None:
    pages, steps = {}, {}
    for name in ("one", "two"):
        program = f"mine = '{name}'\nfor n in range(5):\n    print(mine, n, flush=True)"
        programs = (program, program, "final_answer([mine, asking()])")
        cell = kernel.agent(*programs, line=f"-o {name} --background --session {name} -t asking")
        kernel.ends(cell)
        pages[name] = kernel.page(cell)
    for name, page in pages.items():
        steps[name] = page.pending(1)
    assert steps["one"]["run"] != steps["two"]["run"]
    # What was shown is the same text but for a name; an answer for the one is none for the other.
    assert pages["one"].send({**steps["two"], "choice": "approve"})["ok"] is False
    assert pages["two"].send({**steps["two"], "run": steps["one"]["run"], "choice": "approve"})["ok"] is False
    for name in ("two", "one"):
        assert pages[name].send({**steps[name], "choice": "approve"})["ok"] is True
    for number in (2, 3):
        for page in pages.values():
            page.answer(number)
    for name, page in pages.items():
        call = page.event("Proposed", call=1)
        assert page.send({**page.waits(call), "choice": "approve"})["ok"] is True
        assert page.event("Ended")["state"] == "success"
        other = {"one": "two", "two": "one"}[name]
        said = [message for message in page.heard() if message["type"] in ("event", "delta")]
        printed = [m["event"]["stdout"] for m in said if m["type"] == "event" and m["event"]["event"] == "Observed"]
        assert printed[0] == "".join(f"{name} {n}\n" for n in range(5))
        assert not [m for m in said if f"{other} " in str(m.get("delta", m.get("event", {}).get("stdout", "")))]
        assert {m["event"]["run"] for m in said if m["type"] == "event"} == {steps[name]["run"]}
    assert eventually(lambda: kernel.run("print('one' in globals() and 'two' in globals())") == "True\n")
    assert kernel.run("print(one, two)") == "['one', None] ['two', None]\n"


def ends_at_once(kernel: AgentKernel, cell: str, page: Any, cut: str, where: str = "%agent status") -> None:
    """Interrupt; the cell ends, and card and journal say what was cut; the session is good for another task."""
    kernel.interrupt()
    error = kernel.reply(cell)  # without the interrupt it took ten minutes
    assert (error.content["status"], error.content["ename"]) in [
        ("error", "Interrupted"),
        ("error", "KeyboardInterrupt"),
    ]
    ended = page.event("Ended")
    assert (ended["state"], ended["cut"]) == ("stopped", cut)
    journal = re.search(r"journal: (\S+)", kernel.run(where).partition("session default:")[2] or kernel.run(where))
    assert journal is not None
    last = [event for event in read(Path(journal[1])) if isinstance(event, (Ended, Observed))][-1]
    assert isinstance(last, Ended) and (last.run, last.state, last.cut) == (ended["run"], "stopped", cut)
    goes_on(kernel)


def goes_on(kernel: AgentKernel) -> None:
    cell = kernel.agent("final_answer('fine')", line="-o answer --approve auto")
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "fine\n"
