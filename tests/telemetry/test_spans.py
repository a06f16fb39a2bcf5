"""The span tree: the same from a live run and from its journal, closed whatever happens, named by the conventions, without secrets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv._incubating.metrics import gen_ai_metrics

from smolcell import journal, telemetry
from smolcell.agent import CodeAgent, ToolCallingAgent
from smolcell.agent.budget import Budget
from smolcell.core.receipt import receipt
from smolcell.errors import AgentGenerationError
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Boundary,
    Called,
    Ended,
    Event,
    Fault,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    Unparsed,
    Usage,
)
from smolcell.gates import deny_all
from smolcell.telemetry import names
from smolcell.telemetry.measures import Measures
from smolcell.telemetry.otel import Exporter
from smolcell.telemetry.spans import Span, Tree, spans
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

CODE = "<code>\nx = 1\n</code>"
ANSWER = Observed(is_final_answer=True, output=42, stdout="42\n")
FAILED = Observed(error=Fault(kind="python", type="ValueError", message="no"))


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry, "_exporter", None)
    telemetry.instrument(provider)
    yield exporter
    provider.shutdown()


def agent(*replies: Any, does: Any = (ANSWER,), **options: Any) -> CodeAgent:
    options = {"gate": allow_all, **options}
    return CodeAgent(model=ScriptedModel(*replies), sandbox=MemoryExecutor(*does), **options)


def drawn(found: list[Span]) -> list[str]:
    """The tree as indented names, with errors."""
    depth = {"": -1}
    lines = []
    for span in found:
        depth[span.key] = depth[span.parent] + 1
        lines.append("  " * depth[span.key] + span.name + (f" !{span.error}" if span.error else ""))
    return lines


def plain(found: tuple[ReadableSpan, ...]) -> list[tuple[Any, ...]]:
    """Exported spans without their ids: name, parent's name and start, times, attributes."""
    known = {span.context.span_id: span for span in found if span.context}
    made = []
    for span in sorted(found, key=lambda span: (span.start_time or 0, -(span.end_time or 0), span.name)):
        parent = known.get(span.parent.span_id) if span.parent else None
        above = (parent.name, parent.start_time) if parent else None
        made.append((span.name, above, span.start_time, span.end_time, dict(span.attributes or {})))
    return made


def from_journal(path: Path) -> list[tuple[Any, ...]]:
    """The tree that a past journal gives, by way of a provider."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    writer = Exporter(provider).writer()
    events = journal.read(path)
    for span in spans(zip(events, events.times, strict=True)):
        writer.write(replace(span, end=None))
    for span in reversed(spans(zip(events, events.times, strict=True))):
        writer.write(span)
    provider.shutdown()
    return plain(exporter.get_finished_spans())


def unavailable() -> Exception:
    return AgentGenerationError("the server is gone")


def paid() -> Replied:
    return Replied(text=CODE, usage=Usage(input_tokens=3, output_tokens=4, cost=0.5))


def manager() -> ToolCallingAgent:
    helper = agent(CODE, name="helper", description="Helps.")
    calls = [
        f'{{"name": "{name}", "arguments": {{"{key}": "x"}}}}'
        for name, key in (("helper", "task"), ("final_answer", "answer"))
    ]
    return ToolCallingAgent([], ScriptedModel(*calls), managed_agents=[helper], gate=allow_all)


def interrupted() -> CodeAgent:
    """Is interrupted by its first step."""

    async def stop(_: str) -> str:
        made.interrupt()
        await asyncio.sleep(60)
        return ""

    made = agent(CODE, does=(stop,))
    return made


PLAN = ("  plan", "    smolcell.approval")
SITUATIONS: dict[str, tuple[Any, list[str]]] = {
    "success": (
        lambda: agent(CODE),
        ["invoke_agent", "  chat scripted", "  smolcell.approval", "  smolcell.step"],
    ),
    "refusal": (
        lambda: agent(CODE, gate=deny_all),
        ["invoke_agent !ApprovalError", "  chat scripted", "  smolcell.approval"],
    ),
    "error and retry": (
        lambda: agent(CODE, CODE, does=(FAILED, ANSWER)),
        [
            "invoke_agent",
            *("  chat scripted", "  smolcell.approval", "  smolcell.step !ValueError"),
            *("  chat scripted", "  smolcell.approval", "  smolcell.step"),
        ],
    ),
    "no program": (
        lambda: agent("Hm.", CODE),
        [
            "invoke_agent",
            *("  chat scripted", "  smolcell.step !AgentParsingError"),
            *("  chat scripted", "  smolcell.approval", "  smolcell.step"),
        ],
    ),
    "model fails": (
        lambda: agent(unavailable()),
        ["invoke_agent !AgentGenerationError", "  chat scripted !AgentGenerationError"],
    ),
    "budget": (
        lambda: agent(paid(), CODE, does=(Observed(),), budget=Budget(cost=0.1)),
        [
            "invoke_agent !AgentBudgetError",
            *("  chat scripted", "  smolcell.approval", "  smolcell.step", "  smolcell.approval"),
        ],
    ),
    "managed agents": (
        lambda: manager(),
        [
            "invoke_agent",
            *("  chat scripted", "  smolcell.approval", "  execute_tool helper"),
            *("    invoke_agent helper", "      chat scripted", "      smolcell.approval", "      smolcell.step"),
            "  chat scripted",
        ],
    ),
    "plan": (
        lambda: agent("1. Go on.", CODE, planning_interval=1),
        ["invoke_agent", "  chat scripted", *PLAN, "  chat scripted", "  smolcell.approval", "  smolcell.step"],
    ),
    "refused plan": (
        lambda: agent("1. Go on.", planning_interval=1, gate=deny_all),
        ["invoke_agent !ApprovalError", "  chat scripted", "  plan !refused", "    smolcell.approval"],
    ),
    "interrupt": (
        interrupted,
        ["invoke_agent !AgentStopped", "  chat scripted", "  smolcell.approval", "  smolcell.step !AgentStopped"],
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_live_run_and_its_journal_give_the_same_tree(situation: str, exported: InMemorySpanExporter) -> None:
    make, expected = SITUATIONS[situation]
    with make() as made:
        made.run("Answer.", return_full_result=True)
        path = made.journal.path
    events = journal.read(path)
    assert drawn(spans(zip(events, events.times, strict=True))) == expected
    assert plain(exported.get_finished_spans()) == from_journal(path)


def story(*events: Event) -> list[tuple[Event, float]]:
    return [(event, 100.0 + number) for number, event in enumerate(events)]


def test_tools_plans_managed_agents_and_a_kill() -> None:
    told = story(
        Asked(run="r", task="t", model="openai/gpt"),
        Proposed(run="r", step=1, text="1. Go", kind="plan"),
        Allowed(run="r", step=1, text="1. Go", sha256="", by="person", kind="plan"),
        Replied(run="r", step=2, text="…", duration=0.5, usage=Usage(input_tokens=3, output_tokens=4, cost=0.5)),
        Proposed(run="r", step=2, text="helper('x')"),
        Allowed(run="r", step=2, text="helper('x')", sha256="ab", by="person", edited=True),
        Called(run="r", step=2, call=1, name="search", text="search('q')", error="KeyError: 'q'", duration=0.25),
        Asked(run="r-2-2-1", task="x", agent="helper", parent="r", parent_step=2),
        Replied(run="r-2-2-1", step=1, text="…"),
        Proposed(run="r-2-2-1", step=1, text="1"),
    )
    found = spans(told)
    assert drawn(found) == [
        "invoke_agent !unfinished",
        "  plan",
        "    smolcell.approval",
        "  chat openai/gpt",
        "  smolcell.approval",
        "  smolcell.step !unfinished",
        "    execute_tool search !KeyError",
        "    invoke_agent helper !unfinished",
        "      chat",
        "      smolcell.approval !unfinished",
    ]
    chat, approval, tool = found[3], found[4], found[6]
    assert (chat.start, chat.end, tool.start, tool.end) == (102.5, 103.0, 105.75, 106.0)
    assert chat.attributes[names.INPUT_TOKENS] == 3
    assert chat.attributes["smolcell.cost"] == 0.5
    assert chat.attributes[names.FINISH_REASONS] == ["stop"]
    assert {name: approval.attributes[f"smolcell.{name}"] for name in ("by", "waited", "edited", "sha256")} == {
        "by": "person",
        "waited": 1.0,
        "edited": True,
        "sha256": "ab",
    }


def test_the_start_of_the_sandbox_is_no_waiting_for_a_decision() -> None:
    boundary = Boundary(sandbox="local", where="here", isolated=True)
    told = story(
        Asked(run="r", task="t"),
        Proposed(run="r", step=1, text="1"),
        Opened(run="r", boundary=boundary),
        Opened(run="another", boundary=boundary),
        Allowed(run="r", step=1, text="1", sha256="", by="person"),
    )
    [approval] = [span for span in spans(told) if span.name == "smolcell.approval"]
    assert approval.attributes["smolcell.waited"] == 2.0
    [decision] = receipt(*zip(*told, strict=True)).approvals
    assert decision.seconds == 2.0
    measures = Measures()
    measured = [found for event, at in told for found in measures.add(event, at)]
    assert [value for name, value, _ in measured if name == "smolcell_approval_wait_seconds"] == [2.0]


def test_a_run_that_goes_on_links_to_the_one_before() -> None:
    assert spans(story(Asked(run="b", task="t", resumes="a")))[0].link == "a#0"


def test_a_resumed_run_is_exported_with_a_link_to_the_run_before(exported: InMemorySpanExporter) -> None:
    with agent(unavailable(), CODE) as made:
        made.run("Answer.", return_full_result=True)
        assert made.resume() == 42
    before, after = (span for span in exported.get_finished_spans() if span.name == "invoke_agent")
    assert [link.context for link in after.links] == [before.context]


runs = st.sampled_from(["a", "b", "c"])
steps = st.integers(0, 2)
calls = st.integers(0, 2)
seconds = st.floats(allow_nan=True, allow_infinity=True)
refusals = st.sampled_from(["continue", "refused", "stopped"])
some_event = st.one_of(
    st.builds(Asked, run=runs, task=st.just("t"), parent=runs | st.just(""), parent_step=steps, parent_call=calls),
    st.builds(Opened, run=runs, boundary=st.just(Boundary(sandbox="local", where="here", isolated=True))),
    st.builds(Replied, run=runs, step=steps, text=st.just("x"), duration=seconds),
    st.builds(Unparsed, run=runs, step=steps, reason=st.just("x")),
    st.builds(
        Proposed, run=runs, step=steps, call=calls, text=st.just("x"), kind=st.sampled_from(["code", "call", "plan"])
    ),
    st.builds(
        Allowed,
        run=runs,
        step=steps,
        call=calls,
        text=st.just("x"),
        sha256=st.just(""),
        by=st.just("auto"),
        kind=st.sampled_from(["code", "call", "plan"]),
    ),
    st.builds(Refused, run=runs, step=steps, call=calls, reason=st.just(""), by=st.just("person"), then=refusals),
    st.builds(Called, run=runs, step=steps, call=calls, name=st.just("f"), text=st.just("f()"), duration=seconds),
    st.builds(Observed, run=runs, step=steps, call=calls, duration=seconds),
    st.builds(Answered, run=runs, step=steps, text=st.just("x")),
    st.builds(Ended, run=runs, state=st.just("stopped"), steps=steps, cut=st.sampled_from(["", "thinking"])),
)


@given(st.lists(st.tuples(some_event, st.floats(0, 1e9)), max_size=30))
def test_every_sequence_of_events_gives_a_closed_tree(records: list[tuple[Event, float]]) -> None:
    found = spans(records)
    known = {span.key: span for span in found}
    assert len(known) == len(found)
    for span in found:
        assert span.end is not None
        assert span.start <= span.end
        if span.parent:
            above = known[span.parent]
            assert above.end is not None
            assert above.start <= span.start
            assert span.end <= above.end


def test_names_are_those_of_the_conventions() -> None:
    known = {
        value
        for module in (gen_ai_attributes, gen_ai_metrics)
        for name, value in vars(module).items()
        if name.startswith("GEN_AI_")
    }
    ours = {value for value in vars(names).values() if isinstance(value, str) and value.startswith("gen_ai.")}
    assert ours - known == set()


# What the conventions require of a span, and of a span when it begins (docs/gen-ai/gen-ai-spans.md, gen-ai-agent-spans.md).
REQUIRED = {
    "invoke_agent": {"gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.conversation.id"},
    "chat": {"gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.conversation.id"},
    "execute_tool": {"gen_ai.operation.name", "gen_ai.tool.name"},
    "plan": {"gen_ai.operation.name"},
}


def test_spans_have_what_the_conventions_require_when_they_begin() -> None:
    begun: dict[str, set[str]] = {}

    class Noting(Sampler):
        def should_sample(
            self, parent: Any, trace_id: int, name: str, kind: Any = None, attributes: Any = None, *_: Any
        ) -> SamplingResult:
            begun[name] = set(attributes)
            return SamplingResult(Decision.DROP)

        def get_description(self) -> str:
            return "noting"

    events = [
        Asked(run="r", task="t", model="mistral/large", session="s", agent="helper"),
        Proposed(run="r", step=1, text="1. Go", kind="plan"),
        Allowed(run="r", step=1, text="1. Go", sha256="", by="person", kind="plan"),
        Replied(run="r", step=2, text="…"),
        Called(run="r", step=2, call=1, name="search", text="search('q')"),
    ]
    tree, writer = Tree(), Exporter(TracerProvider(sampler=Noting())).writer()
    found = [span for event, at in story(*events) for span in tree.add(event, at)]
    for span in found:
        writer.write(span)
    assert set(begun) == {
        "invoke_agent helper",
        "plan helper",
        "smolcell.approval",
        "chat mistral/large",
        "execute_tool search",
    }
    for name, attributes in begun.items():
        assert REQUIRED.get(name.partition(" ")[0], set()) <= attributes
    assert {span.attributes[names.PROVIDER] for span in found if span.name.startswith("chat")} == {"mistral_ai"}
    assert {span.attributes[names.OPERATION] for span in found if names.OPERATION in span.attributes} == set(REQUIRED)


def test_messages_follow_the_schema_of_the_conventions() -> None:
    told = story(
        Asked(run="r", task="Task"), Replied(run="r", step=1, text="Reply"), Answered(run="r", step=1, text="42")
    )
    run, chat = spans(told, content=True)
    message = {"role": "assistant", "parts": [{"type": "text", "content": "Reply"}], "finish_reason": "stop"}
    assert json.loads(chat.attributes[names.OUTPUT_MESSAGES]) == [message]
    message = {"role": "assistant", "parts": [{"type": "text", "content": "42"}], "finish_reason": "stop"}
    assert json.loads(run.attributes[names.OUTPUT_MESSAGES]) == [message]
    message = {"role": "user", "parts": [{"type": "text", "content": "Task"}]}
    assert json.loads(run.attributes[names.INPUT_MESSAGES]) == [message]


def test_content_is_off_by_default_and_redacted_when_on(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "hf_" + "a1B2" * 8
    told = story(
        Asked(run="r", task=f"Use {secret} of mine"),
        Replied(run="r", step=1, text=f"{secret} it is"),
        Allowed(run="r", step=1, text=f"print('{secret}')", sha256="", by="person"),
        Called(run="r", step=1, call=1, name="f", text=f"f('{secret}')", result=secret),
        Observed(run="r", step=1, stdout=secret),
        Ended(run="r", state="error", steps=1, error=f"{secret}: boom"),
    )
    off, on = str(spans(told)), str(spans(told, content=True))
    assert secret not in off + on
    assert "of mine" not in off
    assert "of mine" in on
    assert "print(" in on


def test_the_callers_span_is_the_parent(exported: InMemorySpanExporter) -> None:
    from opentelemetry import trace

    provider = TracerProvider()
    with provider.get_tracer("t").start_as_current_span("outside") as outside, agent(CODE) as made:
        made.run("Answer.")
        about = outside.get_span_context()
    top = next(span for span in exported.get_finished_spans() if span.name == "invoke_agent")
    assert trace.format_span_id(top.parent.span_id) == trace.format_span_id(about.span_id)  # type: ignore[union-attr]
    assert {span.context.trace_id for span in exported.get_finished_spans() if span.context} == {about.trace_id}


def test_requests_of_the_model_carry_the_trace(exported: InMemorySpanExporter) -> None:
    from smolcell.protocols import trace_headers

    seen: list[str] = []

    def replies(*_: Any) -> str:
        seen.append(trace_headers.get().get("traceparent", ""))
        return CODE

    with agent(replies) as made:
        made.run("Answer.")
    helper = agent(replies, name="helper", description="Helps.")
    calls = "<code>\nhelper('x')\nfinal_answer(1)\n</code>"
    with CodeAgent([], ScriptedModel(calls), managed_agents=[helper], sandbox="local", gate=allow_all) as made:
        made.run("Answer.")  # the code in the sandbox calls the helper
    tops = [span.context for span in exported.get_finished_spans() if span.name == "invoke_agent" and span.context]
    assert [header[:53] for header in seen] == [f"00-{top.trace_id:032x}-{top.span_id:016x}-" for top in tops]
    assert trace_headers.get() == {}
