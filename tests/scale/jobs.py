"""Jobs for tests: tasks, recordings that answer them, and the command in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from smolcell.scale import AgentSpec


def two_steps(number: int) -> list[str]:
    return [f"x = {number}\nprint(x)", "final_answer(x * 2)"]


def job(folder: Path, count: int, programs: Callable[[int], Iterable[str]] = two_steps) -> tuple[Path, Path]:
    """A file of tasks, and a recording with the programs that answer each."""
    tasks, replay = folder / "tasks.jsonl", folder / "replay.jsonl"
    with tasks.open("w") as asked, replay.open("w") as recorded:
        recorded.write(json.dumps({"format": "smolcell-recording", "version": 1, "model": "by hand"}) + "\n")
        for number in range(count):
            task = f"Task number {number}."
            asked.write(json.dumps({"id": f"t{number}", "task": task}) + "\n")
            for program in programs(number):
                text = f"Next.\n<code>\n{program}\n</code>"
                recorded.write(json.dumps({"task": task, "text": text}) + "\n")
    return tasks, replay


def spec(replay: Path, **options: Any) -> AgentSpec:
    return AgentSpec(replay=str(replay), **{"approve": "auto", **options})


def command(tasks: Path, replay: Path, out: Path, *words: str) -> list[str]:
    given = ["-m", "smolcell", "map", str(tasks), "-o", str(out), "--replay", str(replay), "-a", "auto", *words]
    return [sys.executable, *given]


def run(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    words = (sys.executable, "-m", "smolcell", *words)
    return subprocess.run(
        words, capture_output=True, text=True, timeout=240, check=False, cwd=folder, stdin=subprocess.DEVNULL
    )


def rows(out: Path) -> list[dict[str, Any]]:
    """The rows of a job; a line that is no whole row is an error."""
    return [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]


def written(out: Path) -> int:
    path = out / "rows.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0
