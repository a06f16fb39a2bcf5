"""What telemetry costs: ``python tests/benchmarks/bench_telemetry.py``.

Budgets: telling an event ≤ 1 % of a step that takes a second with its model; an exporter that hangs delays a step by less than 5 ms and
the end of one run by at most 2.5 s, of later runs not at all; nothing of OpenTelemetry is imported while it is off.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

from smolcell import telemetry
from smolcell.agent import CodeAgent
from smolcell.events import Allowed, Asked, Ended, Event, Observed, Proposed, Replied
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

STEPS = 200
CODE = "<code>\nx = 1\n</code>"


def told() -> tuple[float, float]:
    """Microseconds that a step's events take to be told: median and worst."""
    observer = telemetry.observer()
    assert observer is not None

    async def run() -> list[float]:
        observer.note(Asked(run="r", task="t"), time.time())
        taken = []
        for step in range(STEPS):
            events: list[Event] = [
                Replied(run="r", step=step, text=CODE),
                Proposed(run="r", step=step, text="x = 1"),
                Allowed(run="r", step=step, text="x = 1", sha256="", by="auto"),
                Observed(run="r", step=step, stdout="x" * 1000),
            ]
            start = time.perf_counter()
            for event in events:
                observer.note(event, time.time())
            taken.append((time.perf_counter() - start) * 1e6)
            await asyncio.sleep(0.005)
        observer.note(Ended(run="r", state="success", steps=STEPS), time.time())
        await observer.flush()
        return taken

    taken = asyncio.run(run())
    return statistics.median(taken), max(taken)


def whole(steps: int = STEPS) -> float:
    """Milliseconds of a step of a run without a model, a person and a sandbox."""
    does = [Observed(stdout="1")] * (steps - 1) + [Observed(is_final_answer=True, output=1)]
    model = ScriptedModel(*[CODE] * steps)
    with CodeAgent(model=model, sandbox=MemoryExecutor(*does), gate=allow_all, max_steps=steps) as agent:
        start = time.perf_counter()
        agent.run("x")
        return (time.perf_counter() - start) / steps * 1000


def switch_on(export: Callable[[], Any]) -> None:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

    class Exporter(SpanExporter):
        def export(self, spans: Any) -> SpanExportResult:
            export()
            return SpanExportResult.SUCCESS

        def shutdown(self) -> None:
            pass

    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(Exporter(), schedule_delay_millis=100))
    telemetry.instrument(provider)


def main() -> None:
    os.environ["SMOLCELL_STATE_DIR"] = tempfile.mkdtemp()
    whole(20)
    off = statistics.median(whole(50) for _ in range(5))
    assert not [name for name in sys.modules if name.startswith("opentelemetry")], "imported while off"
    print(f"a step, telemetry off                    {off:8.2f} ms")
    for name, export in (("on", lambda: None), ("on, an exporter that hangs", threading.Event().wait)):
        switch_on(export)
        median, worst = told()
        print(f"telling a step's events, {name:<28} {median:8.1f} µs median, {worst:.1f} µs worst")
        print(f"  of a step of 1 s {median / 1e4:21.4f} %")
        print(f"a step, telemetry {name:<28} {statistics.median(whole(50) for _ in range(5)):8.2f} ms")
    start = time.perf_counter()
    whole(1)
    print(f"a run of one step, an exporter that hangs {time.perf_counter() - start:7.2f} s")


if __name__ == "__main__":
    main()
