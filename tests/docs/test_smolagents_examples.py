"""Programs in the manner of smolagents' examples run with one import changed: ``smolcell.compat`` in the place of ``smolagents``.

The programs are our own. Models are scripted; the person is ``SMOLCELL_APPROVE=auto``.
"""

from __future__ import annotations

import asyncio
import json
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

import smolcell.compat
from smolcell.testing import ScriptedModel

Names = dict[str, Any]
Run = Callable[..., Names]


def code(program: str, thought: str = "Next.") -> str:
    return f"{thought}\n<code>\n{textwrap.dedent(program).strip()}\n</code>"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a program, whose models say these replies, each model the next list; gives the names that it defined."""
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")

    def example(text: str, *replies: list[Any], **given: Any) -> Names:
        models = iter(replies)
        for module in (smolcell.compat, smolcell.compat.models):
            monkeypatch.setattr(module, "InferenceClientModel", lambda *_, **__: ScriptedModel(*next(models)))
        names: Names = {"__name__": "example", **given}
        exec(compile(textwrap.dedent(text), "example.py", "exec"), names)
        assert next(models, None) is None
        return names

    return example


def test_a_tool_asks_a_database_and_its_description_grows_with_the_tables(run: Run) -> None:
    names = run(
        '''
        import sqlite3

        from smolcell.compat import CodeAgent, InferenceClientModel, tool

        database = sqlite3.connect(":memory:", check_same_thread=False)
        database.execute("create table bills (guest text, price real, tip real)")
        database.executemany("insert into bills values (?, ?, ?)", [("Ada", 12.06, 1.2), ("Woodrow", 53.43, 5.43), ("Meg", 21.1, 1.0)])

        @tool
        def sql_engine(query: str) -> str:
            """
            Runs a query over the table 'bills'. Returns a text with a row a line.
                Columns:
                - guest: TEXT
                - price: REAL

            Args:
                query: The query, correct SQL.
            """
            return "\\n".join(str(row) for row in database.execute(query))

        agent = CodeAgent(tools=[sql_engine], model=InferenceClientModel(model_id="me/model"))
        first = agent.run("Who had the most expensive bill?")
        agent.cleanup()

        database.execute("create table waiters (guest text, waiter text)")
        database.executemany("insert into waiters values (?, ?)", [("Ada", "Corey"), ("Woodrow", "Mike"), ("Meg", "Corey")])
        sql_engine.description = "Runs a query over these tables: bills (guest, price, tip), waiters (guest, waiter)"
        agent = CodeAgent(tools=[sql_engine], model=InferenceClientModel(model_id="me/larger"))
        second = agent.run("Which waiter got more tips?")
        agent.cleanup()
        ''',
        [
            code(
                "rows = sql_engine('select guest from bills order by price desc limit 1')\nfinal_answer(rows.strip(\"(),'\"))"
            )
        ],
        [
            code(
                "rows = sql_engine('select waiter, sum(tip) from bills join waiters using (guest) group by waiter order by 2 desc')\n"
                "print(rows)"
            ),
            code("final_answer('Mike')"),
        ],
    )
    assert (names["first"], names["second"]) == ("Woodrow", "Mike")
    assert "over these tables: bills (guest, price, tip), waiters" in names["agent"].model.calls[0][0].text
    assert "('Mike', 5.43)\n('Corey', 2.2)" in names["agent"].model.calls[1][-1].text


def test_a_retriever_of_a_class_of_its_own_answers_from_documents(run: Run) -> None:
    names = run(
        """
        from smolcell.compat import CodeAgent, InferenceClientModel, Tool

        class RetrieverTool(Tool):
            name = "retriever"
            description = "Finds the documents that have most words of a query."
            inputs = {"query": {"type": "string", "description": "The query, in the affirmative form."}}
            output_type = "string"

            def __init__(self, docs, **kwargs):
                super().__init__(**kwargs)
                self.docs = docs

            def forward(self, query: str) -> str:
                words = set(query.lower().split())
                best = sorted(self.docs, key=lambda doc: -len(words & set(doc.lower().split())))[:2]
                return "Retrieved documents:\\n" + "\\n".join(f"===== {at} =====\\n{doc}" for at, doc in enumerate(best))

        docs = ["The backward pass takes about twice as long as the forward pass.", "Tokenizers split a text.", "Layers stack."]
        agent = CodeAgent(tools=[RetrieverTool(docs)], model=InferenceClientModel(), max_steps=4, verbosity_level=2)
        output = agent.run("Which is slower, the forward or the backward pass?")
        agent.cleanup()
        """,
        [code("print(retriever(query='the backward pass is slower'))"), code("final_answer('the backward pass')")],
    )
    assert names["output"] == "the backward pass"
    assert "===== 0 =====\nThe backward pass takes" in names["agent"].model.calls[1][-1].text


def test_a_manager_hands_a_search_to_an_agent_that_calls_tools(run: Run) -> None:
    call = {"name": "visit_page", "arguments": {"url": "https://tea.example/power"}}
    answer = {"name": "final_answer", "arguments": {"answer": "14 GW"}}
    names = run(
        '''
        from smolcell.compat.agents import CodeAgent, ToolCallingAgent
        from smolcell.compat.models import InferenceClientModel
        from smolcell.compat.tools import tool

        @tool
        def visit_page(url: str) -> str:
            """Visits a page and returns its text.

            Args:
                url: its address
            """
            return "Training takes 14 GW."

        web_agent = ToolCallingAgent(
            tools=[visit_page],
            model=InferenceClientModel(),
            max_steps=10,
            name="web_search_agent",
            description="Runs web searches for you.",
        )
        manager_agent = CodeAgent(
            tools=[], model=InferenceClientModel(), managed_agents=[web_agent], additional_authorized_imports=["time", "numpy", "pandas"],
        )
        answer = manager_agent.run("How much power does training take?")
        manager_agent.cleanup()
        ''',
        [json.dumps(call), json.dumps(answer)],
        [
            code(
                "import numpy\npower = web_search_agent('power of training')\nfinal_answer(float(numpy.sqrt(int(power.split()[0]) + 2)))"
            )
        ],
    )
    assert names["answer"] == 4.0


@pytest.mark.parametrize("choice", ["approve", "cancel"])
def test_a_callback_looks_at_each_plan_and_may_cancel_the_run(run: Run, choice: str) -> None:
    names = run(
        """
        from smolcell.compat import AgentError, CodeAgent, DuckDuckGoSearchTool, InferenceClientModel, LogLevel, PlanningStep

        plans = []

        def interrupt_after_plan(memory_step, agent):
            if isinstance(memory_step, PlanningStep):
                plans.append(memory_step.plan)
                if choice == "cancel":
                    agent.interrupt()

        agent = CodeAgent(
            model=InferenceClientModel(),
            tools=[DuckDuckGoSearchTool()],
            planning_interval=5,
            step_callbacks={PlanningStep: interrupt_after_plan},
            max_steps=10,
            verbosity_level=LogLevel.INFO,
        )
        try:
            answer = agent.run("Leap.")
        except AgentError as error:
            answer = type(error).__name__
        kinds = [type(step).__name__ for step in agent.memory.steps]
        agent.cleanup()
        """,
        [
            "1. Leap",
            code(
                "import time\ntime.sleep(3 if choice == 'cancel' else 0)\nfinal_answer('leapt')".replace(
                    "choice", repr(choice)
                )
            ),
        ],
        choice=choice,
    )
    expected = (
        ("leapt", ["PlanningStep", "ActionStep"])
        if choice == "approve"
        else ("AgentStopped", ["PlanningStep", "ActionStep"])
    )
    assert (names["answer"], names["kinds"][:2], names["plans"]) == (*expected, ["1. Leap"])


def test_an_agent_runs_on_a_thread_of_a_web_application(run: Run) -> None:
    pytest.importorskip("starlette", reason="needs starlette, which MCP's SDK brings")
    names = run(
        """
        import anyio.to_thread
        from starlette.applications import Starlette
        from starlette.requests import Request
        from starlette.responses import JSONResponse
        from starlette.routing import Route

        from smolcell.compat import CodeAgent, InferenceClientModel

        agent = CodeAgent(model=InferenceClientModel(model_id="me/model"), tools=[])

        async def run_agent(request: Request):
            data = await request.json()
            result = await anyio.to_thread.run_sync(agent.run, data.get("task", ""))
            return JSONResponse({"result": result})

        app = Starlette(routes=[Route("/run-agent", run_agent, methods=["POST"])])
        """,
        [code("final_answer(2 + 2)")],
    )
    import httpx

    async def ask() -> Any:
        transport = httpx.ASGITransport(app=names["app"])
        async with httpx.AsyncClient(transport=transport, base_url="http://tea.example") as client:
            return (await client.post("/run-agent", json={"task": "What is 2 + 2?"})).json()

    assert asyncio.run(ask()) == {"result": 4}
    names["agent"].cleanup()
