"""Variables reach a child process only if they are named."""

from __future__ import annotations

import pytest

from smolcell.executors import child_environment


def test_a_name_that_only_begins_like_a_named_one_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    names = "LANGCHAIN_API_KEY HOMEBREW_GITHUB_API_TOKEN PATHS LANG LC_ALL https_proxy MODAL_ID"
    for name in names.split():
        monkeypatch.setenv(name, "x")
    found = child_environment.inherited(*child_environment.USER, *child_environment.NETWORK, "MODAL_")
    assert {"LANG", "LC_ALL", "https_proxy", "MODAL_ID", "PATH"} <= set(found)
    assert not {"LANGCHAIN_API_KEY", "HOMEBREW_GITHUB_API_TOKEN", "PATHS"} & set(found)
