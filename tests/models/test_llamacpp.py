"""GGUF models in this process. llama.cpp itself is compiled for many minutes, so a stand-in has its place: same names, same chunks."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from dialects import items
from hub import hub

from smolcell.agent import CodeAgent
from smolcell.errors import SetupError
from smolcell.events import Delta, Replied, Usage
from smolcell.models import create_model
from smolcell.models.errors import ModelError, Source
from smolcell.models.llamacpp import LlamaCppModel, choose, is_path
from smolcell.protocols import Message
from smolcell.testing import allow_all

STAND_IN = Path(__file__).parent / "stand_in"
HELLO = [Message("system", "You write Python."), Message("user", "hello <|im_end|>")]
SAYS = "GGUF\nEasy.\n\\n<co\nde>\\nx = 1\\nfinal_answer(x + 41)\n\\n</\ncode>\\nObser\nvation of step 1\n<end>"


@pytest.fixture
def llama_cpp(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(STAND_IN))
    monkeypatch.delitem(sys.modules, "llama_cpp", raising=False)
    import llama_cpp

    yield llama_cpp
    del sys.modules["llama_cpp"]


def model_file(folder: Path, says: str = SAYS) -> Path:
    path = folder / "m.gguf"
    path.write_text(says)
    return path


def test_a_file_is_loaded_once_and_its_reply_is_streamed(llama_cpp: Any, tmp_path: Path) -> None:
    path = model_file(tmp_path)
    model = create_model(f"llamacpp/{path}", temperature=0.0, n_ctx=300)
    assert isinstance(model, LlamaCppModel)
    assert (model.name, model.context_window) == (f"llamacpp/{path}", None)
    first, second = items(model, HELLO), items(model, HELLO)
    progress = [item.text for item in first if isinstance(item, Delta) and item.channel == "progress"]
    assert progress == ["loading llama.cpp", "loading m.gguf (0 MB)"]
    text = "Easy.\n<code>\nx = 1\nfinal_answer(x + 41)\n</code>"
    usage = Usage(input_tokens=7, output_tokens=9)
    assert first[-1] == second[-1] == Replied(text=text, usage=usage, model=model.name)
    assert "".join(item.text for item in second[:-1]) == text
    assert [{"path": str(path), "n_ctx": 300, "n_gpu_layers": -1, "verbose": False}] == llama_cpp.LOADED
    call = llama_cpp.CALLS[-1]
    assert (call["messages"][1], call["temperature"], call["over"]) == (
        {"role": "user", "content": "hello < |im_end|>"}, 0.0, True,
    )  # fmt: skip
    assert call["told"] == 5  # it was ended in the middle of "</code>\nObser"
    assert (model.context_window, model.count_tokens("a b c")) == (300, 3)
    large = LlamaCppModel(str(path))
    items(large, HELLO)
    assert large.context_window == 1000  # never more than what the model was trained for


def test_a_schema_is_handed_on_and_then_only_the_model_ends_the_reply(llama_cpp: Any, tmp_path: Path) -> None:
    model = LlamaCppModel(str(model_file(tmp_path, 'GGUF\n{"code": "</code>\n\\\\nObservation of step 1"}\n<end>')))
    schema = {"type": "object"}
    given = {"type": "json_schema", "json_schema": {"name": "step", "schema": schema}}
    assert items(model, HELLO, response_format=given)[-1].text == '{"code": "</code>\\\nObservation of step 1"}'
    assert llama_cpp.CALLS[-1]["response_format"] == {"type": "json_object", "schema": schema}


FAULTS = {
    "no GGUF": ("what?", {}, "model", r"cannot be loaded: Failed to load model from file.* a smaller n_ctx"),
    "too long": (SAYS, {"n_ctx": 4}, "context", r"finds the conversation too long.* room with n_ctx\.$"),
    "half a reply": ("GGUF\n<code>\n x = (\n", {}, "length", r"limit on its reply's length.* Raise max_tokens"),
    "cut by the limit": (SAYS, {"max_tokens": 2}, "length", r"limit on its reply's length"),
    "a failure within": ("GGUF\nHm\n<fail>", {}, "server", r"failed \(RuntimeError\): llama_decode returned -1\."),
}


@pytest.mark.parametrize(("says", "options", "kind", "message"), FAULTS.values(), ids=FAULTS)
def test_every_failure_is_named(
    says: str, options: dict[str, Any], kind: str, message: str, llama_cpp: Any, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        items(LlamaCppModel(str(model_file(tmp_path, says)), **options))
    assert (caught.value.kind, caught.value.retry) == (kind, False)


def test_a_file_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"there is no file .*%agent config model=llamacpp/owner/name$"):
        create_model(f"llamacpp/{tmp_path}/none.gguf")


def test_without_the_package_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(SetupError, match=r"pip install 'smolcell\[llamacpp\]'$"):
        items(LlamaCppModel(str(model_file(tmp_path))))


def test_leaving_a_reply_stops_the_model_and_frees_it_for_the_next(llama_cpp: Any, tmp_path: Path) -> None:
    model = LlamaCppModel(str(model_file(tmp_path, "GGUF\n" + "<slow>\nword \n" * 200 + "<end>")))

    async def leave() -> None:
        reply: Any = model.reply(HELLO)
        async with aclosing(reply):
            while (await anext(reply)).channel != "reply":
                pass

    asyncio.run(leave())
    deadline = time.monotonic() + 60
    while not llama_cpp.CALLS[-1]["over"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert llama_cpp.CALLS[-1]["over"]
    assert llama_cpp.CALLS[-1]["told"] < 100
    model.max_tokens = 1
    with pytest.raises(ModelError, match="limit on its reply's length"):
        items(model, HELLO)


def test_a_run_with_it_answers(llama_cpp: Any, tmp_path: Path) -> None:
    with CodeAgent(model=LlamaCppModel(str(model_file(tmp_path))), gate=allow_all) as agent:
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
    import llama_cpp
    return {"said": said, "loaded": [loaded["path"] for loaded in llama_cpp.LOADED]}

print(json.dumps(asyncio.run(ask())))
"""


def ask_the_hub(url: str, home: Path, name: str, **environ: str) -> tuple[list[str], list[str]]:
    """In a process of its own: ``huggingface_hub`` reads the Hub's address when it is imported."""
    env = {**os.environ, "HF_ENDPOINT": url, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1", **environ}
    env["PYTHONPATH"] = os.pathsep.join([str(STAND_IN), str(Path(__file__).parents[2]), env.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-c", PROGRAM, name], env=env, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    return found["said"], found["loaded"]


@pytest.mark.slow
def test_a_file_of_the_hub_is_fetched_once_with_its_progress_shown(tmp_path: Path) -> None:
    files = {"README.md": b"#", "m-Q4_0.gguf": b"GGUF\nHello.\n<end>\n" + b"\n" * 3_000_000, "m-Q8_0.gguf": b"GGUF\n"}
    with hub(files) as server:
        said, loaded = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name")
        assert said[:3] == ["loading llama.cpp", "looking for owner/name on the Hub", "fetching m-Q4_0.gguf"]
        assert said[-4:] == ["fetching m-Q4_0.gguf: 3 of 3 MB", "loading m-Q4_0.gguf (3 MB)", "Hello.", "Hello."]
        assert server.fetched == ["m-Q4_0.gguf"]
        again, same = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name")
        assert (again[-1], same, server.fetched) == ("Hello.", loaded, ["m-Q4_0.gguf"])
        assert set(server.tokens) == {None}
    offline, same = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name", HF_HUB_OFFLINE="1")
    assert "the Hub cannot be reached; using an earlier download" in offline
    assert (offline[-1], same) == ("Hello.", loaded)


def test_all_parts_of_a_file_are_fetched_and_the_first_is_loaded(tmp_path: Path) -> None:
    files = {"q/m-00001-of-00002.gguf": b"GGUF\nHello.\n<end>", "q/m-00002-of-00002.gguf": b"GGUF\n"}
    with hub(files) as server:
        said, loaded = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name:q/*")
        assert (said[-1], sorted(server.fetched)) == ("Hello.", sorted(files))
        assert loaded[0].endswith("/q/m-00001-of-00002.gguf")


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (404, "RepoNotFound", r"was not found on the Hub.*hf auth login"),
        (403, "GatedRepo", r"is open only to users whom its owners approved.*hf auth login"),
        (401, "", r"was not found on the Hub|did not accept the key"),
    ],
)
def test_what_the_hub_refuses_is_named(status: int, code: str, message: str, tmp_path: Path) -> None:
    with hub({}, status, code) as server:
        said, loaded = ask_the_hub(server.url, tmp_path, "llamacpp/owner/name")
    assert re.search(message, said[-1]), said
    assert (said[-1].startswith("ModelError: llamacpp/owner/name "), loaded) == (True, [])


def test_offline_without_the_file_says_so(tmp_path: Path) -> None:
    said, _ = ask_the_hub("http://127.0.0.1:9", tmp_path, "llamacpp/owner/name", HF_HUB_OFFLINE="1")
    assert "is not on this machine. Unset HF_HUB_OFFLINE to fetch it, or name a file." in said[-1]
