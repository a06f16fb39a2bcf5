"""Jobs for tests: tasks, recordings that answer them, and the command in a process of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from processes import eventually

from smolcell.cli import main
from smolcell.scale import AgentSpec

PATIENCE = 200.0  # seconds


def two_steps(number: int) -> list[str]:
    return [f"x = {number}\nprint(x)", "final_answer(x * 2)"]


def job(folder: Path, count: int, programs: Callable[[int], Iterable[str]] = two_steps) -> tuple[Path, Path]:
    """A file of tasks, and a recording with the programs that answer each."""
    tasks, replay = folder / "tasks.jsonl", folder / "replay.jsonl"
    texts = [f"Task number {number}." for number in range(count)]
    rows = ({"id": f"t{number}", "task": text} for number, text in enumerate(texts))
    tasks.write_text("".join(json.dumps(row) + "\n" for row in rows))
    record(replay, {text: programs(number) for number, text in enumerate(texts)})
    return tasks, replay


def record(path: Path, programs: Mapping[str, Iterable[str]]) -> None:
    """A recording with the programs that answer each task."""
    lines: list[dict[str, Any]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    for task, texts in programs.items():
        lines += [{"task": task, "text": f"Next.\n<code>\n{text}\n</code>"} for text in texts]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def spec(replay: Path, **options: Any) -> AgentSpec:
    return AgentSpec(replay=str(replay), **{"approve": "auto", **options})


def command(tasks: Path, replay: Path, out: Path, *words: str) -> list[str]:
    """The command line of a job as a process of its own."""
    return [sys.executable, "-m", "smolcell", *line(tasks, replay, out, *words)]


def line(tasks: Path, replay: Path, out: Path, *words: str) -> list[str]:
    return ["map", str(tasks), "-o", str(out), "--replay", str(replay), "-a", "auto", *words]


def run(*words: str) -> tuple[int, str, str]:
    """Do a command here, as it is done without a terminal: its exit status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as ended:
            status = int(ended.code or 0)
    return status, out.getvalue(), err.getvalue()


def until(true: Callable[[], object], process: subprocess.Popen[str] | None = None) -> None:
    """Wait until it is true, while the process lives."""
    assert eventually(lambda: true() or (process and process.poll() is not None), PATIENCE), "it took too long"
    assert process is None or process.poll() is None, process.communicate()


def rows(out: Path) -> list[dict[str, Any]]:
    """The rows of a job; a line that is no whole row is an error."""
    return [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]


def written(out: Path) -> int:
    path = out / "rows.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0
