"""Grants and locks in a real browser: given by a button, listed, used again after a restart, taken back; and what a policy locks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bare import ASKED, NewCard
from lab import FakeModel, LabServer, New
from playwright.sync_api import expect

from smolcell.events import Asked, Boundary, Grant, Granted, Opened

IMPORT = "import wsgiref\nfinal_answer('imported')"
TASK = "%%agent --python guarded\nImport it."


def test_a_module_is_granted_for_the_notebook_used_after_a_restart_and_taken_back(
    new_notebook: New, model: FakeModel
) -> None:
    model.says(IMPORT, IMPORT)
    notebook = new_notebook(TASK, "%agent grants", "%agent grants revoke 1\n%agent grants")
    card = notebook.run(1).pending(1)
    assert card.el.locator(".smolcell-controls button", has_text="allow wsgiref").all_inner_texts() == [
        f"Approve and allow wsgiref (this {scope})" for scope in ("run", "session", "notebook")
    ]
    card.offer("Approve and allow wsgiref (this notebook)").link("over").shows(
        "Allowed by you: module wsgiref.*, for this notebook."
    )
    assert "1  module     wsgiref.*  (this notebook, since 2" in notebook.result(2)
    assert "wsgiref.*" not in str(notebook.cells()[1]["metadata"])  # the file carries no grant

    notebook.server.rest("POST", f"kernels/{notebook.kernel()['id']}/restart")
    assert "ready" in notebook.result(0)
    card = notebook.run(1).pending(1)
    expect(notebook.cell(1)).to_contain_text("granted earlier for this notebook: module wsgiref.* (since 2")
    expect(card.el.get_by_role("button", name="allow wsgiref")).to_have_count(0)
    card.approve(1).link("over").shows("imported")
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


def test_a_lock_is_named_with_file_and_line_on_the_card_in_status_and_in_an_error(
    project: str, new_notebook: New, model: FakeModel
) -> None:
    model.says(IMPORT, "final_answer(2)")
    notebook = new_notebook("%%agent\nImport it.", "%agent status", "%agent config approve=auto")
    card = notebook.run(1).pending(1)
    summary = card.el.get_by_text("Policy: 4 rules you cannot change here")
    summary.click()
    for lock in ("approval ask", "imports numpy", "limits.memory 777", "level guarded"):
        expect(card.el.locator(".smolcell-wall", has_text=f"{lock}: locked by ")).to_be_visible()
    expect(card.el.locator(".smolcell-boundary")).to_contain_text("Python: guarded; locked by")
    expect(card.el.get_by_role("button", name="allow wsgiref")).to_have_count(0)
    card.offer("Send back with hint").shows("The import of wsgiref is not allowed here: locked by")
    card.approve(2).link("over")
    assert "limits.memory 777: locked by" in notebook.result(2)
    assert "smolcell.toml:5" in notebook.text(2)
    assert "the policy allows ask at most: locked by" in notebook.result(3)
    assert "smolcell.toml:2" in notebook.text(3)


@pytest.mark.path
@pytest.mark.parametrize("width", [320, 900])
def test_a_card_shows_locks_grants_and_the_warning_of_imports(new_card: NewCard, width: int) -> None:
    lock = "approval ask: locked by /etc/smolcell/policy.toml:3"
    warning = "os: authorised, and with that the guard is easily bypassed: only the walls protect"
    held = Boundary(sandbox="local", where="here", isolated=False, python="guarded", warning=warning)
    asked = Asked(run=ASKED.run, task=ASKED.task, locks=(lock,))
    grants = (Grant(kind="host", name="example.org", scope="session"),)
    card = new_card(width=width, asked=asked)
    card.push(Opened(run=asked.run, boundary=held), Granted(run=asked.run, step=0, grants=grants))
    shown = card.page.locator("#card")
    expect(shown.locator(".smolcell-note", has_text=f"Warning: {warning}.")).to_be_visible()
    expect(shown.get_by_text(lock)).to_be_hidden()
    shown.get_by_text("Policy: 1 rule you cannot change here").click()
    expect(shown.get_by_text(lock)).to_be_visible()
    expect(shown.get_by_text("Allowed by you: host example.org, for this session.")).to_be_visible()
    assert card.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
