"""``final_answer``: recorded when it is called, and the end of the step."""

from __future__ import annotations

from smolcell.testing.checks.check import check
from smolcell.testing.trial import Trial, expect, ok


@check
async def final_answer(trial: Trial) -> None:
    """``final_answer`` ends the step there; its value is the output."""
    observed = ok(await trial.run("print('before')\nfinal_answer({'a': (1, None)})\nprint('after')\n5"))
    expect(
        (observed.output, observed.is_final_answer, observed.stdout),
        ({"a": (1, None)}, True, "before\n"),
        "output, is_final_answer and what was printed",
    )
    expect(ok(await trial.run("5")).is_final_answer, False, "is_final_answer of the next step")


@check
async def answer_is_kept(trial: Trial) -> None:
    """A final answer is not lost to an ``except`` around it, an error after it, or a function it is called in."""
    for code in (
        "try:\n    final_answer(7)\nexcept BaseException:\n    pass",
        "try:\n    final_answer(7)\nexcept:\n    1 / 0",
        "try:\n    final_answer(7)\nfinally:\n    print('tidy')",
        "def answer():\n    final_answer(7)\n[answer() for _ in range(2)]",
        "class A:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\nwith A(): final_answer(7)",
        "async def answer():\n    final_answer(7)\nawait answer()",
    ):
        observed = await trial.run(code)
        expect(
            (observed.error, observed.output, observed.is_final_answer),
            (None, 7, True),
            f"error, output, flag of {code!r}",
        )


@check
async def first_answer(trial: Trial) -> None:
    """Of two final answers of one step the first one counts."""
    for code in (
        "try:\n    final_answer('first')\nfinally:\n    final_answer('second')",
        "for n in ('first', 'second'):\n    try: final_answer(n)\n    except BaseException: pass",
    ):
        observed = ok(await trial.run(code), repr(code))
        expect((observed.output, observed.is_final_answer), ("first", True), f"the answer of {code!r}")


@check
async def answer_needs_a_value(trial: Trial) -> None:
    """``final_answer`` without a value, or with two, is the code's error and no answer."""
    for code in ("final_answer()", "final_answer(1, 2)"):
        observed = await trial.run(code)
        found = (observed.error and observed.error.type, observed.is_final_answer)
        expect(found, ("TypeError", False), f"error and flag of {code}")
    expect(ok(await trial.run("final_answer(None)")).is_final_answer, True, "whether None is an answer")
