"""A model is found by its name; without one, by what this machine offers; and if there is none, the error says what to type."""

import json
import subprocess
import sys
from base64 import b64encode
from functools import partial
from pathlib import Path

import pytest
from dialects import CANARY, items
from examples import cases
from misbehaving import Answer, serving

from smolcell.errors import AgentGenerationError, SetupError
from smolcell.models import create_model, default_model, providers
from smolcell.models.discovery import local_models
from smolcell.models.huggingface import HfApiModel, InferenceClientModel
from smolcell.models.litellm import LiteLLMModel
from smolcell.models.openai import OpenAIModel
from smolcell.models.recording import ReplayModel

OPENAI = ("OPENAI_BASE_URL", "OPENAI_API_KEY")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SMOLCELL_MODEL", "SMOLCELL_API_BASE", "SMOLCELL_API_KEY", *OPENAI, "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)


def test_a_provider_makes_its_model(tmp_path: Path) -> None:
    recording = tmp_path / "a.jsonl"
    recording.write_text('{"format": "smolcell-recording", "version": 1, "model": "m"}\n')
    assert isinstance(create_model(f"replay:{recording}"), ReplayModel)
    openai = create_model("openai/gpt-4.1", api_key=CANARY, temperature=0.5)
    assert isinstance(openai, OpenAIModel)
    assert (openai.name, openai.api_base) == ("openai/gpt-4.1", "https://api.openai.com/v1")
    assert openai.parameters == {"temperature": 0.5}
    hugging = create_model("huggingface/Qwen/Qwen3", api_key=CANARY)
    assert isinstance(hugging, InferenceClientModel)
    assert (hugging.name, hugging.model_id) == ("huggingface/Qwen/Qwen3", "Qwen/Qwen3")
    assert HfApiModel is InferenceClientModel
    for name, lite in (("anthropic/claude", "anthropic/claude"), ("litellm/new/model", "new/model")):
        model = create_model(name, api_key=CANARY)
        assert isinstance(model, LiteLLMModel)
        assert (model.name, model.model_id) == (lite, lite)
    for made in (openai, hugging, model):
        assert CANARY not in repr(made)


@pytest.mark.parametrize(("name", "host", "base"), cases(__file__, "servers"))
def test_a_server_on_this_machine_needs_no_key(
    name: str, host: str, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    model = create_model(name)
    assert isinstance(model, OpenAIModel)
    assert (model.name, model.api_base) == (name, base)


KNOWN = r"anthropic, .*huggingface, .*openai, .*%agent config model=openai/gpt-4\.1$"
EXAMPLES = r"such as openai/gpt-4\.1 or ollama/qwen2.5-coder"


@pytest.mark.parametrize(
    ("name", "says"), [("Qwen/Qwen3", KNOWN), ("gpt-4.1", EXAMPLES), ("openai/", EXAMPLES), ("openai", EXAMPLES)]
)
def test_a_name_that_is_none_says_what_one_looks_like(name: str, says: str) -> None:
    with pytest.raises(SetupError, match=says):
        create_model(name)


@pytest.mark.parametrize("base", ["localhost:11434", "ftp://x/v1", "http://", "http://[::1", "http://x:999999/v1"])
def test_an_address_that_is_none_is_named(base: str) -> None:
    with pytest.raises(SetupError, match="api_base is not a URL"):
        create_model("openai/m", api_base=base)


@pytest.mark.parametrize("tail", [f"?key={CANARY}", f"/?api_key={CANARY}&x=1", f"#{CANARY}"])
def test_an_address_with_a_query_is_refused_without_repeating_it(tail: str) -> None:
    """Libraries log addresses, and a key is what most likely stands there."""
    with pytest.raises(
        SetupError, match=r"without \? and #, which may hold a key: 'http://127.0.0.1:1/v1/?'"
    ) as raised:
        create_model("openai/m", api_base=f"http://127.0.0.1:1/v1{tail}")
    assert CANARY not in str(raised.value)


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(SetupError, match="set OPENAI_API_KEY"):
        create_model("openai/gpt-4.1")


def test_keys_go_only_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_API_KEY is not handed to an address that a person typed; SMOLCELL_API_KEY is."""

    def key_sent(api_base: str | None) -> str | None:
        items(create_model("openai/m", api_base=api_base))
        return server.requests[-1][1].get("authorization")

    with serving(Answer()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", CANARY)
        assert key_sent(server.base) is None
        monkeypatch.setenv("SMOLCELL_API_BASE", server.base)
        assert key_sent(None) is None
        monkeypatch.delenv("SMOLCELL_API_BASE")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base + "/")
        assert key_sent(None) == f"Bearer {CANARY}"
        monkeypatch.setenv("SMOLCELL_API_KEY", "mine-4712-mine")
        assert key_sent(server.base) == "Bearer mine-4712-mine"


def test_user_and_password_of_an_address_are_sent_and_not_shown() -> None:
    with serving(Answer()) as server:
        model = OpenAIModel("m", server.base.replace("//", "//ada:love%40lace@"))
        items(model)
    assert server.requests[0][1]["authorization"] == "Basic " + b64encode(b"ada:love@lace").decode()
    assert (model.api_base, "love" in repr(model)) == (server.base, False)


def test_hugging_face_without_a_token_says_how_to_log_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "none"))
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(AgentGenerationError, match=r"needs an access token\. Log in with `hf auth login`"):
        items(create_model("huggingface/m"))


# --- no name ---------------------------------------------------------------------------------------------------------------

NO_SERVERS: dict[str, int] = {}


@pytest.mark.parametrize(("environ", "logged_in", "name"), cases(__file__, "defaults"))
def test_the_default_is_what_this_machine_has_a_key_for(environ: dict[str, str], logged_in: bool, name: str) -> None:
    assert default_model(environ, servers=NO_SERVERS, logged_in=logged_in) == name
    assert name.partition("/")[0] in (*providers(), "a")


def test_else_a_server_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.models.discovery.local_models", partial(local_models, within=60.0))
    listed = {"data": [{"id": "nomic-embed-text"}, {"id": "qwen2.5-coder"}]}
    with serving(listing=Answer(json.dumps(listed).encode(), kind="application/json")) as server:
        port = server.server_address[1]
        assert default_model({}, servers={"ollama": port}, logged_in=False) == "ollama/qwen2.5-coder"


@pytest.mark.parametrize(
    "answer", [Answer(b"<html>", kind="text/html", status=404), Answer(b'{"data": []}'), Answer(raw=b"")]
)
def test_else_an_error_that_ends_with_three_commands(answer: Answer) -> None:
    """``test_servers.py`` has more that is no list of models."""
    with serving(listing=answer) as server, pytest.raises(SetupError) as caught:
        default_model({}, servers={"vllm": server.server_address[1], "ollama": 9}, logged_in=False)
    first, *commands = str(caught.value).splitlines()
    assert first == "no model is configured. Choose one of three:"
    assert [command.split()[0] for command in commands] == ["!hf", "%agent", "!ollama"]


def test_importing_the_package_imports_no_provider() -> None:
    program = (
        "import sys, smolcell.models, smolcell.models.openai, smolcell.models.huggingface, smolcell.models.litellm, "
        "smolcell.models.recording, smolcell.journal, smolcell.testing\n"
        "print(sorted({'httpx', 'huggingface_hub', 'litellm', 'platformdirs', 'rich'} & set(sys.modules)))"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert printed.stdout.strip() == "[]"


@pytest.mark.parametrize("name", cases(__file__, "addresses"))
def test_an_address_is_no_models_name(name: str) -> None:
    with pytest.raises(SetupError, match=r"is not the name of a model of .* use api_base"):
        create_model(name)
