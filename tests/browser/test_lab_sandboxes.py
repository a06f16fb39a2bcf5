"""The sandboxes in the panel of a real JupyterLab: what each does while it waits, runs, stands still and is idle, and its end."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

import pytest
from freezer import pause
from lab import FakeModel, New, Notebook
from leftovers import needs_proc
from playwright.sync_api import Locator, expect
from test_lab_panel import FOREVER, row

from smolcell.errors import SmolcellError
from smolcell.executors.docker.engine import DockerEngine
from smolcell.executors.wasm.setup import Installation
from smolcell.worker.system import processes

IMAGE = os.environ.get("SMOLCELL_TEST_IMAGE", "")
TASK = "%%agent -o answer --timeout 600 -s {}\nWhat is six times seven?"


def told(box: Locator, name: str) -> Locator:
    """One thing that is told of a sandbox."""
    return box.locator(".smolcell-panel-part").filter(has_text=re.compile(f"^{name}: "))


def does(box: Locator, state: str) -> None:
    expect(told(box, "State")).to_have_text(f"State: {state}")


def holds(box: Locator, kind: str, least: float, most: float) -> None:
    """The row names the sandbox, and tells its age, and its memory between these megabytes."""
    expect(box).to_contain_text(re.compile(rf"^{kind} · "))
    expect(told(box, "Age")).to_have_text(re.compile(r"^Age: \d+ (s|min)$"))
    memory = told(box, "Memory")
    expect(memory).to_have_text(re.compile(r"^Memory: [\d.]+ (MB|GB)$"))
    found = re.match(r"Memory: ([\d.]+) (MB|GB)", memory.text_content() or "")
    assert found is not None
    assert least < float(found[1]) * (1000 if found[2] == "GB" else 1) < most


def name_of(box: Locator) -> str:
    title = box.locator(".smolcell-panel-title").text_content() or ""
    return title.split(" · ")[1]


def end(notebook: Notebook, box: Locator) -> None:
    box.get_by_role("button", name=f"End sandbox {name_of(box)}").click()
    notebook.page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    expect(box).to_have_count(0)


@contextmanager
def stopped(box: Locator) -> Iterator[None]:
    """All processes of a sandbox stand still."""
    members = processes.find_tree(int(name_of(box).removeprefix("pid ")))
    for pid in members:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in members:
            with suppress(ProcessLookupError):  # it was ended meanwhile
                os.kill(pid, signal.SIGCONT)


@contextmanager
def paused(box: Locator) -> Iterator[None]:
    """The engine has paused the container."""
    engine, name = DockerEngine(), name_of(box)
    try:
        pause(engine, name)
        yield
        engine.client.api.unpause(name)
    finally:
        engine.close()


def follow(
    notebook: Notebook,
    still: Callable[[Locator], AbstractContextManager[None]],
    word: str,
    kind: str,
    megabytes: tuple[float, float],
) -> Locator:
    """A step waits, runs, stands still and is stopped; the panel says so at each point."""
    box = row(notebook, "Sandboxes", notebook.name)
    notebook.run(1).pending(1)
    does(box, "step 1 waits for you")
    holds(box, kind, *megabytes)
    notebook.card.approve(1).status(1, "running").shows("began")
    does(box, "running step 1")
    with still(box):
        does(box, f"{word}, in step 1")
        holds(box, kind, *megabytes)
    does(box, "running step 1")
    notebook.card.button("Stop run").click()
    notebook.card.link("over").shows("Stopped")
    does(box, "idle")
    return box


@pytest.mark.path
@needs_proc
def test_a_process_s_state_is_in_the_panel(new_notebook: New, model: FakeModel) -> None:
    model.says(FOREVER)
    notebook = new_notebook(TASK.format("local"))
    box = follow(notebook, stopped, "stopped (SIGSTOP)", "local", (10, 500))
    end(notebook, box)


@needs_proc
def test_the_state_of_webassembly_is_in_the_panel(new_notebook: New, model: FakeModel) -> None:
    try:
        Installation.find()
    except SmolcellError as error:
        pytest.skip(f"needs Deno and Pyodide: {error}")
    model.says(FOREVER)
    notebook = new_notebook(TASK.format("wasm"))
    box = follow(notebook, stopped, "stopped (SIGSTOP)", "wasm", (50, 2000))
    with stopped(box):
        does(box, "stopped (SIGSTOP)")
        end(notebook, box)


@needs_proc
def test_a_container_s_state_is_in_the_panel_and_it_is_ended_also_while_it_is_paused(
    new_notebook: New, model: FakeModel
) -> None:
    try:
        DockerEngine().close()
    except SmolcellError as error:
        pytest.skip(f"needs a Docker engine: {error}")
    model.says(FOREVER)
    notebook = new_notebook(TASK.format(f"docker:{IMAGE}" if IMAGE else "docker"))
    box = follow(notebook, paused, "paused", "docker", (5, 500))
    engine = DockerEngine()
    try:
        pause(engine, name_of(box))
    finally:
        engine.close()
    does(box, "paused")
    end(notebook, box)
