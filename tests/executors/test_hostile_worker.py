"""Whatever a worker sends, the host's step ends with an observation or a named error; it never hangs or crashes."""

from __future__ import annotations

import asyncio
import queue
import random
import threading
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from examples import few_or_many

from smolcell.errors import SandboxError
from smolcell.events import Boundary, Observed, Proposed
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.step import RunningStep
from smolcell.permit import permit
from smolcell.protocols import CallTool
from smolcell.worker.wire import frames as wire
from smolcell.worker.wire import values

READY = wire.Frame("ready", {"version": 1, "pid": 1, "python": "3.11", "capabilities": {}})
DONE: dict[str, Any] = {
    "step": 1,
    "error": None,
    "final": False,
    "changed": ["x"],
    "dropped": 0,
    "forged": 0,
    "state_lost": False,
    "duration": 0.5,
}
BODY = wire.dumps({"result": "1", "outputs": [{"text/plain": "x"}], "value": {"$": "tuple", "v": [1, "a"]}})


def encoded(frame: wire.Frame) -> bytes:
    return b"".join(wire.encode(frame, wire.FROM_WORKER))


class ScriptedChannel:
    """Says hello rightly, and answers the first step with the given bytes and silence or the end."""

    shares = False

    def __init__(self, script: bytes) -> None:
        self._script = script
        self._bytes: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._bytes.put(encoded(READY))
        self.killed = threading.Event()

    def send(self, buffers: Sequence[wire.Buffer], descriptor: int | None = None) -> None:
        if b'"type":"run"' in bytes(buffers[0]):
            self._bytes.put(self._script)
            self._bytes.put(b"")

    def receive(self) -> bytes:
        return self._bytes.get()

    def kill(self) -> None:
        self.killed.set()
        self._bytes.put(b"")

    def epitaph(self) -> str:
        return "the script is over"


class ScriptedExecutor(WorkerExecutor):
    """A sandbox whose worker says what the test wants."""

    name = "scripted"

    def __init__(self, script: bytes) -> None:
        super().__init__(max_print_outputs_length=1000)
        self.channel = ScriptedChannel(script)

    def _start(self) -> ScriptedChannel:
        return self.channel

    def boundary(self) -> Boundary:
        return Boundary(sandbox=self.name, where="nowhere", isolated=False)


async def answer(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return 1


async def answer_never(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    await asyncio.Event().wait()


def observe(script: bytes, answer: CallTool = answer) -> Observed:
    async def run(executor: ScriptedExecutor) -> Observed:
        allowed = permit(Proposed(run="r", step=1, text="1"), by="caller")
        async with asyncio.timeout(60):
            await executor.open()
            executor.tools = {"f": len}  # lent, without the message to the worker that says so
            return await executor.run(allowed, lambda _: None, answer)

    with ScriptedExecutor(script) as executor:
        return asyncio.run(run(executor))


def test_a_right_end_is_an_observation() -> None:
    observed = observe(done(BODY, b"printed"))
    assert (observed.output, observed.stdout, observed.result, observed.changed) == ((1, "a"), "printed", "1", ("x",))


def display(**changed: Any) -> bytes:
    blob = changed.pop("blob", b'{"text/plain":"x"}')
    return encoded(wire.Frame("show", {"step": 1, "at": 0, "count": 1, **changed}, (blob,)))


def call(*blobs: bytes) -> bytes:
    return encoded(wire.Frame("call", {"step": 1, "call": 1, "name": "f"}, blobs))


def output(text: str) -> bytes:
    return encoded(wire.Frame("out", {"step": 1, "text": text}))


def done(*blobs: bytes, **changed: Any) -> bytes:
    return encoded(wire.Frame("done", {**DONE, **changed}, blobs))


OUTPUTS = {
    "big": [{"text/html": "x" * (8 << 20)}],
    "many": [{"text/plain": "x"}] * 25,
    "odd": [{"text/x-odd": "x"}],
}  # beyond what is agreed
WRONG = {
    **{done(wire.dumps({"result": "1", "outputs": found}), b""): "WireError" for found in OUTPUTS.values()},
    b"rubbish of more than a prefix": "WireError",
    output("x" * 1001): "WireError",
    output(""): "WireError",
    output("\r" + "x" * 900) * 5000: "WireError",
    display() * 5000: "WireError",
    display(at=25, count=25): "WireError",
    display(at=-1): "WireError",
    display(blob=b'{"text/x-odd":"x"}'): "WireError",
    display(blob=b"[]"): "WireError",
    done(): "WireError",
    done(b"[1]", b""): "WireError",
    done(b'{"result":5}', b""): "WireError",
    done(b'{"outputs":[{"a":1}]}', b""): "WireError",
    done(b'{"value":{"$":"pickle","b":0}}', b"\x80\x04N.", b""): "WireError",
    done(BODY, b"x" * 5000): "WireError",
    call(): "WireError",
    call(b"[[],[1]]"): "WireError",
    call(b"[[],[]]") * 100: "WireError",
    b"": "SandboxDied",
    b"rubbish": "SandboxDied",
    done(BODY, b"", step=2): "SandboxDied",
}


@pytest.mark.parametrize(("script", "kind"), WRONG.items(), ids=map(str, range(len(WRONG))))
def test_a_wrong_word_ends_the_step_by_name(script: bytes, kind: str) -> None:
    error = observe(script, answer_never).error  # else a call could be over before the next one is read
    assert error is not None
    assert (error.kind, error.type) == ("sandbox", kind)


class Undecoded(bytes):
    """Printed text that no one may copy."""

    def __bytes__(self) -> bytes:
        raise AssertionError("it was copied")


def test_printed_text_is_measured_before_it_is_decoded() -> None:
    step: Any = SimpleNamespace(_executor=SimpleNamespace(max_print_outputs_length=1000))
    with pytest.raises(wire.FrameError, match="more output than agreed"):
        RunningStep._observed(step, wire.Frame("done", DONE, (BODY, Undecoded(1 << 20))))


def test_an_end_is_clipped_and_visible() -> None:
    fault = {"kind": "python", "type": "X\x1b[2J" * 999, "message": "m\x1b" * 9**5, "line": -1, "traceback": "\u202e"}
    odd = {"error": fault, "duration": -1e14, "dropped": -5, "changed": ["\x1b[2J", "x"] * 9000}
    observed = observe(done(BODY, b"", **odd))
    assert (observed.duration, observed.dropped, set(observed.changed)) == (0, 0, {"x"})
    assert len(observed.changed) <= 500
    error = observed.error
    assert error is not None
    assert (error.line, error.traceback) == (0, "\\u{202e}")
    assert "\x1b" not in error.type + error.message
    assert len(error.type) <= 200
    assert len(error.message) < 50_000


def test_a_call_that_is_refused_for_ever_ends_the_step() -> None:
    error = observe(call(b"[[],[]]") * 20_000).error
    assert error is not None
    assert error.type == "WireError"


@pytest.mark.timeout(1800)  # for the full count on a busy machine: each case alone has a minute
@few_or_many(100, 1_000)
def test_mutated_frames_never_hang_or_crash_the_host(count: int) -> None:
    rng = random.Random(11)
    encoder = values.Encoder()
    value = encoder.encode([b"x" * 2000, {1: (2, 3.5)}])
    body = wire.dumps({"result": "1", "outputs": [], "value": value})
    blobs: Any = encoder.blobs
    frames = [output("hello"), call(b'[[1],[["k",2]]]'), done(body, *blobs, b"printed")]
    frames.append(encoded(wire.Frame("answer", {"id": 1, "error": ""})))
    for _ in range(count):
        script = bytearray(b"".join(rng.choices(frames, k=2)) + frames[2])
        for _ in range(rng.randint(1, 4)):
            script[rng.randrange(len(script))] = rng.randrange(256)
        try:
            assert isinstance(observe(bytes(script)), Observed)
        except SandboxError:
            pass
