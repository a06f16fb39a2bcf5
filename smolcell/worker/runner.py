"""The runner: keeps the agent's namespace and executes approved code in it.

The rules this file exists to keep:

* Every request is answered, whatever the code raises; only the end of the process goes unanswered, and the supervisor tells that.
* ``final_answer`` is recorded when it is called, so that no ``except BaseException`` can lose it.
* SIGINT interrupts the code, never this file's own bookkeeping.
"""

from __future__ import annotations

import asyncio
import builtins
import functools
import inspect
import os
import queue
import signal
import sys
import threading
import types
import warnings
from typing import Any, Callable

from . import display, faults, fielded, hook, late, listings, pathwise, places, program, shared, values, wire
from .guard import Guard, guarded_builtins
from .kept import Kept
from .link import Far
from .modules import Shelf
from .tables import DEFAULT_IMPORTS
from .wire import Frame

MAX_CHANGED = 500
_UNKNOWN = (
    "the tool %r returned what cannot be made in the sandbox (%s): have it return plain values "
    "(numbers, texts, lists, dicts, tables, arrays), or an object of a library that both have"
)
TOO_LARGE = {values.TAG: "handle", "name": "", "type": "object", "repr": "<too large for one answer>"}


class ToolError(Exception):
    """A tool of the host failed."""


class Runner:
    """One namespace and the loop that serves it.

    Args:
        link: the way to the supervisor.
        options: as in the host's hello.
        tools: names the host lends, with their descriptions.
    """

    def __init__(self, link: Far, options: dict[str, Any], tools: dict[str, str]) -> None:
        self._link = link
        self._options = options
        self._requests: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._answers: dict[int, queue.SimpleQueue[Frame]] = {}
        self._calls = 0
        self._lock = threading.Lock()
        self._running = False
        self._final: list[Any] = []
        self._display = display.Display()
        self._kept = Kept(())
        # Where a loop needs a connection to itself (Windows), it is made before connections are refused.
        self._loop = asyncio.new_event_loop() if link.patience else None
        self._step = 0
        self._tools: dict[str, Any] = {}
        self._provided = {"final_answer": self._final_answer, "display": lambda *shown: self._display.show(*shown)}
        self._shelf = None if options.get("guard") is False else Shelf([*DEFAULT_IMPORTS, *options.get("imports", ())])
        self._namespace = self._new_namespace()
        self._install(tools)
        if self._shelf is not None:
            self._watch(self._shelf)

    def _watch(self, shelf: Shelf) -> None:
        """Judge again what the guard lets through, where Python and its libraries do it."""
        open_places = places.Places(os.getcwd(), places.installation(), places.caches())
        imported = shelf.imported

        def mend() -> None:
            imported()
            pathwise.mend(open_places)

        shelf.imported = mend
        late.watch(mend)
        shelf.lend = functools.partial(pathwise.lend, open_places)
        compilers = (vars(program), vars(fielded))
        hook.install(hook.Hook(shelf, self._namespace, open_places, compilers, vars(values)))

    def _new_namespace(self) -> dict[str, Any]:
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module  # classes of the agent's code are found here by copy, dataclasses, typing
        names: dict[str, Any] = module.__dict__
        shelf = self._shelf
        names["__builtins__"] = vars(builtins) if shelf is None else guarded_builtins(shelf, os.getcwd())
        names.update(self._provided)
        return names

    # --- what the code may call ---

    def _final_answer(self, *args: Any, **kwargs: Any) -> None:
        """Give the task's answer and end the step."""
        given = [*args, *kwargs.values()]
        if len(given) != 1:
            raise TypeError("final_answer() takes exactly one value")
        if not self._final:
            self._final.append(given[0])
        raise program.FinalAnswer

    def _install(self, tools: dict[str, str]) -> None:
        for name in self._tools:
            if self._namespace.get(name) is self._tools[name]:
                del self._namespace[name]
                if name in self._provided:
                    self._namespace[name] = self._provided[name]
        self._tools = {name: self._tool(name, doc) for name, doc in tools.items()}
        self._namespace.update(self._tools)

    def _tool(self, name: str, doc: str) -> Callable[..., Any]:
        def tool(*args: Any, **kwargs: Any) -> Any:
            found = self._call(name, args, kwargs)
            return self._final_answer(found) if name == "final_answer" else found

        tool.__name__ = tool.__qualname__ = name
        tool.__doc__ = doc
        return tool

    def _call(self, name: str, args: Any, kwargs: Any) -> Any:
        encoder = values.Encoder(arrow=bool(self._options.get("arrow")))
        data = [
            [values.encode_or_handle(encoder, value, f"argument {at + 1}") for at, value in enumerate(args)],
            [[key, values.encode_or_handle(encoder, value, key)] for key, value in kwargs.items()],
        ]
        mailbox: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        with self._lock:
            self._calls += 1
            number = self._calls
            self._answers[number] = mailbox
        try:
            fields = {"step": self._step, "call": number, "name": name}
            self._kept.flush()
            self._link.send(Frame("call", fields, (wire.dumps(data), *encoder.blobs)))
            answer = self._wait(mailbox)
        finally:
            self._answers.pop(number, None)
        if answer.type == "raise":
            raise _exception(answer.fields["error"], answer.fields["message"], answer.fields["base"])
        try:
            return _decode(answer.blobs)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise TypeError(_UNKNOWN % (name, values.clean(reason)[:300])) from None

    def _wait(self, mailbox: queue.SimpleQueue[Frame]) -> Frame:
        while True:
            try:
                return mailbox.get(timeout=self._link.patience)
            except queue.Empty:
                pass  # a chance for an interrupt

    # --- serving ---

    def serve(self) -> None:
        """Serve until the supervisor is gone."""
        self._kept = Kept()
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            self._serve(self._requests.get())

    def _serve(self, frame: Frame) -> None:
        handler = {"run": self._run, "vars": self._vars, "tools": self._set_tools, "pull": self._pull}[frame.type]
        try:
            reply = handler(frame)
            self._link.send(reply)
        except BaseException as error:
            self._link.send(self._failed(frame, error))

    def _listen(self) -> None:
        if hasattr(signal, "pthread_sigmask") and self._link.patience is None:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the main thread is the one to interrupt
        try:
            while True:
                frame = self._link.receive()
                if frame.type in ("return", "raise"):
                    mailbox = self._answers.get(frame.fields["call"])
                    if mailbox is not None:
                        mailbox.put(frame)
                elif frame.type == "interrupt":
                    self._link.interrupt()
                else:
                    self._requests.put(frame)
        except BaseException:
            os._exit(71)  # the supervisor is gone, or the link was spoilt by the code

    def _failed(self, frame: Frame, error: BaseException) -> Frame:
        told = faults.fault(error)
        if frame.type == "run":
            return self._done(told, {})
        return Frame("answer", {"id": frame.fields["id"], "error": f"{told['type']}: {told['message']}"[:4000]})

    def on_interrupt(self, *_: Any) -> None:
        """SIGINT: interrupt the code, if code is running."""
        if self._running:
            raise KeyboardInterrupt

    # --- requests ---

    def _vars(self, frame: Frame) -> Frame:
        sizes = frame.fields["shared"]
        blobs = shared.read(self._link.descriptors.pop(0), sizes) if sizes else frame.blobs
        given = wire.loads(blobs[0], values.JSON_DEPTH)
        decoder = values.Decoder(blobs[1:], trusted=True)
        for name, *data in given:
            if not data:
                self._namespace.pop(name, None)
                continue
            try:
                self._namespace[name] = decoder.decode(data[0])
            except Exception as error:
                text = f"'{name}' cannot be rebuilt in the sandbox ({type(error).__name__}: {error})"
                return Frame("answer", {"id": frame.fields["id"], "error": values.clean(text)[:4000]})
        return Frame("answer", {"id": frame.fields["id"], "error": ""})

    def _set_tools(self, frame: Frame) -> Frame:
        self._install(frame.fields["tools"])
        return Frame("answer", {"id": frame.fields["id"], "error": ""})

    def _pull(self, frame: Frame) -> Frame:
        found: list[Any] = []
        error = ""
        encoder = values.Encoder(arrow=bool(self._options.get("arrow")))
        missing = [name for name in frame.fields["names"] if name not in self._namespace or name.startswith("__")]
        if missing:
            known = sorted(name for name in self._namespace if self._is_own(name))
            error = "the sandbox has no variable named {}; it has: {}".format(
                ", ".join(missing), ", ".join(known[:50]) or "none"
            )
        else:
            self._interruptible(lambda: self._encode(encoder, frame.fields["names"], found))
        return Frame("answer", {"id": frame.fields["id"], "error": error}, (wire.dumps(found), *encoder.blobs))

    def _encode(self, encoder: Any, names: list[str], found: list[Any]) -> None:
        for name in names:
            found.append([name, values.encode_or_handle(encoder, self._namespace[name], name)])

    def _is_own(self, name: str) -> bool:
        return not name.startswith("__") and name not in self._tools and name not in self._provided

    def _run(self, frame: Frame) -> Frame:
        self._step = frame.fields["step"]
        self._final, self._display = [], display.Display()
        source = str(frame.blobs[0], "utf-8", "surrogatepass")
        name = listings.remember(self._step, source)
        if self._shelf is not None:
            self._shelf.imported()
        before = {key: id(value) for key, value in self._namespace.items()}
        self._namespace.pop(program.LAST, None)
        error, stored, held = None, [], []
        try:
            guard = None if self._shelf is None else Guard(self._shelf, self._tools, self._namespace)
            code = program.compile_program(source, name, guard)
            stored = program.bound_names(source)
            self._execute(code)
        except program.FinalAnswer:
            pass
        except BaseException as raised:
            held.append(raised)
            error = None if self._final else self._fault(raised)
        held.append(self._namespace.pop(program.LAST, None))
        body, error = self._close_step(held, error)
        changed = [key for key, value in self._namespace.items() if before.get(key) != id(value) and self._is_own(key)]
        changed += [key for key in stored if key in before and key in self._namespace and key not in changed]
        return self._done(error, body, [key for key in changed if self._is_own(key)])

    def _fault(self, error: BaseException) -> dict[str, Any]:
        """Why the step failed; the error's own code runs here (``__str__``), within the limits."""
        return self._interruptible(lambda: faults.fault(error, int(self._options.get("memory", 0))))  # type: ignore[no-any-return]

    def _execute(self, code: Any) -> None:
        self._kept.lend()
        self._interruptible(lambda: self._evaluate(code))

    def _interruptible(self, work: Callable[[], Any]) -> Any:
        """Run what may run the program's own code; whatever that did to the interpreter is put right after it."""
        try:
            self._running = True
            return work()
        finally:
            self._running = False
            self._kept.restore()

    def _evaluate(self, code: Any) -> None:
        made = types.FunctionType(code, self._namespace)()
        if inspect.iscoroutine(made):
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
            self._loop.run_until_complete(made)

    def _close_step(self, held: list[Any], error: Any) -> Any:
        """The step's value, its repr and its rich outputs; the objects' own code runs here, within the limits."""
        body: dict[str, Any] = {}
        try:
            body = self._interruptible(lambda: self._body(held[-1], error))
            self._interruptible(lambda: self._release(held))
        except BaseException as raised:
            error = error or self._fault(raised)
        return body, error

    def _release(self, held: list[Any]) -> None:
        """Forget the step's own values: their ``__del__`` is the step's code, too."""
        held.clear()
        self._final[:] = [None] * len(self._final)

    def _body(self, last: Any, error: Any) -> dict[str, Any]:
        shown = self._final[0] if self._final else last
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the program may have made errors of them
            bundle = display.rich(shown) if shown is not None and not error else None
            if bundle:
                self._display.add(bundle)
            self._display.figures()
            encoder = values.Encoder(arrow=bool(self._options.get("arrow")))
            limit = int(self._options.get("max_output", 20_000))
            result = values.short_repr(shown, limit) if shown is not None else ""
            value = values.encode_or_handle(encoder, shown)
        self._kept.flush()
        return {"result": result, "outputs": self._display.bundles, "value": value, "blobs": encoder.blobs}

    def _done(self, error: Any, body: dict[str, Any], changed: Any = ()) -> Frame:
        blobs = body.pop("blobs", [])
        fields = {
            "step": self._step,
            "error": error,
            "final": bool(self._final) and error is None,
            "changed": [values.clean(name)[:200] for name in changed][:MAX_CHANGED],
            "dropped": 0,
            "forged": 0,
            "state_lost": False,
            "duration": 0.0,
        }
        data = wire.dumps(body)
        if not values.is_readable(data):  # the host would refuse it, and end the sandbox
            data, blobs = wire.dumps({"result": body.get("result", ""), "outputs": [], "value": TOO_LARGE}), []
        return Frame("done", fields, (data, *blobs))


def _exception(name: str, message: str, base: str = "Exception") -> BaseException:
    """A tool's error as code expects it: the builtin of that name, else one named so that is caught as its builtin base."""
    known = _builtin(name)
    if known is not None:
        kinds = [known]
    else:
        named = name if name.isidentifier() else "ToolError"
        parent = _builtin(base)
        bases = (ToolError,) if parent in (None, Exception) else (ToolError, parent)
        kinds = [type(named, bases, {}), type(named, (ToolError,), {})]
    for kind in kinds:
        try:
            made: BaseException = kind(message)
            return made
        except Exception:  # noqa: S112 - it wants more than a message
            continue
    return ToolError(f"{name}: {message}")


def _builtin(name: str) -> Any:
    """Python's own exception of that name, if there is one."""
    import builtins

    known = getattr(builtins, name, None)
    return known if isinstance(known, type) and issubclass(known, Exception) else None


def _decode(blobs: Any) -> Any:
    return values.Decoder(blobs[1:], trusted=True).decode(wire.loads(blobs[0], values.JSON_DEPTH))
