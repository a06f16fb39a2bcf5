"""What a step prints and shows, in its order, compared with the same cell in a real kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kernels import INSTALLED, KernelClient, kernel_env

from smolcell.executors.local import LocalPythonExecutor

pytest.importorskip("matplotlib")
pytestmark = pytest.mark.slow

BEGIN = """
import asyncio, sys, time
import matplotlib.pyplot as plt
from IPython.display import HTML, Markdown, clear_output, display
async def later(name):
    await asyncio.sleep(0)
    print(name)
"""
CELLS = {
    "show, and close": "plt.plot([1, 2]); plt.show(); plt.close()",
    "show in a loop": "for i in range(3): plt.plot([i, 1]); plt.show()",
    "text between pictures": "for i in range(2):\n    print('before', i)\n    plt.plot([i]); plt.show()\n    print('after', i)",
    "a display between pictures": "plt.plot([1]); plt.show(); display(Markdown('*x*')); plt.plot([2]); plt.show()",
    "a picture at the end": "plt.plot([1]); display(HTML('<b>x</b>')); print('y')",
    "closed before": "plt.plot([1]); plt.close()",
    "two figures": "plt.subplots(); plt.subplots(); print('x')",
    "a loop that clears": "for i in range(3):\n    clear_output(wait=True)\n    print(i); plt.plot([i]); plt.show()",
    "cleared at the end": "print('a'); plt.plot([1]); plt.show(); clear_output()",
    "cleared if more comes": "print('a'); display(HTML('b')); clear_output(wait=True)",
    "cleared by text": "print('a'); display(HTML('b')); clear_output(wait=True); print('c')",
    "a display that changes": "h = display(HTML('a'), display_id=True); print('x'); h.update(HTML('b'))",
    "a task": "t = asyncio.create_task(later('t')); print('x'); await t; display(HTML('y'))",
}


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KernelClient]:
    with KernelClient(kernel_env(INSTALLED), tmp_path_factory.mktemp("kernel")) as client:
        client.run(BEGIN)
        yield client


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(["*"], timeout=120) as executor:
        executor(BEGIN)
        yield executor


def of_bundle(data: Any) -> str:
    return "picture" if "image/png" in data else data.get("text/html") or data.get("text/markdown") or "?"


def in_kernel(kernel: KernelClient, code: str) -> list[str]:
    """Lines and displays, as a notebook keeps them."""
    cell = kernel.execute(code)
    kernel.idle(cell)
    seen: list[str] = []
    places: dict[str, int] = {}
    waits = False
    for message in kernel.of(cell):
        name = message.content.get("transient", {}).get("display_id")
        if message.type == "clear_output":
            waits = message.content["wait"]
            seen = seen if waits else []
        elif message.type == "update_display_data":
            seen[places[name]] = of_bundle(message.content["data"])
        elif message.type in ("stream", "display_data", "error"):
            seen, waits = [] if waits else seen, False
            if message.type == "stream":
                seen += message.content["text"].splitlines()
                continue
            places[name] = len(seen)
            seen.append(of_bundle(message.content.get("data", {})))
    return seen


def in_step(sandbox: LocalPythonExecutor, code: str) -> list[str]:
    found = sandbox(code)
    seen = found.logs.splitlines()
    places = found.places or (len(seen),) * len(found.outputs)
    for place, bundle in sorted(zip(places, found.outputs, strict=True), key=lambda pair: pair[0], reverse=True):
        seen[place:place] = [of_bundle(bundle.data)]
    return seen


@pytest.mark.parametrize("name", CELLS)
def test_a_step_shows_what_the_same_cell_shows(kernel: KernelClient, sandbox: LocalPythonExecutor, name: str) -> None:
    shown = in_kernel(kernel, CELLS[name])
    assert in_step(sandbox, CELLS[name]) == shown
    assert ("picture" in shown) == ("plt" in CELLS[name] and name not in ("closed before", "cleared at the end"))
