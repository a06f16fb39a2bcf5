"""The span tree: the same from a live run and from its journal, closed whatever happens, named by the conventions, without secrets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv._incubating.metrics import gen_ai_metrics
from persons import CODE, scripted

from smolcell import journal, telemetry
from smolcell.agent import CodeAgent, MultiStepAgent, ToolCallingAgent
from smolcell.agent.budget import Budget
from smolcell.approval.gates import deny_all
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
from smolcell.protocols import trace_headers
from smolcell.telemetry import names
from smolcell.telemetry.measures import Measures
from smolcell.telemetry.otel import Exporter
from smolcell.telemetry.spans import Span, Tree, spans
from smolcell.testing import ScriptedModel, allow_all

ANSWER = Observed(is_final_answer=True, output=42, stdout="42\n")
FAILED = Observed(error=Fault(kind="python", type="ValueError", message="no"))
agent = partial(scripted, does=(ANSWER,))


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(telemetry, "_exporter", None)
    telemetry.instrument(provider)
    yield exporter
    provider.shutdown()


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
    found = spans(recorded(path))
    for span in (*(replace(span, end=None) for span in found), *reversed(found)):
        writer.write(span)
    provider.shutdown()
    return plain(exporter.get_finished_spans())


def recorded(path: Path) -> list[tuple[Event, float]]:
    events = journal.read(path)
    return list(zip(events, events.times, strict=True))


UNAVAILABLE = AgentGenerationError("the server is gone")
PAID = Replied(text=CODE, usage=Usage(input_tokens=3, output_tokens=4, cost=0.5))


def manager() -> ToolCallingAgent:
    helper = agent(CODE, name="helper", description="Helps.")
    given = {"helper": {"task": "x"}, "final_answer": {"answer": "x"}}
    calls = (json.dumps({"name": name, "arguments": arguments}) for name, arguments in given.items())
    return ToolCallingAgent([], ScriptedModel(*calls), managed_agents=[helper], gate=allow_all)


def interrupted() -> CodeAgent:
    """Is interrupted by its first step."""

    async def stop(_: str) -> str:
        made.interrupt()
        await asyncio.sleep(60)
        return ""

    made = agent(CODE, does=(stop,))
    return made


SITUATIONS: dict[str, Callable[[], MultiStepAgent]] = {
    "success": lambda: agent(CODE),
    "refusal": lambda: agent(CODE, gate=deny_all),
    "error and retry": lambda: agent(CODE, CODE, does=(FAILED, ANSWER)),
    "no program": lambda: agent("Hm.", CODE),
    "model fails": lambda: agent(UNAVAILABLE),
    "budget": lambda: agent(PAID, CODE, does=(Observed(),), budget=Budget(cost=0.1)),
    "managed agents": manager,
    "plan": lambda: agent("1. Go on.", CODE, planning_interval=1),
    "refused plan": lambda: agent("1. Go on.", planning_interval=1, gate=deny_all),
    "interrupt": interrupted,
}
TREES = json.loads(Path(__file__).with_suffix(".json").read_text())["trees"]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_live_run_and_its_journal_give_the_same_tree(situation: str, exported: InMemorySpanExporter) -> None:
    with SITUATIONS[situation]() as made:
        made.run("Answer.", return_full_result=True)
        path = made.journal.path
    assert drawn(spans(recorded(path))) == TREES[situation]
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
    assert drawn(found) == TREES["killed"]
    chat, approval, tool = found[3], found[4], found[6]
    assert (chat.start, chat.end, tool.start, tool.end) == (102.5, 103.0, 105.75, 106.0)
    assert chat.attributes[names.INPUT_TOKENS] == 3
    assert chat.attributes["smolcell.cost"] == 0.5
    assert chat.attributes[names.FINISH_REASONS] == ["stop"]
    told_of = [approval.attributes[f"smolcell.{name}"] for name in ("by", "waited", "edited", "sha256")]
    assert told_of == ["person", 1.0, True, "ab"]


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


def test_a_resumed_run_is_exported_with_a_link_to_the_run_before(exported: InMemorySpanExporter) -> None:
    with agent(UNAVAILABLE, CODE) as made:
        made.run("Answer.", return_full_result=True)
        assert made.resume() == 42
    before, after = (span for span in exported.get_finished_spans() if span.name == "invoke_agent")
    assert [link.context for link in after.links] == [before.context]
    assert spans(story(Asked(run="b", task="t", resumes="a")))[0].link == "a#0"


FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "run": st.sampled_from(["a", "b", "c"]),
    "parent": st.sampled_from(["a", "b", "c", ""]),
    "duration": st.floats(allow_nan=True, allow_infinity=True),
    "then": st.sampled_from(["continue", "refused", "stopped"]),
    "kind": st.sampled_from(["code", "call", "plan"]),
    "boundary": st.just(Boundary(sandbox="local", where="here", isolated=True)),
    "state": st.just("stopped"),
    "cut": st.sampled_from(["", "thinking"]),
    **dict.fromkeys(("step", "steps", "call", "parent_step", "parent_call"), st.integers(0, 2)),
    **dict.fromkeys(("task", "text", "reason", "name", "sha256", "by"), st.just("x")),
}
KINDS = (Asked, Opened, Replied, Unparsed, Proposed, Allowed, Refused, Called, Observed, Answered, Ended)
some_event = st.one_of(
    st.builds(kind, **{field.name: FIELDS[field.name] for field in fields(kind) if field.name in FIELDS})
    for kind in KINDS
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
    known = {**vars(gen_ai_attributes), **vars(gen_ai_metrics)}.values()
    ours = {value for value in vars(names).values() if isinstance(value, str) and value.startswith("gen_ai.")}
    assert ours <= {value for value in known if isinstance(value, str)}


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
            self, _: Any, trace: int, name: str, kind: Any, attributes: Any, *more: Any
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
    expected = "invoke_agent helper, plan helper, smolcell.approval, chat mistral/large, execute_tool search"
    assert set(begun) == set(expected.split(", "))
    for name, attributes in begun.items():
        assert REQUIRED.get(name.partition(" ")[0], set()) <= attributes
    assert {span.attributes[names.PROVIDER] for span in found if span.name.startswith("chat")} == {"mistral_ai"}
    assert {span.attributes[names.OPERATION] for span in found if names.OPERATION in span.attributes} == set(REQUIRED)


def test_messages_follow_the_schema_of_the_conventions() -> None:
    replied = Replied(run="r", step=1, text="Reply")
    told = story(Asked(run="r", task="Task"), replied, Answered(run="r", step=1, text="42"))
    run, chat = spans(told, content=True)
    for span, name, role, text in (
        (chat, names.OUTPUT_MESSAGES, "assistant", "Reply"),
        (run, names.OUTPUT_MESSAGES, "assistant", "42"),
        (run, names.INPUT_MESSAGES, "user", "Task"),
    ):
        ends = {"finish_reason": "stop"} if role == "assistant" else {}
        message = {"role": role, "parts": [{"type": "text", "content": text}], **ends}
        assert json.loads(span.attributes[name]) == [message]


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
    provider = TracerProvider()
    with provider.get_tracer("t").start_as_current_span("outside") as outside, agent(CODE) as made:
        made.run("Answer.")
        about = outside.get_span_context()
    top = next(span for span in exported.get_finished_spans() if span.name == "invoke_agent")
    assert trace.format_span_id(top.parent.span_id) == trace.format_span_id(about.span_id)  # type: ignore[union-attr]
    assert {span.context.trace_id for span in exported.get_finished_spans() if span.context} == {about.trace_id}


def test_requests_of_the_model_carry_the_trace(exported: InMemorySpanExporter) -> None:
    seen: list[str] = []

    def replies(*_: Any) -> str:
        seen.append(trace_headers.get().get("traceparent", ""))
        return CODE

    with agent(replies) as made:
        made.run("Answer.")
    helper = agent(replies, name="helper", description="Helps.")
    with agent("<code>\nhelper('x')\nfinal_answer(1)\n</code>", managed_agents=[helper], sandbox="local") as made:
        made.run("Answer.")  # the code in the sandbox calls the helper
    tops = [span.context for span in exported.get_finished_spans() if span.name == "invoke_agent" and span.context]
    assert [header[:53] for header in seen] == [f"00-{top.trace_id:032x}-{top.span_id:016x}-" for top in tops]
    assert trace_headers.get() == {}
