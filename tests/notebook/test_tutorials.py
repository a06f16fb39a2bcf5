"""Notebooks that people begin with, run whole: real kernels, real sandboxes, recorded models."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from smolcell.errors import SmolcellError
from smolcell.executors.docker.engine import Engine

pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")

pytestmark = pytest.mark.kernels

ROOT = Path(__file__).resolve().parents[2]
FIRST = ROOT / "notebooks" / "01-first-cell.ipynb"
APPROVALS = ROOT / "notebooks" / "02-approvals.ipynb"
SANDBOXES = ROOT / "notebooks" / "03-sandboxes.ipynb"
DATA = ROOT / "notebooks" / "04-your-data.ipynb"
PARTS = ROOT / "notebooks" / "05-your-own-parts.ipynb"
UNDO = ROOT / "notebooks" / "06-undo.ipynb"
DATABASES = ROOT / "notebooks" / "07-databases.ipynb"
SALES = ROOT / "notebooks" / "08-monthly-sales.ipynb"
WORDS = ROOT / "notebooks" / "09-word-frequencies.ipynb"
SEARCH = ROOT / "notebooks" / "10-binary-search.ipynb"


def open_copy(path: Path, folder: Path) -> Any:
    """The notebook, in a folder of its own with the files beside it."""
    shutil.copytree(path.parent, folder, dirs_exist_ok=True)
    return nbformat.read(folder / path.name, as_version=4)


def run(notebook: Any, folder: Path, *say: str) -> list[str]:
    """Run all cells, without a front end; returns what ``say`` prints of each expression afterwards."""
    for expression in say:
        notebook.cells.append(nbformat.v4.new_code_cell(f"print({expression})"))
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [printed(cell) for cell in notebook.cells[len(notebook.cells) - len(say) :]]


def printed(cell: Any) -> str:
    return "".join(output["text"] for output in cell.outputs if output.output_type == "stream").rstrip("\n")


@pytest.mark.slow
def test_monthly_sales_grow_by_quarter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(SALES, tmp_path)
    said = run(notebook, tmp_path, "growth.to_json(orient='records')", "growth.dtypes.astype(str).to_dict()")
    assert json.loads(said[0]) == [
        {"quarter": "2025Q1", "amount": 300.0, "growth %": None},
        {"quarter": "2025Q2", "amount": 360.0, "growth %": 20.0},
        {"quarter": "2025Q3", "amount": 270.0, "growth %": -25.0},
        {"quarter": "2025Q4", "amount": 450.0, "growth %": 66.7},
    ]


@pytest.mark.slow
def test_word_frequencies_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(WORDS, tmp_path)
    counts = {"it": 8, "was": 8, "the": 8, "of": 8, "times": 2, "age": 2, "epoch": 2, "season": 2}
    assert run(notebook, tmp_path, "counts") == [str(counts)]


def test_binary_search_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(SEARCH, tmp_path)
    assert run(notebook, tmp_path, "found") == ["{'position': 10, 'looked at': [47, 83, 60, 71]}"]
    transcript = str([cell.outputs for cell in notebook.cells if cell.cell_type == "code"])
    shown = [f"the middle one, {place}, holds {value}" for place, value in ((7, 47), (11, 83), (9, 60), (10, 71))]
    assert [line for line in shown if line not in transcript] == []


WARMEST = [
    {"year": 1997, "degrees above usual": 2.69},
    {"year": 1983, "degrees above usual": 2.61},
    {"year": 1998, "degrees above usual": 1.92},
    {"year": 1972, "degrees above usual": 1.53},
    {"year": 1987, "degrees above usual": 1.35},
]


def test_the_first_notebook_answers_when_everything_is_approved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
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
    header, *rows = (FIRST.parent / "sea-temperatures.csv").read_text().split()
    assert header.count(",") == 12
    table = {int(year): [float(value) for value in months] for year, *months in (row.split(",") for row in rows)}
    usual = [sum(month) / len(table) for month in zip(*table.values(), strict=True)]
    above = {year: sum(m - u for m, u in zip(months, usual, strict=True)) / 12 for year, months in table.items()}
    best = sorted(above, key=lambda year: -above[year])[:5]
    assert [{"year": year, "degrees above usual": round(above[year], 2)} for year in best] == WARMEST


@pytest.mark.slow
def test_without_a_person_the_first_notebook_runs_nothing_and_says_how(tmp_path: Path) -> None:
    notebook = open_copy(FIRST, tmp_path)
    with pytest.raises(CellExecutionError) as caught:
        run(notebook, tmp_path)
    assert caught.value.ename == "ApprovalError"
    assert "--approve auto" in caught.value.evalue


@pytest.mark.slow
def test_the_notebook_on_approvals_says_what_it_says_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If nobody corrects the second step, the sum is 12 too high; the browser's tests follow the notebook as a person does."""
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(APPROVALS, tmp_path)
    said = run(notebook, tmp_path, "total, usual, customers", "report", "orders.shape")
    assert said == ["321.0 12.0 ['Ada', 'Ben']", "Dan: 250.00\nAda: 42.00\nBen: 17.00", "(6, 3)"]
    assert "step 2 ran" not in outputs(notebook, "%agent log")
    assert "by the policy" in outputs(notebook, "%%agent -i orders -o customers")


@pytest.mark.slow
def test_a_step_is_taken_back_and_done_in_another_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(UNDO, tmp_path)
    said = run(notebook, tmp_path, "mean", "doubled")
    assert said == ["{'A': 20.5, 'B': 18.5}", "42"]
    assert "{'A': 10.25, 'B': 18.5, 'C': 0.0}" in str(notebook.cells[5].outputs)
    assert "copy, " in outputs(notebook, "%agent checkpoints")
    assert "was taken back: a copy of the sandbox took over." in outputs(notebook, "%agent undo")


MONTHS = {"month": {"warmest": "MAR", "coldest": "SEP"}, "degrees": {"warmest": 26.25, "coldest": 20.58}}
REFUSALS = ["Forbidden access to file: /etc/passwd", "Forbidden use of the network"]


def outputs(notebook: Any, start: str) -> str:
    """All that was shown by the cell that starts so."""
    return str(next(cell for cell in notebook.cells if cell.source.startswith(start)).outputs)


@pytest.mark.slow
def test_the_same_task_gives_the_same_in_a_process_and_in_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        Engine().close()
    except SmolcellError as error:
        pytest.skip(f"needs a Docker engine: {error}")
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
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
def test_without_an_engine_the_notebook_on_sandboxes_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nowhere.sock")
    notebook = open_copy(SANDBOXES, tmp_path)
    said = run(notebook, tmp_path, "elsewhere.to_json()", "sandbox")
    assert json.loads(said[0]) == MONTHS
    assert said[1] == "local"
    shown = outputs(notebook, "from smolcell import DockerExecutor")
    assert "The next cells run in the local sandbox once more: no Docker engine answers at unix://" in shown


GROWTH = {
    "mean growth by decade": {"1960s": 0.86, "1970s": 1.22, "1980s": 1.6, "1990s": 1.54, "2000s": 1.32},
    "more each ten years": 0.23,
}


@pytest.mark.slow
def test_your_data_goes_in_and_out_and_its_code_runs_without_an_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(DATA, tmp_path)
    said = run(
        notebook, tmp_path, "season", "growth == growth_again", "__import__('json').dumps(growth)", "yearly.shape"
    )
    assert said[0] == "{'most': 5, 'least': 10, 'ppm between them': 6.13}"
    assert said[1] == "True"
    assert json.loads(said[2]) == GROWTH
    assert said[3] == "(43, 3)"
    assert (tmp_path / "seasonal-cycle.csv").read_text().splitlines()[:3] == ["month,co2", "1,-0.02", "2,0.66"]
    first, second = (
        cell for cell in notebook.cells if cell.source.startswith("%%agent") and "co2" in str(cell.outputs)
    )
    assert "TypeError" in str(first.outputs) or "ValueError" in str(first.outputs)  # the first attempt
    assert "59 of 2284 weeks were missing; 0 are now" in str(first.outputs)
    assert "image/png" in str(second.outputs)


def test_the_means_of_the_years_are_right_for_the_table() -> None:
    """Computed another way: line by line, without pandas."""
    rows = [line.split(",") for line in (DATA.parent / "mauna-loa-co2.csv").read_text().splitlines()[1:]]
    values = [float(value) if value else None for _, value in rows]
    known = [number for number, value in enumerate(values) if value is not None]
    for number, value in enumerate(values):
        if value is None:
            before, after = max(k for k in known if k < number), min(k for k in known if k > number)
            low, high = values[before], values[after]
            assert low is not None and high is not None
            values[number] = low + (high - low) * (number - before) / (after - before)
    years: dict[int, list[float]] = {}
    for (week, _), value in zip(rows, values, strict=True):
        years.setdefault(int(week[:4]), []).append(value or 0.0)
    means = {year: round(sum(all_) / len(all_), 2) for year, all_ in years.items() if len(all_) >= 50}
    grown = {
        year: round(sum(years[year]) / len(years[year]) - sum(years[year - 1]) / len(years[year - 1]), 2)
        for year in list(means)[1:]
    }
    sixties = [grown[year] for year in range(1960, 1970)]
    assert round(sum(sixties) / 10, 2) == GROWTH["mean growth by decade"]["1960s"]  # type: ignore[index]
    assert len(means) == 43


def test_your_own_parts_do_what_the_notebook_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(PARTS, tmp_path)
    said = run(
        notebook, tmp_path, "sold, total", "brief.output", "[s.refusal for s in brief.steps]", "added, cost, dearer"
    )
    assert said == ["[('tea', 2), ('cake', 1)] 9.0", "6", "['write at most 3 lines a step', '']", "42 12.5 cake"]
    shown = outputs(notebook, "from smolcell import Budget")
    assert [words for words in ("Agent clerk", "clerk('Add up 2 and 3 teas.')") if words not in shown] == []
    assert "Step 2, call 2: a tool call" in outputs(notebook, "from smolcell import ToolCallingAgent")


@pytest.mark.slow
def test_without_a_person_no_tool_of_your_own_is_called(tmp_path: Path) -> None:
    notebook = open_copy(PARTS, tmp_path)
    with pytest.raises(CellExecutionError) as caught:
        run(notebook, tmp_path)
    assert caught.value.ename == "ApprovalError"


@pytest.mark.slow
def test_the_notebook_on_databases_answers_from_a_read_only_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    notebook = open_copy(DATABASES, tmp_path)

    said = run(notebook, tmp_path, "growth", "len(query('SELECT * FROM sales'))")

    assert said == ["{'north': 72.0, 'south': 135.1, 'west': 190.9}", "36"]
