"""The argument of a check: makes executors of the kind under test, runs code in them, and compares results.

* A check sees an executor as a session does: one event loop, a permit for each step, values and tools sent from a thread.
* Executors of the same options are shared between checks, since starting one may cost seconds; after a check that did
  not pass they are not used again.
* Nothing here waits for ever, whatever the executor does.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import json
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from smolcell.errors import CapabilityError, SandboxError
from smolcell.events import Allowed, Delta, Observed, Proposed
from smolcell.gates import allow_all
from smolcell.protocols import Executor

T = TypeVar("T")
Make = Callable[..., Executor]


HELD = 10.0  # seconds beyond a check's time after which its loop is taken for held


class Broken(AssertionError):
    """A promise is not kept; the text says which part, what was expected, and what came."""


class Missing(Exception):
    """The sandbox declares that it cannot, and said so by name if it was asked to."""


class NotApplicable(Exception):
    """The check is about something that is not here; the text says what."""


class Trial:
    """Executors of one kind, for checks.

    Args:
        make: makes an executor from options by keyword: ``timeout`` and ``tool_timeout`` in seconds, ``memory`` in MB,
            ``max_print_outputs_length`` in characters, ``max_tool_calls``, ``additional_authorized_imports``.
        alive: names the living sandboxes of this kind (containers, machines of a provider). For sandboxes
            that are processes of this machine it is not needed: the checks list those themselves.
        patience: seconds that anything may take beyond what is promised, before it counts as broken; generous, since
            machines are busy.

    Use it as a context manager: at the end all executors are closed.
    """

    def __init__(
        self, make: Make, *, alive: Callable[[], Collection[str]] | None = None, patience: float = 20.0
    ) -> None:
        self.make = make
        self.alive = alive
        self.patience = float(patience)
        self._shared: dict[str, Executor] = {}
        self._own: list[Executor] = []
        self._lent: dict[int, dict[str, Callable[..., Any]]] = {}
        self._steps = 0
        self._loop: _LoopThread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end_check(keep=False)
        if self._loop is not None:
            self._loop.close()

    # --- for the runner of checks ---

    def perform(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a check's coroutine on the trial's loop.

        Raises:
            Broken: it took longer; or it held the loop, which is then left behind and replaced.
        """
        if self._loop is None:
            self._loop = _LoopThread()
        try:
            return self._loop.run(asyncio.wait_for(work, seconds), seconds + HELD)
        except _HeldError:
            self._loop = None
            raise Broken(
                f"the executor held the event loop for {seconds + HELD:g} s: its coroutines must not block"
            ) from None
        except TimeoutError:
            raise Broken(f"the check did not end within {seconds:g} s") from None

    def end_check(self, keep: bool) -> None:
        """Close the executors that the check made for itself; and the shared ones, unless they are to be kept."""
        ending, self._own = self._own, []
        if not keep:
            ending += self._shared.values()
            self._shared = {}
        for executor in ending:
            self._lent.pop(id(executor), None)
            _bounded(executor.close, self.patience)

    # --- for checks ---

    def fresh(self, **options: Any) -> Executor:
        """Return an executor for this check alone."""
        executor = self.make(**options)
        self._own.append(executor)
        return executor

    def given(self, **options: Any) -> Executor:
        """Return an executor that other checks use too: its namespace holds whatever they left."""
        key = repr(sorted(options.items()))
        if key not in self._shared:
            self._shared[key] = self.make(**options)
        return self._shared[key]

    async def permit(self, code: str, step: int = 0) -> Allowed:
        """Return a permit for the code, as a gate gives it."""
        self._steps += 1
        allowed = await allow_all(Proposed(run="conformance", step=step or self._steps, text=code))
        assert isinstance(allowed, Allowed)  # noqa: S101 - as code is
        return allowed

    async def run(
        self, code: str, executor: Executor | None = None, seen: Callable[[Delta], object] | None = None, step: int = 0
    ) -> Observed:
        """Run code in the executor (by default the shared one of no options)."""
        executor = executor or self.given()
        return await self.run_permit(await self.permit(code, step), executor, seen)

    async def run_permit(
        self, allowed: Allowed, executor: Executor, seen: Callable[[Delta], object] | None = None
    ) -> Observed:
        """Hand a permit to the executor; tools are those that ``lend`` lent it."""

        async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            tool = self._lent.get(id(executor), {}).get(name)
            if tool is None:
                raise Broken(f"the tool {name!r} was called, which was not lent")
            result = tool(*args, **kwargs)
            return await result if inspect.isawaitable(result) else result

        def on_output(delta: Delta) -> None:
            if seen is not None:
                seen(delta)

        return await executor.run(allowed, on_output, call_tool)

    async def lend(self, executor: Executor, **tools: Callable[..., Any]) -> None:
        """Make functions, plain or async, callable in the sandbox."""
        self._lent.setdefault(id(executor), {}).update(tools)
        await asyncio.to_thread(executor.send_tools, tools)

    async def send(self, executor: Executor, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox."""
        await asyncio.to_thread(executor.send_variables, variables)

    async def close(self, executor: Executor) -> None:
        """Close an executor from another thread."""
        try:
            await asyncio.wait_for(asyncio.to_thread(executor.close), self.patience)
        except TimeoutError:
            raise Broken(f"close() did not return within {self.patience:g} s") from None

    async def eventually(self, come_true: Callable[[], Any], what: str) -> None:
        """Wait for something that is promised to come about."""
        end = time.monotonic() + self.patience
        while not come_true():
            if time.monotonic() > end:
                raise Broken(f"{what}: not within {self.patience:g} s")
            await asyncio.sleep(0.02)

    # --- what is not there ---

    def capability(self, name: str, executor: Executor | None = None) -> Any:
        """Return a capability that an executor declares; True if it says nothing. It is known once the executor was opened."""
        declared: Mapping[str, Any] = getattr(executor or self.given(), "capabilities", {})
        return declared.get(name, True)

    async def in_code(self, name: str, code: str, executor: Executor) -> None:
        """If the capability is declared missing, the code must fail with a CapabilityError. Then the check is over.

        Raises:
            Missing: it did.
        """
        await executor.open()
        if self.capability(name, executor):
            return
        error = (await self.run(code, executor)).error
        expect(
            error is not None and error.type,
            "CapabilityError",
            f"the error of code that needs {name!r}, which is declared missing",
        )
        raise Missing(f"{name!r} is declared missing, and asking for it is a CapabilityError")

    async def in_options(self, name: str, **options: Any) -> None:
        """If the capability is declared missing, making or opening an executor so must fail with a CapabilityError.

        Raises:
            Missing: it did.
        """
        await self.given().open()
        if self.capability(name):
            return
        try:
            await self.fresh(**options).open()
        except CapabilityError:
            raise Missing(f"{name!r} is declared missing, and {options!r} is a CapabilityError") from None
        raise Broken(f"{name!r} is declared missing, but {options!r} was taken without a CapabilityError")

    async def seen_alive(self, processes: bool, others: bool) -> None:
        """Raises Broken if a sandbox at work was not seen, so that its end could not be seen either."""
        if processes or others:
            return
        await self.given().open()
        what = "declares that it is no local process" if not self.capability("local process") else "has no process here"
        raise Broken(
            f"the sandbox {what}: hand over alive=…, which names what is alive of it, so that its end can be seen"
        )

    async def library(self, name: str) -> Executor:
        """Return an executor that may import a library, which must be here and there.

        Raises:
            NotApplicable: it is not installed on this side, or in the sandbox.
        """
        if importlib.util.find_spec(name) is None:
            raise NotApplicable(f"{name} is not installed on this side")
        executor = self.given(additional_authorized_imports=[f"{name}.*"])
        error = (await self.run(f"import {name}", executor)).error
        if error is not None and error.type == "ModuleNotFoundError":
            raise NotApplicable(f"{name} is not installed in the sandbox")
        expect(error, None, f"the error of importing {name}, which is authorised")
        return executor


# --- words for what was expected ----------------------------------------------------------------------------------------


def short(value: Any, limit: int = 600) -> str:
    """Return a value in an error's text."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… [{len(text):,} characters]"


def expect(found: Any, wanted: Any, what: str) -> None:
    """Raises Broken unless the two are equal."""
    if found != wanted:
        raise Broken(f"{what}: expected {short(wanted)}, got {short(found)}")


def that(holds: Any, what: str) -> None:
    """Raises Broken unless it holds."""
    if not holds:
        raise Broken(what)


def ok(observed: Observed, what: str = "the step") -> Observed:
    """Return the observation of a step that must not fail."""
    if observed.error is not None:
        raise Broken(f"{what} failed: {observed.error.type}: {observed.error.message}")
    return observed


async def refused(work: Coroutine[Any, Any, Any], kind: type[Exception], what: str) -> Exception:
    """Return the error of something that must be refused."""
    try:
        found = await work
    except kind as error:
        return error
    except SandboxError as error:
        raise Broken(f"{what}: expected {kind.__name__}, got {type(error).__name__}: {error}") from error
    raise Broken(f"{what}: expected {kind.__name__}, got {short(found)}")


# --- threads ------------------------------------------------------------------------------------------------------------


class _HeldError(Exception):
    """The loop did nothing for too long."""


class _LoopThread:
    """An event loop on a thread of its own, so that the caller may have one, and so that a loop that is held can be left."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="smolcell-conformance", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        done: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return done.result(seconds)
        except TimeoutError:
            if done.done():
                raise
            raise _HeldError from None
        except KeyboardInterrupt:
            done.cancel()
            raise

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)


def _bounded(work: Callable[[], object], seconds: float) -> None:
    """Do it on a thread, and do not wait for ever."""
    thread = threading.Thread(target=work, name="smolcell-conformance-close", daemon=True)
    thread.start()
    thread.join(seconds)


# --- A host that is to be killed: a process with an executor and a step in it that does not end.
#
# ``python -c "…main()" SYS_PATH FACTORY``: prints one line of JSON when the step runs, and waits to be killed.


def describe(make: Any) -> dict[str, str]:
    """Return how another process finds what makes the executors: module, file, name.

    Raises:
        LookupError: it is neither a class nor a function of a module.
    """
    module, name = getattr(make, "__module__", None), getattr(make, "__qualname__", "<")
    if not module or "<" in name:
        raise LookupError(
            f"{make!r} cannot be found by another process, in which it must make an executor: "
            "hand over a class, or a function that is defined at the top of a module"
        )
    try:
        file = inspect.getfile(make)
    except (OSError, TypeError):
        file = ""
    return {"module": module, "file": file, "name": name}


def find(described: dict[str, str]) -> Any:
    """Load the executor that ``describe`` described."""
    name = described["module"]
    try:
        if name == "__main__":
            raise ImportError("the program itself is not imported by its name")
        module = importlib.import_module(name)
    except ImportError:
        spec = importlib.util.spec_from_file_location("_conformance_factory", described["file"])
        if spec is None or spec.loader is None:
            raise
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    found: Any = module
    for part in described["name"].split("."):
        found = getattr(found, part)
    return found


def _is_folder(name: str) -> bool:
    """Return whether it is a folder of this machine."""
    return bool(name) and Path(name).is_dir()


async def work(make: Any) -> None:
    """Open an executor, say so, and run a step that does not end."""
    executor: Executor = make(timeout=600, additional_authorized_imports=["os"])

    async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        said = {"folder": folder, "seen": _is_folder(folder)}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()

    async def run(code: str, step: int) -> Any:
        permit = await allow_all(Proposed(run="orphan", step=step, text=code))
        assert isinstance(permit, Allowed)  # noqa: S101 - as code is
        return (await executor.run(permit, lambda _: None, call_tool)).output

    found = await run("import os\nos.path.realpath('.')", 1)
    folder = found if isinstance(found, str) else ""
    executor.send_tools({"at_work": None})
    await run("at_work()\nwhile True: pass", 2)


def main() -> None:
    """See the module."""
    asyncio.run(work(find(json.loads(sys.argv[2]))))


# --- A check: a coroutine function with a name and a promise.


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of every executor, and how to see whether it is kept.

    Attributes:
        name: of the check; its ``str``.
        promise: one sentence.
        look: looks at a trial's executors; returns a remark or nothing; raises if the promise is not kept.
    """

    name: str
    promise: str
    look: Callable[[Trial], Awaitable[str | None]]

    def __str__(self) -> str:
        return self.name

    async def run(self, trial: Trial) -> str | None:
        """Look whether the promise is kept."""
        return await self.look(trial)


def check(function: Callable[[Trial], Awaitable[str | None]]) -> Check:
    """Make a check of a coroutine function: its name is the function's, its promise the docstring's first line."""
    name = getattr(function, "__name__", "")
    promise = (function.__doc__ or "").strip().split("\n")[0]
    if not name or not promise:
        raise TypeError("a check is a function with a docstring, whose first line is the promise")
    return Check(name, promise, function)
