"""All sandboxes of smolcell that can be found: workers of this machine, containers of the Docker engine, those of providers.

The rules this file exists to keep:

* What is listed is what the system and the engine show now, not what somebody remembers; labels and names are anybody's words.
* Cleaning ends what belongs to a kernel of this user that is known to be gone, and nothing else. One by one, any of this user's can be
  ended; its kernel, where it lives, notices as it notices any other death of a sandbox.
* Where no engine or provider answers, that is a remark, not an error. A provider is asked only where there is a key for it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from smolcell.errors import SmolcellError
from smolcell.executors import container_walls, containers, sandbox_processes, walls
from smolcell.executors.containers import Owner
from smolcell.executors.engine import Engine
from smolcell.executors.remote.provider import KIND, PROVIDERS, BusyError, Listed, LostError, Provider, find_provider
from smolcell.executors.sandbox import Sandbox, span
from smolcell.visible import visible

KINDS = ("local", "wasm", "docker", *PROVIDERS)
WORDS = ("kind", "name", "state", "image", "age", "memory", "cpu", "owner", "walls")
MOST_STATE = 40  # characters of what an engine or a provider calls a state


def find() -> tuple[list[Sandbox], list[str]]:
    """All sandboxes, and remarks about where none could be looked for."""
    found, remarks = find_near()
    far, more = find_far()
    return found + far, remarks + more


def find_near() -> tuple[list[Sandbox], list[str]]:
    """Those of this machine and of its engine, and remarks; asks nobody over a network."""
    try:
        return [*sandbox_processes.workers(), *_containers()], []
    except SmolcellError as error:
        return list(sandbox_processes.workers()), [f"no containers listed: {error}"]


def find_far() -> tuple[list[Sandbox], list[str]]:
    """Those of the providers for which there is a key, and remarks; a request to each."""
    found: list[Sandbox] = []
    remarks: list[str] = []
    for provider in filter(lambda provider: provider.has_key(), map(find_provider, PROVIDERS)):
        try:
            found += _far(provider)
        except SmolcellError as error:
            lost = isinstance(error, LostError) and not isinstance(error, BusyError)
            why = (
                f"it cannot be reached ({error}); is there a network? Then type: smolcell sandboxes" if lost else error
            )
            remarks.append(f"no sandboxes of {provider.title} listed: {why}")
    return found, remarks


def clean() -> tuple[list[Sandbox], list[str]]:
    """End the sandboxes whose kernel is gone; those that were ended, and remarks."""
    found, remarks = find()
    leftover = [each for each in found if each.gone]
    ended = []
    for each in leftover:
        try:
            if each.kind != "docker" and _end(each):
                ended.append(each)
        except SmolcellError as error:
            remarks.append(f"{each.name} is not ended: {error}")
    if any(each.kind == "docker" for each in leftover):
        engine = Engine()
        try:
            swept = set(containers.sweep(engine))
        finally:
            engine.close()
        ended += [each for each in leftover if each.kind == "docker" and each.place in swept]
    return ended, remarks


def end(kind: str, name: str) -> bool:
    """End one sandbox of this user, whether its kernel lives or not; says whether there was one and it is gone now.

    What the sandbox held is lost. A step under way ends with a ``SandboxError``; the next one gets a fresh sandbox.
    """
    found = [each for each in find()[0] if (each.kind, each.name) == (kind, name) and each.mine]
    if not found:
        return False
    return _remove(found[0]) if kind == "docker" else _end(found[0])


def told(found: Sequence[Sandbox], remarks: Sequence[str] = ()) -> str:
    """The list as a person reads it."""
    rows = [WORDS, *(_row(each) for each in found)] if found else []
    widths = [max(len(row[column]) for row in rows) for column in range(len(WORDS))] if rows else []
    lines = ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*(lines or ["no sandbox is running"]), *remarks])


def _row(each: Sandbox) -> tuple[str, ...]:
    memory = "?" if each.memory is None else f"{each.memory / 1e6:,.0f} MB"
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


def _end(each: Sandbox) -> bool:
    return find_provider(each.kind).end(each.place) if each.kind in PROVIDERS else sandbox_processes.end(each)


# --- containers --------------------------------------------------------------------------------------------------------


def _containers() -> list[Sandbox]:
    engine = Engine()
    try:
        info, here = engine.info(), Owner.here()
        return [_container(engine, info, here, each) for each in containers.listed(engine)]
    finally:
        engine.close()


def _container(engine: Engine, info: Mapping[str, Any], here: Owner, said: Mapping[str, Any]) -> Sandbox:
    owner = Owner.of(said.get("Labels") or {})
    found = _inspected(engine, str(said["Id"]))
    memory, cpu = _usage(engine, said)
    names = [str(name).lstrip("/") for name in said.get("Names") or ()]
    return Sandbox(
        kind="docker",
        name=visible(names[0] if names else str(said["Id"])[:12]),
        state=_state(said, found),
        image=visible(str(said.get("Image", ""))),
        age=time.time() - float(said.get("Created") or time.time()),
        memory=memory,
        cpu=cpu,
        owner=f"{owner.name or 'unknown'}, kernel {owner.kernel or 'unknown'}",
        kernel=f"{owner.pid}:{owner.start}" if owner.pid else "",
        mine=owner.is_beside(here),
        gone=owner.is_gone(here),
        walls=_standing(engine, info, found),
        place=str(said["Id"]),
    )


def _inspected(engine: Engine, container: str) -> Mapping[str, Any] | None:
    try:
        with engine.errors():
            found: Mapping[str, Any] = engine.client.api.inspect_container(container)
            return found
    except SmolcellError:
        return None  # it has ended meanwhile


def _state(said: Mapping[str, Any], found: Mapping[str, Any] | None) -> str:
    """The engine's word for it, as it says now, else as it listed it; with the exit code of what has ended."""
    state = (found or {}).get("State")
    state = state if isinstance(state, Mapping) else {}
    word = " ".join(visible(str(state.get("Status") or said.get("State") or "unknown")[:MOST_STATE]).split())
    code = state.get("ExitCode")
    return f"{word} ({code})" if word in ("exited", "dead") and type(code) is int else word


def _remove(each: Sandbox) -> bool:
    engine = Engine()
    try:
        with engine.errors():
            return containers.remove(engine, each.place, 10.0) in containers.GONE
    finally:
        engine.close()


def _standing(engine: Engine, info: Mapping[str, Any], found: Mapping[str, Any] | None) -> tuple[str, ...]:
    if found is None:
        return ()
    standing = container_walls.read(container_walls.Found(engine.address, found, info))
    return ("guard", *(wall.name for wall in standing if wall.stands and wall not in walls.ALWAYS))


def _usage(engine: Engine, said: Mapping[str, Any]) -> tuple[int | None, float | None]:
    if said.get("State") not in ("running", "paused"):
        return None, None
    try:
        with engine.errors():
            stats = engine.client.api.stats(str(said["Id"]), stream=False, one_shot=True)
        return _held(stats["memory_stats"]), int(stats["cpu_stats"]["cpu_usage"]["total_usage"]) / 1e9
    except (SmolcellError, LookupError, TypeError, ValueError):
        return None, None  # it has ended meanwhile, or the engine does not count


def _held(memory: Mapping[str, Any]) -> int:
    """Bytes without what is cached of files and can go at any time, as ``docker stats`` counts them (control groups 1 and 2)."""
    cached = memory["stats"].get("total_inactive_file", memory["stats"].get("inactive_file", 0))
    return max(0, int(memory["usage"]) - int(cached))


# --- sandboxes of providers ---------------------------------------------------------------------------------------------


def _far(provider: Provider) -> list[Sandbox]:
    here = Owner.here()
    return [_far_one(provider.name, each, here) for each in provider.listed({KIND: "sandbox"})]


def _far_one(kind: str, said: Listed, here: Owner) -> Sandbox:
    owner = Owner.of(said.labels)
    return Sandbox(
        kind=kind,
        name=visible(said.name),
        state=" ".join(visible(said.state[:MOST_STATE]).split()) or "unknown",
        image=visible(said.template),
        age=said.age,
        owner=f"{owner.name or 'unknown'}, kernel {owner.kernel or 'unknown'}",
        kernel=f"{owner.pid}:{owner.start}" if owner.pid else "",
        mine=owner.is_beside(here),
        gone=owner.is_gone(here),
        walls=("guard", "its provider's"),
        place=said.name,
        ends=_ends(said),
    )


def _ends(said: Listed) -> str:
    """When its provider ends it, as far as that can be said."""
    if said.left is None:
        return "no time-out" if said.state == "paused" else ""
    return f"ends in {span(said.left)} {'unless it is renewed' if said.renewable else 'at the latest'}"
