"""Before a provider's sandbox is there: what is missing is named with what to type. And what it is made as. Over the stand-ins."""

from __future__ import annotations

import socket
import sys
from types import SimpleNamespace

import pytest
from provider_parts import KINDS, Make, fixtures, refusal
from stand_in import Service

from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.executors import inventory
from smolcell.executors.cloud import channel
from smolcell.executors.cloud.provider import KIND, SandboxSpec, find_provider, labels
from smolcell.executors.reaper import reaper

kind, service, make = fixtures("e2b", "blaxel", "modal")


WORDS = {
    "e2b": SimpleNamespace(
        module="e2b_code_interpreter",
        install="pip install 'smolcell'",
        keys=("E2B_API_KEY",),
        key="get one at e2b.dev and type: export E2B_API_KEY=…",
        wrong="E2B refuses the key in E2B_API_KEY (",
        template="E2B has no template 'no-such' for this key",
        variant="base",
        frozen="",
    ),
    "blaxel": SimpleNamespace(
        module="blaxel.core",
        install="pip install 'smolcell[blaxel]'",
        keys=("BL_API_KEY", "BL_WORKSPACE"),
        key="get one at app.blaxel.ai and type: export BL_API_KEY=… BL_WORKSPACE=…",
        wrong="Blaxel refuses the key in BL_API_KEY or the workspace in BL_WORKSPACE (",
        template="Blaxel has no image 'no-such' for this workspace",
        variant="blaxel/base-image:latest",
        frozen="Blaxel freezes a sandbox by itself",
    ),
    "modal": SimpleNamespace(
        module="modal",
        install="pip install 'smolcell[modal]'",
        keys=("MODAL_TOKEN_SECRET", "MODAL_TOKEN_ID"),
        key="type: modal setup, or: export MODAL_TOKEN_ID=… MODAL_TOKEN_SECRET=…",
        wrong="Modal refuses the token (",
        template="Modal cannot make a sandbox of the image 'no-such' (",
        variant="python:3.12-slim",
        frozen="Modal cannot pause sandboxes",
    ),
}
"""What only this provider's errors say: the SDK's module, what installs it, the key's variables and what to type for one, …"""


@pytest.fixture
def words(kind: str) -> SimpleNamespace:
    return WORDS[kind]


def test_without_the_sdk_the_error_says_what_to_install(
    make: Make, service: Service, words: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered = set(reaper._entries)
    monkeypatch.setitem(sys.modules, words.module, None)
    asked = len(service.requests())
    said = refusal(make(), SetupError)
    assert words.module in said and said.endswith(words.install)
    assert len(service.requests()) == asked
    assert set(reaper._entries) == registered


def test_without_a_key_nothing_is_asked(
    make: Make, service: Service, kind: str, words: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in words.keys:
        with monkeypatch.context() as patch:
            patch.delenv(name)
            asked = len(service.requests())
            said = refusal(make(), SetupError)
            assert said.startswith("there is no ") and said.endswith(words.key)
            title = find_provider(kind).title
            assert not find_provider(kind).has_key()
            assert not any(title in remark for remark in inventory.find_far()[1])
            assert len(service.requests()) == asked


def test_a_wrong_key_is_named_by_its_variable_and_not_shown(
    make: Make, service: Service, words: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "key_" + "3" * 40
    with monkeypatch.context() as patch:
        patch.setenv(words.keys[0], wrong)
        service.point_again()
        said = refusal(make(), SetupError)
        remarks = inventory.find_far()[1]
    service.point_again()
    assert said.startswith(words.wrong) and said.endswith(words.key)
    assert f"[{words.keys[0]}]" in said and wrong not in said  # the stand-ins repeat it
    assert any(words.wrong in remark for remark in remarks) and wrong not in str(remarks)
    assert make()("1 + 1").output == 2


def test_an_unknown_template_is_named(make: Make, words: SimpleNamespace) -> None:
    said = refusal(make(template="no-such"), SetupError)
    assert said.startswith(words.template) and "--sandbox " in said


@pytest.mark.slow
def test_no_network_at_all(make: Make, service: Service, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as deaf, monkeypatch.context() as patch:
        deaf.bind(("127.0.0.1", 0))  # no one listens there
        patch.setenv(service.place, f"http://127.0.0.1:{deaf.getsockname()[1]}")
        patch.setattr("smolcell.executors.cloud.modal.ASKING", 1.0)  # the SDK tries for a minute
        service.point_again()
        said = refusal(make(lifetime=60), SandboxError)
    service.point_again()
    title = find_provider(kind).title
    assert said.startswith(f"{title} cannot be reached (")
    assert f"{title} ends it after 60 s" in said and said.endswith("use: --sandbox local")


def test_a_variant_is_the_template(make: Make, service: Service, kind: str, words: SimpleNamespace) -> None:
    executor = make(variant=words.variant)
    assert executor("1").output == 1
    assert [each["template"] for each in service.sandboxes()] == [words.variant]
    (name,) = service.alive()
    assert executor.boundary().where == f"a sandbox of {find_provider(kind).title} ({words.variant}): {name}"


def test_what_freezes_by_itself_or_not_at_all_says_so(make: Make, words: SimpleNamespace) -> None:
    if words.frozen:
        executor = make()
        executor("1")
        with pytest.raises(CapabilityError, match=words.frozen):
            executor.pause()
        assert executor("2").output == 2


@pytest.mark.parametrize("lifetime", [1, 100_000])
def test_a_lifetime_has_bounds(kind: str, lifetime: int) -> None:
    with pytest.raises(SetupError, match="write for example: lifetime=120"):
        KINDS[kind][0](lifetime=lifetime)


def test_it_is_found_by_its_labels_over_several_pages(service: Service, kind: str) -> None:
    provider = find_provider(kind)
    made = [provider.create(SandboxSpec(labels=labels(str(token) * 32))) for token in (1, 2, 3)]
    found = provider.listed({KIND: "sandbox"})
    assert {each.name for each in found} == {each.name for each in made} == service.alive()
    assert {each.state for each in found} == {"running"}
    assert all(each.age is not None and 0 <= each.age < 3600 for each in found)
    assert provider.listed({KIND: "another"}) == []
    for each in made:
        assert (provider.end(each.name), provider.end(each.name)) == (True, False)
    assert service.alive() == set()


# --- what is sent there --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("python", "said"),
    [("no-such-python", "no-such-python"), ("false", "its program in the sandbox ended with exit code 1")],
)
def test_a_sandbox_in_which_python_does_not_start(make: Make, python: str, said: str) -> None:
    registered = set(reaper._entries)
    assert said in refusal(make(interpreter=python), SandboxError)
    assert set(reaper._entries) == registered


def test_a_worker_that_did_not_arrive_as_it_was_sent_is_not_run(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    command = channel.command
    monkeypatch.setattr(channel, "worker_zip", lambda: b"PK\5\6" + bytes(18))
    monkeypatch.setattr(
        channel, "command", lambda folder, archive, digest, python: command(folder, archive, "0" * 64, python)
    )
    assert "the worker did not arrive as it was sent" in refusal(make(), SandboxError)
