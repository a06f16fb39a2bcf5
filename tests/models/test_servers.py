"""Servers on this machine are found at once, trusted with nothing, and never waited for."""

from __future__ import annotations

import json
import os
import threading
import time
from functools import partial
from typing import Any

import pytest
from examples import cases
from misbehaving import Answer, error, serving

from smolcell.errors import SetupError
from smolcell.models import chosen_model, create_model
from smolcell.models import discovery as found
from smolcell.models.discovery import SERVERS, first_local_model, local_models
from smolcell.models.openai import OpenAIModel

CANARY = "server-canary-4711"


def listing(*names: Any) -> Answer:
    body = json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})
    return Answer(body.encode(), kind="application/json")


def test_the_servers_are_listed_in_their_order_and_asked_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SMOLCELL_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, CANARY)
    with serving(listing=listing("b")) as second, serving(listing=listing("nomic-embed-text", "a")) as first:
        servers = {"local:1": first.server_address[1], "nothing": 9, "vllm": second.server_address[1]}
        assert local_models(servers, 60.0) == {"local:1": ["nomic-embed-text", "a"], "vllm": ["b"]}
        monkeypatch.setattr(found, "local_models", partial(local_models, within=60.0))  # on a busy machine too
        assert first_local_model(servers) == "local:1/a"
    assert CANARY not in repr(first.looked + second.looked)
    assert {request[0] for request in first.looked} == {"/v1/models"}


def test_a_server_by_its_port_is_a_model() -> None:
    model = create_model("local:8080/qwen/coder")
    assert isinstance(model, OpenAIModel)
    assert (model.name, model.model_id) == ("local:8080/qwen/coder", "qwen/coder")
    assert model.api_base == "http://127.0.0.1:8080/v1"
    assert all(isinstance(create_model(f"{provider}/m"), OpenAIModel) for provider in SERVERS)
    for port in ("0", "65536", "8e3", "", "http"):
        with pytest.raises(SetupError, match="names no port"):
            create_model(f"local:{port}/m")


HOSTILE = {
    "a web page": Answer(b"<html>", kind="text/html"),
    "no list": Answer(b"{}", kind="application/json"),
    "no models": Answer(b'{"data": [7]}', kind="application/json"),
    "a redirection": Answer(status=302, headers={"Location": "http://127.0.0.1:9/v1/models"}, kind="text/plain"),
    "an error": error(500, "no"),
    "no object": Answer(b"[1, 2]", kind="application/json"),
    "names that are none": listing("", " ", "a b", "x" * 201, "\u202ereversed", "new\nline", 7, None),
    "deep": Answer(b"[" * 100_000, kind="application/json"),
    "a digit bomb": Answer(b'{"data": ' + b"9" * 50_000 + b"}", kind="application/json"),
    "cut": Answer(b'{"data": [{"id": "a"}', kind="application/json", cut=10),
    "nothing": Answer(raw=b""),
    "endless headers": Answer(raw=b"HTTP/1.1 200 X\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(500)) + b"\r\n"),
}


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_list_of_models_is_no_server(answer: Answer) -> None:
    with serving(listing=answer) as server:
        assert local_models({"vllm": server.server_address[1]}, 2.0) == {}


@pytest.mark.parametrize("drip", [b"", b" "], ids=["still", "drips"])
def test_a_server_that_never_ends_is_not_waited_for_and_leaves_nothing_behind(drip: bytes) -> None:
    with serving(listing=Answer(drip, stall=True, drip=drip, drips=3000)) as server:  # 150 s, if the client stays
        started = time.monotonic()
        assert local_models(dict.fromkeys("abcdef", 0) | {"vllm": server.server_address[1]}, 0.2) == {}
        assert time.monotonic() - started < 60
        for thread in threading.enumerate():
            if thread.name.startswith("smolcell-probe"):
                thread.join(60)
                assert not thread.is_alive()


TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:{port:04X} 00000000:0000 0A 00000000:00000000 00:00000000 00000000  {uid}        0 1 1
   1: 0100007F:{port:04X} 0100007F:A0B2 01 00000000:00000000 00:00000000 00000000  4242        0 1 1
"""


@pytest.mark.parametrize(("uid", "taken"), [("own", True), (0, True), (998, True), (31337, False), ("what?", True)])
def test_a_server_of_another_person_is_not_taken(
    uid: Any, taken: bool, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "tcp"
    monkeypatch.setattr(found, "_TABLES", (table, tmp_path / "none"))
    with serving(listing=listing("a")) as server:
        port = server.server_address[1]
        table.write_text(TABLE.format(uid=os.getuid() if uid == "own" else uid, port=port))
        assert local_models({"vllm": port}, 60.0) == ({"vllm": ["a"]} if taken else {})
        assert len(server.looked) == taken


def test_the_choice_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    none: dict[str, int] = {}
    assert chosen_model({"SMOLCELL_MODEL": " a/b "}, servers=none) == ("a/b", "SMOLCELL_MODEL names it")
    assert chosen_model({"HF_TOKEN": "x"}, servers=none)[1] == "HF_TOKEN is set"
    assert chosen_model({}, servers=none, logged_in=True)[1] == "you are logged in to Hugging Face"
    chosen = chosen_model({"HF_TOKEN": " ", "MISTRAL_API_KEY": "x"}, servers=none, logged_in=False)
    assert chosen == ("mistral/codestral-latest", "MISTRAL_API_KEY is set")
    monkeypatch.setattr("smolcell.models.first_local_model", lambda servers: "ollama/qwen")
    assert chosen_model({}, logged_in=False) == ("ollama/qwen", "a server on this machine offers it")


@pytest.mark.parametrize(("name", "meant"), cases(__file__, "names"))
def test_a_name_that_is_nearly_one_is_suggested_and_no_list_hides_it(name: str, meant: str) -> None:
    with pytest.raises(SetupError, match=f"did you mean {meant}\\?") as raised:
        create_model(name)
    assert "anthropic, " not in str(raised.value)


@pytest.mark.parametrize("name", ["zzz/model", "zzz"])
def test_a_name_that_is_near_to_none_gets_no_suggestion(name: str) -> None:
    with pytest.raises(SetupError, match=r"^(?!.*did you mean)"):
        create_model(name)
