"""``smolcell contract``, ``doctor --contract``, ``run --contract`` and ``report``."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import recording, smolcell_here

from smolcell.approval.contract import read
from smolcell.notebook.doctor import TASK

FILE = "smolcell.contract.toml"
AUTO = ("-a", "auto", "--stop-after", "3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    recording(tmp_path / "r.jsonl", "Go.", "final_answer(6 * 7)")
    recording(tmp_path / "doctor.jsonl", TASK, "final_answer(2**32)")
    return tmp_path


def test_a_contract_is_written_and_holds_a_run_at_the_shell(folder: Path) -> None:
    done = smolcell_here("contract", *AUTO, "--purpose", "Multiply", "--agents-md", folder=folder)
    assert done.returncode == 0, done.stderr
    made = read(folder / FILE)
    assert (made.purpose, made.stop_after, made.layer.values["approval"]) == ("Multiply", 3, "auto")
    assert "files" in made.walls
    assert "- Purpose: Multiply\n" in (folder / "AGENTS.md").read_text()
    given = ("run", "Go.", "--replay", "r.jsonl", "--contract", FILE)
    within = smolcell_here(*given, *AUTO, folder=folder)
    assert (within.returncode, within.stdout) == (0, "42\n")
    beyond = smolcell_here(*given, *AUTO, "--max-steps", "21", folder=folder)
    assert (beyond.returncode, beyond.stdout) == (1, "")
    assert "limits.max_steps is 21, and 20 is the most, locked by smolcell.contract.toml:" in beyond.stderr


@pytest.mark.slow
def test_the_doctor_runs_the_acceptance_checks_and_writes_its_stages_into_the_contract(folder: Path) -> None:
    smolcell_here("contract", *AUTO, folder=folder)
    given = ("doctor", "--replay", "doctor.jsonl", *AUTO, "--contract", FILE)
    path = folder / FILE
    path.write_text(
        path.read_text() + "# mine\n[[acceptance]]\nname = 'the model multiplies'\n"
        f"task = '{TASK}'\nanswer = '4294967296'\n"
    )
    own = path.read_text()
    first = smolcell_here(*given, folder=folder)
    assert first.returncode == 0, first.stdout
    found = read(path)
    states = {stage.stage: stage.state for stage in found.stages}
    assert {"a read-only tool", "the boundary", "a step that was refused", "a failure and its recovery"} <= set(states)
    for stage in ("the model", "the contract", "accepted if it computes", "accepted if the model multiplies"):
        assert states[stage] == "ok", stage
    assert all(stage.versions["python"] and stage.versions["smolcell"] and stage.at for stage in found.stages)
    again = smolcell_here(*given, folder=folder)
    assert again.returncode == 0
    assert path.read_text().startswith(own.rstrip("\n"))
    assert path.read_text().count("[[doctor]]") == len(found.stages)


@pytest.mark.slow
def test_an_acceptance_check_that_does_not_hold_and_a_contract_that_is_exceeded_are_failures(folder: Path) -> None:
    path = folder / FILE
    checks = {"code = '1 + 1'\nanswer = '3'": "expected the answer '3', got '2'"}
    checks |= {"code = '1/0'": "expected no failure, but ZeroDivisionError: division by zero"}
    checks |= {"code = '1'\nfails = true": "expected a failure, but it ended without an error"}
    path.write_text(
        "version = 1\n" + "".join(f"[[acceptance]]\nname = 'n{i}'\n{each}\n" for i, each in enumerate(checks))
    )
    done = smolcell_here("doctor", *AUTO, "--contract", FILE, folder=folder)
    assert done.returncode == 1
    for number, said in enumerate(checks.values()):
        assert f"FAILED      accepted if n{number}: {said}" in done.stdout
    unasked = smolcell_here("doctor", "--contract", FILE, folder=folder)  # no one can be asked
    assert unasked.returncode == 1
    assert "FAILED      accepted if n0: it was not allowed, so it did not run" in unasked.stdout
    path.write_text("version = 1\n[policy]\nlimits.max_steps = 2\n[[acceptance]]\nname = 'n'\ncode = '1'\n")
    beyond = smolcell_here("doctor", *AUTO, "--contract", FILE, folder=folder)
    assert beyond.returncode == 1
    assert "FAILED      the contract: limits.max_steps is 20, and 2 is the most" in beyond.stdout
    assert "not tried   accepted if n: the contract is exceeded" in beyond.stdout


class Page(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.given: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.given += [(name, value or "") for name, value in attrs]


def test_a_report_holds_the_run_with_approvals_and_digests_and_no_script(folder: Path, state_dir: Path) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    recording(folder / "h.jsonl", "Go.", f"print({hostile!r})", f"final_answer({hostile!r})")
    assert smolcell_here("run", "Go.", "--replay", "h.jsonl", "-a", "auto", folder=folder).returncode == 0
    (journal,) = (state_dir / "journals").glob("*.jsonl")
    done = smolcell_here("report", str(journal), folder=folder)
    assert done.returncode == 0, done.stderr
    page = Page(done.stdout)
    assert page.tags.isdisjoint({"script", "iframe", "object", "embed", "link", "form", "a", "base"})
    assert not [name for name, _ in page.given if name.startswith("on") or name in ("href", "srcset", "action")]
    assert all(value.startswith("data:") for name, value in page.given if name == "src")
    assert "unchanged since it was written" in done.stdout and "auto-approval" in done.stdout
    digests = re.findall(r"<td>SHA-256 of the (\w+)</td><td>(\w{64})</td><td>(\w{64})</td>", done.stdout)
    assert [name for name, ours, receipts in digests if ours == receipts] == ["code", "outputs", "answer"]
    journal.write_text(journal.read_text().replace("alert(1)", "alert(2)"))
    changed = smolcell_here("report", str(journal), "-o", "page.html", folder=folder)
    assert changed.returncode == 0, changed.stderr
    assert "NOT as it was written" in (folder / "page.html").read_text()


def test_a_report_of_nothing_is_an_error(folder: Path) -> None:
    done = smolcell_here("report", "r.jsonl", folder=folder)
    assert done.returncode == 1
    assert "has no run. A journal is a .jsonl file" in done.stderr
    assert smolcell_here("report", "nowhere.jsonl", folder=folder).returncode == 1
