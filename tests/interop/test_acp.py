"""The Agent Client Protocol: the real client library against an agent of ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from itertools import zip_longest
from pathlib import Path
from typing import Any

import acp
import pytest
from acp import schema
from acp_person import Person, choose_id, connected, pick, prompt, say_nothing, started, text
from examples import quick

from smolcell.events import Delta
from smolcell.interop.acp import Updates
from smolcell.journal import read, sessions

APPROVE = pick("Approve")


def recording(folder: Path, *programs: str, tasks: tuple[str, ...] = ()) -> str:
    """A model that proposes these programs, one after the other, for tasks that begin so; ``--replay`` with it."""
    path = folder / "recording.jsonl"
    lines: list[dict[str, object]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    named = zip_longest(programs, tasks, fillvalue="add")
    lines += [{"task": task, "text": f"Next.\n<code>\n{program}\n</code>"} for program, task in named]
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
        assert "Next.\n\n```python\nx = open('a.csv', 'w').write('1')\nprint(x)\n```\n- " in person.said()
        assert person.said().endswith("```\n2\n```")
        call, options = person.requests[0]
        assert "```python\nx = open('a.csv', 'w').write('1')\nprint(x)\n```" in text(call.content)
        assert "high risk: writes a file: a.csv" in text(call.content)
        assert call.raw_input["code"] == "x = open('a.csv', 'w').write('1')\nprint(x)"
        kinds = {option.name: option.kind for option in options}
        assert (kinds["Approve"], kinds["Approve the rest of this run"], kinds["Refuse"]) == (
            "allow_once",
            "allow_always",
            "reject_once",
        )
        states = [[state for state, _ in states if state] for states in person.calls().values()]
        assert states == [["pending", "in_progress", "completed"]] * 2
        assert "```\n1\n```" in [told for _, told in next(iter(person.calls().values()))][-1]

    run(go())


def ran(state_dir: Path) -> list[str]:
    """The texts that ran, by the journals."""
    events = [event for path in sorted((state_dir / "journals").glob("*.jsonl")) for event in read(path)]
    observed = {(event.run, event.step) for event in events if type(event).__name__ == "Observed"}
    return [event.text for event in events if type(event).__name__ == "Allowed" and (event.run, event.step) in observed]


def ended(state_dir: Path) -> list[str]:
    events = [event for path in sorted((state_dir / "journals").glob("*.jsonl")) for event in read(path)]
    return [f"{event.state}: {event.error}" for event in events if type(event).__name__ == "Ended"]


async def one_prompt(person: Person, line: str, folder: Path, **how: Any) -> str:
    async with connected(person, line, **how) as agent:
        session = await agent.new_session(cwd=str(folder))
        response = await agent.prompt(session_id=session.session_id, prompt=prompt("add"))
        return str(response.stop_reason)


REFUSALS: dict[str, tuple[Any, str | None, bool, str]] = {
    "a comment comes with it": (
        pick("Refuse and say why", comment="use two"),
        None,
        False,
        "Refused by person: use two",
    ),
    "a client with forms is asked why": (pick("Refuse and say why"), "use two", True, "use two"),
    "without words": (pick("Refuse"), None, False, ""),
}


@pytest.mark.parametrize(("refusal", "words", "form", "said"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_goes_back_to_the_model(
    tmp_path: Path, state_dir: Path, refusal: Any, words: str | None, form: bool, said: str
) -> None:
    person = Person(refusal, APPROVE, words=words)
    asyncio.run(one_prompt(person, recording(tmp_path, "final_answer(1)", "final_answer(2)"), tmp_path, form=form))
    assert ran(state_dir) == ["final_answer(2)"]
    assert said in text(person.of(schema.ToolCallProgress)[0].content)


def test_without_forms_the_turn_ends_and_the_next_message_says_why(tmp_path: Path, state_dir: Path) -> None:
    async def go() -> None:
        person = Person(pick("Refuse and say why"), APPROVE)
        line = recording(tmp_path, "final_answer(1)", "final_answer(2)", tasks=("add", "use two"))
        async with connected(person, line) as agent:
            session = await agent.new_session(cwd=str(tmp_path))
            first = await agent.prompt(session_id=session.session_id, prompt=prompt("add"))
            assert (first.stop_reason, ran(state_dir)) == ("end_turn", [])
            assert "Write in your next message what to change" in person.said()
            await agent.prompt(session_id=session.session_id, prompt=prompt("use two"))
        assert ran(state_dir) == ["final_answer(2)"]

    run(go())


def test_approval_of_the_rest_of_a_run_is_remembered_for_it(tmp_path: Path, state_dir: Path) -> None:
    person = Person(pick("Approve the rest of this run"))
    asyncio.run(one_prompt(person, recording(tmp_path, "x = 1", "x += 1", "final_answer(x)"), tmp_path))
    assert ran(state_dir) == ["x = 1", "x += 1", "final_answer(x)"]
    assert len(person.requests) == 1


def test_an_import_is_allowed_for_the_session(tmp_path: Path) -> None:
    person = Person(pick("Approve and allow zipfile (this session)"), APPROVE)
    asyncio.run(one_prompt(person, recording(tmp_path, "import zipfile", "import zipfile\nfinal_answer(3)"), tmp_path))
    assert person.said().endswith("3\n```")
    kinds = {option.name: option.kind for option in person.requests[0][1]}
    assert kinds["Approve and allow zipfile (this session)"] == "allow_always"
    assert kinds["Send back with hint"] == "reject_once"


def fail(call: Any, options: Any) -> Any:
    raise acp.RequestError.internal_error({"details": "no window"})


NOT_OFFERED = "option that was not offered"
NO_CHOICE: dict[str, tuple[Any, str]] = {
    **{
        f"forged {forged}": (choose_id(forged), NOT_OFFERED)
        for forged in ("approve", "", "0123456789abcdef-0", "allow_once")
    },
    "silence": (say_nothing, "gave no answer"),
    "a failure": (fail, "refused: "),
}


@pytest.mark.parametrize(("answer", "why"), NO_CHOICE.values(), ids=NO_CHOICE)
def test_what_is_no_choice_runs_nothing(tmp_path: Path, state_dir: Path, answer: Any, why: str) -> None:
    asyncio.run(one_prompt(Person(answer), recording(tmp_path, "final_answer(1)"), tmp_path))
    assert ran(state_dir) == []
    assert why in ended(state_dir)[0]


def test_an_option_of_an_earlier_request_cannot_be_replayed(tmp_path: Path, state_dir: Path) -> None:
    person = Person()

    def again(call: Any, options: Any) -> Any:
        return choose_id(person.requests[0][1][0].option_id)(call, options)

    person.answers = [APPROVE, again]
    asyncio.run(one_prompt(person, recording(tmp_path, "x = 1", "final_answer(x)"), tmp_path))
    assert ran(state_dir) == ["x = 1"]
    assert ended(state_dir)[0].startswith("refused: ")


def test_a_client_that_goes_while_it_is_asked_runs_nothing(tmp_path: Path, state_dir: Path) -> None:
    async def go() -> None:
        never = asyncio.Event()

        async def wait() -> Any:
            await never.wait()

        person = Person(lambda call, options: wait())
        async with connected(person, recording(tmp_path, "final_answer(1)")) as agent:
            session = await agent.new_session(cwd=str(tmp_path))
            asking = asyncio.create_task(agent.prompt(session_id=session.session_id, prompt=prompt("add")))
            await person.asked.wait()
        await asyncio.gather(asking, return_exceptions=True)

    run(go())
    assert ran(state_dir) == []


@pytest.mark.parametrize("program", ["final_answer(1)", "print('begun')\nwhile True: pass"])
def test_cancel_ends_the_turn_while_it_asks_and_while_it_runs(tmp_path: Path, state_dir: Path, program: str) -> None:
    async def go() -> None:
        async def wait() -> Any:
            await asyncio.Event().wait()

        asks = program == "final_answer(1)"
        person = Person((lambda call, options: wait()) if asks else APPROVE)
        async with connected(person, recording(tmp_path, program)) as agent:
            session = await agent.new_session(cwd=str(tmp_path))
            asking = asyncio.create_task(agent.prompt(session_id=session.session_id, prompt=prompt("add")))
            await person.asked.wait()
            while not asks and "begun" not in str(person.calls()):
                await asyncio.sleep(0.02)
            await agent.cancel(session_id=session.session_id)
            assert (await asking).stop_reason == "cancelled"

    run(go())
    assert ended(state_dir)[0].startswith("stopped: ")


@pytest.mark.parametrize("elsewhere", [False, True], ids=["same session", "another folder"])
@pytest.mark.parametrize("program", quick(["final_answer(1)", "print('begun')\nwhile True: pass"], "final_answer(1)"))
def test_a_prompt_directly_after_a_cancel_waits_for_the_end_of_the_cancelled_one(
    tmp_path: Path, state_dir: Path, program: str, elsewhere: bool
) -> None:
    async def go() -> None:
        async def wait() -> Any:
            await asyncio.Event().wait()

        asks = program == "final_answer(1)"
        person = Person((lambda call, options: wait()) if asks else APPROVE, APPROVE)
        line = recording(tmp_path, program, "final_answer(2)", tasks=("add", "more"))
        async with connected(person, line) as agent:
            made = (await agent.new_session(cwd=str(tmp_path))).session_id
            (tmp_path / "other").mkdir()
            other = (await agent.new_session(cwd=str(tmp_path / "other"))).session_id if elsewhere else made
            first = asyncio.create_task(agent.prompt(session_id=made, prompt=prompt("add")))
            await person.asked.wait()
            while not asks and "begun" not in str(person.calls()):
                await asyncio.sleep(0.02)
            await agent.cancel(session_id=made)
            second = asyncio.create_task(agent.prompt(session_id=other, prompt=prompt("more")))
            assert ((await first).stop_reason, (await second).stop_reason) == ("cancelled", "end_turn")
            assert ran(state_dir)[-1] == "final_answer(2)"

    run(go())


def test_a_cancel_also_reaches_a_prompt_that_waits_for_the_end_of_another(tmp_path: Path, state_dir: Path) -> None:
    async def go() -> None:
        async def wait() -> Any:
            await asyncio.Event().wait()

        person = Person(lambda call, options: wait(), APPROVE)
        async with connected(person, recording(tmp_path, "final_answer(1)", "final_answer(2)")) as agent:
            made = (await agent.new_session(cwd=str(tmp_path))).session_id
            prompts = [asyncio.create_task(agent.prompt(session_id=made, prompt=prompt("add")))]
            await person.asked.wait()
            await agent.cancel(session_id=made)
            prompts.append(asyncio.create_task(agent.prompt(session_id=made, prompt=prompt("add"))))
            await asyncio.sleep(0)
            await agent.cancel(session_id=made)
            assert [(await each).stop_reason for each in prompts] == ["cancelled", "cancelled"]

    run(go())
    assert ran(state_dir) == []


def test_what_a_client_may_not_ask_for_is_an_error_with_words(tmp_path: Path) -> None:
    async def go() -> None:
        async def wait() -> Any:
            await asyncio.Event().wait()

        person = Person(lambda call, options: wait())
        async with connected(person, recording(tmp_path, "final_answer(1)")) as agent:
            session = await agent.new_session(cwd=str(tmp_path))
            made = session.session_id
            asking = asyncio.create_task(agent.prompt(session_id=made, prompt=prompt("add")))
            await person.asked.wait()
            wrong = {
                "a prompt is active": agent.prompt(session_id=made, prompt=prompt("more")),
                "there is no session of this id": agent.prompt(session_id="acp-000000000000", prompt=prompt("x")),
                "no session of this id in this folder": agent.load_session(cwd=str(tmp_path), session_id="../../x"),
                "cwd is no folder": agent.new_session(cwd="somewhere"),
                "valid values are: ask": agent.set_session_mode(session_id=made, mode_id="yolo"),
                "there is no such option": agent.set_config_option(session_id=made, config_id="api_base", value="x"),
                "valid values are": agent.set_config_option(session_id=made, config_id="model", value="openai/evil"),
            }
            for said, asked in wrong.items():
                with pytest.raises(acp.RequestError) as error:
                    await asked
                assert said in str(error.value.data)
            await agent.cancel(session_id=made)
            await asking

    run(go())


def test_modes_and_models_are_listed_and_chosen(tmp_path: Path, state_dir: Path) -> None:
    async def go() -> None:
        person = Person()
        line = recording(tmp_path, "final_answer(1)")
        models = {"openai/one": "a key", "openai/two": "a key"}
        async with connected(person, line, models=lambda: models) as agent:
            session = await agent.new_session(cwd=str(tmp_path))
            assert session.modes.current_mode_id == "ask"
            assert [mode.id for mode in session.modes.available_modes] == ["ask", "risky", "auto", "deny"]
            (option,) = session.config_options
            assert (option.category, option.current_value) == ("model", "openai/one")
            changed = await agent.set_config_option(
                session_id=session.session_id, config_id="model", value="openai/two"
            )
            assert changed.config_options[0].current_value == "openai/two"
            await agent.set_session_mode(session_id=session.session_id, mode_id="auto")
            await agent.prompt(session_id=session.session_id, prompt=prompt("add"))
            assert (ran(state_dir), person.requests) == (["final_answer(1)"], [])

    run(go())


def test_the_policy_holds_for_what_a_client_chooses(tmp_path: Path) -> None:
    (tmp_path / "smolcell.toml").write_text('[policy]\napproval = "ask"\n')

    async def go() -> None:
        async with connected(Person(), recording(tmp_path, "final_answer(1)")) as agent:
            session = await agent.new_session(cwd=str(tmp_path))
            with pytest.raises(acp.RequestError) as error:
                await agent.set_session_mode(session_id=session.session_id, mode_id="auto")
            assert "the policy allows ask at most" in str(error.value.data)

    run(go())


def test_a_session_is_loaded_from_its_journal(tmp_path: Path, state_dir: Path) -> None:
    async def go() -> None:
        first, line = Person(APPROVE, APPROVE), recording(tmp_path, "x = 20\nprint(x)", "final_answer(x + 1)")
        async with connected(first, line) as agent:
            made = (await agent.new_session(cwd=str(tmp_path))).session_id
            await agent.prompt(session_id=made, prompt=prompt("add"))
        again = Person(APPROVE)
        async with connected(again, recording(tmp_path, "final_answer(5)")) as agent:
            (listed,) = (await agent.list_sessions(cwd=str(tmp_path))).sessions
            assert (listed.session_id, listed.title, listed.cwd) == (made, "add", str(tmp_path))
            await agent.load_session(cwd=str(tmp_path), session_id=made)
            told = [update.content.text for update in again.of(schema.UserMessageChunk)]
            assert (told, again.said(), again.requests) == (["add"], first.said(), [])
            assert [states[-1] for states in again.calls().values()] == [
                states[-1] for states in first.calls().values()
            ]
            await agent.prompt(session_id=made, prompt=prompt("add"))
        assert len(list((state_dir / "journals").iterdir())) == 1  # one journal, gone on with

    run(go())


def test_steps_are_taken_back_by_a_command(tmp_path: Path) -> None:
    async def go() -> None:
        person = Person(pick("Approve the rest of this run"), APPROVE)
        line = recording(tmp_path, "x = 1", "x = 2", "final_answer(x)")
        async with connected(person, line) as agent:
            made = (await agent.new_session(cwd=str(tmp_path))).session_id
            await agent.prompt(session_id=made, prompt=prompt("add"))
            await agent.prompt(session_id=made, prompt=prompt("/undo 2"))
        assert [each.name for each in person.of(schema.AvailableCommandsUpdate)[0].available_commands] == [
            "undo",
            "resume",
        ]
        assert "taken back" in "".join(update.content.text for update in person.of(schema.AgentThoughtChunk)).lower()

    run(go())


def test_files_that_a_prompt_links_to_are_copied_in_and_others_are_not(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out.txt"
    inside.mkdir()
    (inside / "a.txt").write_text("within")
    outside.write_text("secret")

    def link(path: Path) -> Any:
        return acp.resource_link_block("file", path.as_uri())

    async def go() -> None:
        person = Person(APPROVE)
        async with connected(person, recording(tmp_path, "final_answer(open('a.txt').read())")) as agent:
            made = (await agent.new_session(cwd=str(inside))).session_id
            await agent.prompt(session_id=made, prompt=[*prompt("add"), link(inside / "a.txt")])
            assert person.said().endswith("within")
            await agent.prompt(session_id=made, prompt=[*prompt("add"), link(outside)])
            assert "out.txt is no file below" in person.said()

    run(go())


@pytest.mark.parametrize(("choice", "said"), [("Approve", "which was given\n\nprivate"), ("Refuse", "is a link to")])
def test_the_person_is_asked_about_a_link_out_of_its_folder(tmp_path: Path, choice: str, said: str) -> None:
    clone = tmp_path / "in" / "clone"
    clone.mkdir(parents=True)
    (tmp_path / "in" / "private.txt").write_text("private")
    (clone / "a.txt").symlink_to("../private.txt")

    async def go() -> None:
        person = Person(pick(choice), APPROVE)
        async with connected(person, recording(tmp_path, "final_answer(open('clone/a.txt').read())")) as agent:
            made = (await agent.new_session(cwd=str(tmp_path / "in"))).session_id
            link = acp.resource_link_block("file", (clone / "a.txt").as_uri())
            await agent.prompt(session_id=made, prompt=[*prompt("add"), link])
            assert f"clone/a.txt is a link to {tmp_path}/in/private.txt" in text(person.requests[0][0].content)
            assert said in person.said()

    run(go())


def test_the_command_serves_a_client_and_ends_with_it(tmp_path: Path) -> None:
    async def go() -> None:
        person = Person(APPROVE)
        line = recording(tmp_path, "import os\nos.write(1, b'x')\nfinal_answer(7)").replace("guarded", "auto")
        async with started(person, *line.split(), folder=tmp_path) as (agent, process):
            made = (await agent.new_session(cwd=str(tmp_path))).session_id
            response = await agent.prompt(session_id=made, prompt=prompt("add"))
            assert (response.stop_reason, person.said()[-5:]) == ("end_turn", "7\n```")
            process.stdin.close()
            assert await asyncio.wait_for(process.wait(), 60) == 0

    run(go())


def test_sessions_of_other_folders_are_not_listed(tmp_path: Path) -> None:
    asyncio.run(one_prompt(Person(APPROVE), recording(tmp_path, "final_answer(1)"), tmp_path))
    assert [each.task for each in sessions(str(tmp_path), "acp-")] == ["add"]
    assert sessions(str(tmp_path / "other"), "acp-") == []


def test_output_that_is_streamed_in_pieces_shows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "".join(f"{chr(97 + n % 26)}{n % 10}" for n in range(32))
    monkeypatch.setenv("WAREHOUSE_API_KEY", key)
    updates, sent = Updates(), ""
    for piece in (f"the key is {key[:30]}", key[30:], "\nand\n", key[:40]):
        sent += "".join(each.model_dump_json() for each in updates.of(Delta(text=piece, channel="output")))
    assert "and" in sent
    assert not any(key[at : at + 8] in sent for at in range(len(key) - 7))
