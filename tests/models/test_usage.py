"""What a call took is counted in the run's usage, also where its reply was cut off at its limit."""

from __future__ import annotations

from misbehaving import Answer, chunk, event, serving

from smolcell import CodeAgent, OpenAIModel
from smolcell.errors import AgentGenerationError
from smolcell.events import Usage
from smolcell.testing import MemoryExecutor, allow_all

COUNTED = {"model": "m", "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3, "cost": 0.5}}


def test_a_reply_that_was_cut_off_at_its_limit_is_counted() -> None:
    body = event(chunk("half a pro")) + event(chunk(finish="length")) + event(COUNTED) + event("[DONE]")
    with serving(Answer(body)) as server:
        model = OpenAIModel("m", server.base)
        with CodeAgent(model=model, gate=allow_all, sandbox=MemoryExecutor()) as agent:
            result = agent.run("Go.", return_full_result=True)
    assert isinstance(result.error, AgentGenerationError)
    calls = len(server.requests)  # the run asks for something shorter before it gives up
    assert result.usage == Usage(input_tokens=7 * calls, output_tokens=3 * calls, cost=0.5 * calls)
