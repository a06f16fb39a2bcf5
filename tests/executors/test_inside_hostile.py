"""An agent that was taken over in its sandbox: it gets nothing done here that was not shown and allowed here."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from local_parts import programs

from smolcell.approval.gates import allow_all
from smolcell.core.loop import CUT_OFF, AskModel, Ending, LoopSettings, Review, RunCode, Tell
from smolcell.core.prompt import PromptSettings
from smolcell.errors import AgentGenerationError, WireError
from smolcell.events import Allowed, Asked, Observed, Proposed, Replied
from smolcell.inside import packaging, run_inside
from smolcell.inside.agent import InsideModel
from smolcell.inside.remote_loop import InsideTurns
from smolcell.models.scripted import ScriptedModel

PROGRAMS = programs("sandbox_programs.txt")

RUN = "r1"


class Line:
    """An agent that says this, one after the other."""

    def __init__(self, *wants: Any) -> None:
        self.wants, self.asked = list(wants), []

    async def begin(self) -> int:
        return 1

    async def ask(self, question: Any, blobs: Any, seconds: float, epoch: int) -> Any:
        self.asked.append(question)
        return (self.wants.pop(0) if question["do"] == "next" else None), ()


def turns(*wants: Any, **settings: Any) -> InsideTurns:
    line: Any = Line(*wants)
    return InsideTurns(line, Asked(run=RUN, task="Do it."), (), LoopSettings(prompt=PromptSettings(), **settings))


def drive(turns: InsideTurns, *facts: Any) -> list[Any]:
    async def go() -> list[Any]:
        return [await turns.next(fact) for fact in facts]

    return asyncio.run(go())


def think(step: int = 1, content: Any = "Hello", **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": content, **more}
    return {"want": "think", "step": step, "messages": [message], "structured": False}


def propose(step: int = 1, **fields: Any) -> dict[str, Any]:
    event = {"event": "Proposed", "run": RUN, "step": step, "text": "x = 1", "kind": "code", **fields}
    return {"want": "tell", "event": event}


def allowed(proposed: Proposed) -> Allowed:
    decision = asyncio.run(allow_all(proposed))
    assert isinstance(decision, Allowed)
    return decision


def test_what_it_proposes_is_found_out_about_here() -> None:
    lie = {"kind": "import", "text": "nothing at all", "line": 1, "risk": "none"}
    told, review = drive(turns(propose(text="import os", findings=[lie]), {"want": "review", "step": 1}), None, None)
    assert isinstance(told, Tell) and isinstance(review, Review)
    assert told.event is review.proposed
    assert [finding.text.split(",")[0] for finding in review.proposed.findings] == ["import os"]


def test_it_runs_what_was_allowed_by_this_side_s_permit() -> None:
    loop = turns(propose(), {"want": "review", "step": 1}, {"want": "run", "step": 1, "text": "y = 2"})
    _, review = drive(loop, None, None)
    permit = allowed(review.proposed)
    (run,) = drive(loop, permit)
    assert run == RunCode(permit) and run.permit is permit


WRONG = json.loads(Path(__file__).with_name("inside_hostile.json").read_text(encoding="utf-8"))
"""What a hostile agent may want of the run ``r1``, by what is wrong with it."""


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refused(name: str) -> None:
    wants = WRONG[name]
    with pytest.raises(WireError, match="made a request that is not allowed"):
        drive(turns(*wants), *[None] * len(wants))


def test_a_permit_of_one_step_is_none_for_the_next() -> None:
    loop = turns(
        propose(), {"want": "review", "step": 1}, think(2), {"want": "run", "step": 2}, {"want": "run", "step": 1}
    )
    _, review = drive(loop, None, None)
    drive(loop, allowed(review.proposed))
    with pytest.raises(WireError, match="not allowed"):
        drive(loop, None)


AGAIN = {"want": "tell", "event": {"event": "Unparsed", "run": RUN, "step": 1, "reason": "again"}}


@pytest.mark.parametrize(
    ("wants", "why"),
    [
        ([propose(step) for step in (1, 2, 3)], "more than 2 programs"),
        ([think()] * 100, "asks the model more often"),
        ([AGAIN] * 1000, "without an end"),
    ],
    ids=["programs", "questions", "events"],
)
def test_it_does_not_go_on_for_ever(wants: list[Any], why: str) -> None:
    with pytest.raises(WireError, match=why):
        drive(turns(*wants, max_steps=2), *[None] * len(wants))


def test_an_answer_of_the_code_is_not_its_to_change() -> None:
    end = {"want": "end", "state": "success", "reason": "", "output": "a lie"}
    answered = {"event": "Answered", "run": RUN, "step": 1, "text": "a lie"}
    loop = turns({"want": "tell", "event": answered}, end)
    seen = Observed(run=RUN, step=1, is_final_answer=True, output=[1, 2])
    told, ending = drive(loop, seen, None)
    assert isinstance(told, Tell) and (told.event.output, told.event.text) == ([1, 2], "[1, 2]")  # type: ignore[union-attr]
    assert isinstance(ending, Ending) and ending.output == [1, 2]


def test_its_failures_are_the_model_s_kinds_in_visible_words() -> None:
    with pytest.raises(AgentGenerationError, match="no"):
        drive(turns({"want": "fail", "failed": "AgentGenerationError", "message": "no\x1b[2J"}), None)


def test_messages_are_sent_as_they_are_without_what_a_provider_might_read_besides() -> None:
    parts: list[Any] = [
        {"type": "text", "text": "a"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
    ]
    address = {"url": "http://example.org/?secret"}
    text = {**parts[0], "image_url": address, "file": address}
    image = {"type": "image_url", "image_url": {**parts[1]["image_url"], "file_id": "f"}, "file": address}
    for content in (parts, [text, image]):
        (want,) = drive(turns(think(content=content)), None)
        assert isinstance(want, AskModel) and want.messages == [{"role": "user", "content": parts}]


def test_of_a_reply_that_was_cut_off_it_says_only_that() -> None:
    event = {"event": "Replied", "run": RUN, "step": 1, "text": CUT_OFF, "note": "All is well.", "model": "another"}
    event |= {"usage": {"input_tokens": -9, "cost": -1.0}, "reasoning": "x", "calls": [{"name": "x"}], "duration": -5.0}
    (told,) = drive(turns({"want": "tell", "event": event}), None)
    assert told == Tell(Replied(run=RUN, step=1, text=CUT_OFF))


@pytest.mark.parametrize("answer", [None, 7, ["failed"], "failed", {"event": "Asked", "run": "x", "task": "y"}, {}])
def test_a_reply_from_inside_that_is_none_is_an_error_by_name(answer: Any) -> None:
    with pytest.raises(WireError, match="sent an invalid reply"):
        stream_reply(answer)


@pytest.mark.parametrize("answer", [{"failed": ["x"]}, {"failed": "SystemExit", "message": "no\x1b[2J"}])
def test_a_failure_from_inside_is_the_model_s_whatever_it_says_it_is(answer: Any) -> None:
    with pytest.raises(AgentGenerationError) as caught:
        stream_reply(answer)
    assert type(caught.value) is AgentGenerationError and "\x1b" not in str(caught.value)


def stream_reply(answer: Any) -> None:
    """Ask a model whose client, inside, answers so."""

    class Says:
        async def ask(self, *_: Any) -> Any:
            return answer, ()

    async def ask() -> None:
        line: Any = Says()
        async for _ in InsideModel(line, "openai/x").reply([]):
            pass

    asyncio.run(ask())


# --- a real process that is not what was shipped ------------------------------------------------------------------------


def taken_over(answers: list[Any]) -> bytes:
    """An archive whose program answers so, whatever it is asked; then it ends its process."""
    source = f"ANSWERS = {json.dumps(answers)!r}\n{PROGRAMS['agent that was taken over']}"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in ("smolcell/__init__.py", "smolcell/inside/__init__.py"):
            archive.writestr(name, "")
        archive.writestr("smolcell/inside/program.py", source)
    return data.getvalue()


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([{"want": "run", "step": 1}], "not allowed"),
        (["this is no JSON"], "JSON"),
        (["[" * 5000], ""),
        ([json.dumps({"want": "think", "step": 1, "messages": [], "structured": 1, "x": "\ud800"})], ""),
        ([], "the agent's process is gone"),
    ],
)
def test_a_program_that_was_taken_over_runs_nothing(
    answers: list[Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packaging, "archive", lambda network: taken_over(answers))
    seen: list[Proposed] = []

    async def gate(proposal: Proposed) -> Any:
        seen.append(proposal)
        return await allow_all(proposal)

    model = ScriptedModel("Hello")
    result = run_inside("local", "Do it.", model=model, gate=gate, return_full_result=True)
    assert result.state == "error" and why in str(result.error)
    assert seen == [] and not [event for event in result.events if isinstance(event, Observed)]
