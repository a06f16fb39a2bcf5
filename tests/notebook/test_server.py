"""The server's part of the extension: switched on by its configuration, authenticated, and it only reads and ends."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from http_server import Handler, Server, served
from leftovers import needs_proc, workers
from processes import PATIENCE, eventually
from servers import ROOT, JupyterServer

from smolcell.events import Allowed, Asked, Ended, Observed, Proposed, Replied, Usage
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.registry import Sandbox
from smolcell.journal import Journal
from smolcell.notebook.activity import ActiveRun, Roster, read_kernels
from smolcell.server import SandboxSearch

RUN = ActiveRun(run="r1", session="default", task="Count.", state="pending", step=1, began=5.0, since=6.0, cell="c1")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def server(state: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    """One below ``/here/``."""
    folder = tmp_path_factory.mktemp("server")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "SMOLCELL_STATE_DIR": str(state),
        "SMOLCELL_CONFIG_DIR": str(state / "config"),
        "DOCKER_HOST": f"unix://{folder}/no-engine.sock",
    }
    options = {"ServerApp.allow_root": True, "ServerApp.base_url": "/here/"}
    with JupyterServer(folder, environment, options) as made:
        yield made


@pytest.mark.parametrize("path", ["runs", "sandboxes", "jobs", "health"])
def test_nothing_is_told_without_the_token(server: JupyterServer, path: str) -> None:
    assert server.ask(f"smolcell/api/{path}", token="another")[0] == 403
    assert server.ask(f"smolcell/api/{path}")[0] == 200


def test_the_runs_under_way_in_any_kernel_are_told(server: JupyterServer, state: Path) -> None:
    assert server.ask("smolcell/api/runs") == (200, {"kernels": []})
    roster = Roster("k-1", state / "kernels")
    roster.write([RUN])
    assert roster.flush(60)
    [kernel] = read_kernels(state / "kernels")
    told = {"id": "k-1", "process": f"{kernel.pid}:{kernel.start}", "runs": [asdict(RUN)]}
    assert server.ask("smolcell/api/runs") == (200, {"kernels": [told]})
    roster.close()


@needs_proc
def test_a_sandbox_is_told_and_ended_and_its_kernel_goes_on_with_a_fresh_one(server: JupyterServer) -> None:
    with LocalPythonExecutor([]) as executor:
        assert executor("kept = 1 + 1\nkept").output == 2
        [worker] = workers(os.getpid())
        found = [
            each for each in server.ask("smolcell/api/sandboxes")[1]["sandboxes"] if each["name"] == f"pid {worker.pid}"
        ]
        assert [(each["kind"], each["state"], each["gone"], each["kernel"].split(":")[0]) for each in found] == [
            ("local", "open", False, str(os.getpid()))
        ]
        named = {"kind": "local", "name": f"pid {worker.pid}"}
        assert server.ask("smolcell/api/sandboxes/end", named, token="another")[0] == 403
        assert workers(os.getpid()) == [worker]
        assert server.ask("smolcell/api/sandboxes/end", named) == (204, None)
        assert workers(os.getpid()) == []
        assert server.ask("smolcell/api/sandboxes/end", named)[0] == 404
        assert executor("1 + 2").output == 3


def test_a_provider_that_does_not_answer_hides_no_sandbox_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    near = Sandbox(kind="local", name="pid 1", state="running", mine=True)
    answers, asked = threading.Event(), []

    def find_far() -> tuple[list[Sandbox], list[str]]:
        asked.append(answers.wait(PATIENCE))
        return [replace(near, kind="e2b")], []

    monkeypatch.setattr("smolcell.server._WAIT_SECONDS", 0.2)
    monkeypatch.setattr("smolcell.server.inventory.find_near", lambda: ([near], []))
    monkeypatch.setattr("smolcell.server.inventory.find_far", find_far)
    monkeypatch.setattr("smolcell.server.activity.with_states", list)

    async def go() -> None:
        search = SandboxSearch()
        assert [await search.mine(), await search.mine()] == [[near], [near]]
        answers.set()
        assert search._search is not None
        await search._search
        assert await search.mine() == [near, replace(near, kind="e2b")]
        assert asked == [True]

    asyncio.run(go())


def test_what_names_no_sandbox_is_refused(server: JupyterServer) -> None:
    for body in ([], {}, {"kind": "local"}, {"kind": "shell", "name": "pid 1"}, {"kind": "local", "name": 1}):
        assert server.ask("smolcell/api/sandboxes/end", body)[0] == 400, body


def test_a_process_that_is_no_sandbox_is_not_ended(server: JupyterServer) -> None:
    assert server.ask("smolcell/api/sandboxes/end", {"kind": "local", "name": f"pid {server.process.pid}"})[0] == 404
    assert server.process.poll() is None


# --- health, readiness, metrics -----------------------------------------------------------------------------------------


def test_health_tells_the_version(server: JupyterServer) -> None:
    assert server.ask("smolcell/api/health") == (200, {"status": "ok", "version": version("smolcell")})
    assert server.ask("smolcell/api/ready", token="another")[0] == 403


class Provider(Handler):
    """A model's server, which notes what it is asked."""

    requests: list[str] = []

    def do_GET(self) -> None:
        self.requests.append(self.requestline)
        self.send_error(404)

    do_POST = do_GET


@pytest.fixture
def provider() -> Iterator[str]:
    with served(Server(Provider)) as made:
        yield f"{made.url}/v1"


@needs_proc
def test_readiness_needs_a_model_a_sandbox_and_a_journal_and_asks_no_model(
    server: JupyterServer, state: Path, provider: str
) -> None:
    settings = state / "config" / "smolcell.toml"
    settings.parent.mkdir()

    def parts(**written: str) -> Any:
        settings.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in written.items()))
        said = server.ask("smolcell/api/ready")[1]
        return (json.loads(said) if isinstance(said, str) else said)["parts"]

    secret = "hf_" + "a1B2" * 8
    for name, reason in (
        ("anthropic/claude", "anthropic/claude has no key: set ANTHROPIC_API_KEY"),
        (f"anthropic/{secret}", "anthropic/"),
        ("anthropic/claude,groq/llama", "anthropic/claude,groq/llama has no key: set ANTHROPIC_API_KEY"),
        ("opnai/gpt", "there is no model provider 'opnai'; did you mean openai/gpt?"),
        ("replay:none.jsonl", "the recording none.jsonl cannot be read"),
    ):
        told = parts(model=name)["model"]
        assert (told["state"], told["reason"][: len(reason)]) == ("failed", reason)
        status, said = server.ask("smolcell/api/ready")
        assert (status, secret in said) == (503, False)
    assert eventually(lambda: parts(model="openai/m", api_base=provider)["sandbox"]["state"] != "testing")
    status, said = server.ask("smolcell/api/ready")
    assert (status, said["ready"]) == (200, True)
    assert {part: each["state"] for part, each in said["parts"].items()} == dict.fromkeys(said["parts"], "ok")
    part = parts(model="openai/m", api_base=provider, sandbox="e2b")["sandbox"]
    assert (part["state"], part["reason"]) == ("not tested", "opening e2b may cost money")
    settings.unlink()
    assert Provider.requests == []


def metrics(server: JupyterServer) -> dict[str, float]:
    """The server's metrics: name and labels → value."""
    lines = server.ask("metrics")[1].splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if line[:1] not in ("", "#")}


def test_metrics_are_there_with_0_and_count_the_runs_of_any_kernel(server: JupyterServer, state: Path) -> None:
    chat = 'gen_ai_operation_name="chat",gen_ai_provider_name="other"'
    counted = {
        'smolcell_runs_total{state="success"}': 1.0,
        'smolcell_steps_total{outcome="success"}': 1.0,
        'smolcell_approvals_total{by="person",decision="edited"}': 1.0,
        f'gen_ai_client_token_usage_sum{{{chat},gen_ai_token_type="input"}}': 3.0,
        f"gen_ai_client_operation_duration_count{{{chat}}}": 1.0,
        "smolcell_cost_usd_total": 0.5,
        "smolcell_approval_wait_seconds_count": 1.0,
        "smolcell_sandbox_starts_total": 0.0,
    }
    before = metrics(server)
    assert {name: before.get(name) for name in counted} == dict.fromkeys(counted, 0.0)
    with Journal.create("s", folder=state / "journals") as journal:
        journal.append(Asked(run="r", task="a secret task"))
        journal.append(Replied(run="r", step=1, text="x", usage=Usage(input_tokens=3, cost=0.5)))
        journal.append(Proposed(run="r", step=1, text="1"))
        journal.append(Allowed(run="r", step=1, text="2", sha256="", by="person", edited=True))
        journal.append(Observed(run="r", step=1))
        journal.append(Ended(run="r", state="success", steps=1))
        assert eventually(lambda: metrics(server)['smolcell_runs_total{state="success"}'] == 1)
    after = metrics(server)
    assert {name: after.get(name) for name in counted} == counted
    assert "secret" not in str(after)
