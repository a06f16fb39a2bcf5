"""Whole sessions with keys planted everywhere, against a server that says them back; then everything that was written is searched.

What a person approves is shown as it is, a key in it included, and so is what runs: such a text is in no test that searches the card.
"""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import kernel_ports  # noqa: F401
import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from misbehaving import Answer, chunk, error, event, says, serving
from nbclient import NotebookClient

from smolcell import CodeAgent, OpenAIModel
from smolcell.events import sha256
from smolcell.models.credentials import VARIABLES
from smolcell.testing import allow_all
from smolcell.views.terminal import TerminalView

pytestmark = pytest.mark.kernels

SENT = "sent.*+?[(]$^canary&<01>"  # the key that goes over the wire, full of what patterns, URLs and HTML escape
ARGUMENT, PASSWORD, STORED = "argument-canary-02", "password-canary-03", "stored-canary-04"
TYPED = ("typed-canary-05-wrong", "typed-canary-06-right")
OTHERS = {
    name: f"{name.lower()}-canary"
    for names in VARIABLES.values()
    for name in names
    if name not in ("OPENAI_API_KEY", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
}
CANARIES = (SENT, ARGUMENT, PASSWORD, STORED, *TYPED, *OTHERS.values())


def forms(canary: str) -> set[bytes]:
    spelt = {canary, quote(canary, safe=""), json.dumps(canary)[1:-1]}
    return {form.encode() for form in spelt} | {base64.b64encode(canary.encode())[:-4]}


def leaked(*written: bytes) -> list[str]:
    """The canaries that are found."""
    return [canary for canary in CANARIES if any(form in data for form in forms(canary) for data in written)]


def files(folder: Path, *planted: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file() and path not in planted]


def program(code: str, thought: str = "Next.") -> Answer:
    return says(f"{thought}\n<code>\n{code}\n</code>")


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every provider's variable, and a stored token; returns the token's file."""
    token = tmp_path / "hf" / "token"
    token.parent.mkdir()
    token.write_text(STORED)
    for name, value in {**OTHERS, "OPENAI_API_KEY": SENT, "HF_TOKEN_PATH": str(token)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("SMOLCELL_API_KEY")
    monkeypatch.chdir(tmp_path)
    return token


PROCESSES = """
import os, pathlib
def parent(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
seen = b""
for path in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        if parent(path.name) == os.getpid() or parent(parent(path.name)) == os.getpid():
            seen += (path / "environ").read_bytes() + (path / "cmdline").read_bytes()
    except (OSError, ValueError):
        pass
pathlib.Path("processes").write_bytes(seen)
print(b"smolcell" in seen)
"""

PRINTS = f"key = {SENT!r}\nprint(key)\nprint(key * 3)"
CELLS = (
    ("%load_ext smolcell\n%xmode Verbose", ()),
    (
        "%%agent -m openai/m -a auto --record kept.jsonl\nPrint it.",
        (program(PRINTS, f"The key is {SENT}."), program("final_answer(key)", f"I know {SENT}.")),
    ),
    (PROCESSES, ()),
    ("%%agent -m openai/m -a auto --record kept.jsonl\nFail.", (error(401, f"Your key {SENT} is wrong"),)),
    ("%agent resume", (error(401, f"Your key {SENT} is still wrong"),)),
    ("%%agent -m openai/m -a auto --new\nFail.", (error(400, f"Authorization: Bearer {SENT}"),)),
    (
        "%%agent -m openai/m -a auto --new --record kept.jsonl\nBreak off.",
        (Answer(event(chunk(f"It is {SENT}")) + event({"error": {"message": SENT}})),) * 4,  # it is asked for again
    ),
    ("%%agent -m openai/m -a auto\nRefuse.", (says("", refusal=f"I keep {SENT}"),)),
    (
        "%%agent -m openai/m -a auto\nSay it.",
        (program(f"raise ValueError({SENT!r})"), program(f"final_answer({SENT!r})")),
    ),
    (
        "%%agent -m openai/m -a auto --api-base {base}\nElsewhere.",
        (error(400, f"http://ada:{PASSWORD}@here?key={ARGUMENT}"),),
    ),
    (
        "from smolcell import CodeAgent, OpenAIModel\nfrom smolcell.testing import allow_all\n"
        "model = OpenAIModel('m', api_key=open('argument').read())\nprint(model)\n"
        "CodeAgent(model=model, gate=allow_all).run('Fail.')",
        (error(403, f"No {ARGUMENT}"),),
    ),
    ("%agent log", ()),
    ("%agent status", ()),
    ("%agent config", ()),
    ("%agent config api_key=none", ()),
    ("import sys\nprint(repr(sys.last_value), sys.last_value.__context__, sys.last_value.__cause__)", ()),
)


@pytest.mark.slow
def test_nothing_of_a_notebook_s_session_holds_a_key(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "argument").write_text(ARGUMENT)
    with serving(*(answer for _, answers in CELLS for answer in answers)) as server:
        base = server.base.replace("//", f"//ada:{PASSWORD}@")
        monkeypatch.setenv("OPENAI_BASE_URL", base)
        cells = [nbformat.v4.new_code_cell(source.replace("{base}", server.base)) for source, _ in CELLS]
        notebook = nbformat.v4.new_notebook(cells=cells)
        client = NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True)
        client.execute()
    nbformat.write(notebook, "saved.ipynb")
    keys = [request[1].get("authorization") for request in server.requests]
    assert len(keys) == sum(len(answers) for _, answers in CELLS)
    assert {f"Bearer {SENT}", f"Bearer {ARGUMENT}"} <= set(keys)
    assert "True" in str(cells[2].outputs)
    captured = capfd.readouterr()
    planted = (environment, tmp_path / "argument")
    assert leaked(*files(tmp_path, *planted), captured.out.encode(), captured.err.encode()) == []
    assert "[redacted]" in Path("saved.ipynb").read_text()
    journals = list((tmp_path / "smolcell-state" / "journals").glob("*.jsonl"))
    lines = [json.loads(line) for path in journals for line in path.read_text().splitlines()]
    ran = sha256(PRINTS)
    kept = {line["event"]["event"]: line for line in reversed(lines) if line.get("sha256", {}).get("text") == ran}
    assert {name: line["redacted"] for name, line in kept.items()} == {"Proposed": True, "Allowed": True}
    assert SENT not in str(kept)
    assert kept["Allowed"]["event"]["sha256"] == ran


@contextmanager
def kernel(*typed: str) -> Iterator[Any]:
    """Runs cells as a page with a person does, who types these where something is asked; keeps every message."""
    manager, client = start_new_kernel(kernel_name="python3")
    messages: list[Any] = []
    answers = iter(typed)

    def type_it(message: Any) -> None:
        messages.append(message["content"])
        client.input(next(answers))

    def run(code: str) -> str:
        reply = client.execute_interactive(
            code, allow_stdin=True, timeout=60, stdin_hook=type_it, output_hook=lambda m: messages.append(m["content"])
        )
        messages.append(reply["content"])
        return str(reply["content"].get("evalue", reply["content"]["status"]))

    run.messages = messages  # type: ignore[attr-defined]
    try:
        yield run
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


LAST = """
import sys, traceback
print("".join(traceback.TracebackException.from_exception(sys.last_value, capture_locals=True).format()))
print(In, Out, dir())
%history
"""


@pytest.mark.slow
def test_a_key_that_is_not_accepted_is_typed_again_and_is_nowhere_else(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [error(401, f"{key} is no good") for key in (SENT, TYPED[0])]
    with serving(*answers, program("final_answer(42)")) as server, kernel(*TYPED) as run:
        run(f"%load_ext smolcell\nimport os\nos.environ['OPENAI_BASE_URL'] = {server.base!r}")
        assert "did not accept the key (401)" in run("%%agent -m openai/m -a auto -o x --record kept.jsonl\nGo.")
        assert "did not accept the key (401)" in run("%agent resume")
        run(LAST)
        assert run("%agent resume") == "ok"
        run(LAST + "print(x)")
        written = json.dumps(run.messages).encode()
    assert [request[1]["authorization"] for request in server.requests] == [f"Bearer {key}" for key in (SENT, *TYPED)]
    asked = [message for message in run.messages if "password" in message]
    assert asked == [{"prompt": "OPENAI_API_KEY (hidden): ", "password": True}] * 2
    assert b"ModelError" in written and b"42" in written
    assert leaked(written, *files(tmp_path, environment)) == []


def test_the_terminal_hides_a_key_that_code_prints_in_pieces(environment: Path, tmp_path: Path) -> None:
    drawn = io.StringIO()
    code = f"import time\nfor letter in reversed({ARGUMENT[::-1]!r}):\n    print(letter, end='', flush=True)\n    time.sleep(0.01)"
    with serving(program(code), program("final_answer(42)")) as server:
        model = OpenAIModel("m", server.base, api_key=ARGUMENT)
        with CodeAgent(model=model, gate=allow_all, view=TerminalView(output=drawn)) as agent:
            assert agent.run("Go.") == 42
    assert "│ [redacted]\n" in drawn.getvalue()
    assert leaked(drawn.getvalue().encode(), *files(tmp_path, environment)) == []


@pytest.mark.slow
def test_a_log_at_its_most_talkative_holds_no_key(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clients' own logs too, of the program that a person writes."""
    script = (
        "import logging, sys; logging.basicConfig(level=1, stream=sys.stdout)\n"
        "from smolcell import OpenAIModel, CodeAgent\nfrom smolcell.testing import allow_all\n"
        "model = OpenAIModel('m', sys.argv[1])\n"
        "CodeAgent(model=model, gate=allow_all).run('Go.')\n"
    )
    with serving(error(401, SENT)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base)
        given = [sys.executable, "-c", script, server.base.replace("//", f"//ada:{PASSWORD}@")]
        done = subprocess.run(given, capture_output=True, timeout=60, check=False)
    assert b"did not accept the key" in done.stderr
    assert len(server.requests) == 1
    assert leaked(done.stdout, done.stderr) == []
