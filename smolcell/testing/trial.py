"""The argument of a check: creates executors of the kind under test, runs code in them, and compares results.

* A check uses an executor as a session does: one event loop, a permit for each step, values and tools sent from a thread.
* Checks share executors with the same options, since starting one may take seconds; they are replaced after a check that did
  not pass.
* Every wait is limited, whatever the executor does.
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
from concurrent import futures
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from smolcell.approval.gates import allow_all
from smolcell.errors import CapabilityError, SandboxError
from smolcell.events import Allowed, Delta, Observed, Proposed
from smolcell.protocols import Executor

T = TypeVar("T")
Make = Callable[..., Executor]


BLOCKED_SECONDS = 10.0  # seconds beyond a check's limit after which its loop counts as blocked


class Broken(AssertionError):
    """A promise is not kept; the text says what was expected and what was found."""


class Missing(Exception):
    """The executor declares that it cannot do this, and raised the named error if asked to."""


class NotApplicable(Exception):
    """The check needs something that is missing; the text says what."""


class Trial:
    """Creates executors of one kind for checks.

    Args:
        make: creates an executor from keyword options: ``timeout`` and ``tool_timeout`` in seconds, ``memory`` in MB,
            ``max_print_outputs_length`` in characters, ``max_tool_calls``, ``additional_authorized_imports``.
        alive: returns the names of living sandboxes of this kind (containers, machines of a provider). Not needed for sandboxes that
            are processes of this machine, which the checks find themselves.
        patience: seconds that anything may take beyond its limit before the promise counts as broken; generous, since machines may
            be busy.

    Use it as a context manager, which closes all executors at its end.
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
        self._loop: _TrialLoop | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end_check(keep=False)
        if self._loop is not None:
            self._loop.close()

    # --- for running checks ---

    def perform(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a check's coroutine on the trial's loop.

        Raises:
            Broken: it took longer, or it blocked the loop, which is then replaced.
        """
        if self._loop is None:
            self._loop = _TrialLoop()
        done = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), self._loop.loop)
        try:
            ended = futures.wait([done], seconds + BLOCKED_SECONDS).done
        except KeyboardInterrupt:
            done.cancel()
            raise
        if not ended:
            self._loop = None
            raise Broken(
                f"the executor blocked the event loop for {seconds + BLOCKED_SECONDS:g} s: its coroutines must not block"
            )
        try:
            return done.result()
        except TimeoutError:
            raise Broken(f"the check did not end within {seconds:g} s") from None

    def end_check(self, keep: bool) -> None:
        """Close the executors that the check created, and the shared ones unless ``keep``."""
        ending, self._own = self._own, []
        if not keep:
            ending += self._shared.values()
            self._shared = {}
        for executor in ending:
            self._lent.pop(id(executor), None)
            _bounded(executor.close, self.patience)

    # --- for checks ---

    def fresh(self, **options: Any) -> Executor:
        """Create an executor for this check alone."""
        executor = self.make(**options)
        self._own.append(executor)
        return executor

    def given(self, **options: Any) -> Executor:
        """Return an executor that checks share: its namespace may contain names of other checks."""
        key = repr(sorted(options.items()))
        if key not in self._shared:
            self._shared[key] = self.make(**options)
        return self._shared[key]

    async def permit(self, code: str, step: int = 0) -> Allowed:
        """Create a permit for the code, as a gate does."""
        self._steps += 1
        allowed = await allow_all(Proposed(run="conformance", step=step or self._steps, text=code))
        assert isinstance(allowed, Allowed)  # noqa: S101 - as code is
        return allowed

    async def run(
        self, code: str, executor: Executor | None = None, seen: Callable[[Delta], object] | None = None, step: int = 0
    ) -> Observed:
        """Run code in the executor (by default the shared one without options)."""
        executor = executor or self.given()
        return await self.run_permit(await self.permit(code, step), executor, seen)

    async def value(self, code: str, executor: Executor | None = None, what: str = "the step") -> Any:
        """Run code that must not fail; returns the value of its last expression, or its final answer."""
        return ok(await self.run(code, executor), what).output

    async def run_permit(
        self, allowed: Allowed, executor: Executor, seen: Callable[[Delta], object] | None = None
    ) -> Observed:
        """Run a permit in the executor, with the tools passed to ``lend``."""

        async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            tool = self._lent.get(id(executor), {}).get(name)
            if tool is None:
                raise Broken(f"the tool {name!r} was called, but the sandbox was not given it")
            result = tool(*args, **kwargs)
            return await result if inspect.isawaitable(result) else result

        def on_output(delta: Delta) -> None:
            if seen is not None:
                seen(delta)

        return await executor.run(allowed, on_output, call_tool)

    async def begin(self, code: str, executor: Executor) -> asyncio.Future[Observed]:
        """Start a step that does not end by itself; returns it when its code runs."""
        begun = asyncio.Event()

        async def mark() -> None:
            begun.set()

        await self.lend(executor, mark=mark)
        step = asyncio.ensure_future(self.run(f"mark()\n{code}", executor))
        try:
            await asyncio.wait_for(begun.wait(), self.patience)
        except TimeoutError:
            raise Broken(f"{code!r} did not begin within {self.patience:g} s") from None
        return step

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
        """Wait until a condition is true; raises Broken otherwise."""
        end = time.monotonic() + self.patience
        while not come_true():
            if time.monotonic() > end:
                raise Broken(f"{what}: not within {self.patience:g} s")
            await asyncio.sleep(0.02)

    # --- missing parts ---

    def capability(self, name: str, executor: Executor | None = None) -> Any:
        """Return a capability that an executor declares; True if it does not. Known only after the executor was opened."""
        declared: Mapping[str, Any] = getattr(executor or self.given(), "capabilities", {})
        return declared.get(name, True)

    async def in_code(self, name: str, code: str, executor: Executor) -> None:
        """If the capability is declared missing, check that the code fails with a CapabilityError, and end the check.

        Raises:
            Missing: the capability is declared missing.
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
        """If the capability is declared missing, check that these options raise a CapabilityError, and end the check.

        Raises:
            Missing: the capability is declared missing.
        """
        await self.given().open()
        if self.capability(name):
            return
        try:
            await self.fresh(**options).open()
        except CapabilityError:
            raise Missing(f"{name!r} is declared missing, and {options!r} is a CapabilityError") from None
        raise Broken(f"{name!r} is declared missing, but {options!r} raises no CapabilityError")

    async def seen_alive(self, processes: bool, others: bool) -> None:
        """Raise Broken if a running sandbox was not found, because then its end could not be noticed either."""
        if processes or others:
            return
        await self.given().open()
        what = "declares that it is no local process" if not self.capability("local process") else "has no process here"
        raise Broken(
            f"the sandbox {what}: pass alive=…, which lists the living sandboxes, so that the check can see its end"
        )

    async def library(self, name: str) -> Executor:
        """Return an executor that may import a library installed on both sides.

        Raises:
            NotApplicable: it is missing on this side, or in the sandbox.
        """
        if importlib.util.find_spec(name) is None:
            raise NotApplicable(f"{name} is not installed on this side")
        executor = self.given(additional_authorized_imports=[f"{name}.*"])
        error = (await self.run(f"import {name}", executor)).error
        if error is not None and error.type == "ModuleNotFoundError":
            raise NotApplicable(f"{name} is not installed in the sandbox")
        expect(error, None, f"the error of importing {name}, which is authorised")
        return executor


# --- comparisons --------------------------------------------------------------------------------------------------------


def short(value: Any, limit: int = 600) -> str:
    """Return a bounded repr of a value for an error's text."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… [{len(text):,} characters]"


def expect(found: Any, wanted: Any, what: str) -> None:
    """Raise Broken unless the two values are equal."""
    if found != wanted:
        raise Broken(f"{what}: expected {short(wanted)}, got {short(found)}")


def that(holds: Any, what: str) -> None:
    """Raise Broken unless ``holds`` is true."""
    if not holds:
        raise Broken(what)


def ok(observed: Observed, what: str = "the step") -> Observed:
    """Return the observation of a step that must not fail; raises Broken if it did."""
    if observed.error is not None:
        raise Broken(f"{what} failed: {observed.error.type}: {observed.error.message}")
    return observed


async def refused(work: Coroutine[Any, Any, Any], kind: type[Exception], what: str) -> Exception:
    """Return the error of work that must be refused; raises Broken if it was not."""
    try:
        result = await work
    except kind as error:
        return error
    except SandboxError as error:
        raise Broken(f"{what}: expected {kind.__name__}, got {type(error).__name__}: {error}") from error
    raise Broken(f"{what}: expected {kind.__name__}, got {short(result)}")


# --- threads ------------------------------------------------------------------------------------------------------------


class _TrialLoop:
    """An event loop on its own thread, so that the caller may have one, and so that a blocked loop can be abandoned."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="smolcell-conformance", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self.loop.run_forever()
        finally:
            self.loop.run_until_complete(self.loop.shutdown_default_executor())
            self.loop.close()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(5)


def _bounded(work: Callable[[], object], seconds: float) -> None:
    """Run ``work`` on a thread, and wait at most ``seconds``."""
    thread = threading.Thread(target=work, name="smolcell-conformance-close", daemon=True)
    thread.start()
    thread.join(seconds)


# --- A host that will be killed: a process with an executor that runs an endless step.
#
# ``python -c "…main()" SYS_PATH FACTORY``: prints one line of JSON when the step runs; then waits to be killed.


def describe(make: Any) -> dict[str, str]:
    """Describe how another process can import what creates the executors: module, file, name.

    Raises:
        LookupError: it is not a class or function of a module.
    """
    module, name = getattr(make, "__module__", None), getattr(make, "__qualname__", "<")
    if not module or "<" in name:
        raise LookupError(
            f"{make!r} cannot be imported by another process, which one check needs: "
            "pass a class, or a function that is defined at the top of a module"
        )
    try:
        file = inspect.getfile(make)
    except (OSError, TypeError):
        file = ""
    return {"module": module, "file": file, "name": name}


def find(described: dict[str, str]) -> Any:
    """Load what ``describe`` described."""
    name = described["module"]
    try:
        if name == "__main__":
            raise ImportError("the main program cannot be imported by its name")
        module = importlib.import_module(name)
    except ImportError:
        spec = importlib.util.spec_from_file_location("_conformance_factory", described["file"])
        if spec is None or spec.loader is None:
            raise
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    value: Any = module
    for part in described["name"].split("."):
        value = getattr(value, part)
    return value


def _is_folder(name: str) -> bool:
    """Return whether a path is a folder of this machine."""
    return bool(name) and Path(name).is_dir()


async def work(make: Any) -> None:
    """Open an executor, report that, and run an endless step."""
    executor: Executor = make(timeout=600, additional_authorized_imports=["os"])

    async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        report = {"folder": folder, "seen": _is_folder(folder)}
        sys.stdout.write(json.dumps(report) + "\n")
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
    """Run the host; see the comment above."""
    asyncio.run(work(find(json.loads(sys.argv[2]))))


# --- A check: a coroutine function with a name and a promise.


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of every executor, with a test for it.

    Attributes:
        name: name of the check; also its ``str``.
        promise: one sentence.
        look: tests executors of a trial; returns a remark or None; raises if the promise is not kept.
    """

    name: str
    promise: str
    look: Callable[[Trial], Awaitable[str | None]]

    def __str__(self) -> str:
        return self.name

    async def run(self, trial: Trial) -> str | None:
        """Test whether the promise is kept."""
        return await self.look(trial)


def check(function: Callable[[Trial], Awaitable[str | None]]) -> Check:
    """Make a check from a coroutine function: its name is the function's, its promise the first line of the docstring."""
    name = getattr(function, "__name__", "")
    promise = (function.__doc__ or "").strip().split("\n")[0]
    if not name or not promise:
        raise TypeError("a check is a function with a docstring, whose first line is the promise")
    return Check(name, promise, function)
