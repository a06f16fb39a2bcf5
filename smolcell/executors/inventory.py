"""All sandboxes of smolcell: of this machine, of its container engine, of providers. Each kind of executor lists and ends its own.

* The list shows the current state of the system and the engine; labels and names are untrusted.
* Cleaning ends only sandboxes whose kernel belonged to this user and is known to have ended. A single sandbox of this user can be
  ended by name; its kernel, if it runs, handles that like any other end of a sandbox.
* An engine or provider that does not answer adds a remark, not an error. Providers without a key are not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smolcell.errors import SmolcellError
from smolcell.executors import EXECUTORS, BaseExecutor, executor_names, find_executor
from smolcell.executors.registry import Sandbox, span

KINDS = tuple(EXECUTORS)
WORDS = ("kind", "name", "state", "image", "age", "memory", "cpu", "owner", "walls")
Listing = tuple[list[Sandbox], list[str]]
"""Sandboxes, and remarks."""


def find() -> Listing:
    """Return all sandboxes, and remarks about engines and providers that did not answer."""
    near, far = find_near(), find_far()
    return near[0] + far[0], near[1] + far[1]


def find_near() -> Listing:
    """Return the sandboxes of this machine and its engine, and remarks; sends nothing over a network."""
    return _find(far=False)


def find_far() -> Listing:
    """Return the sandboxes of the providers with a key, and remarks; sends each a request."""
    return _find(far=True)


def _find(far: bool) -> Listing:
    sandboxes: list[Sandbox] = []
    remarks: list[str] = []
    for kind in _kinds():
        if kind.far is far:
            try:
                sandboxes += kind.list_sandboxes()
            except Exception as error:  # of another package: the others are listed all the same
                remarks.append(f"no {kind.plural} listed: {error}")
    return sandboxes, remarks


def _kinds() -> Iterator[type[BaseExecutor]]:
    """Yield the executors of smolcell, and those of other packages that can be loaded."""
    for name in dict.fromkeys([*EXECUTORS, *executor_names()]):
        try:
            kind = find_executor(name)
        except SmolcellError:
            continue  # whoever uses it is told why
        if isinstance(kind, type) and issubclass(kind, BaseExecutor):
            yield kind


def clean() -> Listing:
    """End the sandboxes whose kernel has ended; returns those that were ended, and remarks."""
    sandboxes, remarks = find()
    ended = []
    for each in sandboxes:
        try:
            if each.gone and _end(each):
                ended.append(each)
        except SmolcellError as error:
            remarks.append(f"{each.name} could not be ended: {error}")
    return ended, remarks


def end(kind: str, name: str) -> bool:
    """End one sandbox of this user, whether its kernel runs or not; returns whether it existed and has ended.

    The sandbox's state is lost. An open step ends with a ``SandboxError``; the next one gets a new sandbox.
    """
    sandboxes = [each for each in find()[0] if (each.kind, each.name) == (kind, name) and each.mine]
    return bool(sandboxes) and _end(sandboxes[0])


def _end(each: Sandbox) -> bool:
    ended: bool = find_executor(each.kind).end_sandbox(each)
    return ended


def table(sandboxes: Sequence[Sandbox], remarks: Sequence[str] = ()) -> str:
    """Format the list for a person."""
    rows = [WORDS, *(_row(each) for each in sandboxes)] if sandboxes else []
    widths = [max(len(row[column]) for row in rows) for column in range(len(WORDS))] if rows else []
    lines = ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*(lines or ["no sandbox is running"]), *remarks])


def _row(each: Sandbox) -> tuple[str, ...]:
    memory = "?" if each.memory is None else f"{each.memory / 1e6:,.0f} MB"
    if each.checkpoints:
        memory += f" with {each.checkpoints} checkpoint{'s' * (each.checkpoints > 1)}"
    cpu = "?" if each.cpu is None else f"{each.cpu:.1f} s"
    owner = f"{each.owner}, gone (clean up: smolcell sandboxes --clean)" if each.gone else each.owner
    return (
        each.kind,
        each.name,
        ", ".join(filter(None, (each.state, each.ends))),
        each.image or "-",
        "?" if each.age is None else span(each.age),
        memory,
        cpu,
        owner,
        ", ".join(each.walls) or "none",
    )
