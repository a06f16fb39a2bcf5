"""The main job, in a real JupyterLab: nothing runs before a person approved it, and Stop stops."""

from __future__ import annotations

import os
import re
from contextlib import closing
from pathlib import Path

import pytest
from indexes import TOOLS, plots
from indexes import configure as configure_index
from lab import APPS, TASK, FakeModel, LabServer, New, Notebook, until
from leftovers import needs_proc, workers
from playwright.sync_api import expect

from smolcell.events import fingerprint

COUNT = "try:\n    count += 1\nexcept NameError:\n    count = 1\nprint('count is', count)"
FOREVER = "print('began')\nwhile True:\n    pass"


def worker_of(notebook: Notebook) -> int:
    """The notebook's kernel, by its process id. Not to be asked while a cell waits."""
    return int(notebook.ask_kernel("import os; print(os.getpid())"))


# --- decide -----------------------------------------------------------------------------------------------------------


def test_an_approved_step_runs_and_its_answer_is_in_the_notebook(new_notebook: New, model: FakeModel) -> None:
    model.says("print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK, "print(answer)")
    card = notebook.run(1).pending(1)
    assert len(model.prompts) == 1
    card.approve(1).status(1, "done").shows("six 6")
    card.approve(2).status(2, "done").link("over").shows("42")
    notebook.ran(1)
    assert notebook.result(2) == "42\n"


@needs_proc
def test_nothing_runs_before_a_step_was_approved(new_notebook: New, model: FakeModel) -> None:
    model.says(COUNT)
    notebook = new_notebook(TASK)
    kernel = worker_of(notebook)
    notebook.run(1).pending(1)
    [worker] = workers(kernel)  # it is open, and has nothing to do
    model.says("final_answer(count)")
    notebook.card.approve(1).approve(2).link("over").shows("count is 1")
    assert workers(kernel) == [worker]


def test_a_file_beside_the_notebook_is_copied_in_by_a_button_and_the_card_says_so(
    new_notebook: New, model: FakeModel
) -> None:
    model.says("final_answer(open('beside.csv').read())")
    notebook = new_notebook("open('beside.csv', 'w').write('a,b');", TASK)
    notebook.result(1)
    card = notebook.run(2).pending(1)
    card.offer("Approve and copy in beside.csv (3 bytes)")
    card.status(1, "done").shows("Approved by you, and beside.csv (3 bytes) copied in.").link("over").shows("a,b")
    details = card.el.locator(".smolcell-foot details", has_text="Details")
    expect(details.get_by_text("Time: ")).to_be_hidden()
    details.locator("summary").click()
    expect(details.get_by_text("waiting for you")).to_be_visible()


def test_an_edited_step_runs_as_it_was_edited(new_notebook: New, model: FakeModel) -> None:
    model.says("secret = 'proposed'\nprint('wrong')", "final_answer(secret)")
    notebook = new_notebook(TASK, "print(answer)", "%agent log")
    card = notebook.run(1).pending(1)
    card.button("Edit").click()
    expect(card.el.locator(".cm-line")).to_have_text(["secret = 'proposed'", "print('wrong')"])
    card.el.get_by_role("textbox").fill("secret = 'edited'\nprint('right')")
    card.offer("Run edited")
    card.status(1, "done").shows("Edited by you. This ran:").shows("right")
    expect(card.step(1).locator(".smolcell-printed, pre", has_text="wrong").first).not_to_be_visible()
    assert "The person changed your program before it ran" in until(lambda: model.last_prompt, "the model is asked")
    card.approve(2).link("over").shows("edited")
    notebook.run(2, 3)
    assert notebook.ran(2) == "edited\n"
    assert "secret = 'edited'" in notebook.ran(3)


def test_a_refusal_s_comment_is_in_the_model_s_next_prompt(new_notebook: New, model: FakeModel) -> None:
    model.says("print('ran')\nfinal_answer('first')", "final_answer('second')")
    notebook = new_notebook(TASK, "print(answer)")
    card = notebook.run(1).pending(1)
    card.refuse("a sum, not a product")
    card.status(1, "refused").shows("a sum, not a product")
    card.pending(2)
    assert "They said: a sum, not a product" in model.last_prompt
    card.approve(2).link("over").shows("second")
    expect(card.el.get_by_text("ran", exact=True)).to_have_count(0)
    assert notebook.result(2) == "second\n"


def test_the_rest_of_a_run_and_the_code_of_a_session_can_be_approved(new_notebook: New, model: FakeModel) -> None:
    notebook = new_notebook(*[TASK] * 3, TASK.replace("%%agent", "%%agent --new"))
    model.says("one = 1", "two = 2", "final_answer(one + two)")
    card = notebook.run(1).pending(1)
    card.offer("Approve the rest of this run").link("over").shows("Done")
    notebook.ran(1)
    model.says("open('x', 'w')", "final_answer(4)")
    card = notebook.run(2).pending(1)  # the next run asks again
    expect(card.el.locator(".smolcell-badge.smolcell-safe")).to_have_text("isolated")  # else it is not offered
    card.step(1).locator(".smolcell-controls").scroll_into_view_if_needed()  # once the code was on the screen
    card.offer("Approve code while the sandbox is isolated, in this session").link("over")
    card.shows("by your earlier approval")
    notebook.ran(2)
    model.says("final_answer(2)", "final_answer(3)")
    notebook.result(3)  # asked about nothing
    notebook.run(4).approve(1).link("over").shows("3")


# --- stop -------------------------------------------------------------------------------------------------------------


def test_stop_ends_a_run_whose_model_thinks(new_notebook: New, model: FakeModel) -> None:
    model.gate.clear()
    model.says("final_answer(1)")
    notebook = new_notebook(TASK, TASK)
    card = notebook.run(1).status(1, "thinking")
    card.button("Stop run").click()
    card.link("over").shows("Stopped")
    assert "AgentStopped" in notebook.ran(1)
    until(lambda: model.left == 1, "the request to the model was broken off")
    model.gate.set()
    model.says("final_answer(2)")
    notebook.run(2).approve(1).link("over").shows("Done")


@pytest.mark.parametrize(("how", "error"), [("stop", "AgentStopped"), ("toolbar", "KeyboardInterrupt")])
def test_code_that_runs_for_ever_is_ended_and_the_next_cell_works(
    new_notebook: New, model: FakeModel, how: str, error: str
) -> None:
    model.says("kept = 5", FOREVER)
    notebook = new_notebook(TASK, TASK)
    card = notebook.run(1).approve(1).approve(2).status(2, "running").shows("began")
    interrupt(notebook, how)
    assert error in notebook.ran(1)
    card.link("over")
    model.says("final_answer(kept)")
    notebook.run(2).approve(1).link("over").shows("5")


def test_stop_on_a_step_that_waits_ends_the_run_and_nothing_ran(new_notebook: New, model: FakeModel) -> None:
    model.says("print('ran')")
    notebook = new_notebook(TASK, "print('next')")
    notebook.run_all()
    card = notebook.card.pending(1)
    card.offer("Stop")
    card.link("over").shows("Stopped")
    assert "AgentStopped" in notebook.ran(1)
    assert notebook.cells()[2]["execution_count"] is None  # an error aborts what is queued, as ever


# --- order, reload, tabs ----------------------------------------------------------------------------------------------


def test_run_all_keeps_its_order_and_the_next_cell_has_the_result(new_notebook: New, model: FakeModel) -> None:
    model.says("half = 21", "final_answer(half * 2)")
    notebook = new_notebook("order = ['before']", TASK, "order.append(answer)", "print(order)", run_first=False)
    notebook.run_all()
    notebook.card.approve(1).pending(2)
    assert notebook.cells()[3]["execution_count"] is None
    notebook.card.approve(2).link("over")
    assert notebook.ran(4) == "['before', 42]\n"


def test_a_step_far_out_of_sight_waits_until_it_is_seen(new_notebook: New, model: FakeModel) -> None:
    model.says("final_answer(6 * 7)")
    above = [f"# {number}\n" + "\n" * 30 for number in range(40)]
    notebook = new_notebook(*above, TASK, "print(answer)")
    notebook.select(0)
    notebook.run_behind(41)
    until(lambda: model.prompts, "the model was asked")
    notebook.page.wait_for_timeout(12_000)  # longer than a page may take to say that it is there
    assert notebook.text(41) == "smolcell run: What is six times seven?"  # the card, and no question or error beside it
    assert notebook.cells()[41]["execution_count"] is None
    notebook.run(42)
    notebook.scroll_to(41)
    notebook.card.approve(1).link("over")
    assert notebook.ran(42) == "42\n"


def test_a_page_that_is_loaded_again_shows_the_step_and_its_buttons_count(new_notebook: New, model: FakeModel) -> None:
    model.says(COUNT, FOREVER)
    notebook = new_notebook(TASK)
    notebook.run(1).pending(1)
    notebook.save()
    notebook.reload()
    notebook.card.approve(1).status(1, "done").shows("count is 1")
    notebook.card.approve(2).shows("began")
    notebook.save()
    notebook.reload()
    card = notebook.card.status(2, "running").shows("began")
    card.button("Stop run").click()
    card.link("over").shows("Stopped")


def test_a_card_is_shown_though_the_widgets_extension_gave_up_on_it(new_notebook: New, model: FakeModel) -> None:
    # It looks for a model each 0.1 s for two seconds. Here it looks once more after them, when the kernel's models have arrived.
    late = (
        "const set = window.setTimeout; window.setTimeout = (f, ms, ...rest) => set(f, ms === 100 ? 4000 : ms, ...rest)"
    )
    model.says(COUNT)
    notebook = new_notebook(TASK)
    notebook.run(1).pending(1)
    notebook.save()
    notebook.page.add_init_script(late)
    notebook.reload()
    notebook.card.approve(1).status(1, "done").shows("count is 1")


@pytest.mark.parametrize("app", APPS)
def test_two_pages_show_the_step_and_only_one_answer_counts(
    new_notebook: New, model: FakeModel, server: LabServer, app: str
) -> None:
    model.says(COUNT, "final_answer(count + 41)")
    notebook = new_notebook(TASK)
    notebook.run(1).pending(1)
    notebook.save()
    other = Notebook(notebook.page.context.new_page(), server, notebook.name, app).open()
    other.card.pending(1)
    notebook.page.bring_to_front()
    notebook.card.approve(1).status(1, "done").shows("count is 1")
    expect(other.card.step(1).locator(".smolcell-controls")).to_have_count(0)
    other.page.bring_to_front()
    other.card.approve(2).link("over").shows("42")
    notebook.card.link("over").shows("42")
    assert notebook.ask_kernel("print(answer)") == "42"


# --- answers that do not count ----------------------------------------------------------------------------------------


def test_a_double_click_approves_once(new_notebook: New, model: FakeModel) -> None:
    model.says(COUNT, "print('second', count)")
    notebook = new_notebook(TASK)
    card = notebook.run(1).pending(1)
    card.button("Approve").dblclick()
    card.pending(2).shows("count is 1")
    expect(card.step(2).locator(".smolcell-controls")).to_have_count(1)


def test_answers_that_are_late_doubled_or_for_another_step_do_nothing(new_notebook: New, model: FakeModel) -> None:
    """What a page sends that hangs behind, straight over its kernel connection."""
    model.says(COUNT, COUNT, "final_answer(count + 40)")
    notebook = new_notebook(TASK)
    card = notebook.run(1).pending(1)
    comm, first = sent_by_hand(notebook, COUNT)
    second = {**first, "step": 2}
    send(notebook, comm, second)  # too early
    send(notebook, comm, {**first, "fingerprint": "0" * 64})  # not what was shown
    card.pending(1)
    send(notebook, comm, first)
    send(notebook, comm, first)  # again
    card.pending(2).shows("count is 1")
    send(notebook, comm, first)  # for an older step
    card.pending(2)
    card.approve(2).pending(3).shows("count is 2")
    card.approve(3).link("over").shows("42")
    send(notebook, comm, first)  # after the end
    assert notebook.ask_kernel("print(answer)") == "42"


def sent_by_hand(notebook: Notebook, program: str) -> tuple[str, dict[str, object]]:
    """The card's comm, and the answer that its Approve button would send for step 1."""
    widget = "application/vnd.jupyter.widget-view+json"
    comm = str(notebook.cells()[1]["outputs"][0]["data"][widget]["model_id"])
    run = notebook.card.el.get_attribute("data-run")
    answer = {"run": run, "step": 1, "fingerprint": fingerprint("code", program)}
    return comm, {"type": "answer", "id": "by-hand", "choice": "approve", **answer}


def send(notebook: Notebook, comm: str, content: dict[str, object]) -> None:
    notebook.page.evaluate(
        """([comm_id, content]) => {
            const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const header = { msg_id: crypto.randomUUID(), msg_type: 'comm_msg', session: kernel.clientId,
                             username: kernel.username, version: '5.3', date: new Date().toISOString() };
            kernel.sendShellMessage({ header, parent_header: {}, metadata: {}, channel: 'shell', buffers: [],
                                      content: { comm_id, data: { method: 'custom', content } } }, false, true);
        }""",
        [comm, content],
    )


# --- interrupt, restart -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["toolbar", "keys", "rest"])
def test_an_interrupt_of_a_step_that_waits_ends_the_cell_and_aborts_the_queue(
    new_notebook: New, model: FakeModel, how: str
) -> None:
    model.says("print('ran')")
    notebook = new_notebook(TASK, "print('queued')", TASK)
    notebook.run(1, 2)
    card = notebook.card.pending(1)
    interrupt(notebook, how)
    assert "KeyboardInterrupt: the cell was interrupted while it waited" in notebook.ran(1)
    card.link("over")
    expect(card.step(1).locator(".smolcell-controls")).to_have_count(0)
    assert notebook.text(2) == ""
    model.says("final_answer('again')")
    notebook.run(3).approve(1).link("over").shows("again")


def interrupt(notebook: Notebook, how: str) -> None:
    """The card's stop, or Lab's own interrupts."""
    if how == "stop":
        notebook.card.button("Stop run").click()
    elif how == "toolbar":
        notebook.page.get_by_role("button", name="Interrupt the kernel").click()
    elif how == "keys":
        notebook.page.locator(".jp-Notebook .jp-Cell .jp-InputPrompt").last.click()
        notebook.page.keyboard.press("i")
        notebook.page.keyboard.press("i")
    else:
        notebook.server.rest("POST", f"kernels/{notebook.kernel()['id']}/interrupt")


@needs_proc
def test_after_a_restart_the_card_is_dead_and_no_worker_is_left(new_notebook: New, model: FakeModel) -> None:
    model.says("print('ran')")
    notebook = new_notebook(TASK)
    kernel = worker_of(notebook)
    card = notebook.run(1).pending(1)
    [worker] = workers(kernel)
    notebook.command("notebook:restart-kernel", wait=False)
    notebook.page.locator(".jp-Dialog .jp-mod-accept").click()
    card.link("dead").shows("The kernel that ran this is gone, or was restarted.")
    expect(card.button("Approve")).to_have_count(0)
    expect(card.button("Stop run")).not_to_be_visible()
    worker.gone(60)


def test_a_page_that_is_loaded_again_after_a_restart_offers_nothing_to_approve(
    new_notebook: New, model: FakeModel
) -> None:
    model.says("print('ran')")
    notebook = new_notebook(TASK)
    notebook.run(1).pending(1)
    notebook.save()
    notebook.server.rest("POST", f"kernels/{notebook.kernel()['id']}/restart")
    notebook.reload()
    notebook.page.locator(".jp-Notebook .jp-OutputArea-output").last.wait_for()
    expect(notebook.page.get_by_role("button", name="Approve")).to_have_count(0)


# --- keys -------------------------------------------------------------------------------------------------------------


def test_keys_typed_into_a_comment_or_a_program_decide_nothing_and_s_stops(new_notebook: New, model: FakeModel) -> None:
    typed = "a lass saw bears; dd, xx"
    model.says("print('ran')", "print('ran')", "print('third')")
    notebook = new_notebook(TASK)
    keys, cells = notebook.page.keyboard, len(notebook.cells())
    card = notebook.run(1).pending(1)
    card.el.focus()
    card.armed()
    keys.press("r")
    field = card.el.get_by_role("textbox")
    expect(field).to_be_focused()
    keys.type(typed)
    keys.press("Shift+Enter")
    expect(field).to_have_value(f"{typed}\n")
    card.status(1, "pending")
    assert len(model.prompts) == 1
    keys.press("Enter")
    card.status(1, "refused").pending(2)
    assert f"They said: {typed}" in model.last_prompt
    card.button("Edit").click()
    expect(field).to_be_focused()
    keys.type(f"# {typed}")
    expect(field).to_contain_text(typed)
    keys.press("Escape")
    expect(card.button("Run edited")).to_be_focused()
    card.status(2, "pending")
    assert (len(model.prompts), len(notebook.cells())) == (2, cells)
    card.button("Cancel").click()
    card.el.focus()
    card.armed()
    keys.press("a")
    card.status(2, "done").shows("ran").pending(3).armed()
    keys.press("s")
    card.link("over").shows("Stopped")
    assert (len(model.prompts), len(notebook.cells())) == (3, cells)


def test_the_same_keys_elsewhere_in_the_notebook_approve_nothing(new_notebook: New, model: FakeModel) -> None:
    model.says("print('ran')")
    notebook = new_notebook(TASK, "'below'")
    cells = len(notebook.cells())
    card = notebook.run(1).pending(1)
    notebook.page.locator(".jp-Notebook .jp-Cell .jp-InputPrompt").last.click()
    notebook.page.keyboard.press("a")
    notebook.has_cells(cells + 1)
    card.pending(1)


# --- other front ends and models --------------------------------------------------------------------------------------


@pytest.mark.path
def test_notebook_7_approves(new_notebook: New, model: FakeModel) -> None:
    pytest.importorskip("notebook")
    model.says("print('six', 6)", "final_answer(6 * 7)")
    notebook = new_notebook(TASK, "print(answer)", app="notebooks")
    notebook.run_all()
    notebook.card.approve(1).shows("six 6").approve(2).link("over").shows("42")
    assert notebook.ran(2) == "42\n"


@pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
def test_a_step_that_lacks_a_package_is_looked_up_then_installed_and_runs(
    new_notebook: New, model: FakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.says("import squarify\nfinal_answer(squarify.plot())")
    with closing(plots()) as index:
        configure_index(monkeypatch, index, tmp_path)
        names = [name for name in os.environ if name.startswith(("PIP_", "UV_"))] + ["PATH", "NO_PROXY"]
        given = {name: os.environ[name] for name in names}
        notebook = new_notebook(f"import os\nos.environ.update({given!r})", TASK, "print(answer)")
        notebook.result(1)
        card = notebook.run(2).pending(1)
        assert index.asked == []
        card.offer("Look up squarify")
        told = card.el.locator(".smolcell-controls .smolcell-note")
        expect(told).to_have_text(
            re.compile(r"2 packages, \d kB\):\s+squarify 0\.2 \(1 kB, .*2010-02-03\)\s+axes-of 3")
        )
        card.offer("Approve and install squarify 0.2, axes-of 3")
        card.status(1, "done").link("over").shows("drawn 2")
        card.shows("Installed for this session from 127.0.0.1: squarify 0.2, axes-of 3.")
    notebook.ran(2)
    assert notebook.result(3) == "drawn 2\n"
