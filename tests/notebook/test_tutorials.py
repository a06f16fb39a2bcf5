"""Notebooks that people begin with, run whole: real kernels, real sandboxes, recorded models."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from cells import RECORD, recording
from examples import quick
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from smolcell.errors import SmolcellError
from smolcell.executors.docker.engine import DockerEngine

pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")

pytestmark = pytest.mark.kernels

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
FIRST, SANDBOXES, DATA = "01-first-cell", "03-sandboxes", "04-your-data"
SALES, WORDS, SEARCH = "08-monthly-sales", "09-word-frequencies", "10-binary-search"


@pytest.fixture
def approved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is approved."""
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")


def open_copy(name: str, folder: Path) -> Any:
    """The notebook, in a folder of its own with the files beside it."""
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    return nbformat.read(folder / f"{name}.ipynb", as_version=4)


def run(notebook: Any, folder: Path, *say: str) -> list[str]:
    """Run all cells, without a front end; returns what ``say`` prints of each expression afterwards."""
    for expression in say:
        notebook.cells.append(nbformat.v4.new_code_cell(f"print({expression})"))
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [printed(cell) for cell in notebook.cells[len(notebook.cells) - len(say) :]]


def printed(cell: Any) -> str:
    return "".join(output["text"] for output in cell.outputs if output.output_type == "stream").rstrip("\n")


def outputs(notebook: Any, start: str) -> str:
    """All that was shown by the cell that starts so."""
    return str(next(cell for cell in notebook.cells if cell.source.startswith(start)).outputs)


class Tutorial(NamedTuple):
    """What a notebook gives at its end, and what its cells show."""

    gives: dict[str, Any]
    """By expression, as printed; as JSON if it is no text."""
    shows: dict[str, list[str]] = {}
    """By the beginning of a cell."""
    hides: dict[str, list[str]] = {}


GROWTH = {
    "mean growth by decade": {"1960s": 0.86, "1970s": 1.22, "1980s": 1.6, "1990s": 1.54, "2000s": 1.32},
    "more each ten years": 0.23,
}
QUARTERS = [
    {"quarter": "2025Q1", "amount": 300.0, "growth %": None},
    {"quarter": "2025Q2", "amount": 360.0, "growth %": 20.0},
    {"quarter": "2025Q3", "amount": 270.0, "growth %": -25.0},
    {"quarter": "2025Q4", "amount": 450.0, "growth %": 66.7},
]
LOOKED_AT = [(7, 47), (11, 83), (9, 60), (10, 71)]
TUTORIALS = {
    # If nobody corrects the second step, the sum is 12 too high; the browser's tests follow the notebook as a person does.
    "02-approvals": Tutorial(
        {
            "total, usual, customers": "321.0 12.0 ['Ada', 'Ben']",
            "report": "Dan: 250.00\nAda: 42.00\nBen: 17.00",
            "orders.shape": "(6, 3)",
        },
        {"%%agent -i orders -o customers": ["by the policy"]},
        {"%agent log": ["step 2 ran"]},
    ),
    DATA: Tutorial(
        {
            "season": "{'most': 5, 'least': 10, 'ppm between them': 6.13}",
            "growth == growth_again": "True",
            "__import__('json').dumps(growth)": GROWTH,
            "yearly.shape": "(43, 3)",
            "open('seasonal-cycle.csv').read()[:24]": "month,co2\n1,-0.02\n2,0.66",
        },
        {
            "%%agent -f mauna": ["Error", "59 of 2284 weeks were missing; 0 are now"],  # the first attempt fails
            "%%agent -o season": ["image/png"],
        },
    ),
    "05-your-own-parts": Tutorial(
        {
            "sold, total": "[('tea', 2), ('cake', 1)] 9.0",
            "brief.output": "6",
            "[s.refusal for s in brief.steps]": "['write at most 3 lines a step', '']",
            "added, cost, dearer": "42 12.5 cake",
        },
        {
            "from smolcell import Budget": ["Agent clerk", "clerk('Add up 2 and 3 teas.')"],
            "from smolcell import ToolCallingAgent": ["Step 2, call 2: a tool call"],
        },
    ),
    "06-undo": Tutorial(
        {"mean": "{'A': 20.5, 'B': 18.5}", "doubled": "42"},
        {
            "mean": ["{'A': 10.25, 'B': 18.5, 'C': 0.0}"],
            "%agent checkpoints": ["copy, "],
            "%agent undo": ["was taken back: a copy of the sandbox took over."],
        },
    ),
    "07-databases": Tutorial(
        {"growth": "{'north': 72.0, 'south': 135.1, 'west': 190.9}", "len(query('SELECT * FROM sales'))": "36"},
    ),
    SALES: Tutorial({"growth.to_json(orient='records')": QUARTERS}),
    WORDS: Tutorial(
        {"counts": "{'it': 8, 'was': 8, 'the': 8, 'of': 8, 'times': 2, 'age': 2, 'epoch': 2, 'season': 2}"}
    ),
    SEARCH: Tutorial(
        {"found": "{'position': 10, 'looked at': [47, 83, 60, 71]}"},
        {"%%agent": [f"the middle one, {place}, holds {value}" for place, value in LOOKED_AT]},
    ),
}


@pytest.mark.usefixtures("approved")
@pytest.mark.parametrize("name", quick(TUTORIALS, SEARCH))
def test_a_notebook_gives_what_it_says(name: str, tmp_path: Path) -> None:
    notebook, tutorial = open_copy(name, tmp_path), TUTORIALS[name]
    wanted = list(tutorial.gives.values())
    said = run(notebook, tmp_path, *tutorial.gives)
    assert [
        text if isinstance(want, str) else json.loads(text) for text, want in zip(said, wanted, strict=True)
    ] == wanted
    for start, words in tutorial.shows.items():
        assert [word for word in words if word not in outputs(notebook, start)] == [], start
    for start, words in tutorial.hides.items():
        assert [word for word in words if word in outputs(notebook, start)] == [], start


WARMEST = [
    {"year": 1997, "degrees above usual": 2.69},
    {"year": 1983, "degrees above usual": 2.61},
    {"year": 1998, "degrees above usual": 1.92},
    {"year": 1972, "degrees above usual": 1.53},
    {"year": 1987, "degrees above usual": 1.35},
]


@pytest.mark.slow
@pytest.mark.usefixtures("approved")
def test_the_first_notebook_answers_and_its_exported_steps_too(tmp_path: Path) -> None:
    notebook = open_copy(FIRST, tmp_path)
    drawn = next(cell for cell in notebook.cells if cell.source.startswith("sea.set_index"))
    exported = "%agent export --file steps.py\ndel warmest\n%run -i steps.py"
    notebook.cells.append(nbformat.v4.new_code_cell(exported))
    said = run(notebook, tmp_path, "warmest.to_json(orient='records')")  # as the exported steps have it
    assert json.loads(said[0]) == WARMEST
    mimes = {mime for output in drawn.outputs for mime in output.get("data", {})}
    assert {"image/png", "text/html"} <= mimes


def test_the_answer_is_right_for_the_table() -> None:
    """Computed another way: month by month, without pandas."""
    header, *rows = (FOLDER / "sea-temperatures.csv").read_text().split()
    assert header.count(",") == 12
    table = {int(year): [float(value) for value in months] for year, *months in (row.split(",") for row in rows)}
    usual = [sum(month) / len(table) for month in zip(*table.values(), strict=True)]
    above = {year: sum(m - u for m, u in zip(months, usual, strict=True)) / 12 for year, months in table.items()}
    best = sorted(above, key=lambda year: -above[year])[:5]
    assert [{"year": year, "degrees above usual": round(above[year], 2)} for year in best] == WARMEST


@pytest.mark.slow
@pytest.mark.parametrize("name", [FIRST, "05-your-own-parts"])
def test_without_a_person_a_notebook_runs_nothing_and_says_how(name: str, tmp_path: Path) -> None:
    notebook = open_copy(name, tmp_path)
    with pytest.raises(CellExecutionError) as caught:
        run(notebook, tmp_path)
    assert caught.value.ename == "ApprovalError"
    assert name != FIRST or "--approve auto" in caught.value.evalue


MONTHS = {"month": {"warmest": "MAR", "coldest": "SEP"}, "degrees": {"warmest": 26.25, "coldest": 20.58}}
REFUSALS = ["Forbidden access to file: /etc/passwd", "Forbidden use of the network"]


@pytest.mark.slow
@pytest.mark.usefixtures("approved")
def test_the_same_task_gives_the_same_in_a_process_and_in_a_container(tmp_path: Path) -> None:
    try:
        DockerEngine().close()
    except SmolcellError as error:
        pytest.skip(f"needs a Docker engine: {error}")
    notebook = open_copy(SANDBOXES, tmp_path)
    said = run(notebook, tmp_path, "in_local.to_json()", "elsewhere.to_json()", "sandbox")
    assert [json.loads(answer) for answer in said[:2]] == [MONTHS, MONTHS]
    assert said[2] == "docker"
    for cell, place in (("%%agent -s local", "a process on this machine"), ("%%agent -s {sandbox}", "a container of ")):
        shown = outputs(notebook, cell)
        assert [words for words in (place, *REFUSALS) if words not in shown] == []
    walls = outputs(notebook, "def walls")
    assert "docker: isolated, in a container of smolcell-worker:" in walls
    assert "an empty network of its own" in walls


@pytest.mark.slow
@pytest.mark.usefixtures("approved")
def test_without_an_engine_the_notebook_on_sandboxes_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nowhere.sock")
    notebook = open_copy(SANDBOXES, tmp_path)
    said = run(notebook, tmp_path, "elsewhere.to_json()", "sandbox")
    assert (json.loads(said[0]), said[1]) == (MONTHS, "local")
    shown = outputs(notebook, "from smolcell import DockerExecutor")
    assert "The next cells run in the local sandbox once more: no Docker engine answers at unix://" in shown


MOST = 40_000
"""Bytes of a saved notebook with two small runs; the card's code would be more than ten times as many."""


@pytest.mark.slow
def test_a_step_that_no_one_can_approve_leaves_no_empty_output(tmp_path: Path) -> None:
    replay = recording(tmp_path / "replay.jsonl", "final_answer(42)")
    sources = ["%load_ext smolcell", f"%%agent --replay {replay} --approve ask\nGo."]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    notebook.cells[1].metadata["tags"] = ["raises-exception"]
    run(notebook, tmp_path)
    assert [sorted(output.get("data", [output.output_type])) for output in notebook.cells[1].outputs] == [
        [RECORD, "text/html", "text/plain"],
        ["error"],
    ]


def test_jupytext_is_told_that_an_agent_cell_is_no_python() -> None:
    server = FOLDER.parent / "etc" / "jupyter" / "jupyter_server_config.d" / "smolcell.json"
    assert json.loads(server.read_text("utf-8"))["JupytextConfiguration"] == {"custom_cell_magics": "agent"}
    for path in FOLDER.glob("*.ipynb"):
        assert json.loads(path.read_text("utf-8"))["metadata"]["jupytext"] == {"custom_cell_magics": "agent"}


@pytest.mark.slow
def test_a_run_without_a_page_leaves_its_record_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As nbconvert and papermill run a notebook."""
    replay = recording(tmp_path / "replay.jsonl", "half = 21", "final_answer(half * 2)")
    cell = f"%%agent --replay {replay} --approve auto --new -o answer\nGo."
    sources = ["%load_ext smolcell", cell, cell, "answer"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    run(notebook, tmp_path)
    kinds = [sorted(output.data) for each in notebook.cells[1:3] for output in each.outputs]
    assert kinds == [[RECORD, "text/html", "text/plain"]] * 2
    assert notebook.cells[3].outputs[0].data == {"text/plain": "42"}
    assert ("widgets" in notebook.metadata, "No handler found for comm target" in caplog.text) == (False, False)
    assert len(nbformat.writes(notebook)) < MOST
