"""Everyday programs over the packages that analysts use: in level full they do what CPython does, in guarded most of them do."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from smolcell.errors import InterpreterError, SandboxError
from smolcell.executors.local import LocalPythonExecutor

HERE = Path(__file__).parent
PROGRAMS = (HERE / "everyday.txt").read_text("utf-8").rstrip("\n").split("\n---\n")
PLAIN = [text for text in PROGRAMS if not text.startswith(("%", "!", "files = !"))]  # what CPython knows
REFUSED = dict(zip(*[iter((HERE / "everyday_guarded.txt").read_text("utf-8").splitlines())] * 2, strict=True))
SOME = [
    text for text in PROGRAMS[::4] if not re.search("altair|sympy|joblib|scipy", text)
]  # those that are quick tests


class Reference:
    """The text that each of these programs prints under CPython, one after the other in one process, while the tests run.

    Args:
        programs: in the order in which they are run.
        results: a line of JSON for each program.
    """

    def __init__(self, programs: list[str], results: IO[str]) -> None:
        self._results = zip(programs, results, strict=True)
        self._printed: dict[str, str] = {}

    def __getitem__(self, text: str) -> str:
        while text not in self._printed:
            program, line = next(self._results)
            self._printed[program] = json.loads(line)
        return self._printed[text]


@pytest.fixture(scope="module")
def expected(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reference]:
    folder = tmp_path_factory.mktemp("reference")
    slow = any(item.path == request.path and item.get_closest_marker("slow") for item in request.session.items)
    plain = [text for text in PLAIN if slow or text in SOME]
    (folder / "programs.json").write_text(json.dumps(plain))
    with (folder / "programs.json").open() as programs:
        running = subprocess.Popen(
            [sys.executable, str(HERE / "reference_run.py")],
            stdin=programs,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
            env={**os.environ, "MPLBACKEND": "Agg"},
            start_new_session=True,  # workers of joblib outlive their programs for minutes
        )
    assert running.stdout is not None
    try:
        yield Reference(plain, running.stdout)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        running.stdout.close()


@pytest.fixture(scope="module")
def full() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(python="full", timeout=280) as executor:
        yield executor


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=() if text in SOME else pytest.mark.slow) for text in PLAIN],
    ids=lambda text: text.split("\n")[0][:50],
)
def test_program_does_in_full_what_it_does_under_cpython(
    full: LocalPythonExecutor, expected: Reference, text: str
) -> None:
    if "subprocess" in text and not (shutil.which("sh") and shutil.which("echo")):
        pytest.skip("needs sh and echo on the PATH")
    assert not expected[text].rstrip().endswith("Error"), expected[text]
    assert without_ids(full(text).logs) == without_ids(expected[text])


def without_ids(printed: str) -> str:
    """Without the numbers that Bokeh counts all that a process has made by."""
    return re.sub(r"id='p\d+'", "id=…", printed)


@pytest.mark.slow
def test_most_programs_run_guarded_if_their_imports_are_authorised(expected: Reference) -> None:
    """Those that do not are in everyday_guarded.txt, each with its message on the next line; ``pytest -s`` prints that file."""
    failed = {}
    with LocalPythonExecutor(["*"], timeout=120) as executor:
        for text in PROGRAMS:
            start = text.replace("\n", " ⏎ ")[:120]
            try:
                printed = executor(text).logs
            except (InterpreterError, SandboxError) as error:
                failed[start] = "    " + re.sub(r"pym-\S+", "pym-…", str(error).splitlines()[0])
            else:
                if text in PLAIN and without_ids(printed) != without_ids(expected[text]):
                    failed[start] = f"    printed {printed!r}"
    print(*itertools.chain.from_iterable(failed.items()), sep="\n")
    assert failed.keys() <= REFUSED.keys()
    assert failed == REFUSED or sys.version_info[:2] != (3, 11)  # other versions word some messages otherwise
    assert len(failed) <= 0.15 * len(PROGRAMS)


FUNCTIONS = (HERE / "functions.txt").read_text("utf-8").rstrip("\n").split("\n---\n")
RUN_TESTS = """
import io, unittest
noted = io.StringIO()
result = unittest.TextTestRunner(stream=noted).run(unittest.defaultTestLoader.loadTestsFromTestCase(TestCases))
final_answer([result.testsRun > 0, result.wasSuccessful(), "" if result.wasSuccessful() else noted.getvalue()])
"""


@pytest.mark.parametrize("text", FUNCTIONS, ids=lambda text: re.findall(r"def (\w+)", text)[0])
def test_function_passes_its_unit_tests_in_full(full: LocalPythonExecutor, text: str) -> None:
    assert full(text + RUN_TESTS).output == [True, True, ""]
