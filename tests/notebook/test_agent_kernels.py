"""Agent cells in every ipykernel that is promised to work, with a protocol client for a page, and without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cells import AgentKernel
from kernels import INSTALLED, SUBSHELL_VERSIONS, SharedKernel, kernel_env, parameters
from leftovers import alive, needs_proc, reapers, workers
from processes import eventually

pytestmark = pytest.mark.kernels

COUNT = "try:\n    count += 1\nexcept NameError:\n    count = 1\nprint('count is', count)"
YES = {"ok": True, "why": ""}


@pytest.fixture(scope="module", params=parameters())
def kernels(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SharedKernel[AgentKernel]]:
    """The one kernel that the tests of a version share."""
    shared = SharedKernel(AgentKernel, request.param, tmp_path_factory.mktemp("kernel"))
    yield shared
    shared.close()


@pytest.fixture
def kernel(kernels: SharedKernel[AgentKernel]) -> Iterator[AgentKernel]:
    with kernels.lend() as kernel:
        kernel.run("%agent reset\nfor name in ('answer', 'order'): globals().pop(name, None)")
        yield kernel


@needs_proc
def test_a_step_is_shown_approved_and_answered_and_nothing_is_left_of_an_ended_kernel(tmp_path: Path) -> None:
    """The main job, from a kernel's start to its end."""
    with AgentKernel(kernel_env(INSTALLED), tmp_path) as kernel:
        cell = kernel.agent("half = 21", "final_answer(half * 2)")
        page = kernel.page(cell)
        assert page.event("Proposed", step=1)["text"] == "half = 21"
        assert page.answer(1)["ok"]
        page.answer(2)
        kernel.ends(cell)
        assert kernel.run("print(answer)") == "42\n"
        [worker] = workers(kernel.pid)
        [reaper] = reapers(kernel.pid)
        kernel.manager.shutdown_kernel()
        worker.gone(100)
        assert eventually(lambda: not alive(reaper))


# --- a page -----------------------------------------------------------------------------------------------------------


def test_an_approved_cell_has_its_result_and_the_queued_cells_come_after_it(kernel: AgentKernel) -> None:
    cell = kernel.agent("half = 21", "print('twice')\nfinal_answer(half * 2)", allow_stdin=True)
    queued = [kernel.execute("order = [answer]"), kernel.execute("order.append('second')")]
    page = kernel.page(cell)
    assert page.answer(1) == {"type": "verdict", "id": "answer-1", **YES}
    page.pending(2)
    assert not [m for m in kernel.seen if m.type == "execute_input" and m.parent in queued]
    page.answer(2)
    assert page.event("Ended")["state"] == "success"
    for each in (cell, *queued):
        kernel.ends(each)
    assert kernel.run("print(order)") == "[42, 'second']\n"
    shown = [m.content["data"] for m in kernel.of(cell, "display_data")]
    assert shown[0]["text/plain"] == "smolcell run: Go."
    assert "application/vnd.jupyter.widget-view+json" in shown[0]


@pytest.mark.parametrize("kernels", parameters(SUBSHELL_VERSIONS), indirect=True)
def test_an_answer_sent_on_a_subshell_counts(kernel: AgentKernel) -> None:
    subshell = kernel.create_subshell()
    cell = kernel.agent("half = 21", "final_answer(half * 2)")
    page = kernel.page(cell, subshell)
    assert [page.answer(1)["ok"], page.answer(2)["ok"]] == [True, True]
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "42\n"


def test_an_edited_text_is_what_runs(kernel: AgentKernel) -> None:
    cell = kernel.agent("final_answer('proposed')")
    page = kernel.page(cell)
    page.answer(1, "edit", text="final_answer('edited')")
    allowed = page.event("Allowed")
    assert (allowed["text"], allowed["edited"], "nonce" in allowed) == ("final_answer('edited')", True, False)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "edited\n"


def test_a_reloading_page_gets_the_card_while_a_step_waits(kernel: AgentKernel) -> None:
    cell = kernel.agent(COUNT, "final_answer(count)")
    page = kernel.page(cell)
    page.pending(1)
    comms = kernel.reply(kernel.request("comm_info_request", {"target_name": "jupyter.widget"})).content["comms"]
    assert page.comm in comms
    kernel.seen.clear()
    page.say(type="ready")
    snapshot = page.until("snapshot")
    assert {event["event"] for event in snapshot["events"]} == {"Asked", "Replied", "Proposed", "Opened"}
    assert (snapshot["live"], snapshot["pending"]["step"]) == (True, 1)
    page.answer(1)
    page.answer(2)
    kernel.ends(cell)


def test_answers_that_are_late_doubled_or_for_another_step_are_told_so(kernel: AgentKernel) -> None:
    cell = kernel.agent(COUNT, COUNT, "final_answer(count)")
    page = kernel.page(cell)
    first = {**page.pending(1), "choice": "approve"}
    assert page.send({**first, "step": 2})["why"] == "that was step 2; step 1 is the one that waits"
    assert page.send({**first, "fingerprint": "0" * 64})["why"] == "what you were shown is not what waits now"
    assert page.send({**first, "choice": "yes"})["why"] == "the answer is none of the choices"
    assert page.send({**first, "text": "print('smuggled')"})["ok"] is False
    assert page.send(first)["ok"] is True
    assert page.send(first)["ok"] is False
    page.pending(2)
    assert page.send(first)["ok"] is False
    assert page.send({**first, "choice": "edit", "text": "count = 90"})["ok"] is False
    page.answer(2)
    page.answer(3)
    page.event("Ended")
    assert page.send(first)["why"] == "this run is over"
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "2\n"


def test_rubbish_from_a_page_is_neither_obeyed_nor_fatal(kernel: AgentKernel) -> None:
    cell = kernel.agent("final_answer(1)")
    page = kernel.page(cell)
    pending = page.pending(1)
    for content in ({}, {"type": 5}, {"type": "answer"}, {"type": "answer", "id": 7}, {"type": "stop", "run": "other"}):
        page.say(**content)
    page.say(type="answer", id="x", **{**pending, "step": True}, choice="approve")
    for raw in ("text", None, [1], {"method": "custom"}, {"method": "custom", "content": "text"}):
        kernel.send_comm(page.comm, raw)
    page.answer(1)
    kernel.ends(cell)


def test_stop_ends_a_step_that_waits(kernel: AgentKernel) -> None:
    cell = kernel.agent("final_answer(1)")
    page = kernel.page(cell)
    page.say(type="stop", run=page.pending(1)["run"])
    assert page.event("Ended")["state"] == "stopped"
    assert kernel.ends(cell, "error").content["ename"] == "AgentStopped"


def test_stop_ends_code_that_runs_for_ever_and_the_next_cell_works(kernel: AgentKernel) -> None:
    cell = kernel.agent("print('began')\nwhile True:\n    pass")
    page = kernel.page(cell)
    run = page.pending(1)["run"]
    page.answer(1)
    page.printed("began")
    page.say(type="stop", run=run)
    assert kernel.ends(cell, "error").content["ename"] == "AgentStopped"
    after = kernel.agent("final_answer('fine')")
    kernel.page(after).answer(1)
    kernel.ends(after)
    assert kernel.run("print(answer)") == "fine\n"


def test_an_interrupt_of_a_step_that_waits_is_one_line_and_aborts_queued_cells(kernel: AgentKernel) -> None:
    cell = kernel.agent("final_answer(1)")
    queued = kernel.execute("order = ['queued']")
    page = kernel.page(cell)
    first = {**page.pending(1), "choice": "approve"}
    kernel.interrupt()
    error = kernel.ends(cell, "error").content
    assert error["traceback"] == ["KeyboardInterrupt: the cell was interrupted while it waited"]
    assert kernel.reply(queued).content["status"] == "aborted"
    assert page.event("Ended")["state"] == "stopped"
    assert kernel.run("print('answer' in globals(), 'order' in globals())") == "False False\n"
    assert page.send(first)["ok"] is False
    after = kernel.agent("final_answer('fine')")
    kernel.page(after).answer(1)
    kernel.ends(after)


def test_a_tool_of_the_notebook_runs_on_its_main_thread_while_the_cell_waits(kernel: AgentKernel) -> None:
    kernel.run(
        "import threading\n"
        "def shout(text: str) -> str:\n"
        "    '''Say it louder.\n\n    Args:\n        text: what to say.\n    '''\n"
        "    return text.upper() + ' ' + threading.current_thread().name"
    )
    cell = kernel.agent("final_answer(shout('hello'))", line="-o answer -t shout")
    kernel.page(cell).answer(1)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "HELLO MainThread\n"


def test_a_cell_that_cannot_start_shows_its_error_and_no_card(kernel: AgentKernel) -> None:
    kernel.run("import threading; lock = threading.Lock()")
    cell = kernel.agent("final_answer(1)", line="-i lock")
    assert "lock" in kernel.ends(cell, "error").content["evalue"]
    assert [m.type for m in kernel.of(cell) if m.type in ("comm_open", "display_data")] == []


# --- no page ----------------------------------------------------------------------------------------------------------


def test_without_a_page_the_person_is_shown_the_code_and_asked_by_input(
    kernel: AgentKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "metadata", {})
    stdin = kernel.client.stdin_channel
    if not stdin.is_alive():
        stdin.start()
    with kernel.hurry():
        cell = kernel.agent("print('marker')\nfinal_answer(6 * 7)", allow_stdin=True)
        question = kernel.client.get_stdin_msg(timeout=60)
        assert question["header"]["msg_type"] == "input_request"
        assert question["content"]["prompt"] == "Run this code? [a]pprove / [e]dit / [r]efuse / a[l]l / [s]top: "
        kernel.until(lambda m: m.type == "stream" and "print('marker')" in kernel.printed(cell))
        kernel.client.input("a")
        kernel.ends(cell)
        # A front end without comms, such as qtconsole, shows the plain text of the card and of the record.
        said = [m.content["data"]["text/plain"] for m in kernel.of(cell, "display_data")]
        assert said == ["smolcell run: Go.", "smolcell run: Go."]
        assert kernel.printed(cell).count("final_answer(6 * 7)") == 1
        reply = kernel.ends(kernel.execute("%agent export"))
        assert reply.content["payload"][0]["text"].endswith("answer = 6 * 7\nanswer")
    assert kernel.run("print(answer)") == "42\n"


def test_without_a_page_and_without_input_nothing_runs(kernel: AgentKernel) -> None:
    with kernel.hurry():
        error = kernel.ends(kernel.agent("final_answer(1)"), "error").content
    assert error["ename"] == "ApprovalError"
    assert "--approve auto" in error["evalue"]
    assert error["traceback"] == [f"ApprovalError: {error['evalue']}"]
    assert kernel.run("print('answer' in globals())") == "False\n"


# --- in the background ------------------------------------------------------------------------------------------------


def test_a_background_run_lets_later_cells_run_and_brings_its_result(kernel: AgentKernel) -> None:
    cell = kernel.agent("final_answer(6 * 7)", line="-o answer --background")
    kernel.ends(cell)
    page = kernel.page(cell)
    page.pending(1)
    assert kernel.run("print('answer' in globals())") == "False\n"
    assert "running" in kernel.run("%agent status")
    page.answer(1)
    page.event("Ended")
    assert eventually(lambda: kernel.run("print('answer' in globals())") == "True\n")
    assert kernel.run("print(answer)") == "42\n"


def test_a_background_run_is_stopped_by_name(kernel: AgentKernel) -> None:
    line = "-o answer --background --session aside"
    cell = kernel.agent("while True: pass", line=line)
    kernel.ends(cell)
    page = kernel.page(cell)
    page.answer(1)
    page.event("Allowed")
    again = kernel.agent("final_answer(1)", line=line)
    assert "%agent stop" in kernel.ends(again, "error").content["evalue"]
    assert kernel.run("%agent stop aside") == "smolcell: stopping aside\n"
    assert page.event("Ended")["state"] == "stopped"
    assert eventually(lambda: "running" not in kernel.run("%agent status"))


# --- a loaded run -----------------------------------------------------------------------------------------------------


LOADED = """from dataclasses import replace
from smolcell import journal
agent = get_ipython()._smolcell.magics.sessions.known("default").agent
theirs = [replace(event, run="theirs") for event in agent.memory.events]
journal.save({path!r}, journal.Run(tuple(theirs)))
agent.memory.load({path!r})"""


@pytest.mark.slow
def test_programs_of_a_loaded_run_are_asked_about_on_a_card(kernel: AgentKernel, tmp_path: Path) -> None:
    kernel.ends(kernel.agent("half = 21", "final_answer(half * 2)", line="--approve auto"))
    kernel.run(LOADED.format(path=str(tmp_path / "theirs.jsonl")))
    for choice, ended in (("refuse", "error"), ("approve", "ok")):
        cell = kernel.execute("%agent undo")
        page = kernel.page(cell)
        assert page.event("Proposed")["text"].splitlines() == ["# program 1 of 1, of step 1", "half = 21"]
        assert page.answer(1, choice)["ok"] is True
        kernel.ends(cell, ended)
        assert page.event("Ended")["state"] == ("success" if choice == "approve" else "refused")
    assert kernel.run("print(agent.python_executor('half').output)") == "21\n"


# --- %agent, unloading ------------------------------------------------------------------------------------------------


def test_the_state_the_log_and_the_end_of_a_session(kernel: AgentKernel) -> None:
    kernel.ends(kernel.agent("print('marker')", "final_answer(1)", line="--approve auto --session named"))
    status = kernel.run("%agent")
    assert "session named: idle, 1 task, 2 steps" in status
    assert f"(pid {workers(kernel.pid)[0].pid})" in status
    assert "print('marker')" in kernel.run("%agent log named")
    assert kernel.run("%agent reset named") == "smolcell: ended named\n"
    assert "no session yet" in kernel.run("%agent status")
    assert kernel.run("%agent config max_steps=3") == ""
    assert "3 steps" in kernel.run("%agent")
    kernel.run("%agent config max_steps=")
    assert kernel.run("%agent stop") == "smolcell: nothing is running\n"


def test_a_card_is_dead_after_unloading(kernel: AgentKernel) -> None:
    cell = kernel.agent("final_answer(1)", line="--background")
    kernel.ends(cell)
    page = kernel.page(cell)
    first = {**page.pending(1), "choice": "approve"}
    kernel.run("%unload_ext smolcell\n%load_ext smolcell")
    assert page.send(first)["ok"] is False
