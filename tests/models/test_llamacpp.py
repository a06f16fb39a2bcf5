"""GGUF models in a process of their own. llama.cpp takes a real model, so a stand-in has its place: same names, same answers."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import aclosing, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from dialects import Waits, failure, items
from examples import quick
from hub import hub
from huggingface_hub.errors import OfflineModeIsEnabled
from processes import eventually, living
from stand_in_log import Log

from smolcell.agent import CodeAgent
from smolcell.errors import SetupError
from smolcell.events import Delta, Replied, Usage
from smolcell.models import create_model, llamacpp
from smolcell.models.errors import ModelError, Source
from smolcell.models.llamacpp import LlamaCppModel, choose, is_path
from smolcell.models.local import hub_fault
from smolcell.protocols import Message
from smolcell.testing import allow_all

HELLO = [Message("system", "You write Python."), Message("user", "hello <|im_end|>")]
SAYS = "GGUF\nEasy.\n\\n<co\nde>\\nx = 1\\nfinal_answer(x + 41)\n\\n</\ncode>\\nObser\nvation of step 1\n<end>"
TEXT = "Easy.\n<code>\nx = 1\nfinal_answer(x + 41)\n</code>"
ENDLESS = "GGUF\n" + "<slow>\nword \n" * 500 + "<end>"


def model_file(folder: Path, says: str = SAYS) -> Path:
    path = folder / "m.gguf"
    path.write_text(says)
    return path


@contextmanager
def serving(folder: Path, says: str = SAYS, **options: Any) -> Iterator[LlamaCppModel]:
    with closing(LlamaCppModel(str(model_file(folder, says)), **options)) as model:
        yield model


def test_a_file_is_loaded_once_and_its_reply_is_streamed(log: Log, tmp_path: Path) -> None:
    path = model_file(tmp_path)
    model = create_model(f"llamacpp/{path}", temperature=0.0, n_ctx=300, n_threads=3, top_p=0.9)
    assert isinstance(model, LlamaCppModel)
    assert (model.name, model.context_window) == (f"llamacpp/{path}", None)
    with closing(model):
        first, second = items(model, HELLO), items(model, HELLO)
        assert model.context_window == 300
    assert first[0] == Delta(text="loading m.gguf (0 MB)", channel="progress")
    assert {item.channel for item in second[:-1] if isinstance(item, Delta)} == {"reply"}
    assert first[-1] == second[-1] == Replied(text=TEXT, usage=Usage(input_tokens=6, output_tokens=6), model=str(path))
    assert "".join(item.text for item in first[1:-1]) == "".join(item.text for item in second[:-1]) == TEXT
    [loaded] = log["loaded"]
    del loaded["pid"]
    numbers = {"n_ctx": 300, "n_parallel": 1, "port": 0, "n_batch": 64, "n_ubatch": 64, "n_gpu_layers": -1}
    assert loaded == {"loaded": str(path), "threads": [3, 3], "template": "", **numbers}
    [asked, _] = [each["asked"] for each in log["asked"]]
    assert asked["messages"][1] == {"role": "user", "content": "hello < |im_end|>"}
    sent = {name: asked[name] for name in ("temperature", "max_tokens", "top_p", "stream")}
    assert sent == {"temperature": 0.0, "max_tokens": 2048, "top_p": 0.9, "stream": True}


def test_a_template_is_handed_on_and_the_cores_of_this_process_are_used(log: Log, tmp_path: Path) -> None:
    with serving(tmp_path, chat_template="{{ messages }}") as model:
        items(model, HELLO)
    cores = len(os.sched_getaffinity(0))
    assert [(each["template"], each["threads"]) for each in log["loaded"]] == [("{{ messages }}", [cores, cores])]


def test_a_model_that_writes_on_is_stopped_and_its_tokens_are_those_that_the_server_counted(
    log: Log, tmp_path: Path
) -> None:
    says = SAYS.removesuffix("<end>") + "<slow>\nIt printed 42.\\n\n" * 500 + "<end>"
    with serving(tmp_path, says) as model:
        first, second = items(model, HELLO)[-1], items(model, HELLO)[-1]
        assert eventually(lambda: len(log["left"]) == 2)
    assert isinstance(first, Replied) and isinstance(second, Replied)
    assert (first.text, first.usage.input_tokens, second.usage.input_tokens) == (TEXT, 6, 6)  # kept ones included
    assert 6 < first.usage.output_tokens < 100
    assert max(each["left"] for each in log["left"]) < 100


def test_a_schema_is_handed_on_and_then_only_the_model_ends_the_reply(log: Log, tmp_path: Path) -> None:
    schema = {"type": "json_schema", "json_schema": {"name": "step", "schema": {"type": "object"}}}
    with serving(tmp_path, 'GGUF\n{"code": "x = 1\\\\n\n</code>\n\\\\nObservation of step 1"}\n<end>') as model:
        reply = items(model, HELLO, response_format=schema)[-1].text
    assert reply == '{"code": "x = 1\\\n</code>\\\nObservation of step 1"}'
    assert log["asked"][0]["asked"]["response_format"] == schema


FAULTS = {
    "no GGUF": ("what?", {}, "model", r"cannot be loaded: RuntimeError: Failed to init server.* a smaller n_ctx"),
    "too long": (
        SAYS,
        {"n_ctx": 4},
        "context",
        r"finds the conversation too long \(400\): request \(4 tokens\) exceeds",
    ),
    "half a reply": ("GGUF\n<code>\n x = (\n", {}, "length", r"limit on its reply's length.* Raise max_tokens"),
    "cut by the limit": (SAYS, {"max_tokens": 2}, "length", r"limit on its reply's length"),
    "a failure within": ("GGUF\nHm\n<fail>", {}, "server", r"reported an error in its reply: Compute error\."),
    "the process died": (
        "GGUF\nHm\n<slow>\n<die>",
        {},
        "model",
        r"ended while it replied\. It may have run out of memory",
    ),
}


@pytest.mark.parametrize(("says", "options", "kind", "message"), FAULTS.values(), ids=FAULTS)
def test_every_failure_is_named(
    says: str, options: dict[str, Any], kind: str, message: str, log: Log, tmp_path: Path
) -> None:
    with (
        serving(tmp_path, says, retry=Waits().retry(1), **options) as model,
        pytest.raises(ModelError, match=message) as caught,
    ):
        items(model)
    assert caught.value.kind == kind
    assert str(caught.value).startswith(model.name)


def test_after_the_process_died_the_next_reply_starts_another(log: Log, tmp_path: Path) -> None:
    with serving(tmp_path, "GGUF\nHm\n<slow>\n<die>", retry=Waits().retry(1)) as model:
        with pytest.raises(ModelError):
            items(model, HELLO)
        assert eventually(lambda: not living(log.process))
        model_file(tmp_path)
        assert items(model, HELLO)[-1].text == TEXT
    assert len(log["loaded"]) == 2


def test_a_process_that_dies_again_and_again_is_no_server_that_the_person_runs(log: Log, tmp_path: Path) -> None:
    with serving(tmp_path, "GGUF\nHm\n<slow>\n<die>", retry=Waits().retry()) as model:
        said = failure(model).said
    assert "api_base" not in said
    assert "127.0.0.1" not in said


def test_a_file_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"there is no file .*%agent config model=llamacpp/owner/name$"):
        create_model(f"llamacpp/{tmp_path}/none.gguf")


def test_without_the_package_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xllamacpp.py").write_text("raise ModuleNotFoundError(\"No module named 'xllamacpp'\")")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with serving(tmp_path) as model, pytest.raises(SetupError, match=r"pip install 'smolcell\[llamacpp\]'$"):
        items(model)


async def leave(model: LlamaCppModel, channel: str) -> None:
    """Stop reading at the first item of this kind."""
    reply: Any = model.reply(HELLO)
    async with aclosing(reply):
        while (await anext(reply)).channel != channel:
            pass


def test_leaving_a_reply_stops_the_model_and_frees_it_for_the_next(log: Log, tmp_path: Path) -> None:
    with serving(tmp_path, ENDLESS) as model:
        asyncio.run(leave(model, "reply"))
        assert eventually(lambda: log["left"])
        assert log["left"][0]["left"] < 100
        assert living(log.process)
        model.parameters["max_tokens"] = 1
        with pytest.raises(ModelError, match="limit on its reply's length"):
            items(model, HELLO)
    assert len(log["loaded"]) == 1


def test_leaving_while_it_is_loaded_ends_the_process(log: Log, tmp_path: Path) -> None:
    async def leave_early() -> int:
        reply: Any = model.reply(HELLO)
        async with aclosing(reply):
            await anext(reply)
            while not log["loading"]:
                await asyncio.sleep(0.02)
        return int(log["loading"][0]["loading"])

    with serving(tmp_path, "GGUF <slow>") as model:
        loading = asyncio.run(leave_early())
        assert eventually(lambda: not living({loading}))


def test_the_process_ends_when_the_model_is_closed(log: Log, tmp_path: Path) -> None:
    with serving(tmp_path) as model:
        items(model, HELLO)
        first = log.process
        model.close()
        assert not living(first)
        items(model, HELLO)
        assert log.process != first
        assert living(log.process)
        model.close()
        model.close()
    assert not living(log.process)


def test_the_key_is_asked_for_and_nobody_reads_it(log: Log, tmp_path: Path) -> None:
    """Other users of this machine reach the port, and read command lines."""
    with serving(tmp_path) as model:
        items(model, HELLO)
        request = urllib.request.Request(f"{model.api_base}/chat/completions", b'{"messages": []}')
        with pytest.raises(urllib.error.HTTPError, match="401") as refused:
            urllib.request.urlopen(request)
        refused.value.close()
        key = model._headers["Authorization"].removeprefix("Bearer ")
        [process] = log.process
        command = Path(f"/proc/{process}/cmdline").read_text()
    assert len(key) == 32
    assert key not in command + repr(model)


ENDS = """
import asyncio, os, sys, time
from smolcell.models import create_model
from smolcell.protocols import Message

async def ask():
    async for item in create_model(sys.argv[1]).reply([Message("user", "hello")]):
        pass

asyncio.run(ask())
if sys.argv[2] == "forked" and os.fork() == 0:
    os.write(1, f"{os.getpid()}\\n".encode())  # a line at once
    time.sleep(600)
os.write(1, b"asked\\n")
if sys.argv[2] != "exit":
    time.sleep(600)
"""


@pytest.mark.parametrize("way", quick(["exit", "kill", "forked"], "kill", "forked"))
def test_the_process_ends_with_the_one_that_asked(way: str, log: Log, tmp_path: Path) -> None:
    """By SIGKILL too, after which no line of Python runs; also if a process that was forked from it holds its pipes."""
    command = [sys.executable, "-c", ENDS, f"llamacpp/{model_file(tmp_path)}", way]
    forked = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        said = {asking.stdout.readline().strip() for _ in range(2 if way == "forked" else 1)}
        forked = int((said - {"asked"}).pop()) if way == "forked" else 0
        assert way == "exit" or living(log.process)
        asking.kill()
    try:
        assert eventually(lambda: not living(log.process))
    finally:
        if forked:
            os.kill(forked, signal.SIGKILL)


def test_a_long_conversation_is_still_held_to_the_window_that_was_asked_for(log: Log, tmp_path: Path) -> None:
    with serving(tmp_path, n_ctx=300) as model:
        items(model, [Message("user", "a" * 20_000)])
        assert model.context_window == 300


def test_a_run_with_it_answers(log: Log, tmp_path: Path) -> None:
    with serving(tmp_path) as model, CodeAgent(model=model, gate=allow_all) as agent:
        assert agent.run("What is 41 + 1?") == 42


# --- the Hub -----------------------------------------------------------------------------------------------------------


def test_what_is_a_file_and_what_a_name_on_the_hub() -> None:
    files = ["./m.gguf", "/m/x", "~/m.gguf", "../m", "m.gguf", "folder/m.GGUF"]
    names = ["owner/name", "owner/name-GGUF", "owner/name:*q8_0.gguf"]
    assert [name for name in (*files, *names) if is_path(name)] == files


FILES = ["README.md", "m-Q2_K.gguf", "m-Q4_K_M.gguf", "m-Q8_0.gguf", "mmproj-Q4_K_M.gguf"]


@pytest.mark.parametrize(
    ("names", "pattern", "chosen"),
    [
        (["README.md", "only.gguf"], "", "only.gguf"),
        (FILES, "", "m-Q4_K_M.gguf"),
        (FILES, "*q8_0.gguf", "m-Q8_0.gguf"),
        (FILES, "m-Q2_K.gguf", "m-Q2_K.gguf"),
        (["q/m-00001-of-00002.gguf", "q/m-00002-of-00002.gguf"], "", "q/m-00001-of-00002.gguf"),
    ],
)
def test_which_of_several_files_is_taken(names: list[str], pattern: str, chosen: str) -> None:
    assert choose(names, pattern, Source(model="llamacpp/o/n")) == chosen


@pytest.mark.parametrize(("names", "pattern"), [(FILES, "*q5*"), (["a.gguf", "b.gguf"], ""), (["README.md"], "")])
def test_where_none_can_be_chosen_all_are_named(names: list[str], pattern: str) -> None:
    with pytest.raises(ModelError, match=r"Name one with -m llamacpp/o/n:PATTERN; its GGUF files are: ") as caught:
        choose(names, pattern, Source(model=f"llamacpp/o/n:{pattern}"))
    assert all(name in str(caught.value) for name in names if name.endswith("gguf") and "mmproj" not in name)


PROGRAM = """
import asyncio, json, sys
from smolcell.errors import SmolcellError
from smolcell.events import Delta
from smolcell.protocols import Message
from smolcell.models import create_model

async def ask():
    said = []
    try:
        async for item in create_model(sys.argv[1]).reply([Message("user", "hello")]):
            said.append(item.text)
    except SmolcellError as error:
        said.append(f"{type(error).__name__}: {error}")
    return said

print(json.dumps(asyncio.run(ask())))
"""


def ask_the_hub(url: str, home: Path, name: str, **environ: str) -> list[str]:
    """In a process of its own: ``huggingface_hub`` reads the Hub's address when it is imported."""
    env = {**os.environ, "HF_ENDPOINT": url, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1", **environ}
    done = subprocess.run([sys.executable, "-c", PROGRAM, name], env=env, stdout=subprocess.PIPE, check=True)
    said: list[str] = json.loads(done.stdout)
    return said


@pytest.mark.slow
def test_a_file_of_the_hub_is_fetched_once_with_its_progress_shown(log: Log, tmp_path: Path) -> None:
    files = {"README.md": b"#", "m-Q4_0.gguf": b"GGUF\nHello.\n<end>\n" + b"\n" * 3_000_000, "m-Q8_0.gguf": b"GGUF\n"}
    with hub(files) as server:
        said = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name")
        assert said[:2] == ["looking for owner/name on the Hub", "fetching m-Q4_0.gguf"]
        assert said[-4:] == ["fetching m-Q4_0.gguf: 3 of 3 MB", "loading m-Q4_0.gguf (3 MB)", "Hello.", "Hello."]
        assert server.fetched == ["m-Q4_0.gguf"]
        again = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name")
        assert (again[-1], server.fetched) == ("Hello.", ["m-Q4_0.gguf"])
        assert set(server.tokens) == {None}
    offline = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name", HF_HUB_OFFLINE="1")
    assert "the Hub cannot be reached; using an earlier download" in offline
    assert offline[-1] == "Hello."
    assert len({each["loaded"] for each in log["loaded"]}) == 1


def test_the_parts_of_a_file_are_in_order() -> None:
    names = ["q/m-00002-of-00002.gguf", "q/m-00001-of-00002.gguf", "q/n-00001-of-00002.gguf", "m.gguf"]
    assert llamacpp._parts("q/m-00001-of-00002.gguf", names) == [names[1], names[0]]
    assert llamacpp._parts("m.gguf", names) == ["m.gguf"]


@pytest.mark.slow
def test_all_parts_of_a_file_are_fetched_and_the_first_is_loaded(log: Log, tmp_path: Path) -> None:
    files = {"q/m-00001-of-00002.gguf": b"GGUF\nHello.\n<end>", "q/m-00002-of-00002.gguf": b"GGUF\n"}
    with hub(files) as server:
        said = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name:q/*")
    assert (said[-1], sorted(server.fetched)) == ("Hello.", sorted(files))
    loaded = Path(log["loaded"][0]["loaded"])
    assert loaded.as_posix().endswith("/q/m-00001-of-00002.gguf")
    assert loaded.with_name("m-00002-of-00002.gguf").is_file()  # where llama.cpp looks for it


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        pytest.param(404, "RepoNotFound", r"was not found on the Hub.*hf auth login", marks=pytest.mark.slow),
        (403, "GatedRepo", r"is open only to users whom its owners approved.*hf auth login"),
        pytest.param(401, "", r"was not found on the Hub|did not accept the key", marks=pytest.mark.slow),
    ],
)
def test_what_the_hub_refuses_is_named(status: int, code: str, message: str, log: Log, tmp_path: Path) -> None:
    with hub({}, status, code) as server:
        said = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name")
    assert re.search(message, said[-1]), said
    assert (said[-1].startswith("ModelError: llamacpp/owner/name "), log["loaded"]) == (True, [])


def test_a_library_that_is_offline_is_named() -> None:
    said = str(hub_fault(Source(model="m"), OfflineModeIsEnabled()))
    assert said == "m is not on this machine. Unset HF_HUB_OFFLINE to fetch it, or name a file."


@pytest.mark.slow
def test_offline_without_the_file_says_so(log: Log, tmp_path: Path) -> None:
    said = ask_the_hub("http://127.0.0.1:9", tmp_path, "llamacpp/owner/name", HF_HUB_OFFLINE="1")
    assert "is not on this machine. Unset HF_HUB_OFFLINE to fetch it, or name a file." in said[-1]
