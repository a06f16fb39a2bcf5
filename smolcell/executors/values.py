"""Values that go in and out of a sandbox's namespace, and handles of those that stay there.

Answers of a worker are hostile until checked. Pickle is only sent to a sandbox, never read from one.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from smolcell.core.text import visible
from smolcell.errors import CapabilityError, InterpreterError, SandboxDiedError, SandboxError, WireError
from smolcell.machine.environment import importing, is_installed
from smolcell.worker.runner import variables as listing
from smolcell.worker.wire import frames, values

if TYPE_CHECKING:
    from smolcell.executors.base import WorkerExecutor

LISTING_SECONDS = 3.0  # seconds for a list of variables
REBUILD_SECONDS = 60.0  # seconds that the worker may take to rebuild values
LISTED = {"name": str, "type": str, "shape": list, "size": int, "text": str, "table": str}


class SandboxValues:
    """The values of one sandbox, and what its worker was told of tools and imports.

    What cannot be sent now, because there is no worker or a step is open, is sent before the next step.

    Args:
        executor: the sandbox.

    Attributes:
        forward: carries out reads and calls of handles.
        unused: names that will be removed from the namespace.
        tools_sent, imports_sent: whether the worker has the current ones.
    """

    def __init__(self, executor: WorkerExecutor) -> None:
        self._executor = executor
        self._pending: list[tuple[list[Any], list[frames.Blob]]] = []
        self.unused: list[str] = []
        self.forward = Forward(executor)
        self.tools_sent = self.imports_sent = True

    # --- in ---

    @property
    def is_pending(self) -> bool:
        """Whether something is to be sent before the next step."""
        return bool(self._pending or self.unused or not (self.tools_sent and self.imports_sent))

    def send(self, variables: Mapping[str, Any]) -> None:
        """See ``WorkerExecutor.send_variables``."""
        arrow = bool(self._executor.capabilities.get("arrow", False)) and has_arrow()
        encoded, blobs = encode_variables(variables, arrow=arrow)
        if encoded and self._executor.worker.is_idle:
            self._send(encoded, blobs)
        elif encoded:  # copied now, because the caller's objects may change before they are sent
            self._pending.append((encoded, [copy_blob(blob) for blob in blobs]))

    def forget(self, names: Iterable[str]) -> None:
        """See ``WorkerExecutor.forget``."""
        gone = list(names)
        if gone and self._executor.worker.is_idle:
            self._delete(gone)
        elif gone:
            self._pending.append(([[name] for name in gone], []))

    def send_pending(self) -> None:
        """Send what could not be sent before."""
        executor = self._executor
        if self.unused:
            unused, self.unused = self.unused, []
            self._delete(unused)
        while self._pending:
            self._send(*self._pending.pop(0))
        if not self.tools_sent:
            executor.worker.request("tools", tools=tool_descriptions(executor.tools))
            self.tools_sent = True
        if not self.imports_sent:
            executor.worker.request("imports", names=list(executor.additional_authorized_imports))
            self.imports_sent = True

    def _delete(self, names: Iterable[str]) -> None:
        """Remove names from the namespace; a ``__del__`` that runs then has a time limit."""
        self._send([[name] for name in names], (), min(self._executor.timeout, REBUILD_SECONDS))

    def _send(self, encoded: list[Any], blobs: Sequence[frames.Blob], timeout: float = REBUILD_SECONDS) -> None:
        whole = [frames.dumps(encoded), *blobs]
        self._executor.worker.ask(lambda line, number: line.send_values(whole, number, timeout))

    # --- out ---

    def pull(self, names: list[str]) -> dict[str, Any]:
        """Return copies of variables; a value that is not data is returned as a ``Handle``. Blocks."""
        answer = self._executor.worker.request("pull", names=names)
        try:
            return decode_variables(answer.blobs, names, self.forward)
        except (frames.FrameError, LookupError, TypeError, ValueError) as error:
            raise WireError(f"the sandbox sent invalid values: {error}") from None

    def describe(self) -> list[dict[str, Any]]:
        """See ``WorkerExecutor.variables``."""
        answer = self._executor.worker.ask(
            lambda line, number: line.send("list", id=number, timeout=LISTING_SECONDS), LISTING_SECONDS + 5.0
        )
        return read_listed(answer.blobs)

    def end_handles(self) -> None:
        """Mark all handles as lost. Thread-safe."""
        self.forward.over, self.unused = True, []
        self.forward = Forward(self._executor)


class Forward:
    """Forwards reads and calls of one sandbox's handles to their objects: each is a step of the user's own.

    A handle's path consists of public names; arguments are copied.
    """

    def __init__(self, executor: WorkerExecutor) -> None:
        self._executor = executor
        self.over = False
        self.steps = 0  # number of steps that began: any may change the object of a handle

    def drop(self, kept: str) -> None:
        """Remove the object of a handle that was dropped."""
        if not self.over:
            self._executor.values.unused.append(kept)

    def __call__(self, handle: values.Handle, name: str, given: tuple[tuple[Any, ...], dict[str, Any]] | None) -> Any:
        """Return the attribute ``name``, or the result of calling it; "" calls the object itself. Or carry out an operation.

        Raises:
            AttributeError: there is no such attribute.
            IndexError, KeyError, TypeError: the operation raised it.
            InterpreterError: the code failed, a limit ended it, or the guard refused it.
            SandboxBusyError: a step is open.
            SandboxDiedError: the object is lost.
        """
        executor = self._executor
        operation = values.OPERATIONS.get(name)
        path = operation or f"{{0}}{name and '.'}{name}"
        label = visible(path.format(handle.name or handle.type, "…"))
        self._check(label)
        executor.worker.check_idle()
        code = path.format(handle._kept, f"{values.ARGUMENT_PREFIX}1")
        if given is not None:
            args, kwargs = {f"{values.ARGUMENT_PREFIX}{at}": value for at, value in enumerate(given[0], 1)}, given[1]
            named = {f"{values.ARGUMENT_PREFIX}{key}": value for key, value in kwargs.items()}
            sent = {**args, **named}
            executor.values.unused = [kept for kept in executor.values.unused if kept not in sent]
            executor.values.send(sent)
            if not operation:
                code += f"({', '.join([*args, *(f'{key}={values.ARGUMENT_PREFIX}{key}' for key in kwargs)])})"
        try:
            observed = executor(code, thought=label, record=executor.record)
        except InterpreterError as error:
            sys.stdout.write(visible(error.logs))
            if type(error) is InterpreterError:
                self._check(label)
                if given is None and error.exception_type == "AttributeError":
                    raise AttributeError(str(error)) from None
                if operation and error.exception_type in ("IndexError", "KeyError", "TypeError"):
                    raise getattr(builtins, error.exception_type)(str(error)) from None
            raise
        finally:
            if given is not None:
                executor.values.unused += sent
        sys.stdout.write(visible(observed.stdout))
        self._check(label)
        return observed.output

    def _check(self, label: str) -> None:
        if self.over:
            raise SandboxDiedError(
                f"{label} is lost: its sandbox has ended or was restarted. Run the cell that created it again: %%agent -o NAME"
            )


# --- Encoding and decoding.


def encode_variables(variables: Mapping[str, Any], *, arrow: bool) -> tuple[list[Any], list[frames.Blob]]:
    """Encode variables; returns names with their values, and the blobs they refer to.

    Args:
        arrow: whether tables may be sent as Arrow.

    Raises:
        CapabilityError: a value cannot be copied; the message names the variable.
    """
    encoder = values.Encoder(trusted=True, arrow=arrow)
    named = []
    for name, value in variables.items():
        if not name.isidentifier():
            raise CapabilityError(f"{name!r} is not a variable name")
        try:
            with importing():
                named.append([name, encoder.encode(value)])
        except Exception as error:  # code of the value runs here
            why = str(error) if isinstance(error, values.UnencodableError) else f"{type(error).__name__}: {error}"
            raise CapabilityError(f"{name!r} ({type(value).__name__}) cannot be sent to the sandbox: {why}") from None
    return named, encoder.blobs


def decode_variables(
    blobs: Sequence[frames.Blob], names: Container[str], forward: Callable[..., Any] | None = None
) -> dict[str, Any]:
    """Decode the variables of these names from an answer that a hostile worker may have written."""
    found = values.read_json(blobs[0])
    decoder = values.Decoder(blobs[1:], show=visible, forward=forward)
    with importing():
        return {str(name): decoder.decode_or_handle(data) for name, data in found if name in names}


def read_listed(blobs: Sequence[Any]) -> list[dict[str, Any]]:
    """Decode a worker's list of its variables; keeps only known and bounded fields.

    Raises:
        SandboxError: it is not a valid list.
    """
    try:
        given = values.read_json(blobs[0])
    except (frames.FrameError, LookupError):
        given = None
    if type(given) is not list:
        raise SandboxError("the sandbox sent an invalid list of its variables")
    variables = [one for one in given[: listing.MAX_VARIABLES] if type(one) is dict and _is_listed(one)]
    return [
        {name: visible(one[name]) if name in ("type", "text") else one[name] for name in LISTED} for one in variables
    ]


def _is_listed(one: dict[str, Any]) -> bool:
    if not all(type(one.get(name)) is kind for name, kind in LISTED.items()) or not one["name"].isidentifier():
        return False
    texts = sum(len(one[name]) for name in ("name", "type", "text", "table"))
    return (
        texts <= listing.MAX_LISTED_CHARS and len(one["shape"]) <= 8 and all(type(size) is int for size in one["shape"])
    )


def tool_descriptions(tools: Mapping[str, Any]) -> dict[str, str]:
    """Return the descriptions of tools for the code, by their names."""
    return {
        name: str(getattr(tool, "description", None) or getattr(tool, "__doc__", None) or "")[:4000]
        for name, tool in tools.items()
    }


def copy_blob(blob: frames.Blob) -> bytes:
    """Copy a blob, since the value is sent later."""
    return bytes(blob) if isinstance(blob, (bytes, bytearray, memoryview)) else b"".join(blob)


def has_arrow() -> bool:
    """Return whether this process can create Arrow tables."""
    return is_installed("pyarrow")
