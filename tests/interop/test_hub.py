"""Agents that are saved, loaded and shared: what is written, what is shown before anything runs, and what a stranger's folder cannot do."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smolcell import CodeAgent, ToolCallingAgent, WebSearchTool, tool
from smolcell.errors import ApprovalError, SetupError
from smolcell.executors.registry import open_sandboxes
from smolcell.hub import SandboxedTool, definition
from smolcell.models.recording import RecordingModel, ReplayModel
from smolcell.testing import ScriptedModel, allow_all

sys.path.insert(0, str(Path(__file__).parents[1] / "models"))
from hub import COMMIT, Hub, hub

CODE = "<code>\nfinal_answer(price('tea', 2))\n</code>"


@tool
def price(item: str, count: int = 1) -> float:
    """The price of some of an item.

    Args:
        item: its name
        count: how many
    """
    import os

    return {"tea": 2.5}[item] * count + (1000 if os.environ.get("SMOLCELL_TEST_HOST") else 0)


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that runs in this process says so by 1000."""
    monkeypatch.setenv("SMOLCELL_TEST_HOST", "1")


def agent(*tools: Any, **options: Any) -> CodeAgent:
    options = {"model": ScriptedModel(CODE), "additional_authorized_imports": ["os"], **options}
    return CodeAgent(list(tools) or [price], **options)


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, str]:
    folder = tmp_path / "agents" / "teas"
    made = agent(instructions="Be brief.", name="teas", description="Knows prices.", max_steps=7)
    return folder, made.save(folder)


# --- saving -----------------------------------------------------------------------------------------------------------


def test_a_folder_is_created_with_manifest_sources_and_card(saved: tuple[Path, str]) -> None:
    folder, digest = saved
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*")) == [
        "README.md",
        "agent.toml",
        "tools/price.py",
    ]
    manifest = tomllib.loads((folder / "agent.toml").read_text())
    said = {
        name: manifest[name]
        for name in ("kind", "model_class", "instructions", "imports", "max_steps", "name", "walls")
    }
    assert said == {
        "kind": "CodeAgent",
        "model_class": "ScriptedModel",
        "instructions": "Be brief.",
        "imports": ["os"],
        "max_steps": 7,
        "name": "teas",
        "walls": ["files", "network"],
    }
    (entry,) = manifest["tools"]
    assert (entry["name"], entry["object"], json.loads(entry["inputs"])["count"]["nullable"]) == (
        "price",
        "price",
        True,
    )
    assert len(digest) == 64 and "CodeAgent.from_hub" in (folder / "README.md").read_text()


def test_a_tool_without_source_of_its_own_cannot_be_saved(tmp_path: Path) -> None:
    prices = {"tea": 1.0}

    @tool
    def look(item: str) -> float:
        """A price.

        Args:
            item: its name
        """
        return prices[item]

    with pytest.raises(SetupError, match="the tool 'look' cannot be saved: it uses prices from outside"):
        agent(look).save(tmp_path / "x")


def test_a_secret_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"agent.toml would have a text that looks like a secret"):
        agent(instructions="Log in with hf_" + "aB3dE5fG7h" * 4).save(tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_recording_goes_along_and_plays_the_agent_again(tmp_path: Path) -> None:
    recorded = RecordingModel(ScriptedModel("<code>\nfinal_answer(6 * 7)\n</code>"), tmp_path / "r.jsonl")
    with CodeAgent([], recorded, gate=allow_all) as made:
        assert made.run("6 times 7?") == 42
        made.save(tmp_path / "x")
    model = ReplayModel(tmp_path / "x" / "recording.jsonl")
    with CodeAgent.load(tmp_path / "x", model, gate=allow_all) as again:
        assert (again.run("6 times 7?"), again.recording) == (42, str(tmp_path / "x" / "recording.jsonl"))


# --- loading ----------------------------------------------------------------------------------------------------------


def test_loading_shows_all_and_runs_tools_in_a_sandbox_of_their_own(
    saved: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = open_sandboxes()
    with CodeAgent.load(saved[0], ScriptedModel(CODE), gate=allow_all) as loaded:
        shown = capsys.readouterr().out
        assert loaded.run("What do two teas cost?") == 5.0
        assert (loaded.instructions, loaded.max_steps, loaded.name) == ("Be brief.", 7, "teas")
        assert isinstance(loaded.tools["price"], SandboxedTool)
        assert len(open_sandboxes()) == len(before) + 2
    assert open_sandboxes() == before
    for words in (
        saved[1],
        "imports: os; hosts: none",
        "instructions: Be brief.",
        "description for the model: The price of some of an item.",
        "tools/price.py runs in its own sandbox",
    ):
        assert words in shown
    assert 'return {"tea": 2.5}[item]' in shown


def test_a_trusted_folder_s_tools_run_in_this_process(
    saved: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with CodeAgent.load(saved[0], ScriptedModel(CODE), trust=saved[1], gate=allow_all) as loaded:
        assert loaded.run("What do two teas cost?") == 1005.0
    assert "tools/price.py runs in this process" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["agent.toml", "tools/price.py"])
def test_what_was_changed_after_it_was_trusted_is_refused(saved: tuple[Path, str], name: str) -> None:
    path = saved[0] / name
    path.write_text(path.read_text() + "\n# more\n")
    with pytest.raises(SetupError, match=r"this is not the trusted agent|does not match agent\.toml"):
        CodeAgent.load(saved[0], ScriptedModel(), trust=saved[1])


def test_a_saved_agent_saves_again_as_it_was(saved: tuple[Path, str], tmp_path: Path) -> None:
    loaded = CodeAgent.load(saved[0], ScriptedModel())
    assert loaded.save(tmp_path / "again") == saved[1]


def test_a_model_without_a_name_is_to_be_given_and_one_with_a_name_is_made(
    saved: tuple[Path, str], tmp_path: Path
) -> None:
    with pytest.raises(
        SetupError, match="saved with a model of class ScriptedModel, which has no name: load it with model="
    ):
        CodeAgent.load(saved[0])
    from smolcell import InferenceClientModel

    agent(model=InferenceClientModel("me/model", token="hf_x")).save(tmp_path / "named")
    assert "hf_x" not in (tmp_path / "named" / "agent.toml").read_text()
    assert CodeAgent.load(tmp_path / "named").model.name == "huggingface/me/model"


def test_managed_agents_and_tools_that_come_with_smolcell_are_saved_too(tmp_path: Path) -> None:
    clerk = CodeAgent([price], ScriptedModel(), name="clerk", description="Knows prices.")
    agent(WebSearchTool(), managed_agents=[clerk], additional_authorized_imports=()).save(tmp_path / "team")
    loaded = CodeAgent.load(tmp_path / "team", ScriptedModel())
    assert (list(loaded.tools), list(loaded.managed_agents)) == (["web_search"], ["clerk"])
    assert isinstance(loaded.managed_agents["clerk"].tools["price"], SandboxedTool)
    inner = tmp_path / "team" / "managed" / "clerk" / "agent.toml"
    inner.write_text(inner.read_text().replace("Knows", "Guesses"))
    with pytest.raises(SetupError, match=r"managed agent clerk does not match agent.toml"):
        CodeAgent.load(tmp_path / "team", ScriptedModel())


def test_another_kind_of_agent_is_said_so(saved: tuple[Path, str]) -> None:
    with pytest.raises(SetupError, match=r"the agent is a CodeAgent: write CodeAgent.load"):
        ToolCallingAgent.load(saved[0], ScriptedModel())


def test_the_receiver_s_policy_applies(
    saved: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('imports = ["math"]\n')
    monkeypatch.setenv("SMOLCELL_POLICY", str(policy))
    with pytest.raises(SetupError, match="The import os is not allowed"):
        CodeAgent.load(saved[0], ScriptedModel())


def test_without_the_walls_that_it_expects_nothing_runs(tmp_path: Path) -> None:
    made = agent()
    made.expected_walls = ("moat",)
    made.save(tmp_path / "x")
    with (
        CodeAgent.load(tmp_path / "x", ScriptedModel(CODE), gate=allow_all) as loaded,
        pytest.raises(ApprovalError, match="moat"),
    ):
        loaded.run("t")
    with CodeAgent.load(tmp_path / "x", ScriptedModel(CODE), gate=allow_all, expected_walls=()) as loaded:
        assert loaded.run("t") == 5.0


# --- strangers' folders -------------------------------------------------------------------------------------------------


HOSTILE = {
    "no manifest": ({}, "has no agent"),
    "another format": ({"agent.toml": 'format = "x"'}, "is not of format"),
    "no TOML": ({"agent.toml": "format ="}, "agent.toml cannot be read"),
    "a path as a name": ({"agent.toml": "[[tools]]\nname = '../../x'\nobject = 'x'"}, "each as a text|identifier"),
    "a model that is a file": ({"agent.toml": "model = 'replay:/etc/passwd'"}, "names no model"),
    "a list for a text": ({"agent.toml": "model = ['a']"}, "model must be a str, not a list"),
    "a file that is missing": (
        {"agent.toml": "[[tools]]\nname='a'\nobject='a'\nsha256='0'\ndescription='a'\ninputs='{}'\noutput_type='any'"},
        "tools/a.py is missing",
    ),
    "Jinja statements": (
        {"agent.toml": "model='openai/a'\n[prompt_templates]\nsystem_prompt = '{% for a in b %}{% endfor %}'"},
        "Jinja statements",
    ),
    "too many tools": ({"agent.toml": "tools = [" + "{}," * 60 + "]"}, "60 tools are too many: at most 50"),
    "JSON that is no agent": ({"agent.json": "[]"}, "agent.json has no agent"),
}


@pytest.mark.parametrize(("files", "said"), HOSTILE.values(), ids=HOSTILE)
def test_a_folder_that_is_no_agent_is_refused(files: dict[str, str], said: str, tmp_path: Path) -> None:
    for name, text in files.items():
        head = "" if "format" in text or name == "agent.json" else 'format = "smolcell-agent"\nversion = 1\n'
        (tmp_path / name).write_text(head + text)
    with pytest.raises(SetupError, match=said):
        CodeAgent.load(tmp_path)


def test_a_file_that_is_too_large_is_not_read(saved: tuple[Path, str]) -> None:
    with (saved[0] / "tools" / "price.py").open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(SetupError, match=r"tools/price\.py has 50,000,000 bytes"):
        CodeAgent.load(saved[0], ScriptedModel())
    (saved[0] / "tools" / "price.py").write_text("#" * 200_001)
    with pytest.raises(SetupError, match="has 200,001 characters; 200,000 can be reviewed"):
        CodeAgent.load(saved[0], ScriptedModel())


def test_a_link_out_of_the_folder_is_not_followed(saved: tuple[Path, str], tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("password = 1")
    (saved[0] / "tools" / "price.py").unlink()
    (saved[0] / "tools" / "price.py").symlink_to(tmp_path / "secret.py")
    with pytest.raises(SetupError, match="points outside"):
        CodeAgent.load(saved[0], ScriptedModel())


def test_a_tool_that_reaches_for_this_machine_is_stopped_in_its_sandbox(tmp_path: Path) -> None:
    @tool
    def steal(item: str) -> str:
        """Reads a file.

        Args:
            item: its path
        """
        return open(item).read()  # noqa: PTH123 - what a stranger writes

    agent(steal, additional_authorized_imports=()).save(tmp_path / "x")
    model = ScriptedModel(
        "<code>\ntry:\n    steal('/etc/passwd')\nexcept Exception as e:\n    final_answer(str(e))\n</code>"
    )
    with CodeAgent.load(tmp_path / "x", model, gate=allow_all) as loaded:
        assert "Forbidden access to file" in loaded.run("t")


def test_the_definition_of_a_tool_stands_without_smolcell() -> None:
    source = "from smolagents import (\n    Tool,\n)\nimport smolcell, math\n\nclass A(Tool):\n    def forward(self):\n        return 1\n"
    names: dict[str, Any] = {}
    exec(definition(source, "A"), names)
    assert names["the_tool"]() == 1


# --- smolagents' folders ------------------------------------------------------------------------------------------------


THEIR_TOOL = """from typing import Any, Optional
from smolagents.tools import Tool


class PriceTool(Tool):
    name = "price"
    description = "The price of some of an item."
    inputs = {"item": {"type": "string", "description": "its name"}, "count": {"type": "integer",
              "description": "how many", "nullable": True}}
    output_type = "number"

    def forward(self, item: str, count: int = 1) -> float:
        return {"tea": 2.5}[item] * count

    def __init__(self, *args, **kwargs):
        self.is_initialized = False
"""


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """As ``agent.save`` of smolagents 1.26 writes it."""
    folder = tmp_path / "theirs"
    (folder / "tools").mkdir(parents=True)
    said = {
        "class": "CodeAgent",
        "tools": ["price", "final_answer"],
        "model": {"class": "InferenceClientModel", "data": {"model_id": "me/model"}},
        "managed_agents": {},
        "prompt_templates": {"system_prompt": "{% for a in range(9) %}{% endfor %}"},
        "max_steps": 9,
        "verbosity_level": 1,
        "planning_interval": None,
        "name": None,
        "description": None,
        "requirements": ["smolagents"],
        "authorized_imports": ["unicodedata", "math"],
        "executor_type": "local",
        "executor_kwargs": {},
        "max_print_outputs_length": None,
    }
    (folder / "agent.json").write_text(json.dumps(said))
    (folder / "tools" / "price.py").write_text(THEIR_TOOL)
    return folder


def test_a_folder_that_smolagents_wrote_is_loaded_the_same_way(
    theirs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SetupError, match="saved with a model of class InferenceClientModel, which has no name"):
        CodeAgent.load(theirs)
    capsys.readouterr()
    with CodeAgent.load(theirs, ScriptedModel(CODE), gate=allow_all) as loaded:
        assert (loaded.run("t"), loaded.max_steps) == (5.0, 9)
    shown = capsys.readouterr().out
    assert "imports: unicodedata, math" in shown and "class PriceTool(Tool):" in shown
    digest = shown.partition("SHA-256 ")[2][:64]
    with CodeAgent.load(theirs, ScriptedModel(CODE), trust=digest, gate=allow_all) as loaded:
        assert loaded.run("t") == 5.0 and not isinstance(loaded.tools["price"], SandboxedTool)


# --- the Hub ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Hub, str]]:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    with hub({}) as made:
        yield made, f"http://127.0.0.1:{made.server_address[1]}"


def test_an_agent_is_pushed_and_loaded_of_its_commit(
    server: tuple[Hub, str], capsys: pytest.CaptureFixture[str]
) -> None:
    made, endpoint = server
    pushed = agent().push_to_hub("me/teas", token="hf_mine", endpoint=endpoint)
    assert (pushed.repo, pushed.revision) == ("me/teas", COMMIT)
    created = made.created[0]  # the client's newer versions say visibility
    assert (created["name"], created.get("private") or created.get("visibility")) in [
        ("teas", True),
        ("teas", "private"),
    ]
    assert sorted(made.files) == ["README.md", "agent.toml", "tools/price.py"]
    options: dict[str, Any] = {"endpoint": endpoint, "gate": allow_all, "model": ScriptedModel(CODE)}
    with CodeAgent.from_hub("me/teas", revision=COMMIT, **options) as loaded:
        assert loaded.run("t") == 5.0
    assert f"CodeAgent of me/teas at {COMMIT} (SHA-256 {pushed.trust})" in capsys.readouterr().out
    options["model"] = ScriptedModel(CODE)
    with CodeAgent.from_hub("me/teas", revision=COMMIT, trust=pushed.trust, **options) as loaded:
        assert loaded.run("t") == 1005.0


def test_a_name_of_a_branch_is_no_commit_and_the_newest_is_named(server: tuple[Hub, str]) -> None:
    made, endpoint = server
    for revision in ("", "main", COMMIT[:7]):
        with pytest.raises(SetupError, match=f"write CodeAgent.from_hub\\('me/teas', revision='{COMMIT}'\\)"):
            CodeAgent.from_hub("me/teas", revision=revision, endpoint=endpoint)
    assert made.fetched == []


def test_a_manifest_that_the_hub_changed_after_it_was_trusted_is_refused(server: tuple[Hub, str]) -> None:
    made, endpoint = server
    pushed = agent().push_to_hub("me/teas", endpoint=endpoint)
    manifest = made.files["agent.toml"].replace(b"hosts = []", b'hosts = ["evil.example"]')
    made.files = {**made.files, "agent.toml": manifest}
    with pytest.raises(SetupError, match="this is not the trusted agent"):
        CodeAgent.from_hub("me/teas", revision=COMMIT, trust=pushed.trust, endpoint=endpoint, model=ScriptedModel())


def test_a_hub_that_refuses_says_so_without_the_token(tmp_path: Path) -> None:
    with hub({}, status=401) as made, pytest.raises(SetupError, match="the Hub refused 'me/teas'") as caught:
        agent().push_to_hub(
            "me/teas", token="hf_" + "aB3dE5fG7h" * 4, endpoint=f"http://127.0.0.1:{made.server_address[1]}"
        )
    assert "aB3dE5fG7h" not in str(caught.value)
