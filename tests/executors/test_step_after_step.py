"""What one step does to the interpreter, or to itself, spoils no later step and hangs nothing."""

from __future__ import annotations

import pytest
from local_parts import observe, programs

from smolcell.errors import InterpreterError
from smolcell.executors.local import LocalPythonExecutor

MODULES = (
    "ast builtins collections contextlib decimal enum fractions gc io json json.* locale os reprlib signal string sys threading "
    "typing uuid warnings base64 numpy.* pandas.* matplotlib.* unittest.* linecache traceback"
).split()
SPOILERS, HOSTILE = programs("spoilers.txt"), programs("hostile.txt")


@pytest.fixture(scope="module")
def shared():
    with LocalPythonExecutor(MODULES, timeout=60) as made:
        yield made


@pytest.mark.parametrize("code", SPOILERS.values(), ids=SPOILERS)
def test_a_step_does_not_spoil_the_next(make, code: str) -> None:
    executor = make(MODULES, timeout=60)
    executor("kept = {'a': [1, 2.5, None]}")
    try:
        executor(code)
    except InterpreterError:
        pass
    reply = executor(
        "print('heard')\nclass P:\n    def __repr__(self): return 'P()'\n[kept, P()].__len__(), kept['a'], 'ü'"
    )
    assert (reply.output, reply.logs) == ((2, [1, 2.5, None], "ü"), "heard\n")
    with pytest.raises(InterpreterError, match="Import of ftplib is not allowed"):
        executor("import ftplib")
    with pytest.raises(InterpreterError, match="Forbidden access to dunder attribute: __globals__"):
        executor("final_answer.__globals__")


def test_an_interrupt_still_works_when_its_handler_was_taken(make) -> None:
    executor = make(["signal"], timeout=60)
    executor("import signal\nkept = 1\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
    assert "took longer than 0.3 s" in str(observe(executor, "while True: pass", timeout=0.3).error)
    assert executor("kept").output == 1


def test_a_limit_on_recursion_is_the_program_s_own(shared: LocalPythonExecutor) -> None:
    shared("import sys\nsys.setrecursionlimit(5000)\ndef deep(n): return n and 1 + deep(n - 1)")
    assert shared("deep(3000), sys.getrecursionlimit()").output == (3000, 5000)
    shared("sys.setrecursionlimit(1000)")


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_value_ends_its_step_and_no_more(shared: LocalPythonExecutor, code: str) -> None:
    shared("kept = 41")
    try:
        reply = shared(code)
        assert len(repr(reply.output)) < 5_000_000
    except InterpreterError as error:
        assert "took longer" not in str(error)
    assert shared("kept + 1").output == 42  # the same process


@pytest.mark.slow
@pytest.mark.parametrize("end", ["A()", "final_answer(A())"])
def test_an_object_that_hangs_is_interrupted_and_the_state_kept(make, end: str) -> None:
    executor = make(timeout=1)
    executor("kept = 1")
    observe(executor, f"class A:\n    def __del__(self):\n        while True: pass\n{end}")
    observe(executor, "'the next value of _'")
    assert executor("kept").output == 1


def test_a_tool_named_final_answer_gives_the_answer_and_its_end_the_usual_one_back(make) -> None:
    executor = make(timeout=60)
    executor.send_tools({"final_answer": lambda answer: 2 * answer})
    ended = executor("try:\n    final_answer(answer=2)\nexcept Exception:\n    pass\nprint('after')")
    assert (ended.output, ended.is_final_answer, ended.logs) == (4, True, "")
    executor.set_tools({})
    ended = executor("final_answer(5)")
    assert (ended.output, ended.is_final_answer) == (5, True)
