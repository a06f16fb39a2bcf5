"""What a person and a model read when code fails: the reason, the line, what is allowed instead; and what a direct call raises."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from smolcell.core.prompt import observation
from smolcell.errors import ForbiddenError, InterpreterError, LimitError
from smolcell.executors.local import LocalPythonExecutor
from smolcell.testing import Trial
from smolcell.worker.runner.errors import ADVICE, with_advice


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    with Trial(LocalPythonExecutor) as trial:
        yield trial


def read(trial: Trial, code: str, **options: object) -> str:
    """What the model reads of a step."""
    return observation(trial.perform(trial.run(code, trial.given(**options), step=4), 60))


def test_a_refused_import_quotes_its_line_and_names_what_may_be_imported(trial: Trial) -> None:
    text = read(trial, "print('never')\nimport os, json")
    assert text.startswith(
        'Observation of step 4:\nError (line 2):\n  File "<step 4>", line 2\n    import os, json\n'
        "ForbiddenError: Import of os is not allowed; authorized imports are, for example: "
    )
    assert len(text) < 400


@pytest.mark.parametrize(
    ("code", "line", "thing", "instead"),
    [
        ("x = Exception()\nx.__dict__", 2, "__dict__", "vars(x)"),
        ("x = 1\n\ngetattr(x, '__cl' + 'ass__')", 3, "__class__", "type(x)"),
        ("'{0.__class__}'.format(1)", 1, "__class__", "type(x)"),
        ("import random\nrandom._os", 2, "os", "its own name, if it is authorized"),
        ("open('/etc/hostname')", 1, "/etc/hostname", "relative path"),
        ("print = 3", 1, "print", "another name"),
        ("eval('1')", 1, "eval", "Instead, "),
    ],
)
def test_a_refusal_names_line_thing_and_what_is_allowed_instead(
    trial: Trial, code: str, line: int, thing: str, instead: str
) -> None:
    text = read(trial, code)
    assert f"Error (line {line}):\n" in text
    assert f"    {code.splitlines()[line - 1]}\n" in text
    *_, reason, last = text.split("\n")
    assert re.match(rf"ForbiddenError: .*{re.escape(thing)}.*{re.escape(instead)}", reason), reason
    assert last == f"What comes after line {line} did not run."


def test_every_kind_of_refusal_gets_an_advice_once() -> None:
    for start, instead in ADVICE:
        message = with_advice(f"{start} x")
        assert message == f"{start} x. Instead, {instead}"
        assert with_advice(message) == message
    assert with_advice("Something else") == "Something else"


def test_a_limit_is_read_as_the_limit_with_the_place_where_it_was_reached(trial: Trial) -> None:
    text = read(trial, "print('going')\nn = 0\nwhile True:\n    n += 1", timeout=0.3)
    assert re.fullmatch(
        r"Observation of step 4:\nPrinted:\ngoing\nError \(line [34]\):\nTraceback \(most recent call last\):\n"
        r'  File "<step 4>", line [34], in <module>\n    (while True:|n \+= 1)\n'
        r"TimeoutError: the step took longer than 0\.3 s and was ended; its variables are kept\. Do less in one step\n"
        r"What comes after line [34] did not run\.",
        text,
    )
    text = read(trial, "x = bytearray(10 ** 9)", memory=256)
    assert text.endswith(
        "    x = bytearray(10 ** 9)\nMemoryError: the step reached the memory limit of 256 MB. Work on smaller parts of the data\n"
        "What comes after line 1 did not run."
    )


def test_a_traceback_goes_through_decorators_tools_and_libraries_by_the_codes_own_lines(trial: Trial) -> None:
    executor = trial.given()
    trial.perform(trial.lend(executor, broken=int), 30)
    code = (
        "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def inner(*a): return f(*a)\n    return inner\n"
        "@logged\n@functools.lru_cache\ndef ask(x): return broken(x)\n"
        "sorted(['a'], key=ask)"
    )
    text = observation(trial.perform(trial.run(code, executor, step=1), 60))
    assert text.split("\n")[2:] == [
        "Traceback (most recent call last):",
        '  File "<step 1>", line 9, in <module>',
        "    sorted(['a'], key=ask)",
        '  File "<step 1>", line 4, in inner',
        "    def inner(*a): return f(*a)",
        '  File "<step 1>", line 8, in ask',
        "    def ask(x): return broken(x)",
        "ValueError: invalid literal for int() with base 10: 'a'",
        "What comes after line 8 did not run.",
    ]


def test_a_direct_call_raises_with_type_logs_and_the_lines() -> None:
    with LocalPythonExecutor(["csv"], timeout=60, max_print_outputs_length=None) as executor:
        for code, kind, name in (
            ("print('so far')\nimport csv\ncsv.reader(5)", InterpreterError, "TypeError"),
            ("print('so far')\nopen('/etc/hostname')", ForbiddenError, "ForbiddenError"),
            ("print('so far')\nwhile True: pass", LimitError, "TimeoutError"),
        ):
            executor.timeout = 0.3 if kind is LimitError else 60
            with pytest.raises(InterpreterError) as caught:
                executor(code)
            assert (type(caught.value), caught.value.exception_type, caught.value.logs) == (kind, name, "so far\n")
            assert re.match(r"line [23]: ", str(caught.value))
            assert code.split("\n")[-1] in caught.value.__notes__[0]
        executor.timeout = 60
        assert executor("print('x')\n1").logs == "x\n"
        assert executor.max_print_outputs_length == 20_000
