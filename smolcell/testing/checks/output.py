"""What a step prints and shows: in order, while it runs, whole, and bounded."""

from __future__ import annotations

import asyncio
import time

from smolcell.events import Delta, Observed
from smolcell.testing.checks.check import check
from smolcell.testing.trial import Trial, expect, ok, that


@check
async def both_streams(trial: Trial) -> None:
    """stdout and stderr come together, in the order in which they were written."""
    code = (
        "import sys\nfor i in range(5):\n    print('out', i)\n    print('err', i, file=sys.stderr)\n"
        "print('no end', end='')"
    )
    observed = ok(await trial.run(code, trial.given(additional_authorized_imports=["sys"])))
    expect(observed.stdout, "".join(f"out {i}\nerr {i}\n" for i in range(5)) + "no end", "what was printed")


@check
async def streaming(trial: Trial) -> None:
    """Output is shown while the step runs; each piece once, in order, and none after its end."""
    executor = trial.given()
    pieces: list[Delta] = []

    async def seen(text: str) -> bool:
        """Called by the code: waits until the text was shown."""
        await trial.eventually(lambda: text in "".join(piece.text for piece in pieces), f"{text!r} is shown")
        return True

    await trial.lend(executor, seen=seen)
    code = "found = []\nfor i in range(4):\n    print('piece', i)\n    found.append(seen(f'piece {i}\\n'))\nprint('last')\nfound"
    permit = await trial.permit(code)
    observed = ok(await trial.run_permit(permit, executor, pieces.append))
    heard = len(pieces)
    expect(observed.output, [True] * 4, "whether each piece was shown before the step went on")
    expect("".join(piece.text for piece in pieces), observed.stdout, "the pieces together")
    expect({(p.channel, p.run, p.step) for p in pieces}, {("output", permit.run, permit.step)}, "what the pieces say")
    await asyncio.sleep(0.2)
    expect(len(pieces), heard, "the number of pieces some time after the step's end")


@check
async def whole_characters(trial: Trial) -> None:
    """No character is cut in two, wherever the bytes were."""
    code = (
        "import sys, time\nfor byte in '🧪ü'.encode():\n    sys.stdout.buffer.write(bytes([byte]))\n"
        "    sys.stdout.buffer.flush()\n    time.sleep(0.06)\nprint('漢' * 5000)"
    )
    pieces: list[str] = []
    executor = trial.given(additional_authorized_imports=["sys"])
    observed = ok(await trial.run(code, executor, lambda delta: pieces.append(delta.text)))
    expect(observed.stdout, "🧪ü" + "漢" * 5000 + "\n", "what was printed")
    expect(sorted("".join(pieces)), sorted(observed.stdout), "the characters of all pieces")


@check
async def pace(trial: Trial) -> None:
    """Output that comes in a trickle is shown in at most about twenty pieces a second."""
    times: list[float] = []
    code = "import time\nfor i in range(300):\n    print(i)\n    time.sleep(0.003)"
    observed = ok(await trial.run(code, seen=lambda _: times.append(time.monotonic())))
    expect(observed.stdout, "".join(f"{i}\n" for i in range(300)), "what was printed")
    most = 25 * (times[-1] - times[0]) + 5 if times else 0
    that(1 <= len(times) <= most, f"300 lines came in {len(times)} pieces, more than twenty a second")


@check
async def flood(trial: Trial) -> None:
    """Endless printing is bounded: the step ends at its limit, the head is kept, and what was left out is said."""
    limit = 2000
    pieces: list[str] = []
    executor = trial.given(timeout=1.5, max_print_outputs_length=limit)
    observed = await trial.run(
        "i = 0\nwhile True:\n    print(i, '🧪' * 50)\n    i += 1", executor, lambda d: pieces.append(d.text)
    )
    expect(observed.error and observed.error.kind, "limit", "the kind of error that ended it")
    that(observed.stdout.startswith("0 🧪"), f"the head is not kept: {observed.stdout[:40]!r}")
    that(
        len(observed.stdout) <= limit + 500,
        f"{len(observed.stdout)} characters were kept of a step that may print {limit}",
    )
    that(observed.dropped > limit, f"{observed.dropped} characters are said to be dropped")
    that("dropped" in observed.stdout, "nothing in the output says that some of it was dropped")
    that(sum(map(len, pieces)) <= limit, f"{sum(map(len, pieces))} characters were streamed of {limit}")
    that(len(pieces) <= 25 * (1.5 + trial.patience), f"{len(pieces)} pieces were streamed")
    expect(ok(await trial.run("print('again')", executor)).stdout, "again\n", "what the next step printed")


@check
async def shown_values(trial: Trial) -> None:
    """``display`` and the last expression give bundles by MIME type, in order; a representation that fails is left out."""
    code = (
        "class Card:\n    def _repr_html_(self): return '<b>hi</b>'\n    def __repr__(self): return 'Card'\n"
        "class Broken:\n    def _repr_html_(self): 1 / 0\n    def __repr__(self): return 'B'\n"
        "display(Card(), Broken())\nCard()"
    )
    observed = ok(await trial.run(code))
    card = {"text/html": "<b>hi</b>", "text/plain": "Card"}
    expect([dict(bundle.data) for bundle in observed.outputs], [card, {"text/plain": "B"}, card], "the bundles")
    expect(ok(await trial.run("1")).outputs, (), "the bundles of the next step")


@check
async def tables_shown(trial: Trial) -> None:
    """A DataFrame as the last expression is shown as an HTML table."""
    executor = await trial.library("pandas")
    observed = ok(await trial.run("import pandas as pd\npd.DataFrame({'amount': [1, 2]})", executor))
    html = [bundle.data.get("text/html", "") for bundle in observed.outputs]
    that(len(html) == 1 and "<table" in html[0] and "amount" in html[0], f"no table in {html!r:.300}")


@check
async def figures(trial: Trial) -> None:
    """Figures that are left open are shown as images, once, and closed."""
    executor = await trial.library("matplotlib")
    code = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.figure()\nplt.plot([2, 1])\nplt.show()\nprint('drawn')"
    )
    images = [bundle.data.get("image/png", "")[:5] for bundle in ok(await trial.run(code, executor)).outputs]
    expect(images, ["iVBOR", "iVBOR"], "the beginnings of the images")  # PNG in base64
    expect(ok(await trial.run("len(plt.get_fignums())", executor)).output, 0, "the figures that are still open")
    expect(_mimes(ok(await trial.run("1", executor))), [], "what the next step showed")


@check
async def shown_is_bounded(trial: Trial) -> None:
    """What a step shows is bounded in number and size, and what is left out is said."""
    observed = ok(await trial.run("for i in range(500): display(i)"))
    that(0 < len(observed.outputs) <= 100, f"{len(observed.outputs)} outputs of one step")
    that("left out" in observed.stdout, "nothing says that outputs were left out")
    code = (
        "class Huge:\n    def _repr_png_(self): return b'\\x89PNG' + bytes(40_000_000)\n"
        "    def _repr_html_(self): return 'x' * 40_000_000\nHuge()"
    )
    observed = ok(await trial.run(code))
    size = sum(len(text) for bundle in observed.outputs for text in bundle.data.values())
    that(size < 25_000_000, f"{size} characters were shown")


def _mimes(observed: Observed) -> list[str]:
    return [mime for bundle in observed.outputs for mime in bundle.data]
