"""What the guard lets through meets the audit hook: files, network, processes, C, text that libraries compile."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from guarded import Case, Unwalled, cases

from smolcell.errors import ForbiddenError, InterpreterError
from smolcell.executors.local import LocalPythonExecutor

IMPORTS = """
    codecs configparser ctypes dbm fileinput functools gc glob gzip importlib.machinery io linecache logging
    logging.handlers numpy.* os pandas.* pathlib pickle platform pyarrow.* shelve shutil signal socket sqlite3 subprocess
    tarfile tempfile threading timeit tracemalloc urllib.request weakref yaml zipfile matplotlib.* PIL.* cProfile concurrent.*
    types asyncio code multiprocessing multiprocessing.pool jinja2 xml.* unittest.mock resource sys
""".split()


class Lab(NamedTuple):
    """A sandbox, and a folder that is none of its business."""

    executor: LocalPythonExecutor
    outside: Path

    def run(self, code: str) -> object:
        return self.executor(code.replace("@OUT", str(self.outside))).output

    def refused(self, code: str) -> None:
        with pytest.raises(InterpreterError) as caught:
            self.run(code)
        self.is_untouched()
        said = str(caught.value)
        assert re.search("[Ff]orbidden|not allowed|not authorized|denied|[Oo]ptional dependency|outside", said)
        assert "CANARY" not in caught.value.logs + said

    def is_untouched(self) -> None:
        assert sorted(path.name for path in self.outside.iterdir()) == ["secret.csv", "secret.db"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.csv").write_text("CANARY,1\n")
    with sqlite3.connect(outside / "secret.db") as made:
        made.execute("create table CANARY (a)")
    made.close()
    executor = Unwalled(IMPORTS, timeout=60)
    yield Lab(executor, outside)
    executor.close()


@cases("hook/files.txt", "hook/network.txt", "hook/processes.txt", "hook/interpreter.txt")
def test_the_standard_library_reaches_nothing_outside(lab: Lab, case: Case) -> None:
    modules = [name for name in IMPORTS if name.partition(".")[0] in case.code and not name.endswith(".*")]
    lab.refused("".join(f"import {name}\n" for name in modules) + case.code)


@cases("hook/numpy.txt", "hook/pandas.txt", "hook/pyarrow.txt", "hook/matplotlib.txt", "hook/PIL.txt")
def test_data_libraries_reach_nothing_outside(lab: Lab, case: Case) -> None:
    pytest.importorskip(case.file)
    lab.refused(case.code)


@cases("hook/later.txt")
def test_no_later_moment_and_no_other_thread_is_free_of_it(lab: Lab, case: Case) -> None:
    try:
        lab.run(case.code)
    except InterpreterError:
        pass
    lab.run("for thread in threads: thread.join()")
    lab.is_untouched()


REFUSALS = {
    "pathlib.Path('@OUT/secret.csv').read_text()": r"secret\.csv lies outside the work folder. Use a relative path",
    "socket.socket()": r"network \(socket.__new__\): the sandbox has none. Ask for a tool",
    "multiprocessing.get_context('spawn').Process(target=print).start()": "Forbidden start or control of a process",
    "timeit.timeit('open(1)', number=1)": "Forbidden name in text that is compiled: open",
}


@pytest.mark.parametrize(("code", "said"), REFUSALS.items(), ids=REFUSALS)
def test_a_refusal_says_what_to_do(lab: Lab, code: str, said: str) -> None:
    with pytest.raises(ForbiddenError, match=said):
        lab.run(f"import multiprocessing, pathlib, socket, timeit\n{code}")


@cases("hook/ordinary.txt")
def test_ordinary_programs_do_not_notice_it(lab: Lab, case: Case) -> None:
    assert lab.run(case.code) == case.value
