"""Sandboxes by short name, imported on demand.

* Importing this package imports no sandbox and starts nothing.
* A name is looked up in the table, then in the entry points ``smolcell.executors``; others raise a SetupError that lists
  the names.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import threading
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from smolcell.errors import CapabilityError, SetupError
from smolcell.events import File
from smolcell.machine.environment import importing
from smolcell.protocols import Executor, call_clock
from smolcell.worker.system.processes import SHARED as SHARED

if TYPE_CHECKING:
    from smolcell.executors.packages import Site
    from smolcell.executors.registry import Sandbox

GROUP = "smolcell.executors"
EXECUTORS = {
    "local": "smolcell.executors.local:LocalPythonExecutor",
    "wasm": "smolcell.executors.wasm:WasmExecutor",
    "docker": "smolcell.executors.docker:DockerExecutor",
    "blaxel": "smolcell.executors.cloud.blaxel:BlaxelExecutor",
    "e2b": "smolcell.executors.cloud.e2b:E2BExecutor",
    "modal": "smolcell.executors.cloud.modal:ModalExecutor",
}
"""smolcell's own entries of the group, found without a search through the installed packages. A new sandbox needs nothing else:
its class says how its sandboxes are listed and ended."""
PARTS = ("open", "run", "interrupt", "send_variables", "send_tools", "boundary", "close")
"""The members of ``protocols.Executor``."""


def executor_names() -> tuple[str, ...]:
    """Return the names that ``create_executor`` knows, including those of other packages."""
    with importing():
        return tuple(sorted({*EXECUTORS, *entry_points(group=GROUP).names}))


def create_executor(name: str, **kwargs: Any) -> Executor:
    """Make the sandbox of that name; it starts when it is opened.

    Args:
        name: "local", "docker", "e2b", "modal", "wasm", or one of another package; ``name:variant`` passes ``variant=``
            ("docker:my-image").
        kwargs: options of the class (``additional_authorized_imports``, ``timeout``, ``memory``, …), or smolagents' names for them
            (``timeout_seconds``, ``additional_imports``, ``additional_functions``).

    Raises:
        SetupError: the name or an option is unknown, the policy does not allow the sandbox, or its class cannot be loaded or is not an
            executor.
    """
    from smolcell.approval.policy import current

    current().check("sandboxes", [name], "The sandbox {} is not allowed")
    short, _, variant = name.partition(":")
    if variant:
        kwargs["variant"] = variant
    kind, functions = find_executor(short), dict(kwargs.pop("additional_functions", None) or {})
    executor: Executor = kind(**_own_words(short, kind, kwargs))
    missing = [word for word in PARTS if not hasattr(executor, word)]
    if missing:
        kind = type(executor).__name__
        raise SetupError(
            f"the sandbox {short!r} is a {kind}, which is not an executor: it lacks {', '.join(missing)}; see docs/executors.md"
        )
    if functions:
        executor.send_tools(functions)
    return executor


def _own_words(name: str, kind: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the class; those of smolagents are translated.

    Raises:
        SetupError: an option is unknown.
    """
    words = dict(given)
    if "timeout_seconds" in words:
        seconds = words.pop("timeout_seconds")
        words["timeout"] = threading.TIMEOUT_MAX if seconds is None else seconds
    imports = "additional_authorized_imports"
    if "additional_imports" in words:
        words[imports] = [*words.get(imports, ()), *words.pop("additional_imports")]
    known = _words(kind)
    unknown = [word for word in words if known and word not in known]
    if unknown:
        raise SetupError(
            f"the sandbox {name!r} has no {', '.join(unknown)}; it has: {', '.join(sorted(known))}. "
            "smolagents' timeout_seconds, additional_imports and additional_functions are accepted, too"
        )
    return words


def _words(kind: Any) -> set[str]:
    """Return the keyword arguments of a class and of the bases it passes them on to; none if it accepts any."""
    found: set[str] = set()
    for each in kind.__mro__ if inspect.isclass(kind) else (kind,):
        if inspect.isclass(each) and "__init__" not in vars(each):
            continue
        parameters = inspect.signature(each.__init__ if inspect.isclass(each) else each).parameters
        found |= {
            name for name, p in parameters.items() if name != "self" and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        }
        if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
            return found
    return set()


def find_executor(name: str) -> Any:
    """Return the class of a sandbox's name, which may be ``name:variant``; raises SetupError if there is none."""
    short = name.partition(":")[0]
    path = EXECUTORS.get(short)
    if path is not None:
        module, _, attribute = path.partition(":")
        return getattr(importlib.import_module(module), attribute)
    with importing():
        for entry in entry_points(group=GROUP, name=short):
            return _load(short, entry)
    raise SetupError(f"there is no sandbox named {short!r}; use one of: --sandbox {', '.join(executor_names())}")


def _load(name: str, entry: EntryPoint) -> Any:
    """Load an executor that another package provides."""
    try:
        return entry.load()
    except Exception as error:
        package = entry.dist.name if entry.dist is not None else "?"
        raise SetupError(
            f"the sandbox {name!r} of the package {package} cannot be loaded ({type(error).__name__}: {error}); "
            f"type: pip check, or: pip install --upgrade {package}"
        ) from error


# --- Optional parts of an executor, beyond the protocol.


class Checkpoint(NamedTuple):
    """The state of a sandbox before one step.

    Attributes:
        run: id of the run.
        step: number of the step.
        how: "copy" of the process, or "replay".
        memory: MB that only the copy uses; None if it cannot be measured, as in a container.
        reason: why there is no copy, or why the work folder is not restored.
    """

    run: str
    step: int
    how: str
    memory: int | None
    reason: str


class Restored(NamedTuple):
    """What ``rollback`` did not restore.

    Attributes:
        uncovered: why the work folder stays as it is; "" if it was restored.
        shares: whether memory or files that the code shares with its copies stay as they are.
    """

    uncovered: str = ""
    shares: bool = False

    def __str__(self) -> str:
        """Return this for a person; "" if everything was restored."""
        files = f"the files in the work folder stay as they are: {self.uncovered}" if self.uncovered else ""
        return "; ".join(filter(None, (files, f"{SHARED} stay as they are" if self.shares else "")))


class Checkpoints:
    """How a sandbox returns to an earlier state. By default only by running its steps again."""

    @property
    def how(self) -> str:
        """By "copies" of its process, or only by "replay" of the steps."""
        return "replay"

    async def rollback(self, run: str, step: int, *, keep: bool = False) -> Restored:
        """Restore the sandbox's variables and work folder to their state before this step.

        Args:
            run, step: identify the step.
            keep: the step stays valid: a later call may go back before it.

        Returns:
            What was not restored.

        Raises:
            CapabilityError: there is no such checkpoint; the steps before it can be replayed instead.
            SandboxBusyError: a step is open.
        """
        raise CapabilityError("the sandbox keeps no checkpoints")

    @property
    def count(self) -> int:
        """How many copies there are."""
        return 0

    async def kept(self) -> list[Checkpoint]:
        """List the states that ``rollback`` can restore, oldest first, and those that only a replay restores."""
        return []


class BaseExecutor:
    """Optional parts of an executor. By default each refuses or returns nothing; subclasses override those they support."""

    name = ""
    tool_timeout: float = 300.0  # seconds that a call of a tool may take
    additional_authorized_imports: tuple[str, ...] = ()
    takes_imports = False  # whether ``authorize_imports`` works
    checkpoints: Checkpoints = Checkpoints()
    far = False  # whether ``list_sandboxes`` sends requests over a network
    plural = "sandboxes"  # of this kind, in messages

    @classmethod
    def list_sandboxes(cls) -> Iterable[Sandbox]:
        """List all sandboxes of this kind that can be found, of any process; raises SmolcellError if there is no answer."""
        return ()

    @classmethod
    def end_sandbox(cls, sandbox: Sandbox) -> bool:
        """End a sandbox of ``list_sandboxes``; returns whether it existed and has ended."""
        raise CapabilityError(f"a sandbox {sandbox.kind!r} cannot be ended from here")

    @property
    def python(self) -> str:
        """The Python level: "full", "guarded", or "" if the sandbox has no levels."""
        return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the sandbox. See ``Executor.close``."""
        raise NotImplementedError

    def listed(self) -> str:
        """Return the name in lists of sandboxes; "" while there is no sandbox."""
        return ""

    def variables(self) -> list[dict[str, Any]] | None:
        """List the variables of its namespace for a person; None while a step is open. Blocks; does not start a sandbox."""
        return []

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make these names callable. See ``Executor.send_tools``."""
        raise NotImplementedError

    def set_tools(self, tools: Mapping[str, Any]) -> None:
        """Make exactly these names callable."""
        self.send_tools(tools)

    def forget(self, names: Iterable[str]) -> None:
        """Remove variables from the sandbox's namespace, at the next step at the latest."""

    def authorize_imports(self, names: Iterable[str]) -> None:
        """Authorise exactly these imports besides the default ones, from the next step on; ``pkg.*`` for a whole package."""
        raise CapabilityError(f"the sandbox {self.name} cannot change its imports")

    def send_files(self, paths: Sequence[str | os.PathLike[str]], links: Collection[Path] = ()) -> tuple[File, ...]:
        """Copy files and folders into the work folder, where the code reads them by the same names; returns the copied files.

        A path below the current folder keeps its relative name, others their last part. Sending a file again copies it again.

        Args:
            links: real paths to which links among ``paths`` may lead out of the folders they lie in.

        Raises:
            SetupError: a path does not exist, cannot be read, belongs to the operating system (/proc, /sys), or is a link that leads
                elsewhere; or the files are too large.
            CapabilityError: this sandbox accepts no files.
        """
        raise CapabilityError(f"the sandbox {self.name!r} accepts no files; leave out --file, or use: --sandbox local")

    def mount(self, paths: Sequence[str | os.PathLike[str]], links: Collection[Path] = ()) -> tuple[File, ...]:
        """Make files and folders of any size readable without copying them, under the names that ``send_files`` would use.

        Takes the arguments of ``send_files``. A sandbox that is open without them is restarted, and its variables are lost.

        Raises:
            SetupError: a path does not exist, cannot be read, or contains files that no sandbox may read.
            CapabilityError: this sandbox cannot mount folders.
        """
        raise CapabilityError(
            f"the sandbox {self.name!r} cannot mount folders; leave out --read-only to copy, or use: --sandbox local, or --sandbox docker"
        )

    def files(self) -> tuple[File, ...]:
        """Return the files in the work folder; none if the sandbox is not open or has no such folder."""
        return ()

    def keep_file(self, name: str, target: Path) -> Path:
        """Copy a file of the work folder to ``target`` on the host; returns its path. Never overwrites a file.

        Raises:
            SandboxError: there is no such file.
            FileExistsError: ``target`` exists.
        """
        raise CapabilityError(f"the sandbox {self.name!r} cannot return files")

    async def pull(self, names: Sequence[str]) -> dict[str, Any]:
        """Return copies of variables of the sandbox.

        Raises:
            SandboxError: the sandbox has no such variable.
            CapabilityError: this sandbox cannot return variables.
        """
        raise CapabilityError(f"the sandbox {self.name} cannot return variables; leave out --pull")

    def allow_network(self) -> bool:
        """Give an agent in the sandbox a network. Call before the sandbox is opened.

        Returns whether it had none; then ``forbid_network`` undoes it.

        Raises:
            SandboxError: the sandbox is open.
            CapabilityError: this sandbox cannot have a network.
        """
        raise CapabilityError(f"the sandbox {self.name!r} cannot have a network; leave out network=, or use docker")

    def forbid_network(self) -> None:
        """Undo ``allow_network``."""

    def site(self) -> Site:
        """Return the packages of the sandbox's Python, for an installer; blocks.

        Raises:
            CapabilityError: packages cannot be installed.
        """
        raise CapabilityError(
            f"the sandbox {self.name!r} does not support installing packages while it runs: use what it has, or another sandbox"
        )

    def take_packages(self) -> None:
        """Make packages that were added to ``packages`` importable in the running sandbox; blocks."""


class _Completed(BaseExecutor):
    """Wraps an executor without this base class: uses the parts it has, and defaults for the rest."""

    def __init__(self, executor: Executor) -> None:
        own = (name for name in dir(BaseExecutor) if not name.startswith("_") and hasattr(executor, name))
        for name in own:
            self.__dict__[name] = getattr(executor, name)
        self.takes_imports = hasattr(executor, "authorize_imports")

    @property
    def python(self) -> str:
        return str(self.__dict__.get("python", ""))


def completed(executor: Executor) -> BaseExecutor:
    """Return an executor with every part of ``BaseExecutor``: itself, or wrapped if it lacks the base class."""
    return executor if isinstance(executor, BaseExecutor) else _Completed(executor)


@asynccontextmanager
async def call_limit(name: str, seconds: float | None, setting: str = "") -> AsyncIterator[asyncio.Timeout]:
    """Limit the duration of one call of a tool; ``call_clock`` holds the limit meanwhile.

    Args:
        name: name of the tool.
        seconds: the limit; None for none.
        setting: the setting for a longer limit, named in the message.

    Raises:
        TimeoutError: the call took longer. A ``TimeoutError`` raised by the tool itself is passed on.
    """
    clock = asyncio.timeout(seconds)
    token = call_clock.set(clock)
    try:
        async with clock:
            yield clock
    except TimeoutError:
        if not clock.expired():
            raise
        change = f" ({setting})" if setting else ""
        raise TimeoutError(f"the tool {name!r} took longer than {seconds:g} s{change}") from None
    finally:
        call_clock.reset(token)
