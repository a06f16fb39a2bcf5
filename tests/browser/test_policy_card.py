"""Grants and locks in a real browser: given by a button, listed, used again after a restart, taken back; and what a policy locks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from bare import ASKED, BareCard
from lab import FakeModel, LabServer, Notebook
from playwright.sync_api import Locator, expect

from smolcell.events import Asked, Boundary, Grant, Granted, Opened

NewNotebook = Callable[..., Notebook]
IMPORT = "import wsgiref\nfinal_answer('imported')"
TASK = "%%agent --python guarded\nImport it."


def press(place: Locator, name: str) -> None:
    button = place.locator(".smolcell-controls").get_by_role("button", name=name, exact=True).first
    expect(button).to_be_enabled(timeout=60_000)
    button.click()


@pytest.mark.slow
def test_a_module_is_granted_for_the_notebook_used_after_a_restart_and_taken_back(
    new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.says(IMPORT, IMPORT)
    notebook = new_notebook(TASK, "%agent grants", "%agent grants revoke 1\n%agent grants")
    notebook.run(1)
    card = notebook.card.pending(1).el
    assert card.locator(".smolcell-controls button", has_text="allow wsgiref").all_inner_texts() == [
        f"Approve and allow wsgiref (this {scope})" for scope in ("run", "session", "notebook")
    ]
    press(card, "Approve and allow wsgiref (this notebook)")
    notebook.card.link("over").shows("Allowed by you: module wsgiref.*, for this notebook.")
    notebook.run(2)
    assert "1  module     wsgiref.*  (this notebook, since 2" in notebook.ran(2)
    assert "wsgiref.*" not in str(notebook.cells()[1]["metadata"])  # the file carries no grant

    notebook.server.rest("POST", f"kernels/{notebook.kernel()['id']}/restart")
    notebook.run(0)
    assert "ready" in notebook.ran(0)
    notebook.run(1)
    card = notebook.card.pending(1).el
    expect(notebook.cell(1)).to_contain_text("granted earlier for this notebook: module wsgiref.* (since 2")
    expect(card.get_by_role("button", name="allow wsgiref")).to_have_count(0)
    press(card, "Approve")
    notebook.card.link("over").shows("imported")
    notebook.run(3)
    said = notebook.ran(3)
    assert "revoked: module wsgiref.*" in said
    assert "nothing is granted for the session default" in said


@pytest.fixture
def project(server: LabServer) -> Iterator[str]:
    """A project's policy beside the notebooks, while the test runs."""
    file = server.root / "smolcell.toml"
    file.write_text('[policy]\napproval = "ask"\nimports = ["numpy"]\n[policy.limits]\nmemory = 777\n')
    yield str(file)
    file.unlink()


@pytest.mark.slow
def test_a_lock_is_named_with_file_and_line_on_the_card_in_status_and_in_an_error(
    project: str, new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.says(IMPORT, "final_answer(2)")
    notebook = new_notebook("%%agent\nImport it.", "%agent status", "%agent config approve=auto")
    notebook.run(1)
    card = notebook.card.pending(1).el
    summary = card.get_by_text("Policy: 4 rules you cannot change here")
    summary.click()
    for lock in ("approval ask", "imports numpy", "limits.memory 777", "level guarded"):
        expect(card.locator(".smolcell-wall", has_text=f"{lock}: locked by ")).to_be_visible()
    expect(card.locator(".smolcell-boundary")).to_contain_text("Python: guarded; locked by")
    expect(card.get_by_role("button", name="allow wsgiref")).to_have_count(0)
    press(card, "Send back with hint")
    notebook.card.shows("The import of wsgiref is not allowed here: locked by")
    notebook.card.approve(2)
    notebook.card.link("over")
    notebook.run(2)
    assert "limits.memory 777: locked by" in notebook.ran(2)
    assert "smolcell.toml:5" in notebook.text(2)
    notebook.run(3)
    assert "the policy allows ask at most: locked by" in notebook.ran(3)
    assert "smolcell.toml:2" in notebook.text(3)


@pytest.mark.parametrize("width", [320, 900])
def test_a_card_shows_locks_grants_and_the_warning_of_imports(new_card: Callable[..., BareCard], width: int) -> None:
    card = new_card(width=width)
    lock = "approval ask: locked by /etc/smolcell/policy.toml:3"
    warning = "os: authorised, and with that the guard is easily bypassed: only the walls protect"
    held = Boundary(sandbox="local", where="here", isolated=False, python="guarded", warning=warning)
    asked = Asked(run=ASKED.run, task=ASKED.task, locks=(lock,))
    grants = (Grant(kind="host", name="example.org", scope="session"),)
    card.push(asked, Opened(run=asked.run, boundary=held), Granted(run=asked.run, step=0, grants=grants))
    shown = card.page.locator("#card")
    expect(shown.locator(".smolcell-note", has_text=f"Warning: {warning}.")).to_be_visible()
    expect(shown.get_by_text(lock)).to_be_hidden()
    shown.get_by_text("Policy: 1 rule you cannot change here").click()
    expect(shown.get_by_text(lock)).to_be_visible()
    expect(shown.get_by_text("Allowed by you: host example.org, for this session.")).to_be_visible()
    assert card.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_a_contract_written_in_a_notebook_holds_its_cells_and_is_named_on_the_card(
    server: LabServer, new_notebook: NewNotebook, model: FakeModel
) -> None:
    model.says(IMPORT, "final_answer(2)")
    notebook = new_notebook(
        "%agent contract --python guarded --max-steps 4 --purpose Imports --agents-md",
        "%%agent --python guarded --max-steps 4 --contract smolcell.contract.toml\nImport it.",
        "%%agent --max-steps 5 --contract smolcell.contract.toml\nImport it.",
    )
    notebook.run(1)
    assert "smolcell: written: smolcell.contract.toml; and its section in AGENTS.md" in notebook.ran(1)
    notebook.run(2)
    card = notebook.card.pending(1).el
    card.get_by_text("Policy: 1 rule you cannot change here").click()
    expect(card.get_by_text("permissions of the run: locked by the contract smolcell.contract.toml")).to_be_visible()
    expect(card.get_by_role("button", name="allow wsgiref")).to_have_count(0)
    press(card, "Send back with hint")
    notebook.card.shows("The import of wsgiref is not allowed here: locked by smolcell.contract.toml:")
    notebook.card.approve(2)
    notebook.card.link("over")
    notebook.run(3)
    assert "limits.max_steps is 5, and 4 is the most, locked by smolcell.contract.toml:" in notebook.ran(3)
    for name in ("smolcell.contract.toml", "AGENTS.md"):
        (server.root / name).unlink()
