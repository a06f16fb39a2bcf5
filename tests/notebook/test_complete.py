"""Completion of ``%%agent``'s option line, and the table of the options that the page has."""

from __future__ import annotations

import json
import math
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cells import plain_shell
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

from smolcell.executors import EXECUTORS
from smolcell.notebook import extension
from smolcell.notebook.completion import complete, complete_task, option_table, options
from smolcell.notebook.context import Cells

ROOT = Path(__file__).resolve().parents[2]
LINES, TASKS = json.loads(Path(__file__).with_name("completions.json").read_text(encoding="utf-8")).values()
OWN: dict[str, Any] = {"sales": [1], "scores": {}, "shout": str.upper, "math": math, "_hidden": 1}


def test_the_page_has_the_options_that_the_kernel_reads() -> None:
    kept = ROOT / "labextension" / "src" / "lab" / "options.json"
    written = runpy.run_path(str(ROOT / "scripts" / "write_options.py"))["text"]()
    assert kept.read_text(encoding="utf-8") == written, "run: python scripts/write_options.py"
    assert json.loads(written) == option_table()


def test_the_built_page_has_the_options_too() -> None:
    built = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "share").rglob("static/*.js"))
    missing = [option.help for option in options() if option.help not in built.replace("\\", "")]
    assert not missing, "run: npm --prefix labextension run build"


def test_every_option_says_what_it_is_for() -> None:
    for option in options():
        assert option.help, option
        assert "%%" not in option.help


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_what_may_stand_at_the_cursor(line: str, expected: list[Any] | None) -> None:
    assert complete(line, OWN) == (expected and tuple(expected))


def test_between_two_words_every_option_may_stand() -> None:
    assert complete("%%agent --new ", OWN) == ("", [option.flags[-1] for option in options()])
    assert complete("%%agent -s ", OWN) == ("", sorted(EXECUTORS))


class DataFrame:
    columns, dtypes = ("day",), ("int64",)

    def __len__(self) -> int:
        return 1


TABLES: dict[str, Any] = {**OWN, "frame": DataFrame()}


@pytest.mark.parametrize(("task", "expected"), TASKS)
def test_what_a_task_may_name_at_the_cursor(
    task: str, expected: list[Any] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for name in ("notes.md", "my notes.md", ".env", "data/a.csv"):
        (tmp_path / name).write_text("")
    history = SimpleNamespace(input_hist_raw=["", "x = 1", "%%agent\nDo it.", "y = 2"])
    cells = Cells(SimpleNamespace(history_manager=history, user_ns={}))

    assert complete_task(task, TABLES, cells) == (expected and tuple(expected))
    assert complete_task("@cell[", TABLES, cells, "] and") == ("@cell[", ["@cell[3", "@cell[1"])


def completions(shell: InteractiveShell, code: str, at: int) -> list[str]:
    with provisionalcompleter():
        return [code[: found.start] + found.text for found in shell.Completer.completions(code, at)]


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with plain_shell() as made:
        made.Completer.use_jedi = False
        made.user_ns["sales"] = [1]
        yield made


def test_ipython_completes_the_option_line_by_it_and_nothing_else(shell: InteractiveShell) -> None:
    before = list(shell.Completer.custom_matchers)
    extension.load(shell)
    try:
        line = "%%agent --approve r"
        assert completions(shell, f"{line}\nsum them", len(line)) == ["%%agent --approve risky"]
        assert completions(shell, "%%agent -i sa\n", 13) == ["%%agent -i sales"]
        assert completions(shell, "%%agent -m x\nSum @sa", 20) == ["%%agent -m x\nSum @sales"]
        assert "sales" in [text[-5:] for text in completions(shell, "x = 1\nsal", 9)]
        assert completions(shell, "x = 1\n%%agent --approve r", 25) != ["x = 1\n%%agent --approve risky"]
    finally:
        extension.unload(shell)
    assert shell.Completer.custom_matchers == before
