from __future__ import annotations

import os
from pathlib import Path

import pytest
from dialects import DISTINCT, KINDS, Kind, parameters, ready
from stand_in_log import Log


@pytest.fixture(params=parameters(KINDS, quick=["huggingface"]))
def every(request: pytest.FixtureRequest) -> Kind:
    """Those too that differ by their name alone."""
    return ready(request.param)


@pytest.fixture(params=parameters(DISTINCT))
def kind(request: pytest.FixtureRequest) -> Kind:
    return ready(request.param)


@pytest.fixture(params=parameters([kind for kind in DISTINCT if "anthropic" not in kind.name]))
def compatible(request: pytest.FixtureRequest) -> Kind:
    """Whoever speaks OpenAI's protocol."""
    return ready(request.param)


@pytest.fixture(params=parameters([kind for kind in DISTINCT if not kind.litellm]))
def ours(request: pytest.FixtureRequest) -> Kind:
    """Whose stream is read here and not by LiteLLM."""
    return ready(request.param)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Log:
    """xllamacpp is its stand-in, in every process that starts."""
    folder = str(Path(__file__).parent / "stand_in")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("STAND_IN_LOG", str(tmp_path / "log"))
    return Log(tmp_path / "log")
