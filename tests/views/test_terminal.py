"""The terminal shows everything a person decides about, hides nothing, and takes no key for a yes but the ones it names."""

import asyncio
import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.text import hidden
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Bundle,
    Delta,
    Ended,
    Event,
    Fault,
    File,
    Finding,
    Observed,
    Offer,
    Piece,
    Proposed,
    from_json,
    line_of,
    sha256,
)
from smolcell.machine.waiter import QueueWaiter
from smolcell.protocols import Answer
from smolcell.views.terminal import QUESTION, UNKNOWN, TerminalView, edit_text
from smolcell.views.terminal_render import Drawing, lines

CODE = "import os\nprint(1)"
PROPOSED = Proposed(run="r", step=1, text=CODE, thought="I look.")
ASK = QUESTION.format(kind="code")


class Typing:
    """A person who types these lines; then the input ends."""

    def __init__(self, *lines: str | BaseException) -> None:
        self.lines = list(lines)
        self.asked: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.asked.append(prompt)
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line


def answer(*typed: str | BaseException, proposed: Proposed = PROPOSED) -> tuple[Answer, str]:
    output = io.StringIO()
    view = TerminalView(input=Typing(*typed), output=output)
    return asyncio.run(view.ask(proposed)), output.getvalue()


def said(choice: Any, **more: Any) -> Answer:
    return Answer(run="r", step=1, fingerprint=PROPOSED.fingerprint, choice=choice, **more)


def shown(*events: Event | Delta) -> str:
    output = io.StringIO()
    view = TerminalView(output=output)
    for event in events:
        view.show(event)
    return output.getvalue()


# --- asking --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["a"], said("approve")),
        ([" Approve "], said("approve")),
        (["l"], said("approve_run")),
        (["s"], said("stop")),
        (["r", " too slow "], said("refuse", comment="too slow")),
        (["r", ""], said("refuse")),
        (["r"], said("refuse")),
        (["", "x", "a"], said("approve")),
        (["", "y", "yes", "a"], said("nobody", comment=UNKNOWN)),
        ([], said("nobody")),
        ([OSError("closed")], said("nobody")),
        (["e", "print(2)", "  x", ".", "a"], said("edit", text="print(2)\n  x")),
        (["e", ".", "a"], said("approve")),
        (["e", "import os", "print(1)", ".", "a"], said("approve")),
        (["e", "print(2)", ".", "l", "a"], said("edit", text="print(2)")),
        (["e", "print(2)", ".", "r", "no"], said("refuse", comment="no")),
        (["e", "print(2)", ".", "l", "l", "l"], said("nobody", comment=UNKNOWN)),
        (["e", "print(2)"], said("nobody")),
    ],
)
def test_what_is_typed_is_what_is_answered(typed: list[str | BaseException], expected: Answer) -> None:
    assert answer(*typed)[0] == expected


@pytest.mark.parametrize(
    ("typed", "choice", "text"),
    [(["  1984 "], "edit", "1984"), ([""], "refuse", None), (["a"], "edit", "a"), ([], "nobody", None)],
)
def test_a_question_of_a_tool_is_answered_in_words(typed: list[str], choice: str, text: str | None) -> None:
    question = Proposed(run="r", step=1, call=2, kind="question", text="Which year?")
    given, _ = answer(*typed, proposed=question)
    assert (given.choice, given.text, given.fingerprint) == (choice, text, question.fingerprint)
    assert "a question to you" in shown(question)


OFFERS = (
    Offer(id="run plotly", label="Approve and allow plotly (this run)"),
    Offer(id="send back", label="Send back with hint", choice="refuse"),
)


@pytest.mark.parametrize(
    ("key", "expected"), [("1", said("approve", offer="run plotly")), ("2", said("refuse", offer="send back"))]
)
def test_an_offer_is_chosen_by_its_number(key: str, expected: Answer) -> None:
    given, output = answer("3", key, proposed=replace(PROPOSED, offers=OFFERS))
    assert given == expected
    assert "[1] Approve and allow plotly (this run)" in output
    assert "[2] Send back with hint" in output


def test_what_was_allowed_with_an_approval_and_what_is_mounted_is_told() -> None:
    allowed = Allowed(run="r", step=1, text="x", sha256=sha256("x"), by="person", offer="plotly allowed for this run")
    assert [line.text for line in lines(allowed)] == ["  approved by you, and plotly allowed for this run"]
    asked = Asked(run="r", task="t", files=(File(name="big/", size=0, read_only=True), File(name="a", size=1000)))
    told = [line.text for line in lines(asked)]
    assert told[2:4] == ["with the file big/ (read-only)", "with the file a (1,000 bytes)"]


@given(st.lists(st.text(), max_size=6))
def test_only_the_named_keys_approve(typed: list[str]) -> None:
    choice = answer(*typed)[0].choice
    keys = {line.strip().lower() for line in typed}
    assert choice != "approve" or keys & {"a", "approve"}
    assert choice != "approve_run" or keys & {"l", "all"}
    assert choice != "edit" or keys & {"a", "approve"}


def test_edited_code_is_shown_again_before_it_is_approved() -> None:
    assert "  1 │ print(2)\n" in answer("e", "print(2)", ".", "a")[1]


def test_why_a_gate_asks_stands_above_the_question_and_is_said_to_no_answer() -> None:
    why = "Approval is risky, and the sandbox is not isolated (missing: files): every step is asked about."
    given, drawn = answer("a", proposed=replace(PROPOSED, why=why))
    assert (given, drawn) == (said("approve"), f"  {why}\n")


def test_hidden_characters_are_pointed_out_at_the_question() -> None:
    proposed = Proposed(run="r", step=1, text="a\u202eb\u200b")
    assert answer("a", proposed=proposed)[1] == (
        "  ! characters that cannot be seen (2): RIGHT-TO-LEFT OVERRIDE, ZERO WIDTH SPACE\n"
    )


def test_an_interrupt_at_the_question_ends_the_wait_of_the_calling_thread() -> None:
    waiter = QueueWaiter()
    view = TerminalView(waiter, input=Typing(KeyboardInterrupt()), output=io.StringIO())
    with pytest.raises(KeyboardInterrupt):
        driven(waiter, view, PROPOSED)


def driven(waiter: QueueWaiter, view: TerminalView, proposed: Proposed) -> Answer:
    """Ask as a run does: from the driver's thread, while the calling thread waits."""
    done: Future[Answer] = Future()
    loop = asyncio.new_event_loop()

    async def ask() -> None:
        view.show(proposed)
        done.set_result(await view.ask(proposed))

    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    task = asyncio.run_coroutine_threadsafe(ask(), loop)
    try:
        return waiter.wait(done)
    finally:
        task.cancel()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def test_drawing_and_asking_happen_on_the_calling_thread_in_order() -> None:
    threads: list[int] = []
    output = io.StringIO()

    def read(prompt: str) -> str:
        threads.append(threading.get_ident())
        assert "  2 │ print(1)\n" in output.getvalue()
        return "a"

    waiter = QueueWaiter()
    assert driven(waiter, TerminalView(waiter, input=read, output=output), PROPOSED) == said("approve")
    assert threads == [threading.get_ident()]


def test_a_question_that_no_thread_puts_is_answered_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.views.terminal.ASK_SECONDS", 0.02)
    waiter, typing = QueueWaiter(), Typing("a")
    given = asyncio.run(TerminalView(waiter, input=typing, output=io.StringIO()).ask(PROPOSED))
    why = "the calling thread did not begin the call within 0.02 s: it is busy, or no longer waits for the run"
    assert given == said("nobody", comment=why)
    over: Future[None] = Future()
    over.set_result(None)
    waiter.wait(over)
    assert typing.asked == []


def test_a_person_may_take_longer_than_the_thread_has_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.views.terminal.ASK_SECONDS", 0.2)
    waiter = QueueWaiter()

    def read(prompt: str) -> str:
        time.sleep(0.3)
        return "a"

    assert driven(waiter, TerminalView(waiter, input=read, output=io.StringIO()), PROPOSED) == said("approve")


def test_a_question_whose_run_is_over_is_not_put() -> None:
    waiter, typing = QueueWaiter(), Typing("a")
    view = TerminalView(waiter, input=typing, output=io.StringIO())

    async def cancelled() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(view.ask(PROPOSED), 0.01)

    asyncio.run(cancelled())
    over: Future[None] = Future()
    over.set_result(None)
    waiter.wait(over)
    assert typing.asked == []


CLOSED = io.StringIO("a\n")
CLOSED.close()


@pytest.mark.parametrize("stdin", [None, io.StringIO("a\n"), CLOSED], ids=["none", "no terminal", "closed"])
def test_without_a_terminal_no_person_can_be_asked(stdin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    assert asyncio.run(TerminalView(output=io.StringIO()).ask(PROPOSED)) == said("nobody")


def test_a_front_end_says_whether_a_line_can_be_typed() -> None:
    def broken() -> bool:
        raise RuntimeError("no front end")

    for stdin in (lambda: False, broken):
        assert asyncio.run(TerminalView(stdin=stdin, output=io.StringIO()).ask(PROPOSED)) == said("nobody")


# --- showing -------------------------------------------------------------------------------------------------------------


def test_every_event_is_shown() -> None:
    lines = (Path(__file__).parent / "terminal_events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [from_json(json.loads(line)) for line in lines]
    assert shown(*events) == (Path(__file__).parent / "terminal_events.txt").read_text(encoding="utf-8")
    assert {type(event) for event in events} == set(Event.__args__)


def test_what_was_displayed_stands_between_what_was_printed() -> None:
    bundles = (Bundle(data={"text/plain": "first"}), Bundle(data={"text/plain": "second"}))
    observed = Observed(run="r", step=1, stdout="a\nb\n", outputs=bundles, places=(0, 1), result="x", duration=0.1)
    assert shown(observed) == "  │ first\n  │ a\n  │ second\n  │ b\n  = x\n  done in 0.1 s\n"


def test_a_table_is_shown_once_whether_it_is_a_result_or_the_answer() -> None:
    table = "   a\n0  1"
    bundles = (Bundle(data={"text/plain": table, "text/html": "<b>"}), Bundle(data={"text/plain": "another"}))
    observed = Observed(run="r", step=1, result=table, outputs=bundles, duration=0.1)
    assert shown(observed) == "  =    a\n  = 0  1\n  │ another\n  done in 0.1 s\n"
    answered = Answered(run="r", step=1, text=table)
    last = "  │ another\n  done in 0.1 s\nAnswer\n  │    a\n  │ 0  1\n"
    assert shown(replace(observed, is_final_answer=True), answered) == last


def test_deltas_are_modest_and_output_is_shown_once() -> None:
    observed = Observed(run="r", step=1, stdout="one\ntwo", duration=0.1)
    assert shown(
        Delta(text="I lo", run="r", step=1),
        Delta(text="ok", run="r", step=1, channel="reasoning"),
        Delta(text="loading LiteLLM", channel="progress"),
        Delta(text="one\nt", run="r", step=1, channel="output"),
        Delta(text="wo", run="r", step=1, channel="output"),
        observed,
        Observed(run="r", step=2, stdout="three", duration=0.1),
    ) == (
        "  · the model is replying\n  · loading LiteLLM\n  │ one\n  │ two\n  done in 0.1 s\n  │ three\n  done in 0.1 s\n"
    )


def test_a_reply_that_broke_off_is_told_and_so_is_the_next() -> None:
    half, why = Delta(text="I lo", run="r", step=1), Delta(text="m broke off.", channel="discarded", run="r", step=1)
    assert shown(half, why, half) == "  · the model is replying\n  · m broke off.\n  · the model is replying\n"


@given(st.text(st.characters()), st.text(st.characters()))
def test_nothing_hidden_reaches_the_terminal(one: str, two: str) -> None:
    """Whatever a model or a sandbox says: no control, nothing invisible, and no line without smolcell's margin."""
    fault = Fault(kind="python", type=one, message=two, traceback=one)
    written = shown(
        Asked(run="r", task=one),
        Proposed(run="r", step=1, text=one, thought=two, findings=(Finding(kind="file", text=two, risk="low"),)),
        Delta(text=one, channel="output", run="r", step=1),
        Delta(text=two, channel="progress"),
        Observed(run="r", step=2, stdout=one, result=two, error=fault, outputs=(Bundle(data={"text/plain": one}),)),
        Answered(run="r", step=2, text=two),
        Ended(run="r", state="error", steps=1, error=one),
    )
    assert hidden(written) == []
    own = ("Task", "Step 1", "Answer", "Failed: 1 step, 0.0 s")
    assert [line for line in written.splitlines() if not line.startswith((" ", *own))] == []


def test_code_is_numbered_as_it_runs() -> None:
    text = "\n\na = '''\nb'''\n"
    proposed = Proposed(run="r", step=1, text=text)
    assert [line.margin + line.text for line in lines(proposed)][1:] == [
        f"{number:>3} │ {row}" for number, row in enumerate(text.split("\n"), 1)
    ]


def test_a_stream_without_unicode_still_shows_everything() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    TerminalView(output=stream).show(Answered(run="r", step=1, text="é"))
    assert raw.getvalue() == b"Answer\n  \\u2502 \\xe9\n"


# --- editing ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def set_editor(program: str) -> None:
        path = tmp_path / "editor.py"
        path.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[-1])\n{program}")
        monkeypatch.setenv("VISUAL", f"{sys.executable} {path} --wait")

    return set_editor


@pytest.mark.parametrize(
    ("program", "text", "new"),
    [
        ("path.write_text(path.read_text().replace('1', '2'))", "print(1)", "print(2)"),
        ("path.write_text(path.read_text() + chr(10))", "print(1)", "print(1)"),
        ("path.write_text('')", "print(1)", "print(1)"),
        ("path.write_bytes(bytes([255]))", "print(1)", "print(1)"),
        ("path.unlink()", "print(1)", "print(1)"),
        ("sys.exit(1)", "print(1)", "print(1)"),
    ],
)
def test_the_editor_changes_the_code_or_nothing(
    program: str, text: str, new: str, editor: Callable[[str], None]
) -> None:
    editor(program)
    assert edit_text(text, Typing(), with_editor=True)[0] == new


def test_an_editor_that_is_not_there_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    new, why = edit_text("print(1)", Typing(), with_editor=True)
    assert (new, why.startswith("the editor 'no-such-editor' failed, nothing is changed")) == ("print(1)", True)


# --- a real terminal ---------------------------------------------------------------------------------------------------------

PROGRAM = """
import asyncio, sys, threading
from concurrent.futures import Future
from smolcell.events import Proposed
from smolcell.views.terminal import TerminalView
from smolcell.machine.waiter import QueueWaiter

waiter, done = QueueWaiter(), Future()
view = TerminalView(waiter)
proposed = Proposed(run="r", step=1, text="print('\\x1b[2J')  # \\u202e", thought="\\x1b]0;title\\x07")

async def drive():
    view.show(proposed)
    done.set_result(await view.ask(proposed))

threading.Thread(target=lambda: asyncio.run(drive()), daemon=True).start()
try:
    print("ANSWER", waiter.wait(done).choice, flush=True)
except KeyboardInterrupt:
    print("INTERRUPTED", flush=True)
"""

pty = pytest.importorskip("pty", reason="needs a POSIX pseudo-terminal")


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        environ = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}
        environ.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environ,
            start_new_session=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
        )
        os.close(slave)
        self.seen = ""

    def sees(self, text: str, within: float) -> bool:
        end = time.monotonic() + within
        while text not in self.seen and time.monotonic() < end:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:  # Linux says so when the other side is closed
                    break
        return text in self.seen

    def until(self, text: str) -> str:
        assert self.sees(text, within=60), self.seen
        return self.seen

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        os.close(self.master)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    yield opened
    opened.close()


def test_a_terminal_shows_escapes_as_text_and_takes_an_answer(terminal: Terminal) -> None:
    screen = terminal.until(ASK)
    assert "\\u{202e}" in screen
    assert "\x1b[2J" not in screen
    assert "\x1b]0;" not in screen
    assert "\x1b[" in screen  # it is in colour
    terminal.type("a\n")
    terminal.until("ANSWER approve")


def test_an_interrupt_in_a_terminal_ends_the_wait(terminal: Terminal) -> None:
    terminal.until(ASK)
    for _ in range(5):  # readline may write its question a moment before it listens to signals
        terminal.type("\x03")
        if terminal.sees("INTERRUPTED", within=2):
            break
    terminal.until("INTERRUPTED")


def test_the_end_of_input_in_a_terminal_is_no_answer(terminal: Terminal) -> None:
    terminal.until(ASK)
    terminal.type("\x04")
    terminal.until("ANSWER nobody")


@pytest.mark.parametrize("stdin", [subprocess.DEVNULL, subprocess.PIPE])
def test_a_pipe_full_of_approvals_is_no_person(stdin: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        **({"input": "a\n" * 9} if stdin == subprocess.PIPE else {"stdin": stdin}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=120,
    )
    assert done.stdout.splitlines()[-1] == "ANSWER nobody"


# --- runs within runs, calls and budgets -----------------------------------------------------------------------------


def test_a_managed_agent_s_run_is_indented_below_the_step_that_called_it() -> None:
    called = Asked(run="r-1-1-1", task="Deeper.", agent="helper", parent="r", parent_step=1)
    text = shown(
        Asked(run="r", task="t"), PROPOSED, called, replace(PROPOSED, run="r-1-1-1"), Delta(text="x", run="r-1-1-1")
    )
    assert "\n    Agent helper: task\n      │ Deeper.\n    Step 1\n" in text
    assert "\n      1 │ import os\n" in text.replace("       1 │", "      1 │")
    assert text.endswith("      · the model is replying\n")


def test_what_is_asked_about_stands_last_above_its_question_where_agents_work_side_by_side() -> None:
    output = io.StringIO()

    def typed(prompt: str) -> str:
        output.write(prompt + "a\n")
        return "a"

    view = TerminalView(input=typed, output=output)
    one, two = (Proposed(run=f"r-1-{n}-1", step=1, text=f"print({n})") for n in (1, 2))
    for n, name in ((1, "one"), (2, "two")):
        view.show(Asked(run=f"r-1-{n}-1", task="t", parent="r", parent_step=1, agent=name))
    view.show(one)
    view.show(two)
    answers = [asyncio.run(view.ask(proposed)) for proposed in (one, two)]
    said = [part.strip() for part in output.getvalue().split(f"{ASK}a")]
    assert [part.rpartition("│ ")[2] for part in said] == ["print(1)", "print(2)", ""]
    assert "the question is about agent one, again:" in said[0]
    assert "the question is about agent two, again:" in said[1]
    assert [(given.run, given.fingerprint) for given in answers] == [
        (each.run, each.fingerprint) for each in (one, two)
    ]


def test_a_call_and_a_plan_say_what_they_are() -> None:
    call = Proposed(run="r", step=2, call=1, kind="call", text="f()")
    assert "Step 2, call 1: a tool call\n" in shown(call)
    assert "Step 2: a plan\n" in shown(Proposed(run="r", step=2, kind="plan", text="1. Look"))


@pytest.mark.parametrize(
    ("typed", "choice"),
    [(["a"], "approve"), (["s"], "stop"), (["e", "l", "e", "a"], "nobody"), (["e", "a"], "approve")],
)
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("budget", "The budget is spent: steps 2 of 2. Go on, with as much again?"),
        ("link", "sales.csv is a link to /mnt/share/sales.csv"),
    ],
)
def test_a_budget_or_a_link_is_a_question_of_its_own(typed: list[str], choice: str, kind: Any, text: str) -> None:
    more = Proposed(run="r", step=2, kind=kind, text=text)
    given, _ = answer(*typed, proposed=more)
    assert (given.choice, given.text, given.fingerprint) == (choice, None, more.fingerprint)


# --- a terminal's rows ---------------------------------------------------------------------------------------------------


class Screen(io.StringIO):
    """A terminal as a stream."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def rows(self) -> list[str]:
        return re.sub(r"\x1b\[[0-9;]*m", "", self.getvalue()).splitlines()


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "xterm")
    return Screen()


def test_no_row_of_a_terminal_passes_for_a_line_of_its_own(narrow: Screen) -> None:
    view = TerminalView(output=narrow)
    view.show(Proposed(run="r", step=1, thought="I sieve for as long as it takes.", text=f"x = '{'表  ' * 9}'"))
    view.show(Delta(text=f"{'.' * 20}", run="r", step=1, channel="output"))
    view.show(Delta(text="......Run this code?\nshort\n", run="r", step=1, channel="output"))
    assert narrow.rows() == [
        "Step 1",
        "  I sieve for as long as it ",
        "  takes.",
        "  1 │ x = '表  表  表  表  表 ",
        "    ┆  表  表  表  表  '",
        "  │ ..........................",
        "  ┆ Run this code?",
        "  │ short",
    ]


def test_a_progress_bar_changes_where_it_stands_in_a_terminal_and_elsewhere_is_its_last_state(narrow: Screen) -> None:
    pieces = ["begun\n 10%", "\r 20%\x1b[2J", "\r", f"\r100% {'#' * 40}\n", "\x1b[1A next\n"]
    deltas = [Delta(text=piece, run="r", step=1, channel="output") for piece in pieces]
    view = TerminalView(output=narrow)
    for delta in deltas:
        view.show(delta)
    assert narrow.getvalue() == (
        "  │ begun\n  │  20%\\u{1b}[2J\r\x1b[2K  │ 100% ####################\n  │ \\u{1b}[1A next\n"
    )
    assert shown(*deltas) == f"  │ begun\n  │ 100% {'#' * 40}\n  │ \\u{{1b}}[1A next\n"


def test_what_a_running_step_displays_is_told_once_a_second() -> None:
    data = {"text/plain": "a\x1b[2J table\nof rows", "text/html": "<b>"}
    texts = [json.dumps({"at": 0, "count": 1, "data": data})] * 5 + [json.dumps({"at": 0, "count": 0, "data": None})]
    deltas = [Delta(text=text, run="r", step=1, channel="display") for text in texts]
    assert shown(*deltas) == "  · shows a\\u{1b}[2J table\n"


def test_what_a_row_breaks_is_whole(narrow: Screen) -> None:
    view, code = TerminalView(output=narrow), "".join(chr(33 + number % 90) for number in range(200))
    view.show(Proposed(run="r", step=1, text=code))
    shown = [row.partition(bar)[2][1:] for row in narrow.rows() for bar in "│┆" if bar in row[:6]]
    assert "".join(shown) == code
    assert max(map(len, narrow.rows())) == 30


def test_an_answer_of_markdown_is_drawn_on_a_terminal_and_nothing_of_it_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")

    def shown(text: str) -> str:
        screen = Screen()
        drawing = Drawing(screen)
        for line in lines(Answered(run="r", step=1, text=text, is_text=True)):
            drawing.line(line)
        return "\n".join(screen.rows())

    table = shown("**Sums**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nOf $x_1 *y* z$ <b>bold</b>")
    assert "Sums" in table
    assert "**" not in table
    assert "|---" not in table
    assert "$x_1 *y* z$ <b>bold</b>" in table
    assert "![" not in (image := shown("see ![plot](http://evil.test/p.png)"))
    assert "Image: plot (http://evil.test/p.png)" in image
    hostile = shown("x\x1b[2Jy\u202e `\x1b]8;;a`")
    assert not hidden(hostile.replace("\n", ""))
    for deep in ("- " * 300 + "the end", "> " * 300 + "the end"):
        assert "the end" in shown(deep)
    assert "a    b" in shown("a    b\n1    2\n3    4")


# --- what of a notebook is sent ------------------------------------------------------------------------------------------

CELLS = tuple(Piece(kind="cell", name=f"cell [{n}]", text=f"x = {n}", size=5, sha256=f"{n}" * 64) for n in (1, 2))
HEAD = "Send the sources of the 2 cells above to the model?"
ABOUT_CELLS = Proposed(
    run="r",
    step=0,
    kind="context",
    text="\n".join([HEAD, *map(line_of, CELLS)]),
    pieces=CELLS,
    offers=(Offer(id="always", label="Always in this notebook", choice="edit", act=lambda: None),),
)


def of_cells(choice: Any, **more: Any) -> Answer:
    return Answer(run="r", step=0, fingerprint=ABOUT_CELLS.fingerprint, choice=choice, **more)


def test_cells_are_shown_in_full_before_they_are_asked_about() -> None:
    told = shown(ABOUT_CELLS)
    assert [part in told for part in (HEAD, "cell [1]", "x = 1", "cell [2]", "x = 2")] == [True] * 5


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["a"], of_cells("approve")),
        (["r"], of_cells("refuse", comment="")),
        (["s"], of_cells("stop")),
        (["1"], of_cells("edit", text=ABOUT_CELLS.text, offer="always")),
        (["l", "l", "a"], of_cells("approve")),
        (["e", HEAD, line_of(CELLS[1]), ".", "a"], of_cells("edit", text=f"{HEAD}\n{line_of(CELLS[1])}")),
        (
            ["e", HEAD, line_of(CELLS[0]), ".", "1"],
            of_cells("edit", text=f"{HEAD}\n{line_of(CELLS[0])}", offer="always"),
        ),
        ([], of_cells("nobody")),
    ],
)
def test_what_is_sent_is_decided_in_the_terminal(typed: list[str], expected: Answer) -> None:
    got, _ = answer(*typed, proposed=ABOUT_CELLS)
    assert replace(got, comment="" if expected.choice == "nobody" else got.comment) == expected
