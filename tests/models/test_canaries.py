"""Keys are planted in variables and arguments; then everything that is written, raised or shown is searched for them."""

import io
import logging
import pickle
import traceback
from pathlib import Path

import pytest
from dialects import items
from misbehaving import Answer, chunk, error, event, serving

from smolcell.core.redaction import redact
from smolcell.errors import SmolcellError
from smolcell.events import Ended, Proposed, Replied, sha256
from smolcell.journal import Journal
from smolcell.models import create_model
from smolcell.models.errors import Retry
from smolcell.models.fallback import FallbackModel
from smolcell.models.recording import RecordingModel, ReplayModel
from smolcell.protocols import Message

ENVIRONMENT = "env-canary-4711-env"
ARGUMENT = "arg-canary-4712-arg"
PASSWORD = "url-canary-4713-url"
CANARIES = (ENVIRONMENT, ARGUMENT, PASSWORD)
LEAKY = f"You sent {ENVIRONMENT} and {ARGUMENT} to http://ada:{PASSWORD}@here/"


@pytest.mark.parametrize("provider", ["openai", "huggingface"])
@pytest.mark.parametrize(
    "answer",
    [
        error(401, LEAKY),
        error(500, LEAKY),
        Answer(LEAKY.encode(), status=400, kind="text/plain"),
        Answer(event({"error": {"message": LEAKY}})),
        Answer(event(LEAKY)),
        Answer(event(chunk(LEAKY)) + event(chunk(finish="stop"))),
        Answer(event(chunk(reasoning=LEAKY)) + event(chunk(LEAKY, finish="length"))),
        Answer(event(chunk(refusal=LEAKY, finish="stop"))),
    ],
)
def test_no_canary_is_found_anywhere(
    provider: str,
    answer: Answer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "SMOLCELL_API_KEY"):
        monkeypatch.setenv(name, ENVIRONMENT)
    written = io.StringIO()
    with serving(answer) as server, Journal(tmp_path / "journal.jsonl") as journal:
        base = server.base.replace("//", f"//ada:{PASSWORD}@") if provider == "openai" else server.base
        inner = create_model(f"{provider}/m", api_base=base, api_key=ARGUMENT, retry=Retry(tries=1))
        model = RecordingModel(inner, tmp_path / "recording.jsonl")
        print(repr(inner), repr(model), inner.name, file=written)
        said = ""
        try:
            said = items(model, [Message("user", f"New task:\nUse {ENVIRONMENT}")])[-1].text
        except SmolcellError as raised:
            print(repr(raised), str(raised), "".join(traceback.format_exception(raised)), file=written)
            said = str(raised)
        journal.append(Proposed(run="r", step=1, text=said or LEAKY, thought=LEAKY))
        journal.append(Replied(text=LEAKY, reasoning=LEAKY))
        journal.append(Ended(run="r", state="error", steps=1, error=said))
    captured = capfd.readouterr()
    everything = written.getvalue() + captured.out + captured.err + "".join(map(str, caplog.messages))
    everything += "".join(path.read_text() for path in tmp_path.iterdir())
    assert [canary for canary in CANARIES if canary in everything] == []
    assert sha256(said or LEAKY) in everything or redact(said or LEAKY) == (said or LEAKY)
    ReplayModel(tmp_path / "recording.jsonl")


@pytest.mark.parametrize("provider", ["openai", "huggingface", "ollama", "anthropic"])
def test_a_model_with_a_key_is_not_pickled(provider: str) -> None:
    """Variables go into the sandbox by pickle where nothing else fits."""
    model = create_model(f"{provider}/m", api_key=ARGUMENT)
    for held in (model, FallbackModel([model])):
        with pytest.raises(TypeError, match="may hold a key and is not pickled or copied"):
            pickle.dumps(held)


@pytest.mark.parametrize("end", ["\n", "\r\nX-More: 1", "\x00", "é\u2028"])
def test_a_key_that_no_header_can_hold_is_a_clear_error_without_it(end: str) -> None:
    with serving(Answer()) as server:
        model = create_model("openai/m", api_base=server.base, api_key=ARGUMENT + end, retry=Retry(tries=1))
        with pytest.raises(SmolcellError) as raised:
            items(model)
    assert ARGUMENT not in f"{raised.value!r} {raised.value}"
    assert server.requests == []
