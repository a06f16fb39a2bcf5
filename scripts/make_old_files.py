"""Make files of every kind that smolcell writes, as fixtures: ``python scripts/make_old_files.py tests/public/fixtures/COMMIT``.

Run it at the commit whose files are to be kept. The models are scripted, the code runs in the local sandbox; matplotlib is needed.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from smolcell import Budget, CodeAgent, RecordingModel, ToolCallingAgent, UserInputTool, tool
from smolcell.errors import AgentError, AgentGenerationError
from smolcell.events import Call, Delta, Event, Proposed, Replied, Usage
from smolcell.protocols import Answer
from smolcell.testing import ScriptedModel, allow_all

Agent = CodeAgent | ToolCallingAgent
PLACE = "/work/notebooks"  # instead of the folder where the notebook was run
PLOT = "import matplotlib.pyplot as plt\nfig = plt.figure(figsize=(1, 1), dpi=30)\nplt.plot([1, 2, 4])\nplt.show()"


class Person:
    """Answers with these choices in order, then approves."""

    def __init__(self, *answers: tuple[str, dict[str, str]]) -> None:
        self.answers = list(answers)

    def show(self, event: Event | Delta) -> None: ...

    async def ask(self, proposal: Proposed) -> Answer:
        choice, more = self.answers.pop(0) if self.answers else ("approve", {})
        given: dict[str, Any] = {"choice": choice, **more}
        return Answer(run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, **given)


@tool
def price(item: str) -> float:
    """The price of an item, in euros.

    Args:
        item: its name.
    """
    return {"tea": 2.5, "cake": 4.0}[item]


@tool(approve=True)
def order(item: str, pieces: int) -> str:
    """Order something.

    Args:
        item: its name.
        pieces: how many.
    """
    return f"{pieces} {item} ordered"


def code(program: str, thought: str = "I compute it.") -> Replied:
    usage = Usage(input_tokens=100, output_tokens=10, cost=0.001)
    return Replied(text=f"{thought}\n<code>\n{program}\n</code>", usage=usage, model="scripted-1")


def agent(session: str, *replies: Any, kind: Callable[..., Agent] = CodeAgent, **options: Any) -> Agent:
    model = replies[0] if len(replies) == 1 and hasattr(replies[0], "reply") else ScriptedModel(*replies)
    if not {"view", "gate"} & options.keys():
        options["gate"] = allow_all
    return kind(options.pop("tools", []), model, session=session, **options)


def run(used: Agent, *tasks: str, **options: Any) -> None:
    with used:
        for task in tasks:
            with suppress(AgentError):
                used.run(task, reset=task == tasks[0], **options)


def journals() -> None:
    """A run for each kind of event and proposal."""
    sums = code("total = sum(numbers)\nprint('the sum is', total)"), code("final_answer(total / len(numbers))")
    run(agent("plain", *sums), "What is the mean?", additional_args={"numbers": [1, 2, 3, 6]})
    answers = ("refuse", {"comment": "not so many"}), ("edit", {"text": "x = 20", "comment": "enough"})
    programs = code("x = list(range(10**6))"), code("x = 30"), code("final_answer(x + 1)")
    run(agent("decisions", *programs, view=Person(*answers)), "Take a number.")
    bill = code("bill = 2 * price('tea')\nprint(bill)"), code("print(order('tea', 2))\nfinal_answer(bill)")
    run(agent("tools", *bill, tools=[price, order], view=Person()), "Order two teas.")
    calls = (
        Call(name="price", arguments='{"item": "cake"}', id="c1"),
        Call(name="price", arguments='{"item": "tea"}', id="c2"),
    )
    ends = Call(name="final_answer", arguments='{"answer": 6.5}', id="c3")
    called = Replied(text="", calls=calls), Replied(text="", calls=(ends,))
    run(agent("calls", *called, kind=ToolCallingAgent, tools=[price], view=Person()), "What do a cake and a tea cost?")
    counter = CodeAgent(
        [], ScriptedModel(code("final_answer(len(text.split()))")), name="counter", description="Counts words."
    )
    asked = code("n = counter('Count.', additional_args={'text': 'to be or not'})\nfinal_answer(n)")
    run(agent("managed", asked, managed_agents=[counter]), "Have the words counted.")
    run(
        agent("image", code(PLOT), code("final_answer('drawn')"), additional_authorized_imports=["matplotlib.*"]),
        "Plot it.",
    )
    run(agent("error", code("1 / 0"), AgentGenerationError("the model's server is gone")), "Divide.")
    planned = "1. Compute\n2. Answer", code("y = 6"), code("final_answer(y * 7)")
    budget = Budget(steps=1)
    run(agent("plan", *planned, planning_interval=5, budget=budget, view=Person()), "Plan it.")
    said: list[tuple[str, dict[str, str]]] = [("approve", {}), ("edit", {"text": "Ada"})]
    question = code("who = user_input('Who are you?')\nfinal_answer('Hello ' + who)")
    run(agent("question", question, tools=[UserInputTool()], view=Person(*said)), "Greet me.")


def unfinished(plain: Path, target: Path) -> None:
    """A journal whose process was killed in the second step, in the middle of a write."""
    lines = plain.read_bytes().splitlines(keepends=True)
    last = max(place for place, line in enumerate(lines) if b'"Proposed"' in line)
    target.write_bytes(b"".join(lines[: last + 1]) + lines[last + 1][:60])


def recording(path: Path) -> None:
    """Two tasks; the model fails once in the second."""
    fault = AgentGenerationError("the model's server is busy")
    model = ScriptedModel(code("final_answer(6 * 7)"), code("z = 5\nprint(z)"), fault, code("final_answer(z * z)"))
    with CodeAgent([], RecordingModel(model, path), gate=allow_all, session="recorded") as used:
        used.run("Multiply 6 by 7.")
        with suppress(AgentGenerationError):
            used.run("Square five.")
        used.resume()


def memories(folder: Path) -> None:
    with agent("saved", code("a = 3\nprint(a)"), code("final_answer(a + 1)"), code("final_answer(a + 2)")) as used:
        used.run("Add one.")
        used.run("Add two.", reset=False)
        used.memory.save(folder / "memory.jsonl")
    with agent("stopped", code("b = 4"), AgentGenerationError("the line was cut")) as used:
        with suppress(AgentGenerationError):
            used.run("Add to b.")
        used.memory.save(folder / "memory-unfinished.jsonl")


def notebook(folder: Path) -> None:
    """Two agent cells run by a real kernel: one with a plot and an answer, one that fails."""
    replies = folder / "notebook-replies.jsonl"
    model = ScriptedModel(code(PLOT), code("answer = sum(numbers)\nfinal_answer(answer)"), code("1 / 0"), "I give up.")
    with CodeAgent([], RecordingModel(model, replies), gate=allow_all, max_steps=2, session="notebook",
                   additional_authorized_imports=["matplotlib.*"]) as used:  # fmt: skip
        used.run("Plot, then add the numbers.", additional_args={"numbers": [1, 2, 3]})
        used.max_steps = 1
        used.run("Divide by zero.")
    line = f"%%agent --replay {replies.name} --approve auto"
    cells = [
        "%load_ext smolcell",
        "numbers = [1, 2, 3]",
        f"{line} -i numbers -o total --imports matplotlib.*\nPlot, then add the numbers.",
        "total",
        f"{line} --max-steps 1\nDivide by zero.",
    ]
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell, id=f"cell-{n}") for n, cell in enumerate(cells)]
    )
    options: dict[str, Any] = {"record_timing": False, "store_widget_state": False}  # the page's code is 300 kB
    NotebookClient(made, timeout=120, resources={"metadata": {"path": str(folder)}}, **options).execute()
    nbformat.write(made, folder / "saved-run.ipynb")


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    (folder / "journals").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as state:
        os.environ["SMOLCELL_STATE_DIR"] = state
        journals()
        for path in Path(state, "journals").glob("*.jsonl"):
            name = path.stem.rpartition("-")[0][11:]  # date-NAME-id
            shutil.copyfile(path, folder / "journals" / f"{name}.jsonl")
        unfinished(folder / "journals" / "plain.jsonl", folder / "journals" / "unfinished.jsonl")
        recording(folder / "recording.jsonl")
        memories(folder)
        notebook(folder)
        [path] = Path(state, "journals").glob("*-default-*.jsonl")
        text = path.read_text().replace(str(folder), PLACE)
        (folder / "journals" / "notebook.jsonl").write_text(text)


if __name__ == "__main__":
    main()
