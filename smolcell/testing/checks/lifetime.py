"""How a sandbox begins and ends, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from smolcell.errors import SandboxError
from smolcell.testing import orphan
from smolcell.testing.checks.check import check
from smolcell.testing.trial import Broken, NotApplicable, Trial, expect, ok, refused, that
from smolcell.worker import process


@check
async def opening(trial: Trial) -> None:
    """Opening twice, or two at once, is harmless; ``run`` opens what is not open."""
    executor = trial.fresh()
    await asyncio.gather(executor.open(), executor.open())
    ok(await trial.run("kept = 1", executor))
    await executor.open()
    expect(ok(await trial.run("kept", executor)).output, 1, "a name after opening again")
    expect(ok(await trial.run("2", trial.fresh())).output, 2, "a step in an executor that nobody opened")


@check
async def closing(trial: Trial) -> None:
    """Closing twice, or from two threads, is harmless; what is closed is a SandboxError to use, and does not open again."""
    executor = trial.fresh()
    ok(await trial.run("1", executor))
    await asyncio.gather(trial.close(executor), trial.close(executor))
    await trial.close(executor)
    await refused(trial.run("2", executor), SandboxError, "a step after closing")
    await refused(executor.open(), SandboxError, "opening after closing")
    unopened = trial.fresh()
    await trial.close(unopened)
    await refused(trial.run("3", unopened), SandboxError, "a step in what was closed before it was opened")
    executor.interrupt()
    executor.boundary()


@check
async def closing_while_running(trial: Trial) -> None:
    """Closing while a step runs ends the step soon, as the sandbox's end."""
    for code in ("while True: pass", "sum(range(10 ** 13))"):
        executor = trial.fresh()
        begun = asyncio.Event()

        async def mark(begun: asyncio.Event = begun) -> None:
            begun.set()

        await trial.lend(executor, mark=mark)
        step = asyncio.ensure_future(trial.run(f"mark()\n{code}", executor))
        await asyncio.wait_for(begun.wait(), trial.patience)
        await trial.close(executor)
        done, _ = await asyncio.wait({step}, timeout=trial.patience)
        if not done:
            step.cancel()
            raise Broken(f"{code!r} has not ended {trial.patience:g} s after closing")
        error = step.exception()
        if error is None:
            fault = step.result().error
            that(fault is not None and fault.kind in ("sandbox", "stopped"), f"{code!r} ended as {fault}")
        else:
            that(isinstance(error, SandboxError), f"{code!r} ended with {type(error).__name__}: {error}")


@check
async def with_statement(trial: Trial) -> None:
    """``with`` gives the executor, and closes it at the end."""
    executor = trial.fresh()
    manager: Any = executor
    if not hasattr(type(manager), "__enter__"):
        raise NotApplicable("the executor is no context manager; close() is what it must have")
    with manager as entered:
        that(entered is executor, "``with … as`` gives something else than the executor")
        ok(await trial.run("1", executor))
    await refused(trial.run("2", executor), SandboxError, "a step after the with statement")


@check
async def nothing_is_left(trial: Trial) -> None:
    """After closing nothing is left on the host: no process, descriptor or thread, nor in the list of what is alive."""
    await _round(trial)  # what is made once stays: a reaper, an event loop, a pool of threads
    before = await _settled(trial)
    for _ in range(3):
        await _round(trial)

    def left() -> bool:
        now = _held(trial)
        return all(len(now[what]) <= len(before[what]) for what in before)

    try:
        await trial.eventually(left, "everything is freed after closing")
    except Broken as error:
        now = _held(trial)
        more = {what: sorted(now[what] - before[what]) for what in before if len(now[what]) > len(before[what])}
        raise Broken(f"{error}: more than before three sandboxes were opened and closed: {more}") from None


async def _round(trial: Trial) -> None:
    executor = trial.fresh(timeout=5)
    ok(await trial.run("print('hello')\n1", executor))
    await trial.close(executor)


async def _settled(trial: Trial) -> dict[str, set[str]]:
    """What is held, once it no longer changes."""
    held = _held(trial)
    for _ in range(20):
        await asyncio.sleep(0.1)
        again = _held(trial)
        if again == held:
            break
        held = again
    return held


def _held(trial: Trial) -> dict[str, set[str]]:
    """What this process holds, as far as the system shows it."""
    descriptors = Path("/proc/self/fd")
    return {
        "processes": {str(pid) for pid in process.tree(0) | _below(os.getpid())},
        "descriptors": {path.name for path in descriptors.iterdir()} if descriptors.is_dir() else set(),
        "threads": {f"{thread.name} {thread.ident}" for thread in threading.enumerate()} - _pool(),
        "alive": set(trial.alive()) if trial.alive is not None else set(),
    }


def _pool() -> set[str]:
    """The threads of the loop's own pool, which grows as it is used."""
    return {f"{t.name} {t.ident}" for t in threading.enumerate() if t.name.startswith("asyncio_")}


def _below(pid: int) -> set[int]:
    """The living processes below one, where the system shows them."""
    return process.tree(pid) - {pid}


@check
async def host_dies(trial: Trial) -> str:
    """When the host is killed with SIGKILL, in the middle of a step, nothing is left of its sandbox."""
    before = set(trial.alive()) if trial.alive is not None else set()
    try:
        factory = orphan.describe(trial.make)
    except LookupError as error:
        raise Broken(str(error)) from None
    code = "import sys; sys.path[:] = __import__('json').loads(sys.argv[1]); from smolcell.testing.orphan import main; main()"
    host = await asyncio.to_thread(
        subprocess.Popen,
        [sys.executable, "-c", code, json.dumps(sys.path), json.dumps(factory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        said = json.loads(await _line(host, trial))
        members = _members(host.pid)
        far = set(trial.alive()) - before if trial.alive is not None else set()
    finally:
        host.kill()
        await asyncio.to_thread(host.wait)
        for pipe in (host.stdin, host.stdout):  # not read to its end: what is left of the sandbox may hold it open
            if pipe is not None:
                pipe.close()
    folder = Path(said["folder"]) if said["folder"] else None
    await trial.seen_alive(bool(members), bool(far))
    await trial.eventually(lambda: not _living(members), f"of {len(members)} processes of the sandbox none lives")
    if folder is not None and said["seen"]:
        await trial.eventually(lambda: not folder.exists(), f"its folder {folder} is gone")
    if trial.alive is not None:
        alive = trial.alive
        await trial.eventually(lambda: not (set(alive()) & far), f"of {far} nothing is alive")
    return f"{len(members)} processes, {len(far)} others were seen, and ended"


async def _line(host: subprocess.Popen[bytes], trial: Trial) -> bytes:
    """The line with which the host says that its sandbox is at work."""
    stdout = host.stdout
    reading = asyncio.ensure_future(asyncio.to_thread(stdout.readline if stdout is not None else bytes))
    done, _ = await asyncio.wait({reading}, timeout=60 + trial.patience)
    if not done or not reading.result():
        host.kill()
        raise Broken("a process that made such an executor and ran a step in it did not say that it was at work")
    return reading.result()


def _members(pid: int) -> set[tuple[int, int]]:
    """The processes below one, each with its start time, so that an id given out anew is not taken for it."""
    found = {member: process.stat(member) for member in _below(pid)}
    return {(member, stat.start) for member, stat in found.items() if stat is not None}


def _living(members: set[tuple[int, int]]) -> bool:
    for pid, start in members:
        stat = process.stat(pid)
        if stat is not None and stat.start == start and stat.state not in "ZX":
            return True
    return False
