"""The administrator's page on a real Jupyter server: root's policy holds in the kernels of a second system user, who cannot change it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from http_server import free_port
from jupyter_client import BlockingKernelClient

ROOT = Path(__file__).resolve().parents[2]
USER = 65534  # nobody
pytestmark = [
    pytest.mark.kernels,
    pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs root: to start a server as another user"),
]
POLICY = 'approval = "ask"\nsandboxes = ["local"]\n\n[limits]\nmemory = 512\n'


def can_read_python() -> bool:
    """Whether that user can run this Python and read smolcell."""
    words = [
        sys.executable,
        "-P",
        "-c",
        "import sys; sys.path.insert(0, sys.argv[1]); import smolcell, jupyter_server",
        str(ROOT),
    ]
    try:
        return (
            subprocess.run(words, user=USER, group=USER, extra_groups=[], capture_output=True, cwd="/").returncode == 0
        )
    except PermissionError:
        return False


class Hub:
    """A Jupyter server that runs as the other user, with the traitlet that names the policy."""

    def __init__(self, folder: Path) -> None:
        self.home, self.policy = folder / "home", folder / "policy.toml"
        self.home.mkdir()
        os.chown(self.home, USER, USER)
        self.policy.write_text(POLICY)
        self.policy.chmod(0o644)
        self.token, self.port = secrets.token_hex(8), free_port()
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        environment = {
            **kept,
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "JUPYTER_CONFIG_PATH": str(ROOT / "etc" / "jupyter"),
            "JUPYTER_RUNTIME_DIR": str(self.home / "runtime"),
            "IPYTHONDIR": str(self.home / "ipython"),
        }
        options = [
            f"--ServerApp.port={self.port}",
            "--ServerApp.ip=127.0.0.1",
            "--ServerApp.open_browser=False",
            f"--ServerApp.root_dir={self.home}",
            f"--IdentityProvider.token={self.token}",
            f"--Smolcell.policy={self.policy}",
        ]
        self._log = (folder / "log").open("wb")
        words = [sys.executable, "-m", "jupyter_server", *options]
        self.process = subprocess.Popen(
            words,
            env=environment,
            cwd=self.home,
            user=USER,
            group=USER,
            extra_groups=[],
            stdout=self._log,
            stderr=self._log,
        )

    def ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def wait(self) -> None:
        end = time.monotonic() + 120
        while True:
            assert self.process.poll() is None, Path(self._log.name).read_text(errors="replace")[-3000:]
            assert time.monotonic() < end, "the server does not answer"
            try:
                self.ask("api/status")
            except OSError:
                time.sleep(0.1)
            else:
                return

    def kernel(self) -> Kernel:
        made = self.ask("api/kernels", {"name": "python3"})
        return Kernel(self.home / "runtime" / f"kernel-{made['id']}.json")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        self._log.close()


class Kernel:
    """Runs code in a kernel of the server."""

    def __init__(self, connection: Path) -> None:
        self._client = self._ready(connection, time.monotonic() + 60)

    @staticmethod
    def _ready(connection: Path, end: float) -> BlockingKernelClient:
        """A client of the kernel once it answers: one that still imports its libraries has no heartbeat, and counts as dead."""
        while True:
            client = BlockingKernelClient(connection_file=str(connection))
            client.load_connection_file()
            client.start_channels()
            try:
                client.wait_for_ready(timeout=60)
            except RuntimeError:
                client.stop_channels()
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
            else:
                return client

    def run(self, code: str) -> str:
        """All that is printed, and the text of an error."""
        printed: list[str] = []

        def hear(message: dict[str, Any]) -> None:
            content = message["content"]
            printed.append(content.get("text") or "\n".join(content.get("traceback", ())))

        self._client.execute_interactive(code, timeout=60, output_hook=hear, store_history=True, allow_stdin=False)
        return "".join(printed)

    def close(self) -> None:
        self._client.stop_channels()


@pytest.fixture
def hub() -> Iterator[Hub]:
    if not can_read_python():
        pytest.skip("needs root: with a Python that a second user can read")
    folder = Path(tempfile.mkdtemp(prefix="smolcell-hub-"))
    folder.chmod(0o755)
    made = Hub(folder)
    try:
        made.wait()
        yield made
    finally:
        made.close()
        shutil.rmtree(folder)


def test_roots_policy_holds_in_the_kernels_of_a_user_who_cannot_change_it(hub: Hub) -> None:
    kernel = hub.kernel()
    place = f"locked by {hub.policy}"
    assert kernel.run("%load_ext smolcell\nimport os; print(os.getuid())") == f"{USER}\n"
    said = kernel.run("%agent policy")
    assert [line.split() for line in said.splitlines()] == [
        ["sandboxes", "local", "locked", "by", f"{hub.policy}:2"],
        ["approval", "ask", "locked", "by", f"{hub.policy}:1"],
        ["limits.memory", "512", "locked", "by", f"{hub.policy}:5"],
        ["administrator:", str(hub.policy)],
    ]
    assert f"allows ask at most: {place}:1" in kernel.run("%agent config approve=auto")
    assert f"allows 512 at most: {place}:5" in kernel.run("%agent config memory=4096")
    assert f"sandbox docker is not allowed: {place}:2" in kernel.run("%%agent -s docker\nGo.")
    assert f"  limits.memory 512: {place}:5" in kernel.run("%agent status").splitlines()
    assert "PermissionError" in kernel.run(f"open({str(hub.policy)!r}, 'a')")
    assert "PermissionError" in kernel.run(f"os.replace({str(hub.home / 'runtime')!r}, {str(hub.policy)!r})")
    program = (
        "from smolcell import CodeAgent\nfrom smolcell.testing import ScriptedModel, allow_all\n"
        "with CodeAgent([], ScriptedModel('<code>\\n1\\n</code>'), gate=allow_all) as agent:\n"
        "    print(agent.executor.memory, agent.run('Go.', return_full_result=True).state)"
    )
    assert kernel.run(program).splitlines()[-1] == "512 refused"  # there is no person to ask

    hub.policy.write_text(POLICY.replace("512", "256"))
    assert "limits.memory        256" in kernel.run("%agent policy")
    os.chown(hub.policy, USER, USER)
    said = kernel.run("%agent policy")
    assert f"{hub.policy} is not used as a policy: {hub.policy} does not belong to root" in said
    assert "no policy: nothing is locked" in said
    kernel.close()
