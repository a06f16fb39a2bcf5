"""The administrator's page on a real Jupyter server: root's policy holds in the kernels of a second system user, who cannot change it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client import BlockingKernelClient
from servers import ROOT, JupyterServer

USER = 65534  # nobody
pytestmark = [
    pytest.mark.slow,
    pytest.mark.kernels,
    pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs root: to start a server as another user"),
]
POLICY = 'approval = "ask"\nsandboxes = ["local"]\n\n[limits]\nmemory = 512\n'
AS_USER: dict[str, Any] = {"user": USER, "group": USER, "extra_groups": []}


def can_read_python() -> bool:
    """Whether that user can run this Python and read smolcell."""
    look = "import sys; sys.path.insert(0, sys.argv[1]); import smolcell, jupyter_server"
    words = [sys.executable, "-P", "-c", look, str(ROOT)]
    try:
        return subprocess.run(words, **AS_USER, capture_output=True, cwd="/").returncode == 0
    except PermissionError:
        return False


class Kernel:
    """Runs code in a new kernel of the server."""

    def __init__(self, server: JupyterServer) -> None:
        made = server.ask("api/kernels", {"name": "python3"})[1]
        connection = server.runtime / f"kernel-{made['id']}.json"
        self.client = BlockingKernelClient(connection_file=str(connection))
        self.client.load_connection_file()
        self.client.start_channels(hb=False)  # a kernel that still imports its libraries has no heartbeat
        self.client.wait_for_ready(timeout=100)

    def run(self, code: str) -> str:
        """All that is printed, and the text of an error."""
        printed: list[str] = []

        def hear(message: dict[str, Any]) -> None:
            content = message["content"]
            printed.append(content.get("text") or "\n".join(content.get("traceback", ())))

        self.client.execute_interactive(code, timeout=60, output_hook=hear, store_history=True, allow_stdin=False)
        return "".join(printed)


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder of that user's, in one of root's."""
    if not can_read_python():
        pytest.skip("needs root: with a Python that a second user can read")
    folder = Path(tempfile.mkdtemp(prefix="smolcell-hub-"))
    folder.chmod(0o755)
    (folder / "home").mkdir()
    os.chown(folder / "home", USER, USER)
    yield folder / "home"
    shutil.rmtree(folder)


@pytest.fixture
def policy(home: Path) -> Path:
    """The file that root has written."""
    path = home.with_name("policy.toml")
    path.write_text(POLICY)
    path.chmod(0o644)
    return path


@pytest.fixture
def kernel(home: Path, policy: Path) -> Iterator[Kernel]:
    """A kernel of a server that runs as the other user, with the traitlet that names the policy."""
    environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environment |= {"HOME": str(home), "IPYTHONDIR": str(home / "ipython")}
    with JupyterServer(home, environment, {"Smolcell.policy": policy}, cwd=home, **AS_USER) as server:
        made = Kernel(server)
        yield made
        made.client.stop_channels()


def test_roots_policy_holds_in_the_kernels_of_a_user_who_cannot_change_it(
    kernel: Kernel, home: Path, policy: Path
) -> None:
    place = f"locked by {policy}"
    assert kernel.run("%load_ext smolcell\nimport os; print(os.getuid())") == f"{USER}\n"
    said = kernel.run("%agent policy")
    assert [line.split() for line in said.splitlines()] == [
        ["sandboxes", "local", "locked", "by", f"{policy}:2"],
        ["approval", "ask", "locked", "by", f"{policy}:1"],
        ["limits.memory", "512", "locked", "by", f"{policy}:5"],
        ["administrator:", str(policy)],
    ]
    assert f"allows ask at most: {place}:1" in kernel.run("%agent config approve=auto")
    assert f"allows 512 at most: {place}:5" in kernel.run("%agent config memory=4096")
    assert f"sandbox docker is not allowed: {place}:2" in kernel.run("%%agent -s docker\nGo.")
    assert f"  limits.memory 512: {place}:5" in kernel.run("%agent status").splitlines()
    assert "PermissionError" in kernel.run(f"open({str(policy)!r}, 'a')")
    assert "PermissionError" in kernel.run(f"os.replace({str(home / 'runtime')!r}, {str(policy)!r})")
    program = (
        "from smolcell import CodeAgent\nfrom smolcell.testing import ScriptedModel, allow_all\n"
        "with CodeAgent([], ScriptedModel('<code>\\n1\\n</code>'), gate=allow_all) as agent:\n"
        "    print(agent.executor.memory, agent.run('Go.', return_full_result=True).state)"
    )
    assert kernel.run(program).splitlines()[-1] == "512 refused"  # there is no person to ask

    policy.write_text(POLICY.replace("512", "256"))
    assert "limits.memory        256" in kernel.run("%agent policy")
    os.chown(policy, USER, USER)
    said = kernel.run("%agent policy")
    assert f"{policy} is not used as a policy: {policy} does not belong to root" in said
    assert "no policy: nothing is locked" in said
