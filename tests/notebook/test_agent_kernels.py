"""Agent cells in every ipykernel that is promised to work, with a protocol client for a page, and without one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from cells import PATIENCE, AgentKernel, recording
from kernels import SUBSHELL_VERSIONS, VERSIONS, kernel_env, parameters
from leftovers import needs_proc, workers
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

pytestmark = pytest.mark.kernels

COUNT = "try:\n    count += 1\nexcept NameError:\n    count = 1\nprint('count is', count)"
YES = {"ok": True, "why": ""}


@pytest.fixture(scope="module", params=parameters(VERSIONS))
def kernels(request: pytest.FixtureRequest) -> Iterator[list[AgentKernel]]:
    """The one kernel that the tests of a version share; empty when the last one had to be given up."""
    running: list[AgentKernel] = []
    AgentKernel.version = request.param
    AgentKernel.python = kernel_env(request.param)
    yield running
    for kernel in running:
        kernel.__exit__()


@pytest.fixture
def kernel(kernels: list[AgentKernel], tmp_path: Path) -> Iterator[AgentKernel]:
    if not kernels:
        kernels.append(AgentKernel(AgentKernel.python, tmp_path).__enter__())
    [kernel] = kernels
    kernel.seen.clear()
    kernel.run("%agent reset\nfor name in ('answer', 'order'): globals().pop(name, None)")
    yield kernel
    try:
        kernel.run("'still there'", timeout=5)
    except (AssertionError, pytest.xfail.Exception):  # a test that failed must not take the others with it
        kernels.clear()
        kernel.__exit__()


# --- a page -----------------------------------------------------------------------------------------------------------


def test_it_is_the_version_it_says(kernel: AgentKernel) -> None:
    assert kernel.run("import ipykernel; print(ipykernel.__version__)").startswith(kernel.version)


def test_an_approved_cell_has_its_result_and_the_queued_cells_come_after_it(
    kernel: AgentKernel, tmp_path: Path
) -> None:
    cell = kernel.agent("half = 21", "print('twice')\nfinal_answer(half * 2)", folder=tmp_path)
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


@pytest.mark.parametrize("kernels", parameters(SUBSHELL_VERSIONS), indirect=True)
def test_an_answer_sent_on_a_subshell_counts(kernel: AgentKernel, tmp_path: Path) -> None:
    subshell = kernel.create_subshell()
    cell = kernel.agent("half = 21", "final_answer(half * 2)", folder=tmp_path)
    page = kernel.page(cell, subshell)
    assert [page.answer(1)["ok"], page.answer(2)["ok"]] == [True, True]
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "42\n"


def test_an_edited_text_is_what_runs(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer('proposed')", folder=tmp_path)
    page = kernel.page(cell)
    page.answer(1, "edit", text="final_answer('edited')")
    allowed = page.event("Allowed")
    assert (allowed["text"], allowed["edited"], "nonce" in allowed) == ("final_answer('edited')", True, False)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "edited\n"


def test_a_reloading_page_is_answered_while_a_step_waits(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent(COUNT, "final_answer(count)", folder=tmp_path)
    page = kernel.page(cell)
    page.pending(1)
    info = kernel.request("kernel_info_request")
    assert kernel.reply(info).content["status"] == "ok"
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


def test_answers_that_are_late_doubled_or_for_another_step_are_told_so(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent(COUNT, COUNT, "final_answer(count)", folder=tmp_path)
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


def test_rubbish_from_a_page_is_neither_obeyed_nor_fatal(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(1)", folder=tmp_path)
    page = kernel.page(cell)
    pending = page.pending(1)
    for content in ({}, {"type": 5}, {"type": "answer"}, {"type": "answer", "id": 7}, {"type": "stop", "run": "other"}):
        page.say(**content)
    page.say(type="answer", id="x", **{**pending, "step": True}, choice="approve")
    for raw in ("text", None, [1], {"method": "custom"}, {"method": "custom", "content": "text"}):
        kernel.send_comm(page.comm, raw)
    page.answer(1)
    kernel.ends(cell)


def test_stop_ends_a_step_that_waits(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(1)", folder=tmp_path)
    page = kernel.page(cell)
    page.say(type="stop", run=page.pending(1)["run"])
    assert page.event("Ended")["state"] == "stopped"
    assert kernel.ends(cell, "error").content["ename"] == "AgentStopped"


def test_stop_ends_code_that_runs_for_ever_and_the_next_cell_works(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("print('began')\nwhile True:\n    pass", folder=tmp_path)
    page = kernel.page(cell)
    run = page.pending(1)["run"]
    page.answer(1)
    page.printed("began")
    page.say(type="stop", run=run)
    assert kernel.ends(cell, "error").content["ename"] == "AgentStopped"
    after = kernel.agent("final_answer('fine')", folder=tmp_path)
    kernel.page(after).answer(1)
    kernel.ends(after)
    assert kernel.run("print(answer)") == "fine\n"


def test_an_interrupt_of_a_step_that_waits_is_one_line_and_aborts_queued_cells(
    kernel: AgentKernel, tmp_path: Path
) -> None:
    cell = kernel.agent("final_answer(1)", folder=tmp_path)
    queued = kernel.execute("order = ['queued']")
    page = kernel.page(cell)
    first = {**page.pending(1), "choice": "approve"}
    kernel.interrupt()
    error = kernel.ends(cell, "error").content
    assert error["traceback"] == ["KeyboardInterrupt: the cell was interrupted while it waited"]
    assert kernel.reply(queued, PATIENCE).content["status"] == "aborted"
    assert page.event("Ended")["state"] == "stopped"
    kernel.settle(0.2)
    assert page.send(first)["ok"] is False
    assert kernel.run("print('answer' in globals(), 'order' in globals())") == "False False\n"
    after = kernel.agent("final_answer('fine')", folder=tmp_path)
    kernel.page(after).answer(1)
    kernel.ends(after)


def test_the_kernel_is_busy_while_a_step_waits(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(1)", folder=tmp_path)
    page = kernel.page(cell)
    page.pending(1)
    control = kernel.request("kernel_info_request", channel="control")
    kernel.idle(control)
    after = len(kernel.seen)
    kernel.until(lambda m: m.type == "status" and m.content["execution_state"] == "busy", PATIENCE, since=after)
    assert kernel.state() == "busy"
    page.answer(1)
    kernel.ends(cell)


def test_a_tool_of_the_notebook_runs_on_its_main_thread_while_the_cell_waits(
    kernel: AgentKernel, tmp_path: Path
) -> None:
    kernel.run(
        "import threading\n"
        "def shout(text: str) -> str:\n"
        "    '''Say it louder.\n\n    Args:\n        text: what to say.\n    '''\n"
        "    return text.upper() + ' ' + threading.current_thread().name"
    )
    cell = kernel.agent("final_answer(shout('hello'))", line="-o answer -t shout", folder=tmp_path)
    kernel.page(cell).answer(1)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "HELLO MainThread\n"


def test_a_cell_that_cannot_start_shows_its_error_and_no_card(kernel: AgentKernel, tmp_path: Path) -> None:
    kernel.run("import threading; lock = threading.Lock()")
    cell = kernel.agent("final_answer(1)", line="-i lock", folder=tmp_path)
    assert "lock" in kernel.ends(cell, "error").content["evalue"]
    long = kernel.execute(f"%%agent --replay {recording(tmp_path / 'r.jsonl')}\n{'word ' * 200_000}")
    assert "-i NAME" in kernel.ends(long, "error").content["evalue"]
    assert [m.type for m in (*kernel.of(cell), *kernel.of(long)) if m.type in ("comm_open", "display_data")] == []


def test_a_card_has_its_task_for_a_plain_text(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(1)", folder=tmp_path, allow_stdin=True)
    kernel.page(cell).answer(1)
    kernel.ends(cell)
    shown = [m.content["data"] for m in kernel.of(cell, "display_data")]
    assert shown[0]["text/plain"] == "smolcell run: Go."
    assert "application/vnd.jupyter.widget-view+json" in shown[0]


# --- no page ----------------------------------------------------------------------------------------------------------


def test_without_a_page_the_person_is_shown_the_code_and_asked_by_input(kernel: AgentKernel, tmp_path: Path) -> None:
    stdin = kernel._client.stdin_channel
    if not stdin.is_alive():
        stdin.start()
    with kernel.hurry():
        cell = kernel.agent("print('marker')\nfinal_answer(6 * 7)", folder=tmp_path, allow_stdin=True)
        question = kernel._client.get_stdin_msg(timeout=PATIENCE)
        assert question["header"]["msg_type"] == "input_request"
        assert "[a]pprove" in question["content"]["prompt"]
        kernel.until(lambda m: m.type == "stream" and "print('marker')" in kernel.printed(cell), PATIENCE)
        kernel._client.input("a")
        kernel.ends(cell)
    assert kernel.run("print(answer)") == "42\n"


def test_without_a_page_and_without_input_nothing_runs(kernel: AgentKernel, tmp_path: Path) -> None:
    with kernel.hurry():
        cell = kernel.agent("final_answer(1)", folder=tmp_path)
        error = kernel.ends(cell, "error").content
    assert error["ename"] == "ApprovalError"
    assert "--approve auto" in error["evalue"]
    assert error["traceback"] == [f"ApprovalError: {error['evalue']}"]
    assert kernel.run("print('answer' in globals())") == "False\n"


def test_with_approve_auto_no_page_is_needed(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(6 * 7)", line="-o answer --approve auto", folder=tmp_path)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "42\n"


def test_with_approve_deny_nothing_runs_without_a_question(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(6 * 7)", line="-o answer --approve deny", folder=tmp_path)
    assert kernel.ends(cell, "error").content["ename"] == "ApprovalError"


# --- in the background --------------------------------------------------------------------------------------------------


def test_a_background_run_lets_later_cells_run_and_brings_its_result(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(6 * 7)", line="-o answer --background", folder=tmp_path)
    kernel.ends(cell)
    page = kernel.page(cell)
    page.pending(1)
    assert kernel.run("print('answer' in globals())") == "False\n"
    assert "running" in kernel.run("%agent status")
    page.answer(1)
    page.event("Ended")
    wait_for(kernel, "'answer' in globals()")
    assert kernel.run("print(answer)") == "42\n"


def test_a_background_run_is_stopped_by_name(kernel: AgentKernel, tmp_path: Path) -> None:
    line = "-o answer --background --session aside"
    cell = kernel.agent("while True: pass", line=line, folder=tmp_path)
    kernel.ends(cell)
    page = kernel.page(cell)
    page.answer(1)
    page.event("Allowed")
    again = kernel.agent("final_answer(1)", line=line, folder=tmp_path)
    assert "%agent stop" in kernel.ends(again, "error").content["evalue"]
    assert kernel.run("%agent stop aside") == "smolcell: stopping aside\n"
    assert page.event("Ended")["state"] == "stopped"
    wait_for(kernel, "'running' not in str(capture_status())")


def wait_for(kernel: AgentKernel, expression: str) -> None:
    kernel.run(
        "def capture_status():\n"
        "    from IPython.utils.capture import capture_output\n"
        "    with capture_output() as captured:\n        get_ipython().run_line_magic('agent', 'status')\n"
        "    return captured.stdout"
    )
    end = time.monotonic() + PATIENCE
    while kernel.run(f"print(bool({expression}))") != "True\n":
        assert time.monotonic() < end, expression
        kernel.settle(0.05)


# --- %agent, unloading --------------------------------------------------------------------------------------------------


def test_the_state_the_log_and_the_end_of_a_session(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("print('marker')", "final_answer(1)", line="--approve auto --session named", folder=tmp_path)
    kernel.ends(cell)
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


@needs_proc
def test_unloading_restores_the_magics_and_ends_the_workers(kernel: AgentKernel, tmp_path: Path) -> None:
    look = "{kind: dict(table) for kind, table in get_ipython().magics_manager.magics.items()}"
    kernel.run(f"%unload_ext smolcell\nbefore = {look}\n%load_ext smolcell")
    cell = kernel.agent("final_answer(1)", line="--approve auto", folder=tmp_path)
    kernel.ends(cell)
    [worker] = workers(kernel.pid)
    assert kernel.run(f"%unload_ext smolcell\nprint({look} == before)") == "True\n"
    worker.gone(20)
    kernel.run("%load_ext smolcell")


def test_a_card_is_dead_after_unloading(kernel: AgentKernel, tmp_path: Path) -> None:
    cell = kernel.agent("final_answer(1)", line="--background", folder=tmp_path)
    kernel.ends(cell)
    page = kernel.page(cell)
    first = {**page.pending(1), "choice": "approve"}
    kernel.run("%unload_ext smolcell\n%load_ext smolcell")
    assert page.send(first)["ok"] is False


# --- nbclient -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nbclient_runs_nothing_unless_it_was_told_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recording(tmp_path / "r.jsonl", "final_answer(6 * 7)")
    asks = f"%%agent --replay {tmp_path / 'r.jsonl'} -o answer\nGo."
    with pytest.raises(CellExecutionError, match=r"ApprovalError: .*--approve auto"):
        execute(asks, "print(answer)")
    notebook = execute(asks.replace(" -o ", " --approve auto -o "), "print(answer)")
    assert notebook.cells[2].outputs[0].text == "42\n"
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    assert execute(asks, "print(answer)").cells[2].outputs[0].text == "42\n"


def execute(*cells: str) -> nbformat.NotebookNode:
    sources = ["%load_ext smolcell", *cells]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    executed: nbformat.NotebookNode = NotebookClient(notebook, timeout=120).execute(env=environment)
    return executed
