"""Parts of the worker that need no process, called here: what is printed, shown and said of a step's end."""

from __future__ import annotations

import asyncio
import base64
import linecache
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from processes import bystander

from smolcell.executors import step
from smolcell.worker.guard import transformer
from smolcell.worker.runner import display, errors
from smolcell.worker.runner.display import Display, mime_bundle
from smolcell.worker.runner.tasks import StepLoop
from smolcell.worker.supervisor import (
    GRACE_SECONDS,
    Request,
    Requests,
    Supervisor,
    checkpoints,
    describe_death,
    meters,
)
from smolcell.worker.supervisor.limits import QUIET_SECONDS, WATCH_SECONDS, Watch
from smolcell.worker.supervisor.meters import Output, StandingText, drop_overwritten, drop_overwritten_piece
from smolcell.worker.wire.bounds import CLEAR
from smolcell.worker.wire.frames import Frame

# --- output -------------------------------------------------------------------------------------------------------------


def test_output_within_its_limit_is_kept_whole_and_streamed_once() -> None:
    output = Output(100)
    output.feed("grün".encode()[:3])
    output.feed("grün".encode()[3:])
    assert (output.pending, output.stream(force=True), output.stream(force=True)) == (True, "grün", None)
    assert (output.text(), output.dropped, output.pending) == ("grün", 0, False)


def test_bytes_that_are_no_text_are_shown_as_replaced() -> None:
    output = Output(100)
    output.feed(b"a\xff\xfeb\xe2\x82", final=True)
    assert output.text() == "a\ufffd\ufffdb\ufffd"


def test_output_beyond_its_limit_keeps_the_head_and_the_end_and_says_what_is_gone() -> None:
    output = Output(10)
    output.feed(b"0123456789" * 3)
    assert output.text() == "01234567\n[20 characters dropped: output is limited to 10]\n89"
    assert output.dropped == 20
    assert output.stream(force=True) == "01234567"


def test_pieces_are_not_streamed_faster_than_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meters, "STREAM_SECONDS", 20.0)
    output = Output(1000)
    output.feed(b"one")
    assert output.stream() == "one"
    output.feed(b"two")
    assert (output.stream(), output.stream(force=True)) == (None, "two")


def test_a_line_that_is_written_over_is_kept_and_streamed_in_its_last_state() -> None:
    output = Output(100)
    streamed = []
    for percent in range(0, 101, 10):
        output.feed(f"\r{percent}% {'#' * 50}".encode())
        if percent % 50 == 0:
            streamed.append(output.stream(force=True))
    output.feed(b"\ndone\r\n")
    streamed.append(output.stream(force=True))
    assert [piece.replace("#", "") for piece in streamed if piece] == ["\r0% ", "\r50% ", "\r100% ", "\ndone\r\n"]
    assert (output.text(), output.dropped) == (f"100% {'#' * 50}\ndone\r\n", 0)


@example(["a\n", "a", "\r\0\0a"], 5)
@example(["a\ra", CLEAR, "b"], 5)
@given(st.lists(st.text(f"ab\r\n\0{CLEAR}", max_size=9), max_size=30), st.integers(5, 40))
def test_however_text_comes_the_far_side_has_the_same_and_no_more_than_agreed(pieces: list[str], limit: int) -> None:
    output, far, shown = Output(limit), StandingText(), ""
    for piece in pieces:
        output.feed(piece.encode())
        streamed = output.stream(force=True) or ""
        far.add(streamed)
        shown = drop_overwritten_piece(shown + streamed)
        assert far.size <= limit
    whole = drop_overwritten("".join(pieces).rpartition(CLEAR)[2])
    if not output.dropped:
        assert output.text() == whole
        if len("".join(pieces)) <= limit - limit // 5:
            assert drop_overwritten(shown.removeprefix(CLEAR)).replace("\r", "") == whole.replace("\r", "")


# --- a request's end ----------------------------------------------------------------------------------------------------


def request(kind: str = "run") -> Request:
    child: Any = SimpleNamespace(pid=1, link=SimpleNamespace(forged=0))
    return Request(Frame(kind, {"timeout": 3.0} if kind == "run" else {}), child, 100)


def test_the_first_reason_to_end_is_the_one_that_counts() -> None:
    asked = request()
    asked.stop("limit")
    asked.stop("stopped")
    reason = "the step took longer than 3 s and was ended; its variables are kept. Do less in one step"
    assert asked.ended({"line": 2, "type": "E", "message": "x", "traceback": "where\nE: x"}) == {
        "kind": "limit",
        "type": "TimeoutError",
        "message": reason,
        "line": 2,
        "traceback": f"where\nTimeoutError: {reason}",
    }
    assert asked.ended({"line": 0, "type": "KeyboardInterrupt", "message": "", "traceback": ""})["traceback"] == ""


def test_the_error_that_ended_a_step_gives_way_to_the_reason() -> None:
    asked = request()
    asked.stop("stopped")
    interrupted = {"type": "KeyboardInterrupt", "message": "", "traceback": "where\n    loop()\nKeyboardInterrupt"}
    assert asked.ended(interrupted)["traceback"] == (
        "where\n    loop()\nKeyboardInterrupt: the step was interrupted; its variables are kept"
    )


def test_a_stopped_step_that_did_not_react_says_so() -> None:
    asked = request()
    asked.stop("stopped")
    ended = asked.ended({}, kept=False)
    assert (ended["kind"], ended["type"]) == ("stopped", "KeyboardInterrupt")
    assert ended["message"] == "the step was interrupted; it did not react, so its process was killed"


def test_what_is_no_step_has_a_limit_of_its_own() -> None:
    assert request("pull").timeout == 60.0


def test_a_death_is_named() -> None:
    assert describe_death("signal 9")["message"] == (
        "the sandbox's process ended during the step: signal 9. Its variables are gone."
    )


# --- rich output --------------------------------------------------------------------------------------------------------


class Shown:
    """An object with representations of every kind, some of them broken."""

    def __repr__(self) -> str:
        return "Shown()"

    def _repr_html_(self) -> str:
        return "<b>text</b>"

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return b"png", {"width": 1}

    def _repr_json_(self) -> dict[str, int]:
        return {"a": 1}

    def _repr_latex_(self) -> str:
        raise ValueError("broken")

    def _repr_markdown_(self) -> int:
        return 3


def test_a_bundle_holds_what_an_object_says_of_itself() -> None:
    assert mime_bundle(Shown()) == {
        "text/html": "<b>text</b>",
        "image/png": base64.b64encode(b"png").decode(),
        "application/json": '{"a":1}',
        "text/plain": "Shown()",
    }


def test_a_class_and_a_plain_value_have_no_bundle() -> None:
    assert (mime_bundle(Shown), mime_bundle(3)) == (None, None)


def test_what_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "MAX_OUTPUT_BYTES", 5)
    assert mime_bundle(Shown()) == {"image/png": "cG5n", "text/plain": "Shown()"}


def test_a_step_shows_so_much_and_says_once_what_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(display, "MAX_BUNDLES", 2)
    shown = Display()
    shown.show(1, 2, 3, 4)
    assert shown.bundles == [{"text/plain": "1"}, {"text/plain": "2"}]
    assert capsys.readouterr().out == "[outputs are left out: a step shows at most 2, of 20 MiB together]\n"


def test_open_figures_are_taken_and_closed() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.plot([1, 2])
    shown = Display()
    shown.figures()
    assert [sorted(bundle) for bundle in shown.bundles] == [["image/png", "text/plain"]]
    assert base64.b64decode(shown.bundles[0]["image/png"]).startswith(b"\x89PNG")
    assert pyplot.get_fignums() == []
    figure, _ = pyplot.subplots()
    assert sorted(mime_bundle(figure) or {}) == ["image/png", "text/plain"]
    pyplot.close("all")


def test_a_figure_that_is_too_large_is_left_out_and_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.setattr(display, "MAX_OUTPUT_BYTES", 10)
    pyplot.subplots()
    shown = Display()
    shown.figures()
    assert (shown.bundles, pyplot.get_fignums()) == ([], [])
    assert capsys.readouterr().out.startswith("[a figure is left out: larger than")


# --- a program's faults -------------------------------------------------------------------------------------------------


def failed(source: str, memory: int = 0) -> dict[str, Any]:
    """The fault of a program that fails, as its own step."""
    name = errors.remember(7, source)
    try:
        try:
            exec(transformer.compile_program(source, name, None), {})
        except BaseException as error:
            return errors.fault(error, memory)
        raise AssertionError("it did not fail")
    finally:
        linecache.cache.pop(name, None)


def test_a_fault_shows_the_programs_own_lines() -> None:
    fault = failed("def f(x):\n    return 1 / x\n\nf(0)")
    assert (fault["kind"], fault["type"]) == ("python", "ZeroDivisionError")
    assert (fault["message"], fault["line"]) == ("division by zero", 2)
    assert [line.strip() for line in fault["traceback"].split("\n")][1:] == [
        'File "<step 7>", line 4, in <module>',
        "f(0)",
        'File "<step 7>", line 2, in f',
        "return 1 / x",
        "ZeroDivisionError: division by zero",
    ]


def test_a_deep_traceback_is_cut_in_the_middle() -> None:
    fault = failed("def f(n):\n    if not n: raise KeyError('end')\n    f(n - 1)\nf(40)")
    assert "  … 26 more" in fault["traceback"]
    assert fault["message"] == "'end'"


def test_a_fault_leaves_out_libraries_and_generated_code() -> None:
    source = (
        "import functools, json\nfrom dataclasses import dataclass, field\n"
        "def loud(f):\n    @functools.wraps(f)\n    def wrapper(*args): return f(*args)\n    return wrapper\n"
        "def parse(): return json.loads('{')\n"
        "@dataclass\nclass P:\n    x: object = field(default_factory=parse)\n"
        "@loud\ndef make(): return [P() for _ in range(2)]\nmake()"
    )
    fault = failed(source)
    places = [line.split(", line ")[1] for line in fault["traceback"].split("\n") if ", line " in line]
    comprehension = ["12, in <listcomp>"] if "<listcomp>" in fault["traceback"] else []  # gone since Python 3.12
    assert places == ["13, in <module>", "5, in wrapper", "12, in make", *comprehension, "7, in parse"]
    assert "json/" not in fault["traceback"]


def test_a_chain_is_shown_as_far_as_the_program_made_it() -> None:
    source = (
        "def get(x):\n    try:\n        return {}[x]\n    except KeyError as error:\n        raise ValueError('no')"
    )
    direct = failed(source + " from error\nget(1)")["traceback"]
    assert direct == (
        "Traceback (most recent call last):\n"
        '  File "<step 7>", line 3, in get\n    return {}[x]\nKeyError: 1\n'
        "\nThe above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n"
        '  File "<step 7>", line 6, in <module>\n    get(1)\n'
        "  File \"<step 7>\", line 5, in get\n    raise ValueError('no') from error\nValueError: no"
    )
    assert (
        "During handling of the above exception, another exception occurred:"
        in failed(source + "\nget(1)")["traceback"]
    )
    assert "KeyError" not in failed(source + " from None\nget(1)")["traceback"]
    within = failed("import enum\nenum.Enum('E', 'a b')('c')")["traceback"]
    assert within.count("Error") == 1


def test_a_chain_that_bites_its_tail_ends() -> None:
    source = (
        "a, b = ValueError(1), ValueError(2)\nfor x, y in ((a, b), (b, a)):\n"
        "    try: raise x from y\n    except ValueError: pass\nraise a"
    )
    assert failed(source)["traceback"].count("direct cause") == 1


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs exception groups")
def test_the_errors_of_a_group_are_shown() -> None:
    source = (
        "found = []\nfor i in range(12):\n    try: int('x')\n    except ValueError as error: found.append(error)\n"
        "error = ExceptionGroup('many', found)\nerror.add_note('while reading')\nraise error"
    )
    fault = failed(source)
    assert (fault["type"], fault["message"], fault["line"]) == ("ExceptionGroup", "many (12 sub-exceptions)", 7)
    lines = fault["traceback"].split("\n")
    assert lines[2:8] == [
        "    raise error",
        "ExceptionGroup: many (12 sub-exceptions)",
        "while reading",
        '  1. File "<step 7>", line 3, in <module>',
        "         try: int('x')",
        "     ValueError: invalid literal for int() with base 10: 'x'",
    ]
    assert lines[-1] == "  … 4 more"


def test_a_name_and_a_text_that_are_no_plain_str_are_taken_as_such() -> None:
    source = (
        "class T(str):\n    def __len__(self): raise SystemExit\n    def __getitem__(self, at): raise SystemExit\n"
        "    def encode(self, *a): raise SystemExit\n"
        "class M(type):\n    __name__ = property(lambda self: 1 / 0)\n"
        "class E(Exception, metaclass=M):\n    def __str__(self): return T('text')\nraise E"
    )
    fault = failed(source)
    assert (fault["type"], fault["message"], type(fault["message"])) == ("E", "text", str)


def test_a_step_of_an_earlier_run_is_called_so() -> None:
    names = [errors.remember(step, f"# {step}") for step in (8, 9, 8)]
    try:
        assert len(set(names)) == 3
        assert [errors.display_path(name) for name in names] == [
            "<step 8 of an earlier run>",
            "<step 9 of an earlier run>",
            "<step 8>",
        ]
        assert [errors.source_line(name, 1) for name in names] == ["# 8", "# 9", "# 8"]
    finally:
        for name in names:
            linecache.cache.pop(name, None)


def test_a_syntax_error_points_at_its_place() -> None:
    fault = failed("x = 1\nif x\n    pass")
    assert (fault["kind"], fault["type"], fault["line"]) == ("python", "SyntaxError", 2)
    assert fault["traceback"].split("\n")[1:3] == ["    if x", "        ^"]


def test_memory_names_its_limit() -> None:
    fault = failed("raise MemoryError", memory=64)
    assert (fault["kind"], fault["type"]) == ("limit", "MemoryError")
    # It names the threads, too, if this process has many.
    assert fault["message"].startswith("the step reached the memory limit of 64 MB")
    assert fault["message"].endswith(". Work on smaller parts of the data")


def test_an_error_whose_text_fails_or_is_endless_is_still_said() -> None:
    broken = failed("class E(Exception):\n    def __str__(self): raise ValueError\nraise E")
    assert broken["message"] == "<the error's text cannot be read: ValueError>"
    long = failed("raise ValueError('x' * 10_000_000)")
    assert len(long["message"]) < 100_000
    assert len(failed("raise type('N' * 1000, (Exception,), {})")["type"]) == 200


def test_the_names_a_program_binds_are_known_without_running_it() -> None:
    source = "import os.path\na = [b for b in c]\ndef d():\n    e = 1\nfor f in a:\n    g: int = 2\nclass H: pass"
    assert sorted(transformer.find_bound_names(source)) == sorted(["os", "a", "d", "f", "g", "H"])


def test_the_folder_is_measured_at_the_end_of_every_step(tmp_path: Path) -> None:
    watch = Watch({"memory": 0, "disk": 8}, (str(tmp_path),))
    found = []
    for number in range(3):
        watch.start()
        (tmp_path / str(number)).write_bytes(bytes(7 << 20))
        found.append(watch.finish(set())[0])
    assert found == ["", "", "OSError"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_the_memory_is_measured_at_the_end_of_every_step_however_short() -> None:
    watch = Watch({"memory": 64}, ())  # 352 MB together
    code = "import mmap; m = mmap.mmap(-1, 400 << 20)\nfor at in range(0, len(m), 4096): m[at] = 1\nprint(1, flush=True); input()"
    watch.start()
    assert watch.finish(set())[0] == ""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as held:
        assert held.stdout is not None
        held.stdout.read(1)
        assert watch.finish(set())[0] == "MemoryError"
        held.kill()


def test_mounts_stay_linked_in_a_folder_that_is_emptied(idle: Supervisor, tmp_path: Path) -> None:
    idle._runners.options = {"work": str(tmp_path), "links": {"data/big": "/mnt/big"}}
    limits = idle._new_requests(Watch({}, (str(tmp_path),)), checkpoints.Ring(0, "", "", set()))._limits
    (tmp_path / "full").write_bytes(b"1")
    limits.empty_folder()
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    assert (tmp_path / "data/big").readlink() == Path("/mnt/big")


RUNNER, PROGRAM = [b"1", b"2"], b"3"  # its two threads, and one of a process that a step left
LOOKS: dict[str, tuple[list[list[bytes]], float, int]] = {
    # what runs at each look, beside the runner; seconds until the next look; how often was measured
    "nothing": ([[], []], QUIET_SECONDS, 1),
    "a handler of the runner's": ([[], [], [b"4"]], WATCH_SECONDS, 2),
    "what waits": ([[PROGRAM], [PROGRAM]], QUIET_SECONDS, 1),
    "what runs": ([[PROGRAM], [b"4"]], WATCH_SECONDS, 2),
    "what has ended": ([[PROGRAM], []], WATCH_SECONDS, 2),
    "what has ended long ago": ([[PROGRAM], [], []], QUIET_SECONDS, 2),
}


@pytest.mark.parametrize("name", LOOKS)
def test_between_steps_is_measured_what_has_run_and_looked_at_what_is_left(
    idle: Supervisor, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    runs, pause, count = LOOKS[name]
    looks = iter([runs[0], *runs])
    watch = Watch({}, ())
    child: Any = SimpleNamespace(pid=1, head=1, exit_watch=1, kill_many_others=Mock(return_value=(0, True)))
    idle._requests = idle._new_requests(watch, checkpoints.Ring(0, "", "", set()))
    idle._requests.child = child
    limits = idle._requests._limits
    measured = Mock(wraps=watch.measure)
    monkeypatch.setattr(watch, "measure", measured)
    monkeypatch.setattr("smolcell.worker.supervisor.limits.time", SimpleNamespace(monotonic=lambda: 100.0))
    monkeypatch.setattr(limits, "_find_running", lambda: [*RUNNER, *next(looks)])
    limits.schedule(child)
    for _ in runs:
        limits.look_soon(0.0)
        idle._requests._look_between_steps()
    assert (idle._patience(), measured.call_count) == (1000 * pause, count)


def test_short_steps_do_not_put_off_the_measurement_of_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("smolcell.worker.supervisor.limits.time", SimpleNamespace(monotonic=lambda: now))
    watch = Watch({}, ())
    times = []
    for _ in range(4):
        watch.start()
        times.append(watch.is_time())
        watch.finish(set())
        now += 0.6 * WATCH_SECONDS
    watch.measure(set())
    watch.start()
    assert (times, watch.is_time()) == ([False, False, True, True], False)


def test_a_runner_whose_fork_handlers_are_too_slow_is_not_copied_again() -> None:
    interrupt = Mock()
    child: Any = SimpleNamespace(link=SimpleNamespace(request=lambda _, far: os.close(far)), interrupt=interrupt)
    copy = checkpoints.NextCopy(lambda _: None)
    copy.ask(child)
    copy.look(child)
    assert (copy.is_awaited, copy.is_wanted(), interrupt.called) == (True, False, False)
    copy.until = 0.0
    copy.look(child)
    assert (copy.is_awaited, interrupt.called) == (True, True)
    copy.answer(child, {"id": 1, "error": ""}, set(), False)
    assert (copy.is_awaited, copy.is_wanted(), copy.take()) == (False, False, (None, checkpoints.FORK_TOO_SLOW))
    copy.reset()  # another runner
    assert (copy.is_wanted(), copy.take()) == (True, (None, ""))


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_dropped_copy_that_has_ended_is_forgotten(tmp_path: Path) -> None:
    ring = checkpoints.Ring(1, str(tmp_path), "", set())
    with bystander() as copy:
        ring._dropped = {copy.pid}
        assert ring.processes() == {copy.pid}
        copy.kill()
        os.waitid(os.P_PID, copy.pid, os.WEXITED | os.WNOWAIT)
        assert ring.processes() == set()


@pytest.mark.parametrize("reason", ["", "limit"])
def test_the_end_of_a_step_leaves_the_process_of_the_agent(idle: Supervisor, reason: str) -> None:
    kill = Mock(return_value=True)
    kill_many = Mock(return_value=(0, True))
    link: Any = SimpleNamespace(forged=0)
    child: Any = SimpleNamespace(pid=1, link=link, kill_others=kill, kill_many_others=kill_many)
    idle._agent = Mock(processes=lambda: {7, 8})
    requests = idle._new_requests(None, checkpoints.Ring(0, "", "", set()))
    requests.current = request = Request(Frame("run", {"step": 1}), child, 100)
    request.reason = reason
    requests._done(Frame("done", {"error": None, "final": False, "changed": []}, (b"",)), request)
    assert [call.args[0] for call in (*kill.mock_calls, *kill_many.mock_calls)] == [{7, 8}]


def test_a_copy_takes_over_from_a_killed_step_before_the_host_gives_up(idle: Supervisor) -> None:
    ends: list[float] = []  # seconds that are left
    child: Any = SimpleNamespace(
        pid=0, continue_as=lambda copy, others, until: not ends.append(until - time.monotonic())
    )
    copy: Any = SimpleNamespace(pid=0, wake=lambda until: not ends.append(until - time.monotonic()))
    requests: Requests = idle._requests
    requests.child = child
    request: Any = SimpleNamespace(reason="stopped")
    checkpoint: Any = SimpleNamespace(copy=copy)
    assert requests._come_back(request, checkpoint)
    assert max(ends) < step.INTERRUPT_SECONDS - GRACE_SECONDS


def test_a_late_answer_does_not_end_a_request_that_was_not_sent(idle: Supervisor) -> None:
    child: Any = SimpleNamespace(pid=os.getpid(), link=SimpleNamespace(forged=0))
    requests = idle._requests
    requests.current = request = Request(Frame("pull", {"id": 1, "names": []}), child, 100)
    late = Frame("answer", {"id": 0, "error": ""})
    requests._hear(late, child)
    assert requests.current is request
    request.begin()
    requests._hear(late, child)
    assert requests.current is None


def test_a_copy_that_is_not_taken_has_ended_when_the_next_one_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ENDING_SECONDS", 60.0)
    near, far = socket.socketpair()
    slow = "import socket, sys, time\nsocket.socket(fileno=int(sys.argv[1])).recv(1)\ntime.sleep(0.3)"
    with (
        subprocess.Popen([sys.executable, "-c", slow, str(far.fileno())], pass_fds=[far.fileno()]) as copy,
        subprocess.Popen(["sleep", "600"]) as other,
    ):
        far.close()
        found = checkpoints.find_copy(near, copy.pid, os.getpid(), {copy.pid, other.pid})
        ended = [process.poll() is not None for process in (copy, other)]
        other.kill()
    assert (found, ended) == ((None, checkpoints.CHILDREN), [True, False])


def test_a_loop_that_an_interrupt_left_running_goes_on() -> None:
    loop = StepLoop()
    done: list[int] = []
    loop.run(lambda: loop.open().call_later(0.01, done.append, 1) and None)
    loop.open()._thread_id = 1
    loop.run_until(lambda _: asyncio.sleep(0.02))
    assert done == [1]
    loop.open().close()
