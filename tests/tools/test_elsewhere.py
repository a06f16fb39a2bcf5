"""Tools from elsewhere, from stand-ins on this machine: the Hub, a Space's interface, LangChain's and Gradio's objects."""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from http_server import Handler, Server, served

from smolcell import Tool
from smolcell.errors import AgentToolCallError, AgentToolExecutionError, SetupError
from smolcell.events import sha256

CODE = '''"""A tool of the Hub."""
from smolagents.tools import Tool


class Shout(Tool):
    name = "shout"
    description = "Shout it."
    inputs = {"word": {"type": "string", "description": "what"}}
    output_type = "string"

    def __init__(self, mark="!"):
        super().__init__()
        self.mark = mark
        ran.append(mark) if "ran" in globals() else None

    def forward(self, word: str) -> str:
        return word.upper() + self.mark
'''


class Space(Handler):
    """The Hub, as far as a file of a Space is asked for."""

    files: dict[str, bytes] = {}

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        data = self.files.get(self.path.partition("/resolve/main/")[2])
        self.answer(
            data or b"",
            status=404 if data is None else 200,
            kind="",
            X_Error_Code="EntryNotFound" if data is None else "",
            X_Repo_Commit="0" * 40,
            ETag=f'"{hashlib.sha256(data or b"").hexdigest()}"',
        )


@pytest.fixture(scope="module")
def hub() -> Iterator[str]:
    with served(Server(Space)) as server:
        yield server.url


def fetch(hub: str, folder: Path, code: str, trust: Any = False, **more: Any) -> Tool:
    Space.files = {"tool.py": code.encode()}
    return Tool.from_hub("me/shout", trust_remote_code=trust, endpoint=hub, cache_dir=folder, **more)


def test_code_of_the_hub_is_shown_and_not_run_until_it_is_trusted(hub: str, tmp_path: Path) -> None:
    written = "raise SystemExit('it ran')\n# \u202e"
    with pytest.raises(SetupError) as caught:
        fetch(hub, tmp_path, written)
    said = str(caught.value)
    assert "would run in this process, with your rights. Read it:" in said
    assert "\n  1 │ raise SystemExit('it ran')\n  2 │ # \\u{202e}\n" in said
    assert f"trust_remote_code='{sha256(written)}'" in said


def test_trusted_code_is_shown_and_makes_a_tool(hub: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = dict(sys.modules)
    shout = fetch(hub, tmp_path, CODE, True, mark="?")
    assert (shout.name, shout("ha"), str(shout.signature)) == ("shout", "HA?", "(word: str) -> str")
    assert "it now runs in this process\n  1 │ " in capsys.readouterr().out
    assert {name for name in sys.modules if "smolagents" in name or "hub_me" in name} == {
        name for name in before if "smolagents" in name
    }


def test_trust_in_a_digest_is_trust_in_that_code_alone(hub: str, tmp_path: Path) -> None:
    digest = sha256(CODE)
    assert fetch(hub, tmp_path / "a", CODE, digest)("ha") == "HA!"
    with pytest.raises(SetupError, match="This is not the code that was trusted"):
        fetch(hub, tmp_path / "b", CODE + "# more\n", digest)


@pytest.mark.parametrize("trust", [None, 0, 1, "", "true", b"x"])
def test_nothing_but_true_and_the_digest_is_trust(hub: str, tmp_path: Path, trust: Any) -> None:
    with pytest.raises(SetupError, match="would run in this process"):
        fetch(hub, tmp_path, "raise SystemExit('it ran')", trust)


BROKEN = {
    "no tool": ("x = 1", "defines no tool"),
    "an error": ("1 / 0", "failed: ZeroDivisionError"),
    "not Python": ("def", "failed: SyntaxError"),
    "an unfinished tool": (CODE.replace('    description = "Shout it."\n', ""), "needs an attribute description"),
}


@pytest.mark.parametrize(("code", "said"), BROKEN.values(), ids=BROKEN)
def test_code_that_makes_no_tool_is_said(hub: str, tmp_path: Path, code: str, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        fetch(hub, tmp_path, code, True)


def test_a_space_without_a_tool_is_said(hub: str, tmp_path: Path) -> None:
    Space.files = {}
    with pytest.raises(SetupError, match=r"'me/none' has no tool\.py that can be read"):
        Tool.from_hub("me/none", trust_remote_code=True, endpoint=hub, cache_dir=tmp_path)


# --- a Space's interface --------------------------------------------------------------------------------------------------


class Client:
    """Stands in for gradio_client's."""

    asked: list[Any] = []

    def __init__(self, space_id: str, hf_token: str | None = None) -> None:
        if space_id == "me/gone":
            raise ValueError("not found")
        self.asked.append((space_id, hf_token))

    def view_api(self, return_format: str, print_info: bool) -> Any:
        assert (return_format, print_info) == ("dict", False)
        prompt = {
            "parameter_name": "prompt",
            "label": "What",
            "python_type": {"type": "str"},
            "parameter_has_default": False,
        }
        seed = {
            "parameter_name": "seed",
            "label": "Seed",
            "python_type": {"type": "int"},
            "parameter_has_default": True,
        }
        return {"named_endpoints": {"/draw": {"parameters": [prompt, seed], "returns": [{"component": "Textbox"}]}}}

    def predict(self, *args: Any, api_name: str, **kwargs: Any) -> Any:
        return [f"{api_name} {kwargs}", "more"]


def test_a_space_is_a_tool_where_its_client_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = types.ModuleType("gradio_client")
    stand_in.Client = Client  # type: ignore[attr-defined]
    monkeypatch.setattr(Client, "asked", [])
    monkeypatch.setitem(sys.modules, "gradio_client", stand_in)
    draw = Tool.from_space("me/draw", "draw", "Draw it.", token="t")
    assert str(draw.signature) == "(prompt: str, seed: int = None) -> Any"
    assert draw("a cat") == "/draw {'prompt': 'a cat'}"
    with pytest.raises(AgentToolCallError, match="'prompt' must be str"):
        draw(3)
    assert Client.asked == [("me/draw", "t")]
    with pytest.raises(SetupError, match=r"has no interface '/paint'; it has: /draw\. Pass api_name=…"):
        Tool.from_space("me/draw", "draw", "Draw it.", api_name="/paint")
    with pytest.raises(SetupError, match="cannot be reached: ValueError: not found"):
        Tool.from_space("me/gone", "draw", "Draw it.")


def test_a_space_names_no_file_that_it_did_not_send(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from PIL import Image

    class Painter(Client):
        output_dir = str(tmp_path / "sent")

        def view_api(self, return_format: str, print_info: bool) -> Any:
            return {"named_endpoints": {"/draw": {"parameters": [], "returns": [{"component": "Image"}]}}}

        def predict(self, *args: Any, api_name: str, **kwargs: Any) -> Any:
            return self.answer

        answer = ""

    stand_in = types.ModuleType("gradio_client")
    stand_in.Client = Painter  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gradio_client", stand_in)
    (tmp_path / "sent").mkdir()
    for place in (tmp_path / "mine.png", tmp_path / "sent" / "new.png"):
        Image.new("RGB", (2, 3)).save(place)
    draw = Tool.from_space("me/draw", "draw", "Draw it.")
    for answer in (str(tmp_path / "mine.png"), str(tmp_path / "sent" / ".." / "mine.png"), "/etc/passwd"):
        Painter.answer = answer
        with pytest.raises(AgentToolExecutionError, match="a file that it did not send"):
            draw()
    Painter.answer = str(tmp_path / "sent" / "new.png")
    assert draw().size == (2, 3)


def test_without_its_client_a_space_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gradio_client", None)
    with pytest.raises(SetupError, match="pip install gradio_client"):
        Tool.from_space("me/draw", "draw", "Draw it.")


# --- other libraries' objects -----------------------------------------------------------------------------------------------


class Chain:
    """Has what a tool of LangChain's has."""

    name, description = "Look Up", "Look it up."
    args = {
        "query": {"title": "Query", "type": "string", "description": "what"},
        "limit": {"title": "Limit", "anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
    }

    def run(self, given: dict[str, Any]) -> str:
        return repr(given)


def test_a_langchain_tool_is_a_tool() -> None:
    look = Tool.from_langchain(Chain())
    assert (look.name, str(look.signature)) == ("look_up", "(query: str, limit: int = None) -> Any")
    assert look("tea", limit=2) == "{'query': 'tea', 'limit': 2}"
    with pytest.raises(AgentToolCallError, match="missing a required argument: 'query'"):
        look()
    with pytest.raises(SetupError, match="int is no LangChain tool"):
        Tool.from_langchain(3)


def test_a_gradio_tool_is_a_tool() -> None:
    class Caption:
        name, description = "caption", "Caption it."

        def run(self, path: str, words: int = 5) -> str:
            return f"{path} {words}"

    caption = Tool.from_gradio(Caption())
    assert (str(caption.signature), caption("a.png", words=2)) == ("(path: str, words: int = None) -> Any", "a.png 2")
    with pytest.raises(SetupError, match="is no tool of gradio-tools"):
        Tool.from_gradio(object())
