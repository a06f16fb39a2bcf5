"""Bytes over a stream of text that breaks: each piece once and in order, and nothing of what is no line."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.worker import cloud
from smolcell.worker.cloud import DATA, HAVE, RESEND, CarrierLine, Incoming, LineReader, Outgoing


@given(st.binary(max_size=300), st.integers(0, 2**40), st.sampled_from([DATA, HAVE, RESEND, cloud.ALIVE]))
def test_a_line_is_read_as_it_was_written(data: bytes, number: int, letter: bytes) -> None:
    text = cloud.write(letter, number, data)
    assert text.isascii() and text.count(b"\n") == 1
    assert LineReader().feed(text) == [CarrierLine(letter, number, data)]


@given(st.binary(max_size=2000), st.lists(st.integers(1, 50)))
def test_lines_do_not_depend_on_where_the_stream_is_cut(data: bytes, sizes: list[int]) -> None:
    text = b"".join(cloud.write(DATA, number, data[number : number + 7]) for number in range(1, 40))
    lines, found = LineReader(), []
    for size in [*sizes, len(text)]:
        piece, text = text[:size], text[size:]
        found += lines.feed(piece)
    assert found == [CarrierLine(DATA, number, data[number : number + 7]) for number in range(1, 40)]


@given(st.binary(max_size=500))
def test_whatever_comes_is_no_error(data: bytes) -> None:
    for line in LineReader().feed(data + b"\n"):
        assert line.letter in (DATA, HAVE, RESEND, cloud.ALIVE) and line.number >= 0


@pytest.mark.parametrize("text", [*cases(__file__, "no_lines"), "D" + "1" * 5000 + " YQ==\n"])
def test_what_is_no_line_is_left_out(text: str) -> None:
    assert LineReader().feed(text.encode("latin-1") + cloud.write(DATA, 1, b"a")) == [CarrierLine(DATA, 1, b"a")]


def test_a_line_without_an_end_is_not_kept() -> None:
    lines = LineReader()
    for _ in range(40):
        assert lines.feed(b"x" * (1 << 18)) == []
    assert len(lines._rest) <= cloud.MAX_LINE_BYTES
    assert lines.feed(b"\n" + cloud.write(DATA, 1, b"a")) == [CarrierLine(DATA, 1, b"a")]


def test_pieces_are_taken_once_and_in_order() -> None:
    incoming = Incoming()
    came = [1, 2, 2, 1, 4, 5, 3, 4, 4, 5]
    taken = b"".join(incoming.take(CarrierLine(DATA, number, b"%d" % number)) for number in came)
    assert (taken, incoming.number) == (b"12345", 5)
    assert (incoming.take(CarrierLine(DATA, 7, b"7")), incoming.number) == (b"", 5)


def test_what_came_is_told_each_few_megabytes() -> None:
    incoming = Incoming()
    half = bytes(cloud.ACKNOWLEDGE_BYTES // 2)
    incoming.take(CarrierLine(DATA, 1, half))
    assert not incoming.is_due()
    incoming.take(CarrierLine(DATA, 2, half))
    assert incoming.is_due() and not incoming.is_due()


def test_what_is_sent_is_kept_until_it_is_there_and_no_more_than_agreed() -> None:
    outgoing = Outgoing()
    first = outgoing.add(b"a")
    second = outgoing.add(b"b")
    assert outgoing.kept() == [first, second]
    outgoing.forget(1)
    assert outgoing.kept() == [second]
    outgoing.add(bytes(cloud.MAX_UNACKNOWLEDGED_BYTES))
    assert not outgoing.wait(0.01)
    outgoing.forget(3)
    assert outgoing.wait(0.01) and outgoing.kept() == []


# --- the process in between ----------------------------------------------------------------------------------------------


@pytest.fixture
def ends() -> Iterator[tuple[int, int, socket.socket]]:
    """Where the host writes and reads, and where the supervisor is, with a carrier between them."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    near, far = socket.socketpair()
    serving = threading.Thread(target=cloud.Carrier(theirs_in, theirs_out, near).serve, daemon=True)
    serving.start()
    yield ours_out, ours_in, far
    far.close()
    os.close(ours_out)
    serving.join(60)
    assert not serving.is_alive()
    near.close()
    for descriptor in (theirs_out, ours_in):
        os.close(descriptor)


def lines_of(descriptor: int, count: int) -> list[CarrierLine]:
    """The next lines that come."""
    reader, found = LineReader(), list[CarrierLine]()
    while len(found) < count:
        found += reader.feed(os.read(descriptor, 1 << 16))
    return found


def test_a_carrier_says_again_what_the_host_has_not_heard(ends: tuple[int, int, socket.socket]) -> None:
    out, into, far = ends
    said = []
    for word in (b"one", b"two", b"three"):
        far.sendall(word)
        said += lines_of(into, 1)
    assert said == [CarrierLine(DATA, 1, b"one"), CarrierLine(DATA, 2, b"two"), CarrierLine(DATA, 3, b"three")]
    os.write(out, cloud.write(RESEND, 1))
    assert lines_of(into, 2) == said[1:]
    os.write(out, cloud.write(HAVE, 3) + cloud.write(RESEND, 0) + cloud.write(DATA, 1, b"x"))
    assert far.recv(1) == b"x"  # both lines are handled, so "four" cannot be among what RESEND repeats
    far.sendall(b"four")
    assert lines_of(into, 1) == [CarrierLine(DATA, 4, b"four")]


def test_a_carrier_takes_each_piece_of_the_host_once(ends: tuple[int, int, socket.socket]) -> None:
    out, _, far = ends
    one, two = cloud.write(DATA, 1, b"one "), cloud.write(DATA, 2, b"two ")
    os.write(out, one[:3])
    os.write(out, one[3:] + one + two + one + two + b"half a li")
    os.write(out, b"ne\n" + cloud.write(DATA, 3, b"three"))
    found = b""
    while len(found) < 13:
        found += far.recv(100)
    assert found == b"one two three"


def test_a_carrier_without_anything_to_say_says_that_it_is_alive(
    ends: tuple[int, int, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, into, far = ends
    monkeypatch.setattr(cloud, "HEARTBEAT_SECONDS", 0.02)
    far.sendall(b"x")  # it waits for so long as it found when it began
    assert CarrierLine(cloud.ALIVE, 0) in lines_of(into, 4)
