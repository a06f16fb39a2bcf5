"""``%agent map`` and ``%agent approvals`` in JupyterLab: one look answers every run that waits with the same program."""

from __future__ import annotations

import json

import pytest
from axe import violations
from lab import APPS, PATH_IN_LAB, LabServer, New
from playwright.sync_api import expect
from test_lab_panel import panel, row

SAME = "print('looked')\nfinal_answer(7)"
OTHER = "f = open('left.txt', 'w')\nfinal_answer(8)"


def recording(server: LabServer) -> None:
    lines: list[dict[str, object]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    for number in range(5):
        program = OTHER if number == 4 else SAME
        lines.append({"task": f"Task number {number}.", "text": f"Next.\n<code>\n{program}\n</code>"})
    (server.root / "many.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("app", PATH_IN_LAB)
def test_one_answer_is_for_all_runs_that_wait_with_the_same(new_notebook: New, server: LabServer, app: str) -> None:
    recording(server)
    notebook = new_notebook(
        "tasks = [f'Task number {number}.' for number in range(5)]",
        f"%agent map tasks --replay many.jsonl --folder map-{app} -o results",
        "%agent approvals",
        app=app,
    )
    notebook.run(1, 2)
    notebook.ran(2)
    card = notebook.run(3).pending(1)
    card.shows("4 runs wait with exactly this, and your answer is for all of them")
    card.shows("print('looked')")
    card.approve(1).pending(2).shows("1 run waits with exactly this")
    card.refuse("Leave no file.")
    card.link("over").shows("Refused by you")
    notebook.ran(3)
    told = notebook.ask_kernel(
        "import json\nfrom pathlib import Path\n"
        f"rows = [json.loads(line) for line in Path('map-{app}/rows.jsonl').read_text().splitlines()]\n"
        "print(sorted((row['id'], row['state'], row['answer']) for row in rows if row['state'] == 'success'))"
    )
    assert told == "[(1, 'success', 7), (2, 'success', 7), (3, 'success', 7), (4, 'success', 7)]"
    said = notebook.ask_kernel(
        "from pathlib import Path\nfrom smolcell.scale.folder import answers_of\n"
        f"given = [answer for answers in answers_of(Path('map-{app}')).values() for answer in answers]\n"
        "print(sorted((answer['id'], answer['choice']) for answer in given))"
    )
    assert said == str([*((number, "approve") for number in range(1, 5)), (5, "refuse")])


@pytest.mark.parametrize("app", APPS)
def test_the_panel_lists_what_a_job_waits_for_and_opens_it(new_notebook: New, server: LabServer, app: str) -> None:
    recording(server)
    folder = f"panel {app}"
    notebook = new_notebook(
        "tasks = [f'Task number {number}.' for number in range(5)]",
        f"%agent map tasks --replay many.jsonl --folder '{folder}' -o results",
        app=app,
    )
    notebook.run(1, 2)
    notebook.ran(2)
    parked = row(notebook, "Waiting in many runs", folder)
    expect(parked).to_have_count(2)
    expect(parked.first).to_contain_text("print('looked') final_answer(7)")
    expect(parked.first).to_contain_text("4 runs with exactly this")
    expect(row(notebook, "Many runs", folder).last).to_contain_text("5 of 5")
    assert violations(notebook.page, "#smolcell-panel") == []
    panel(notebook).get_by_role("button", name=f"Review what waits in {folder}").first.press("Enter")
    notebook.card.pending(1).shows("4 runs wait with exactly this").approve(1).pending(2).approve(2)
    notebook.card.link("over")
    expect(row(notebook, "Waiting in many runs", folder)).to_have_count(0)
    assert (
        notebook.ask_kernel(f"from pathlib import Path; print(len(list(Path('{folder}').glob('rows.jsonl'))))") == "1"
    )
