"""Finds all sandboxes of smolcell: workers on this machine, containers of the Docker engine, sandboxes of providers.

* The list shows the current state of the system and the engine; labels and names are untrusted.
* Cleaning ends only sandboxes whose kernel belonged to this user and is known to have ended. A single sandbox of this user can be
  ended by name; its kernel, if it runs, handles that like any other end of a sandbox.
* An engine or provider that does not answer adds a remark, not an error. Providers without a key are not asked.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from smolcell.core.text import visible
from smolcell.errors import SmolcellError
from smolcell.executors import walls, wasm
from smolcell.executors.cloud.provider import (
    KIND,
    PROVIDERS,
    Listed,
    Provider,
    ProviderUnreachable,
    RateLimited,
    find_provider,
)
from smolcell.executors.docker import containers
from smolcell.executors.docker.containers import Owner, uptime
from smolcell.executors.docker.engine import Engine
from smolcell.executors.registry import RUNNING, Sandbox, span
from smolcell.worker.system import folders, processes

# --- Sandboxes that are processes of this machine, found in /proc.
#
# * A worker is recognized by its command line, which any user can imitate: processes of other users, or of another process
#   namespace, are not trusted.
# * Listing changes nothing and is cheap: it only reads files of /proc.


ARCHIVE = re.compile(r"(.*/smolcell-(?:portable-)?[0-9a-f]{16})/worker\.zip")
KERNEL = re.compile(r"\d{1,10}:\d{1,20}")  # process id and start
STOPPED = "stopped (SIGSTOP)"


def workers() -> Iterable[Sandbox]:
    """Yield the local workers: the first process of those with the same worker archive in the command line."""
    try:
        running = {int(path.name): _command(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()}
    except OSError:
        return  # no /proc
    for pid, words in sorted(running.items()):
        folder, seen = _folder(words), processes.stat(pid)
        if folder and seen is not None and seen.state not in "ZX" and not _folder(running.get(seen.parent, [])):
            yield _worker(pid, seen, folder, words)


def end_process(each: Sandbox) -> bool:
    """End one sandbox, and remove its folder if its kernel does not; returns whether it existed and has ended."""
    pid = int(each.name.removeprefix("pid "))
    seen = processes.stat(pid)
    if seen is None or _folder(_command(pid)) != each.place:
        return False  # it has ended meanwhile
    ended = processes.kill_tree(pid, seen.start)
    if each.gone:
        folders.remove(each.place)
    return ended


def _command(pid: int) -> list[str]:
    try:
        return [os.fsdecode(word) for word in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") if word]
    except OSError:
        return []


def _folder(words: Sequence[str]) -> str:
    """Return the folder of a worker from its command line (see ``LocalChannel`` and ``PortableChannel``); "" for other processes."""
    arguments = words[3:] if words[3:4] != ["-c"] else words[5:]
    is_worker = len(arguments) == 2 and words[1:3] in (["-I", "-S"], ["-s", "-S"]) and KERNEL.fullmatch(arguments[1])
    match = ARCHIVE.fullmatch(arguments[0]) if is_worker else None
    return match.group(1) if match else ""


def _worker(pid: int, seen: processes.Stat, folder: str, words: Sequence[str]) -> Sandbox:
    kernel, kind = words[-1], "wasm" if wasm.START in words else "local"
    tick = os.sysconf("SC_CLK_TCK")
    members = processes.find_tree(pid, seen.start)
    stats = {member: stat for member in members if (stat := processes.stat(member)) is not None}
    return Sandbox(
        kind=kind,
        name=f"pid {pid}",
        state=_process_state(seen, [stat for member, stat in stats.items() if member != pid]),
        age=uptime() - seen.start / tick,
        memory=sum(map(_held_by_process, members)),
        cpu=sum(stat.ticks for stat in stats.values()) / tick,
        owner=f"{_user(pid)}, pid {kernel.partition(':')[0]}",
        kernel=kernel,
        mine=_is_mine(pid),
        gone=_is_gone(pid, kernel),
        walls=_walls(members) if kind == "local" else ("guard", "WebAssembly"),
        place=folder,
    )


def _process_state(head: processes.Stat, others: Sequence[processes.Stat]) -> str:
    """Return the state: stopped if the supervisor, or all processes below it, are stopped. The code may stop some itself."""
    still = head.state in "Tt" or (bool(others) and all(other.state in "Tt" for other in others))
    return STOPPED if still else RUNNING


def _is_gone(pid: int, kernel: str) -> bool:
    """Return whether a worker's kernel is known to have ended; False for workers of other users, since their command is untrusted."""
    if not _is_mine(pid):
        return False
    number, _, start = kernel.partition(":")
    process = processes.stat(int(number))
    return process is None or process.start != int(start) or process.state in "ZX"


def _is_mine(pid: int) -> bool:
    """Return whether a worker belongs to this user and process namespace."""
    status = _status(pid)
    return len(status.get("NSpid", "? ?").split()) == 1 and status.get("Uid", "").split()[:1] == [str(os.getuid())]


def _held_by_process(pid: int) -> int:
    """Return the memory of a process in bytes, with its share of shared memory; all of it if the system does not report shares."""
    try:
        with Path(f"/proc/{pid}/smaps_rollup").open(encoding="ascii") as lines:
            return next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration, ValueError):
        return _resident(pid)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _user(pid: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(Path(f"/proc/{pid}").stat().st_uid).pw_name
    except (ImportError, KeyError, OSError):
        return "unknown"


def _walls(members: Iterable[int]) -> tuple[str, ...]:
    """Return the walls around the innermost process, as far as the system shows them."""
    statuses = [_status(pid) for pid in members]
    depth = len(_status(os.getpid()).get("NSpid", "").split())
    inner = max(statuses, key=lambda status: len(status.get("NSpid", "").split()), default={})
    held = [status for status in statuses if status.get("Seccomp") == "2"]
    found = [
        ("namespaces", len(inner.get("NSpid", "").split()) > max(1, depth)),
        ("system calls", bool(held)),
        ("rights", any(status.get("NoNewPrivs") == "1" for status in held or statuses)),
    ]
    return ("guard", *(name for name, stands in found if stands))


def _status(pid: int) -> Mapping[str, str]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


KINDS = ("local", "wasm", "docker", *PROVIDERS)
WORDS = ("kind", "name", "state", "image", "age", "memory", "cpu", "owner", "walls")
MAX_STATE_CHARS = 40  # maximum length of a state's name


def find() -> tuple[list[Sandbox], list[str]]:
    """Return all sandboxes, and remarks about engines and providers that did not answer."""
    sandboxes, remarks = find_near()
    far, more = find_far()
    return sandboxes + far, remarks + more


def find_near() -> tuple[list[Sandbox], list[str]]:
    """Return the sandboxes of this machine and its engine, and remarks; sends nothing over a network."""
    try:
        return [*workers(), *_containers()], []
    except SmolcellError as error:
        return list(workers()), [f"no containers listed: {error}"]


def find_far() -> tuple[list[Sandbox], list[str]]:
    """Return the sandboxes of the providers with a key, and remarks; sends each a request."""
    sandboxes: list[Sandbox] = []
    remarks: list[str] = []
    for provider in filter(lambda provider: provider.has_key(), map(find_provider, PROVIDERS)):
        try:
            sandboxes += _far(provider)
        except SmolcellError as error:
            lost = isinstance(error, ProviderUnreachable) and not isinstance(error, RateLimited)
            why = (
                f"it cannot be reached ({error}); is there a network? Then type: smolcell sandboxes" if lost else error
            )
            remarks.append(f"no sandboxes of {provider.title} listed: {why}")
    return sandboxes, remarks


def clean() -> tuple[list[Sandbox], list[str]]:
    """End the sandboxes whose kernel has ended; returns those that were ended, and remarks."""
    sandboxes, remarks = find()
    leftover = [each for each in sandboxes if each.gone]
    ended = []
    for each in leftover:
        try:
            if each.kind != "docker" and _end(each):
                ended.append(each)
        except SmolcellError as error:
            remarks.append(f"{each.name} could not be ended: {error}")
    if any(each.kind == "docker" for each in leftover):
        engine = Engine()
        try:
            swept = set(containers.sweep(engine))
        finally:
            engine.close()
        ended += [each for each in leftover if each.kind == "docker" and each.place in swept]
    return ended, remarks


def end(kind: str, name: str) -> bool:
    """End one sandbox of this user, whether its kernel runs or not; returns whether it existed and has ended.

    The sandbox's state is lost. An open step ends with a ``SandboxError``; the next one gets a new sandbox.
    """
    sandboxes = [each for each in find()[0] if (each.kind, each.name) == (kind, name) and each.mine]
    if not sandboxes:
        return False
    return _remove(sandboxes[0]) if kind == "docker" else _end(sandboxes[0])


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


def _end(each: Sandbox) -> bool:
    return find_provider(each.kind).end(each.place) if each.kind in PROVIDERS else end_process(each)


# --- containers --------------------------------------------------------------------------------------------------------


def _containers() -> list[Sandbox]:
    engine = Engine()
    try:
        info, here = engine.info(), Owner.here()
        return [_container(engine, info, here, each) for each in containers.list_containers(engine)]
    finally:
        engine.close()


def _container(engine: Engine, info: Mapping[str, Any], here: Owner, summary: Mapping[str, Any]) -> Sandbox:
    owner = Owner.of(summary.get("Labels") or {})
    details = _inspected(engine, str(summary["Id"]))
    memory, cpu = _usage(engine, summary)
    names = [str(name).lstrip("/") for name in summary.get("Names") or ()]
    return Sandbox(
        kind="docker",
        name=visible(names[0] if names else str(summary["Id"])[:12]),
        state=_state(summary, details),
        image=visible(str(summary.get("Image", ""))),
        age=time.time() - float(created) if (created := summary.get("Created")) else None,
        memory=memory,
        cpu=cpu,
        owner=f"{owner.name or 'unknown'}, kernel {owner.kernel or 'unknown'}",
        kernel=f"{owner.pid}:{owner.start}" if owner.pid else "",
        mine=owner.is_beside(here),
        gone=owner.is_gone(here),
        walls=_standing(engine, info, details),
        place=str(summary["Id"]),
    )


def _inspected(engine: Engine, container: str) -> Mapping[str, Any] | None:
    try:
        with engine.errors():
            details: Mapping[str, Any] = engine.client.api.inspect_container(container)
            return details
    except SmolcellError:
        return None  # it has ended meanwhile


def _state(summary: Mapping[str, Any], details: Mapping[str, Any] | None) -> str:
    """Return the engine's current name of its state, else the one in the list; with the exit code if it has ended."""
    state = (details or {}).get("State")
    state = state if isinstance(state, Mapping) else {}
    word = " ".join(visible(str(state.get("Status") or summary.get("State") or "unknown")[:MAX_STATE_CHARS]).split())
    code = state.get("ExitCode")
    return f"{word} ({code})" if word in ("exited", "dead") and type(code) is int else word


def _remove(each: Sandbox) -> bool:
    engine = Engine()
    try:
        with engine.errors():
            return containers.remove(engine, each.place, 10.0) in containers.GONE
    finally:
        engine.close()


def _standing(engine: Engine, info: Mapping[str, Any], details: Mapping[str, Any] | None) -> tuple[str, ...]:
    if details is None:
        return ()
    standing = containers.read(containers.Found(engine.address, details, info, engine.is_podman))
    return ("guard", *(wall.name for wall in standing if wall.stands and wall not in walls.ALWAYS))


def _usage(engine: Engine, summary: Mapping[str, Any]) -> tuple[int | None, float | None]:
    if summary.get("State") not in ("running", "paused"):
        return None, None
    try:
        with engine.errors():
            stats = engine.client.api.stats(str(summary["Id"]), stream=False, one_shot=True)
        return _held(stats["memory_stats"]), int(stats["cpu_stats"]["cpu_usage"]["total_usage"]) / 1e9
    except (SmolcellError, LookupError, TypeError, ValueError):
        return None, None  # it has ended meanwhile, or the engine does not measure


def _held(memory: Mapping[str, Any]) -> int:
    """Return the memory in bytes without caches of files, as ``docker stats`` counts it (control groups 1 and 2)."""
    cached = memory["stats"].get("total_inactive_file", memory["stats"].get("inactive_file", 0))
    return max(0, int(memory["usage"]) - int(cached))


# --- sandboxes of providers ---------------------------------------------------------------------------------------------


def _far(provider: Provider) -> list[Sandbox]:
    here = Owner.here()
    return [_far_one(provider.name, each, here) for each in provider.listed({KIND: "sandbox"})]


def _far_one(kind: str, listed: Listed, here: Owner) -> Sandbox:
    owner = Owner.of(listed.labels)
    return Sandbox(
        kind=kind,
        name=visible(listed.name),
        state=" ".join(visible(listed.state[:MAX_STATE_CHARS]).split()) or "unknown",
        image=visible(listed.template),
        age=listed.age,
        owner=f"{owner.name or 'unknown'}, kernel {owner.kernel or 'unknown'}",
        kernel=f"{owner.pid}:{owner.start}" if owner.pid else "",
        mine=owner.is_beside(here),
        gone=owner.is_gone(here),
        walls=("guard", "its provider's"),
        place=listed.name,
        ends=_ends(listed),
    )


def _ends(listed: Listed) -> str:
    """Describe when its provider ends it; "" if unknown."""
    if listed.left is None:
        return "no time-out" if listed.state == "paused" else ""
    return f"ends in {span(listed.left)} {'unless it is renewed' if listed.renewable else 'at the latest'}"
