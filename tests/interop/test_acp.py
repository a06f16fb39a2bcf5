"""The Agent Client Protocol: the real client library against an agent of ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import acp
import pytest
from acp import schema
from acp_person import Person, choose_id, connected, pick, prompt, say_nothing, started, text

from smolcell.journal import read, sessions

APPROVE = pick("Approve")


def recording(folder: Path, *programs: str) -> str:
    """A model that proposes these programs, one after the other; ``--replay`` with it."""
    path = folder / "recording.jsonl"
    lines: list[dict[str, object]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": "add", "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"--replay {path} --python guarded"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # an agent goes to its session's folder


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 120))


def test_a_prompt_is_a_run_whose_steps_are_permission_requests(tmp_path: Path) -> None:
    async def go() -> None:
        person = Person(APPROVE, APPROVE)
        line = recording(tmp_path, "x = open('a.csv', 'w').write('1')\nprint(x)", "final_answer(x + 1)")
        async with connected(person, line) as agent:
            session = await agent.new_session(cwd=str(tmp_path))
            response = await agent.prompt(session_id=session.session_id, prompt=prompt("add"))
        assert response.stop_reason == "end_turn"
        assert person.said() == "Next.\n\nNext.\n\n```\n2\n```"
        call, options = person.requests[0]
        assert "```python\nx = open('a.csv', 'w').write('1')\nprint(x)\n```" in text(call.content)
        assert "reads or writes a file: a.csv" in text(call.content)
        assert call.raw_input["code"] == "x = open('a.csv', 'w').write('1')\nprint(x)"
        assert [option.kind for option in options][:2] == ["allow_once", "allow_always"]
        states = [[state for state, _ in states] for states in person.calls().values()]
        assert states == [["pending", "in_progress", None, "completed"], ["pending", "in_progress", "completed"]] or [
            [state for state in each if state] for each in states
        ] == [["pending", "in_progress", "completed"]] * 2
        assert "```\n1\n```" in [told for _, told in next(iter(person.calls().values()))][-1]

    run(go())
