"""Whether the page stays quick and small in a long session: ``python tests/benchmarks/bench_page.py``.

Budgets: of 500 steps the last 50 take no longer to show than the first 50 (a ratio of about 1; layout is in it; both are shown in
turns, so that a busy machine is busy for both); after 10,000 chunks of output the page holds what it may hold of one output, and no
more. Heap is what JavaScript holds after a garbage collection; text is what the card's nodes hold. Needs Chromium
(``SMOLCELL_CHROMIUM``).
"""

from __future__ import annotations

import os
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "browser"))

from bare import ASKED, BareCard
from playwright.sync_api import Browser, Page, sync_playwright

STEPS, EDGE = 500, 50
CHUNKS, FEW = 10_000, 1_000

# What a step of everyday size sends, and the time that the card and the layout after it take.
SHOW_STEPS = """([from, to]) => {
    const usage = { input_tokens: 900, output_tokens: 60, cost: 0.001 };
    const code = Array.from({ length: 12 }, (_, line) => `total_${line} = sum(value for value in column if value > ${line})`).join("\\n");
    const shown = (type, more) => window.say({ type, ...more });
    const event = (event, step, more) => shown("event", { event: { event, run: "r", step, ...more } });
    const took = [];
    for (let step = from; step <= to; step++) {
        const began = performance.now();
        for (const word of "I look at the columns and add up what is there.".split(/(?= )/))
            shown("delta", { delta: { channel: "reply", step, text: word } });
        event("Replied", step, { text: "I look at the columns.", reasoning: "", usage, model: "m", duration: 1 });
        event("Proposed", step, { text: code, kind: "code", thought: "I look.", fingerprint: `f${step}`,
            findings: [{ kind: "name", text: "total_1", line: 0, risk: "none" }] });
        shown("pending", { pending: { run: "r", step, fingerprint: `f${step}` } });
        document.body.offsetHeight;
        shown("pending", { pending: null });
        event("Allowed", step, { text: code, sha256: "0".repeat(64), by: "person", kind: "code", edited: false, scope: "step",
            comment: "" });
        for (let line = 0; line < 10; line++)
            shown("delta", { delta: { channel: "output", step, text: `line ${line} of some output\\n` } });
        event("Observed", step, { stdout: "line of some output\\n".repeat(10), result: "", outputs: [], error: null, changed: ["total_1"],
            is_final_answer: false, dropped: 0, state_lost: false, duration: 0.1 });
        document.body.offsetHeight;
        took.push(performance.now() - began);
    }
    return took;
}"""
SHOW_CHUNKS = """([count, step]) => {
    const began = performance.now();
    for (let n = 0; n < count; n++)
        window.say({ type: "delta", delta: { channel: "output", step, text: `${n}: ${"some text that a loop prints "}\\n` } });
    document.body.offsetHeight;
    return performance.now() - began;
}"""


def main() -> None:
    executable = os.environ.get("SMOLCELL_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        steps(browser)
        chunks(browser)
        browser.close()


def steps(browser: Browser) -> None:
    few, many = card(browser), card(browser)
    for start in range(1, STEPS - EDGE, EDGE):
        many.evaluate(SHOW_STEPS, [start, start + EDGE - 1])
        many.wait_for_timeout(50)  # as ever between messages: the page draws
    first: list[float] = []
    last: list[float] = []
    for step in range(1, EDGE + 1):
        first += few.evaluate(SHOW_STEPS, [step, step])
        last += many.evaluate(SHOW_STEPS, [STEPS - EDGE + step, STEPS - EDGE + step])
    took = statistics.median(first), statistics.median(last)
    print(
        f"{STEPS} steps, milliseconds a step, median: first {EDGE} {took[0]:.1f}, last {EDGE} {took[1]:.1f}, ratio {took[1] / took[0]:.2f}"
    )
    print(f"  the page after them: {held(many)}")


def chunks(browser: Browser) -> None:
    page = card(browser)
    print(f"before any output: {held(page)}")
    took = page.evaluate(SHOW_CHUNKS, [FEW, 1])
    print(f"after {FEW:,} chunks: {held(page)}; {took / FEW:.3f} ms a chunk")
    took = page.evaluate(SHOW_CHUNKS, [CHUNKS - FEW, 1])
    print(f"after {CHUNKS:,} chunks: {held(page)}; {took / (CHUNKS - FEW):.3f} ms a chunk")


def card(browser: Browser) -> Page:
    shown = BareCard(browser.new_page(viewport={"width": 900, "height": 900}))
    shown.push(ASKED)
    return shown.page


def held(page: Page) -> str:
    """What the page holds now: heap of JavaScript, nodes and text of the card."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics: dict[str, Any] = {
        each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]
    }
    text = page.evaluate("document.querySelector('.smolcell-card').textContent.length")
    return f"heap {metrics['JSHeapUsedSize'] / 1e6:.2f} MB, {metrics['Nodes']:,.0f} nodes, {text:,} characters of text"


if __name__ == "__main__":
    main()
