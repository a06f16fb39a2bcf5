"""The server's part of the extension: switched on by its configuration, authenticated, and it only reads and ends."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from http_server import Handler, free_port, served
from http_server import Server as HTTPServer
from leftovers import needs_proc, workers

from smolcell.activity import ActiveRun, Roster, read_kernels
from smolcell.events import Allowed, Asked, Ended, Observed, Proposed, Replied, Usage
from smolcell.executors.local import LocalPythonExecutor
from smolcell.journal import Journal

ROOT = Path(__file__).resolve().parents[2]
RUN = ActiveRun(run="r1", session="default", task="Count.", state="pending", step=1, began=5.0, since=6.0, cell="c1")


class Server:
    """A Jupyter server in a process of its own, below ``/here/``."""

    def __init__(self, folder: Path, state: Path) -> None:
        self.token, self.port, self.log = secrets.token_hex(8), free_port(), folder / "server.log"
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": self.port,
            "ServerApp.port_retries": 0,
            "ServerApp.open_browser": False,
            "ServerApp.allow_root": True,
            "ServerApp.base_url": "/here/",
            "ServerApp.root_dir": folder,
            "IdentityProvider.token": self.token,
        }
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "JUPYTER_CONFIG_PATH": str(ROOT / "etc" / "jupyter"),
            "SMOLCELL_STATE_DIR": str(state),
            "SMOLCELL_CONFIG_DIR": str(state / "config"),
            "DOCKER_HOST": f"unix://{folder}/no-engine.sock",
        }
        command = [sys.executable, "-m", "jupyter_server", *(f"--{name}={value}" for name, value in options.items())]
        self._output = self.log.open("wb")
        self.process = subprocess.Popen(command, env=environment, stdout=self._output, stderr=subprocess.STDOUT)

    def ask(self, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
        """The status, and what the server answered."""
        headers = {"Authorization": f"token {self.token if token is None else token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/here/{path}", data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(errors="replace")

    def wait(self) -> None:
        end = time.monotonic() + 120
        while True:
            assert self.process.poll() is None, self.log.read_text(errors="replace")[-3000:]
            assert time.monotonic() < end, "the server does not answer"
            try:
                self.ask("api/status")
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._output.close()


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def server(state: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server"), state)
    try:
        made.wait()
        yield made
    finally:
        made.close()


@pytest.mark.parametrize("path", ["runs", "sandboxes", "jobs", "health"])
def test_nothing_is_told_without_the_token(server: Server, path: str) -> None:
    assert server.ask(f"smolcell/api/{path}", token="another")[0] == 403
    assert server.ask(f"smolcell/api/{path}")[0] == 200


def test_the_runs_under_way_in_any_kernel_are_told(server: Server, state: Path) -> None:
    assert server.ask("smolcell/api/runs") == (200, {"kernels": []})
    roster = Roster("k-1", state / "kernels")
    roster.write([RUN])
    assert roster.flush(60)
    [kernel] = read_kernels(state / "kernels")
    told = {"id": "k-1", "process": f"{kernel.pid}:{kernel.start}", "runs": [asdict(RUN)]}
    assert server.ask("smolcell/api/runs") == (200, {"kernels": [told]})
    roster.close()


@needs_proc
def test_a_sandbox_is_told_and_ended_and_its_kernel_goes_on_with_a_fresh_one(server: Server) -> None:
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


@pytest.mark.parametrize(
    "body",
    [[], {}, {"kind": "local"}, {"kind": "shell", "name": "pid 1"}, {"kind": "local", "name": 1}],
    ids=json.dumps,
)
def test_what_names_no_sandbox_is_refused(server: Server, body: Any) -> None:
    assert server.ask("smolcell/api/sandboxes/end", body)[0] == 400


def test_a_process_that_is_no_sandbox_is_not_ended(server: Server) -> None:
    assert server.ask("smolcell/api/sandboxes/end", {"kind": "local", "name": f"pid {server.process.pid}"})[0] == 404
    assert server.process.poll() is None


# --- health, readiness, metrics -----------------------------------------------------------------------------------------


def test_health_tells_the_version(server: Server) -> None:
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
    with served(HTTPServer(Provider)) as made:
        yield f"{made.url}/v1"


@needs_proc
def test_readiness_needs_a_model_a_sandbox_and_a_journal_and_asks_no_model(
    server: Server, state: Path, provider: str
) -> None:
    settings = state / "config" / "smolcell.toml"
    settings.parent.mkdir()
    settings.write_text('model = "anthropic/claude"\n')
    status, said = server.ask("smolcell/api/ready")
    assert status == 503
    told = json.loads(said)["parts"]["model"]
    assert (told["state"], told["reason"]) == ("failed", "anthropic/claude has no key: set ANTHROPIC_API_KEY")
    secret = "hf_" + "a1B2" * 8
    settings.write_text(f'model = "anthropic/{secret}"\n')
    assert secret not in server.ask("smolcell/api/ready")[1]
    for name, reason in (
        ("anthropic/claude,groq/llama", "anthropic/claude,groq/llama has no key: set ANTHROPIC_API_KEY"),
        ("opnai/gpt", "there is no model provider 'opnai'; did you mean openai/gpt?"),
        ("replay:none.jsonl", "the recording none.jsonl cannot be read"),
    ):
        settings.write_text(f'model = "{name}"\n')
        told = json.loads(server.ask("smolcell/api/ready")[1])["parts"]["model"]
        assert (told["state"], told["reason"][: len(reason)]) == ("failed", reason)
    settings.write_text(f'model = "openai/m"\napi_base = "{provider}"\n')
    end = time.monotonic() + 120
    while (answer := server.ask("smolcell/api/ready"))[0] == 503 and time.monotonic() < end:
        assert json.loads(answer[1])["parts"]["sandbox"]["state"] == "testing"
    status, said = answer
    assert (status, said["ready"]) == (200, True)
    assert {name: part["state"] for name, part in said["parts"].items()} == dict.fromkeys(
        ("model", "sandbox", "journal"), "ok"
    )
    settings.write_text(f'model = "openai/m"\napi_base = "{provider}"\nsandbox = "e2b"\n')
    part = server.ask("smolcell/api/ready")[1]["parts"]["sandbox"]
    assert (part["state"], part["reason"]) == ("not tested", "opening e2b may cost money")
    settings.unlink()
    assert Provider.requests == []


def metrics(server: Server) -> dict[str, float]:
    """The server's metrics: name and labels → value."""
    headers = {"Authorization": f"token {server.token}"}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/here/metrics", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if line[:1] not in ("", "#")}


def test_metrics_are_there_with_0_and_count_the_runs_of_any_kernel(server: Server, state: Path) -> None:
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
        end = time.monotonic() + 60
        while (after := metrics(server))['smolcell_runs_total{state="success"}'] < 1 and time.monotonic() < end:
            pass
    assert {name: after.get(name) for name in counted} == counted
    assert "secret" not in str(after)
