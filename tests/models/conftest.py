from __future__ import annotations

import pytest
from dialects import DISTINCT, KINDS, Kind, parameters, ready


@pytest.fixture(params=parameters(KINDS))
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
