"""The runner: holds the agent's namespace and executes approved code in it.

* Every request is answered, whatever the code raises; if the process ends, the supervisor answers.
* ``final_answer`` records its value when it is called, so that no ``except BaseException`` can lose it.
* SIGINT interrupts the code, never the runner's own work.
"""

from __future__ import annotations

import builtins
import functools
import gc
import io
import itertools
import mmap
import os
import queue
import signal
import sys
import threading
import types
import warnings
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from typing import Any, Callable

from ..guard import audit, files, imports, magics, stdlib, transformer
from ..guard.imports import ModuleViews
from ..guard.tables import DEFAULT_IMPORTS, RUNNER_IMPORTS
from ..guard.transformer import Guard, guarded_builtins
from ..system import processes
from ..wire import frames, memfile, values
from ..wire.bounds import cut_end
from ..wire.frames import Frame
from ..wire.link import Far
from . import checkpoint, display, errors, notebook
from .tasks import StepLoop
from .variables import Variables, list_variables

# --- State of the interpreter that the worker needs, restored after agent code has run, so that no step can spoil the next.
#
# * The functions used here were looked up before agent code ran, and are written in C: the code cannot have changed them.
# * Settings that are the program's own choice stay: random seeds, number formats, warnings, environment.
# * The recursion limit is swapped: the program has its own, the worker keeps the original.
# * While the program does not run, what its signal handlers raise is dropped: it would cut the worker's own work.
# * While the program runs, a part of the limited memory is reserved. It is never written to, and so takes none of the machine's.


_signal: Any = sys.modules.get("_signal")  # the C module below ``signal``, whose functions use enums
FAR = 200
_NAMES: dict[str, Any] = vars(builtins)
_fstat, _dup2, _write = os.fstat, os.dup2, os.write
_set_limit, _get_limit = sys.setrecursionlimit, sys.getrecursionlimit
_collects, _stop_collecting, _collect_again = gc.isenabled, gc.disable, gc.enable
_SYS = vars(sys)
_map, _PRIVATE = mmap.mmap, getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)
MIN_RESERVE = 1 << 16  # bytes
_RESTORED = () if _signal is None else (_signal.SIGINT, _signal.SIGTERM)
_ALARMS = tuple(
    getattr(_signal, name)
    for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")
    if hasattr(_signal, name) and hasattr(_signal, "setitimer")
)


def stream(descriptor: int, mode: str) -> Any:
    """Return a line-buffered text stream that writes to a descriptor."""
    raw = open(descriptor, mode, closefd=False)  # noqa: SIM115 - open as long as the process
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=mode == "wb")


class InterpreterState:
    """The state of the interpreter that the worker relies on.

    Args:
        descriptors: of stdout and stderr, to be kept open; none in tests that run in this process.
        reserve: bytes that the worker can allocate when the program has taken all memory; 0 without a limit.
    """

    def __init__(self, descriptors: tuple[int, ...] = (1, 2), reserve: int = 0) -> None:
        self._reserve = reserve if hasattr(mmap, "MAP_ANONYMOUS") else 0
        self._reserved: Any = None
        self._names = dict(_NAMES)
        self._streams = {name: _SYS[name] for name in ("stdout", "stderr")}
        self._copies = {number: _far_copy(number) for number in descriptors}
        self._limit = self._program_limit = _get_limit()
        self._lent = False
        self._handlers: dict[int, Any] = {}
        self._handled: dict[int, Any] = {}  # the handlers that the program has set
        if _signal is not None and threading.current_thread() is threading.main_thread():
            self._handlers = {number: _signal.getsignal(number) for number in _signal.valid_signals()}

    def switch_to_program(self) -> None:
        """Switch to the program's settings, before it runs."""
        _try(_set_limit, self._program_limit)
        self._lent = True
        size = self._reserve
        while self._reserved is None and size > MIN_RESERVE:  # less is left if the worker's own memory has grown
            self._reserved = _try(_map, -1, size, _PRIVATE)
            size //= 2

    def switch_to_worker(self) -> None:
        """Switch back to the worker's settings, after the program ran."""
        if self._reserved is not None:
            self._reserved.close()
            self._reserved = None
        _NAMES.update(self._names)
        if self._lent:
            self._program_limit = _get_limit()
            self._lent = False
        self._quiet_signals()
        _set_limit(self._limit)
        self.before_next(None)
        for number, copy in self._copies.items():
            if _identity(number) != _identity(copy):
                _try(_dup2, copy, number)
        for at, name in enumerate(("stdout", "stderr"), 1):
            kept = self._streams[name]
            if not _is_usable(kept):
                kept = self._streams[name] = stream(at, "wb")
            _SYS[name] = _SYS[f"__{name}__"] = kept
        if self._handlers and hasattr(_signal, "pthread_sigmask"):
            _try(_signal.pthread_sigmask, _signal.SIG_UNBLOCK, _RESTORED)
        for alarm in _ALARMS:
            _try(_signal.setitimer, alarm, 0)

    def before_next(self, call: Callable[[], object] | None) -> None:
        """Call a function before Python prints the next text; None ends that."""
        for found in self._streams.values():
            vars(found).pop("write", None)
            if call is not None:
                found.write = functools.partial(_write_after, call, found)

    def write(self, text: str) -> None:
        """Print, after what the program has printed so far, even if it prints elsewhere now."""
        self.flush()
        if 1 in self._copies:
            _try(_write, self._copies[1], text.encode())
        else:
            _try(self._streams["stdout"].write, text)

    def _quiet_signals(self) -> None:
        """Restore the worker's signal handlers, and wrap those that the program has set."""
        for number, own in self._handlers.items():
            handler = _signal.getsignal(number)
            if handler is not own and number in _RESTORED:
                _try(_signal.signal, number, own)
            elif handler is not own and callable(handler) and handler != self._handle:
                self._handled[number] = handler
                _try(_signal.signal, number, self._handle)

    def _handle(self, number: int, frame: Any) -> None:
        try:
            self._handled[number](number, frame)
        except BaseException:
            if self._lent:
                raise

    def flush(self) -> None:
        """Flush the worker's output streams and those that the program put in their place."""
        for found in (*self._streams.values(), _SYS.get("stdout"), _SYS.get("stderr")):
            try:
                found.flush()
            except KeyboardInterrupt:
                raise
            except BaseException:  # noqa: S110 - a stream of the program's own may raise what it likes
                pass


def _far_copy(descriptor: int) -> int:
    """Return a copy with a high number, which programs do not use by accident."""
    try:
        import fcntl

        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FAR)
    except (ImportError, OSError):
        return os.dup(descriptor)


def _write_after(call: Callable[[], object], found: Any, text: str) -> int:
    call()
    written: int = found.write(text)
    return written


def _identity(descriptor: int) -> Any:
    status = _try(_fstat, descriptor)
    return None if status is None else (status.st_dev, status.st_ino)


def _is_usable(found: Any) -> bool:
    if type(found) is not io.TextIOWrapper:
        return True  # a test or a notebook replaced it; the worker does not recreate it
    try:
        if (found.encoding, found.errors) != ("utf-8", "backslashreplace"):
            found.reconfigure(encoding="utf-8", errors="backslashreplace")
        return not found.closed
    except (OSError, ValueError, LookupError):
        return False  # detached


def _try(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except (OSError, ValueError, RecursionError, MemoryError):
        return None


class Execution:
    """Runs code that may be the program's own, so that it can be interrupted; restores the interpreter's state afterwards.

    Attributes:
        state: what is restored.
        tasks: the event loop of the steps.
        is_running: whether an interrupt ends the code.
    """

    def __init__(self) -> None:
        self.state = InterpreterState(())
        self.tasks = StepLoop()
        self.is_running = False

    def run(self, code: Any, names: dict[str, Any]) -> None:
        """Run a step's program."""
        self.state.switch_to_program()
        self.interruptible(lambda: self.tasks.run(types.FunctionType(code, names)))

    def interruptible(self, work: Callable[[], Any]) -> Any:
        """Call a function that may run the program's code."""
        try:
            self.is_running = True
            return work()
        finally:
            self.is_running = False
            self._restore()

    def _restore(self) -> None:
        for left in reversed(range(10)):
            try:
                self.state.switch_to_worker()
                return
            except BaseException:  # the error of a signal handler that the program has just set
                if not left:
                    raise

    def go_on(self, over: Callable[[Any], Awaitable[Any]]) -> None:
        """Let tasks that the steps left go on. See ``StepLoop.run_until``."""
        self.state.switch_to_program()
        sys.stdout = sys.stderr = self.tasks.printed
        try:
            self.interruptible(lambda: self.tasks.run_until(over))
        except Exception:
            self.tasks.is_used = False  # the program broke its loop; the next step may use another


# --- Calls of the host's tools.


_UNKNOWN = (
    "the result of tool %r cannot be rebuilt in the sandbox (%s): return plain values "
    "(numbers, texts, lists, dicts, tables, arrays), or objects of a library installed on both sides"
)


class ToolError(Exception):
    """Raised in the code if a tool of the host failed."""


class HostCalls:
    """Calls of the host's tools, from any thread of the program.

    Args:
        link: connection to the supervisor.
        execution: what the program has printed is sent before a call.
        arrow: the host has pyarrow.
        final: gives the task's answer and ends the step; called with the result of a tool of that name.

    Attributes:
        step: the step that may call; None between the steps.
    """

    def __init__(self, link: Far, execution: Execution, arrow: bool, final: Callable[[Any], None]) -> None:
        self._link, self._execution, self._arrow, self._final = link, execution, arrow, final
        self.step: int | None = None
        self._calls = 0
        self.forget()

    def forget(self) -> None:
        """Forget the open calls, in a copy of the process: the threads that made them are not in it."""
        self._answers: dict[int, queue.SimpleQueue[Frame]] = {}
        self._lock = threading.Lock()

    def tool(self, name: str, doc: str) -> Callable[..., Any]:
        """Return a function that calls this tool."""

        def tool(*args: Any, **kwargs: Any) -> Any:
            result = self._call(name, args, kwargs)
            return self._final(result) if name == "final_answer" else result

        tool.__name__ = tool.__qualname__ = name
        tool.__doc__ = doc
        return tool

    def _call(self, name: str, args: Any, kwargs: Any) -> Any:
        encoder = values.Encoder(arrow=self._arrow)
        data = [
            [values.encode_or_handle(encoder, value, f"argument {at + 1}") for at, value in enumerate(args)],
            [[key, values.encode_or_handle(encoder, value, key)] for key, value in kwargs.items()],
        ]
        step = self.step
        if step is None:
            raise RuntimeError(f"{name}() cannot be called between the steps: await the task, or join the thread")
        mailbox: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        with self._lock:
            self._calls += 1
            number = self._calls
            self._answers[number] = mailbox
        try:
            fields = {"step": step, "call": number, "name": name}
            self._execution.state.flush()
            spare = [[values.TOO_LARGE] * len(args), [[key, values.TOO_LARGE] for key in kwargs]]
            self._link.send(Frame("call", fields, tuple(values.answer_blobs(encoder, data, spare))))
            answer = self._wait(mailbox)
        finally:
            self._answers.pop(number, None)
        if answer.type == "raise":
            raise host_error(answer.fields["error"], answer.fields["message"], answer.fields["base"])
        try:
            data = frames.loads(answer.blobs[0], values.JSON_DEPTH)
            return values.Decoder(answer.blobs[1:], trusted=True).decode(data)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise TypeError(_UNKNOWN % (name, cut_end(values.clean(reason), 300))) from None

    def _wait(self, mailbox: queue.SimpleQueue[Frame]) -> Frame:
        while True:
            try:
                return mailbox.get(timeout=self._link.patience)
            except queue.Empty:
                pass  # lets an interrupt be delivered

    def answer(self, frame: Frame) -> None:
        """Hand an answer to the call that waits for it; from any thread."""
        mailbox = self._answers.get(frame.fields["call"])
        if mailbox is not None:
            mailbox.put(frame)


def host_error(name: str, message: str, base: str = "Exception") -> BaseException:
    """Return an error of the host as an exception of that name: the builtin, else a new class derived from its builtin base."""
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
            error: BaseException = kind(message)
            return error
        except Exception:  # noqa: S112 - it wants more than a message
            continue
    return ToolError(f"{name}: {message}")


def _builtin(name: str) -> Any:
    """Return Python's exception of that name; None if there is none."""
    import builtins

    known = getattr(builtins, name, None)
    return known if isinstance(known, type) and issubclass(known, Exception) else None


# --- Requests of the supervisor.


class RequestReader:
    """Reads the link on a thread of its own: requests wait for the runner, answers go to the calls.

    Args:
        link: connection to the supervisor.
        calls: calls of the host's tools.
    """

    def __init__(self, link: Far, calls: HostCalls) -> None:
        self._link, self._calls = link, calls
        self._requests: queue.SimpleQueue[tuple[Frame, bytes]] = queue.SimpleQueue()  # each with its nonce
        self._awaited: Any = None  # a future that is done when a request has come, while tasks go on between steps

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._read, daemon=True).start()

    def has_request(self) -> bool:
        """Return whether a request has come."""
        return not self._requests.empty()

    def wait(self, loop: Any) -> Awaitable[None]:
        """Return an awaitable that is done when a request has come."""
        self._awaited = awaited = loop.create_future()
        if self.has_request():
            _end_waiting(awaited)
        return awaited  # type: ignore[no-any-return]

    def take(self) -> tuple[Frame, bytes]:
        """Wait for the next request; returns it and its nonce."""
        self._awaited = None
        return self._requests.get()

    def _read(self) -> None:
        if hasattr(signal, "pthread_sigmask") and self._link.patience is None:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # only the main thread is interrupted
        try:
            while True:
                frame = self._link.receive()
                if frame.type in ("return", "raise"):
                    self._calls.answer(frame)
                elif frame.type == "interrupt":
                    self._link.interrupt()
                else:
                    self._requests.put((frame, self._link.latest))
                    awaited = self._awaited
                    if awaited is not None:
                        with suppress(RuntimeError):  # the loop was closed
                            awaited.get_loop().call_soon_threadsafe(_end_waiting, awaited)
        except BaseException:
            os._exit(71)  # the supervisor has closed, or the code broke the link


def _end_waiting(awaited: Any) -> None:
    if not awaited.done():
        awaited.set_result(None)


MAX_CHANGED = 500
_TOUCH = "touched = [1]\ntouched"


class Runner:
    """One namespace, and the loop that answers requests about it.

    Args:
        link: connection to the supervisor.
        options: as in the host's hello.
        tools: names and descriptions of the host's tools.
    """

    _calls_type = HostCalls
    _reader_type = RequestReader

    def __init__(self, link: Far, options: dict[str, Any], tools: dict[str, str]) -> None:
        self._link = link
        self._options = options
        self._memory = int(options.get("memory") or 0)
        self._step = 0
        self._final: list[Any] = []
        self._keeps = False  # the step's value is stored for a handle if it is not data
        self._execution = Execution()
        if link.patience:  # Windows: a loop needs a connection to itself, and connections are refused later
            self._execution.tasks.open()
        self._calls = self._calls_type(link, self._execution, bool(options.get("arrow")), self._final_answer)
        self._reader = self._reader_type(link, self._calls)
        self._live = live = display.Live(self._tell_shown)
        # Before the guard is installed, which refuses C libraries.
        self._copies = checkpoint.Copies(link) if options.get("checkpoints") and sys.platform == "linux" else None
        allowed = [*DEFAULT_IMPORTS, *RUNNER_IMPORTS, *options.get("imports", ())]
        self._module_views = None if options.get("guard") is False else ModuleViews(allowed)
        whole = self._module_views is None
        self._notebook = notebook.Notebook(shells=whole)
        own = notebook.modules(live.show, live.clear, whole=whole)
        sys.modules.update(own)
        sys.meta_path.insert(0, notebook.DisplayFinder(live.show, live.figures))
        os.environ.setdefault("PLOTLY_RENDERER", "plotly_mimetype")  # fig.show() goes to IPython.display
        if whole:
            notebook.complete_builtins()
        mounted = tuple(options.get("links", {}).values())
        given: Any = guarded_builtins(self._module_views, os.getcwd(), mounted) if self._module_views else builtins
        shown = {"final_answer": self._final_answer, "display": own["IPython.display"].display}
        self._variables = Variables(given, {**shown, **self._notebook.names, **self._notebook.history()})
        self._install(tools)
        if self._module_views is not None:
            connects = bool(options.get("egress"))
            watch(self._module_views, self._variables.names, mounted, connects=connects)

    def _final_answer(self, *args: Any, **kwargs: Any) -> None:
        """Give the task's answer and end the step."""
        given = [*args, *kwargs.values()]
        if len(given) != 1:
            raise TypeError("final_answer() takes exactly one value")
        if not self._final:
            self._final.append(given[0])
        raise transformer.FinalAnswer

    def _tell_shown(self, at: int, count: int, bundle: dict[str, str] | None) -> None:
        """Send the host an output of the running step."""
        fields = {"step": self._step, "at": at, "count": count}
        self._link.send(Frame("show", fields, () if bundle is None else (frames.dumps(bundle),)))

    def _install(self, tools: dict[str, str]) -> None:
        self._variables.install({name: self._calls.tool(name, doc) for name, doc in tools.items()})

    # --- serving ---

    def serve(self) -> None:
        """Answer requests until the supervisor closes the link."""
        self._execution.state = InterpreterState(reserve=processes.RESERVE_MB << 20 if self._memory else 0)
        self._reader.start()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._live.forget)
        while True:
            try:
                self._go_on()
            except BaseException:  # noqa: S112
                continue  # an interrupt, because a request has come, or the error of a signal handler of the program's
            frame, nonce = self._reader.take()
            self._link.begin(nonce)  # only now: late messages belong to the request before
            self._serve(frame)

    def _go_on(self) -> None:
        """Let tasks that the steps left go on until a request comes."""
        if self._execution.tasks.is_used and not self._reader.has_request():
            self._execution.go_on(self._reader.wait)

    def _serve(self, frame: Frame) -> None:
        handlers = {
            "run": self._run,
            "vars": self._vars,
            "tools": self._set_tools,
            "imports": self._set_imports,
            "pull": self._pull,
            "list": self._list,
            "copy": self._copy,
            "touch": self._touch,
        }
        try:
            reply = handlers[frame.type](frame)
            if reply is not None:
                self._link.send(reply)
        except BaseException as error:
            self._execution.is_running = False
            self._link.send(self._failed(frame, error))
        finally:
            self._execution.is_running, self._calls.step = False, None

    def _failed(self, frame: Frame, error: BaseException) -> Frame:
        fault = errors.fault(error, self._memory)
        if frame.type == "run":
            return self._done(fault, {})
        return _answer(frame, f"{fault['type']}: {fault['message']}")

    def on_interrupt(self, *_: Any) -> None:
        """Handle SIGINT: interrupt the code if it is running."""
        if self._execution.is_running:
            raise KeyboardInterrupt

    # --- requests ---

    def _vars(self, frame: Frame) -> Frame:
        sizes, name, text = frame.fields["shared"], "", ""
        try:
            blobs = memfile.read(self._link.descriptors.pop(0), sizes) if sizes else frame.blobs
            given = frames.loads(blobs[0], values.JSON_DEPTH)
            decoder = values.Decoder(blobs[1:], trusted=True)
            for name, *data in given:
                if data:
                    self._variables.names[name] = decoder.decode(data[0])
                else:
                    self._execution.interruptible(functools.partial(self._variables.forget, name))
        except MemoryError:
            limit = f" of {self._memory} MB: --memory gives the code more" if self._memory else ""
            text = f"{f'{name!r} does' if name else 'the variables do'} not fit into the sandbox's memory{limit}"
        except Exception as error:
            text = f"{name!r} cannot be rebuilt in the sandbox ({type(error).__name__}: {error})"
        return _answer(frame, values.clean(text))

    def _set_tools(self, frame: Frame) -> Frame:
        self._install(frame.fields["tools"])
        return _answer(frame)

    def _set_imports(self, frame: Frame) -> Frame:
        if self._module_views is not None:
            self._module_views.authorise([*DEFAULT_IMPORTS, *frame.fields["names"]])
        return _answer(frame)

    def _pull(self, frame: Frame) -> Frame:
        wanted, names = frame.fields["names"], self._variables.names
        encoder, found = self._encoder(), []
        missing = [name for name in wanted if name not in names or name.startswith("__")]
        if missing:
            known = ", ".join(sorted(self._variables.own())[:50]) or "none"
            return _answer(frame, f"the sandbox has no variable named {', '.join(missing)}; it has: {known}", (b"[]",))

        def encode() -> None:
            for name in wanted:
                value = values.encode_or_handle(encoder, names[name], name, self._variables.keep)
                found.append([name, value])

        self._execution.interruptible(encode)
        spare = [[name, values.TOO_LARGE] for name in wanted]
        return _answer(frame, "", values.answer_blobs(encoder, found, spare))

    def _list(self, frame: Frame) -> Frame:
        found: list[dict[str, Any]] = []
        names, own = self._variables.names, self._variables.own()
        self._execution.interruptible(lambda: found.extend(list_variables(own, names)))
        return _answer(frame, "", (frames.dumps(found),))

    def _encoder(self) -> values.Encoder:
        return values.Encoder(arrow=bool(self._options.get("arrow")))

    # --- checkpoints ---

    def _copy(self, frame: Frame) -> Frame:
        """Fork a frozen copy of this process and answer with its id. In the copy, this returns when it takes over."""
        execution, descriptor = self._execution, self._link.descriptors.pop(0)
        if self._copies is None or execution.tasks.is_pending():
            os.close(descriptor)
            return Frame("answer", {"id": 0, "error": "a task of asyncio is not done"})
        execution.state.flush()
        copy_id = self._copies.make(descriptor, "jail" not in self._options, execution.interruptible)
        if not copy_id:
            execution.tasks.forget()
            self._calls.forget()
            self._reader = self._reader_type(self._link, self._calls)
            self._link.receive()
            self._link.begin()
            self._reader.start()
        return Frame("answer", {"id": copy_id, "error": ""})

    def _touch(self, frame: Frame) -> None:
        """Run an empty step, without the program's names, so that the memory that steps write to is no longer shared with the copy.

        Otherwise the next step would pay a few microseconds for each page of memory that it is the first to write to.
        """
        if self._reader.has_request():
            return  # the step itself begins
        collects, final, shown, state = _collects(), self._final, self._live.display, self._execution.state
        _stop_collecting()  # else objects of the program's could end here, where nothing bounds what they do
        try:
            self._final, self._live.display = [], display.Display()
            builtin_names = self._variables.names.get("__builtins__")
            names = {"__builtins__": builtin_names, transformer.FINAL: self._final_answer}
            code, _ = self._compile(_TOUCH, "<smolcell>", names)
            try:
                state.switch_to_program()
                types.FunctionType(code, names)()
            finally:
                state.switch_to_worker()
            self._link.prepare(self._done(None, self._body(None, None, figures=False)))
        except BaseException:  # noqa: S110 - a step will tell
            pass
        finally:
            self._final, self._live.display = final, shown
            if collects:
                _collect_again()

    # --- a step ---

    def _run(self, frame: Frame) -> Frame:
        self._step = step = frame.fields["step"]
        source = str(frame.blobs[0], "utf-8", "surrogatepass")
        keeps = self._keeps = source.lstrip("[*").startswith(values.HANDLE_PREFIX)  # the call comes from a handle
        execution, names = self._execution, self._variables.names
        self._final = []
        self._live.begin(execution.state, apart=keeps)
        name = errors.remember(step, source)
        if self._module_views is not None:
            self._module_views.imported()
        before = self._variables.ids()
        names.pop(transformer.LAST_VALUE_NAME, None)
        self._calls.step = step
        if not keeps:
            self._notebook.begin_step(step, source)
            sys.stdout.write(execution.tasks.printed.take())
        error, held, stored = self._execute(source, name)
        held.append(names.pop(transformer.LAST_VALUE_NAME, None))
        body, error = self._close_step(held, error)
        self._live.end(execution.tasks.printed, apart=keeps)
        return self._done(error, body, self._variables.changed(before, stored))

    def _execute(self, source: str, name: str) -> tuple[Any, list[Any], list[str]]:
        """Run a step's program; returns why it failed (None if it did not), the error itself, and the names that it binds."""
        names = self._variables.names
        stored: list[str] = []
        try:
            names.setdefault(transformer.FINAL, self._variables.ending())
            code, stored = self._compile(source, name, names)
            try:
                self._execution.run(code, names)
            finally:
                self._notebook.end_step()
        except transformer.FinalAnswer:
            pass
        except BaseException as raised:
            return None if self._final or _is_exit(raised) else self._fault(raised), [raised], stored
        return None, [], stored

    def _compile(self, source: str, name: str, namespace: dict[str, Any]) -> tuple[Any, list[str]]:
        """Return the program of a step, and the names that it binds."""
        guard = None if self._module_views is None else Guard(self._module_views, self._variables.tools, namespace)
        program = magics.to_python(source)
        shadowed = not callable(namespace.get(transformer.FINAL))
        return transformer.compile_program(program, name, guard, shadowed), transformer.find_bound_names(program)

    def _fault(self, error: BaseException) -> dict[str, Any]:
        """Return why the step failed. The error's own code runs here (``__str__``), within the limits."""
        return self._execution.interruptible(lambda: errors.fault(error, self._memory))  # type: ignore[no-any-return]

    def _close_step(self, held: list[Any], error: Any) -> Any:
        """Return the step's value, repr and rich outputs. Code of the objects runs here, within the limits."""
        body: dict[str, Any] = {}
        try:
            body = self._execution.interruptible(lambda: self._body(held[-1], error))
            self._execution.interruptible(lambda: self._release(held, body, error))
        except BaseException as raised:
            error = error or self._fault(raised)
        return body, error

    def _release(self, held: list[Any], body: dict[str, Any], error: Any) -> None:
        """Bind ``_`` and the like, and drop the step's values: their ``__del__`` is code of the step, too."""
        if held[-1] is not None and not (error or self._keeps):
            is_handle = type(body["value"]) is dict and body["value"][values.TAG] == "handle"
            size = None if is_handle else frames.size(body["encoder"].blobs)
            self._variables.provide(self._notebook.keep(self._step, held[-1], size))
        held.clear()
        self._final[:] = [None] * len(self._final)

    def _body(self, last: Any, error: Any, figures: bool = True) -> dict[str, Any]:
        shown = _listed(self._final[0]) if self._final else last
        outputs = self._live.display
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the program may have turned warnings into errors
            bundle = display.mime_bundle(shown) if shown is not None and not error else None
            if bundle:
                outputs.add(bundle)
            if figures:
                outputs.figures(again=False)
            encoder = self._encoder()
            limit = int(self._options.get("max_output", 20_000))
            result = display.text_for_model(shown, bundle, limit) if shown is not None else ""
            keep = self._variables.keep if self._final or self._keeps else None
            value = values.encode_or_handle(encoder, shown, "", keep)
        self._execution.state.flush()
        return {"result": result, "outputs": outputs.bundles, "value": value, "encoder": encoder}

    def _done(self, error: Any, body: dict[str, Any], changed: Any = ()) -> Frame:
        encoder = body.pop("encoder", None) or values.Encoder()
        fields = {
            "step": self._step,
            "error": error,
            "final": bool(self._final) and error is None,
            "changed": [cut_end(values.clean(name), 200) for name in changed][:MAX_CHANGED],
            "dropped": 0,
            "forged": 0,
            "state_lost": False,
            "duration": 0.0,
        }
        spare = {"result": body.get("result", ""), "outputs": [], "value": values.TOO_LARGE}
        return Frame("done", fields, tuple(values.answer_blobs(encoder, body, spare)))


def watch(module_views: ModuleViews, namespace: dict[str, Any], mounted: tuple[str, ...], *, connects: bool) -> None:
    """Install the audit hook, which checks effects again when Python carries them out."""
    open_places = files.Places(os.getcwd(), [*files.installation_paths(), *mounted], files.cache_folders())
    imported = module_views.imported

    def mend() -> None:
        imported()
        files.patch_libraries(open_places)

    module_views.imported = mend
    imports.watch_imports(mend)
    module_views.adapt = functools.partial(files.wrap_path_function, open_places)
    compilers = (vars(transformer), vars(stdlib))
    audit.install(audit.Hook(module_views, namespace, open_places, compilers, vars(values), connects=connects))


def _answer(frame: Frame, error: str = "", blobs: Any = ()) -> Frame:
    return Frame("answer", {"id": frame.fields.get("id", 0), "error": cut_end(error, 4000)}, tuple(blobs))


def _listed(answer: Any) -> Any:
    """Return the items of an iterator of Python's own, such as a generator, as a list; other answers as they are."""
    if not isinstance(answer, Iterator) or type(answer).__module__ not in ("builtins", "itertools"):
        return answer
    items = list(itertools.islice(answer, values.RETURNED.nodes))
    return items if len(items) < values.RETURNED.nodes else itertools.chain(items, answer)


def _is_exit(error: BaseException) -> bool:
    """Return whether a program called ``sys.exit(0)``. Without the 0, another thread may have raised SystemExit."""
    return type(error) is SystemExit and type(error.code) is int and error.code == 0
