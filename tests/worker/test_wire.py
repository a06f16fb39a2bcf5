"""The wire refuses whatever is not a frame, with a named error, before it allocates, and never hangs."""

from __future__ import annotations

import datetime
import random
import struct
import tracemalloc
from typing import Any

import pytest
from examples import FULL, cases
from hypothesis import given, settings
from hypothesis import strategies as st

from smolcell.worker.wire import frames as wire
from smolcell.worker.wire import values

MUTATIONS = 10_000 if FULL else 1_000
DONE = {
    "error": None,
    "final": False,
    "changed": ["x"],
    "dropped": 0,
    "forged": 0,
    "state_lost": False,
    "duration": 0.5,
}
FRAMES = [
    wire.Frame("ready", {"version": 1, "pid": 5, "python": "3.11", "capabilities": {"arrow": True}}),
    wire.Frame("out", {"step": 1, "text": "hällo"}),
    wire.Frame("call", {"step": 1, "call": 1, "name": "f"}, (b"[[1],[]]",)),
    wire.Frame("done", {"step": 1, **DONE}, (b'{"result":"1"}', b"x" * 300, b"printed")),
    wire.Frame("answer", {"id": 3, "error": ""}),
]


def encoded(frame: wire.Frame) -> bytes:
    return b"".join(wire.encode(frame, wire.FROM_WORKER))


def raw(header: bytes, sizes: list[int] | None = None) -> bytes:
    sizes = sizes or []
    return wire.PREFIX.pack(wire.MAGIC, len(header), len(sizes)) + struct.pack(f">{len(sizes)}Q", *sizes) + header


@given(st.lists(st.sampled_from(FRAMES), max_size=4), st.integers(1, 97))
def test_frames_come_out_as_they_went_in_however_the_stream_is_cut(frames: list[wire.Frame], cut: int) -> None:
    stream = b"".join(encoded(frame) for frame in frames)
    decoder = wire.FrameDecoder(wire.FROM_WORKER)
    found = [frame for at in range(0, len(stream), cut) for frame in decoder.feed(stream[at : at + cut])]
    assert found == frames
    assert decoder.feed(stream) == frames  # it kept no byte


def mutated(rng: random.Random) -> bytes:
    data = bytearray(b"".join(encoded(rng.choice(FRAMES)) for _ in range(rng.randint(1, 3))))
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif kind == 1:
            data[at:at] = rng.randbytes(rng.randint(1, 9))
        elif kind == 2:
            del data[at : at + rng.randint(1, 20)]
        elif kind == 3 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        else:
            data += data[at : at + 40]
    return bytes(data)


def test_mutated_frames_give_frames_or_a_wire_error() -> None:
    rng = random.Random(20)
    refused = 0
    for _ in range(MUTATIONS):
        try:
            wire.FrameDecoder(wire.FROM_WORKER).feed(mutated(rng))
        except wire.FrameError:
            refused += 1
    assert MUTATIONS // 2 < refused < MUTATIONS


@settings(max_examples=200)
@given(st.binary(max_size=400))
def test_any_bytes_give_frames_or_a_wire_error(data: bytes) -> None:
    try:
        assert isinstance(wire.FrameDecoder(wire.FROM_WORKER).feed(data), list)
    except wire.FrameError:
        pass


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "not a frame"),
        (wire.PREFIX.pack(wire.MAGIC, 2 << 30, 0), "header of 2147483648 bytes"),
        (wire.PREFIX.pack(wire.MAGIC, 0, 0), "header of 0 bytes"),
        (wire.PREFIX.pack(wire.MAGIC, 10, 2**32 - 1), "257 blobs"),
        (raw(b"{}", [2 << 30]), "blobs of 2147483648 bytes"),
        (raw(b"{}", [300 << 20, 300 << 20]), "blobs of 629145600 bytes"),
        (raw(b"{}", [2**64 - 1]), "blobs of 18446744073709551615 bytes"),
        (raw(b'{"type":"out","step":1,"text":"\xff"}'), "not JSON"),
        (raw(b'{"type":"out","step":NaN,"text":""}'), "JSON holds NaN"),
        (raw(b'{"type":"out","step":1e999,"text":""}'), "beyond float"),
        (raw(b'{"type":"out","step":1,"step":1,"text":""}'), "duplicate key"),
        (raw(b'{"type":"boom"}'), "unknown frame type"),
        (raw(b'{"type":"out","step":"1","text":""}'), "field step is not of type int"),
        (raw(b'{"type":"out","step":true,"text":""}'), "field step is not of type int"),
        (raw(b'{"type":"out","step":1}'), "missing or surplus"),
        (raw(b'{"type":"out","step":1,"text":"","more":1}'), "missing or surplus"),
        (raw(b"[1]"), "not an object"),
        (raw(b'{"type":["out"]}'), "not an object with a type"),
        (raw(b"[" * 100_000), "not JSON"),
        (
            raw(b'{"type":"ready","version":1,"pid":1,"python":"","capabilities":' + b'{"a":' * 40 + b"1" + b"}" * 41),
            "nested",
        ),
        (raw(b'{"type":"out","step":1' + b"0" * 5000 + b',"text":""}'), "not JSON"),
    ],
)
def test_what_is_not_a_frame_is_refused_by_name(data: bytes, reason: str) -> None:
    decoder = wire.FrameDecoder(wire.FROM_WORKER)
    with pytest.raises(wire.FrameError, match=reason):
        decoder.feed(data)
    with pytest.raises(wire.FrameError, match=reason):
        decoder.feed(b"")


def test_two_gigabytes_announced_allocate_nothing() -> None:
    tracemalloc.start()
    try:
        decoder = wire.FrameDecoder(wire.FROM_WORKER, max_bytes=4 << 30)
        assert decoder.feed(raw(encoded(FRAMES[1])[wire.PREFIX.size :], [2 << 30]) + b"abc") == []
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_what_this_side_sends_is_held_to_the_same_table() -> None:
    with pytest.raises(wire.FrameError, match="unknown frame type"):
        wire.encode(wire.Frame("boom", {}), wire.TO_WORKER)
    with pytest.raises(wire.FrameError, match="at most 10"):
        wire.encode(wire.Frame("pull", {"id": 1, "names": []}, (b"x" * 11,)), wire.TO_WORKER, max_bytes=10)


# --- values, as this side and as a hostile worker would write them ---

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**80), 2**80) | st.floats() | st.complex_numbers() | st.text() | st.binary(max_size=2000)
    | st.binary().map(bytearray) | st.just("a" * 100_000) | st.fractions() | st.decimals() | st.uuids() | st.dates() | st.timedeltas()
    | st.datetimes(timezones=st.sampled_from([None, datetime.UTC])) | st.just(datetime.time(2, 30, fold=1)),
    lambda parts: st.lists(parts, max_size=3) | st.lists(parts, max_size=3).map(tuple) | st.frozensets(st.integers(0, 7))
    | st.dictionaries(st.text() | st.integers() | st.tuples(st.booleans()), parts, max_size=3),
)  # fmt: skip


@given(PLAIN)
def test_a_plain_value_comes_back_as_it_was(value: Any) -> None:
    encoder = values.Encoder()
    data = wire.dumps(encoder.encode(value))
    assert repr(values.Decoder(encoder.blobs).decode(values.read_json(data))) == repr(value)


@pytest.mark.parametrize("data", cases(__file__, "hostile"))
def test_a_hostile_value_has_one_name(data: Any) -> None:
    with pytest.raises(wire.FrameError):
        values.Decoder([b"\x80\x04N."]).decode(data)


def test_arrays_of_objects_are_never_read() -> None:
    numpy = pytest.importorskip("numpy")
    import io

    head = io.BytesIO()
    spec = {"descr": "|O", "fortran_order": False, "shape": (1,)}
    numpy.lib.format.write_array_header_2_0(head, spec)
    with pytest.raises(wire.FrameError, match="an array of objects"):
        values.Decoder([head.getvalue() + bytes(8)]).decode({"$": "array", "b": 0})


def test_a_text_that_is_cut_keeps_its_beginning_and_its_end() -> None:
    from smolcell.worker.wire.bounds import cut, short_repr

    assert (cut("abc", 3), cut("abc", 0)) == ("abc", "… [3 more characters] …")
    assert cut("begin" + "x" * 1000 + "end", 20) == "begin" + "x" * 11 + "… [988 more characters] …xend"
    assert short_repr(list(range(1000)), 20) == "[0, 1, 2, 3, 4, … [4,870 more characters] …999]"


def test_shared_parts_are_bounded() -> None:
    shared: Any = [1]
    for _ in range(30):
        shared = [shared, shared]
    with pytest.raises(values.UnencodableError, match="parts"):
        values.Encoder(budget=values.EncodingLimits(nodes=10_000)).encode(shared)
    assert values.short_repr(shared)  # the test's own timeout ends what reads all 2**30 of them
