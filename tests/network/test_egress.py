"""Code in a sandbox connects to the hosts that were allowed, through the proxy of this machine, and to no others."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from examples import cases, quick
from origins import NAME

from smolcell import LocalPythonExecutor
from smolcell.errors import InterpreterError, SetupError
from smolcell.events import Connected, Event
from smolcell.network import Credential

New = Callable[..., LocalPythonExecutor]
HERE = "127.0.0.1"


@pytest.fixture
def host(plain: Any) -> str:
    return f"localhost:{plain.server_port}"


def connections(executor: LocalPythonExecutor, code: str) -> list[Connected]:
    events: list[Event] = []
    executor(code, record=events.append)
    return [event for event in events if isinstance(event, Connected)]


LIBRARIES = {
    "requests": "import requests; text = requests.get(URL).text",
    "urllib": "import urllib.request; text = urllib.request.urlopen(URL).read().decode()",
    "httpx": "import httpx; text = httpx.get(URL).text",
    "pandas": "import pandas as pd; text = pd.read_json(URL, typ='series').to_json()",
    "curl": "import subprocess; text = subprocess.run(['curl', '-sS', URL], capture_output=True, text=True, check=True).stdout",
}


@pytest.mark.parametrize("library", quick(LIBRARIES, "requests", "urllib", "httpx", "curl"))
def test_the_usual_libraries_reach_an_allowed_host(sandbox: New, plain: Any, secure: Any, library: str) -> None:
    if library == "curl" and not shutil.which("curl"):
        pytest.skip("curl is not installed")
    ports = {"http": plain.server_port, "https": secure.server_port}
    executor = sandbox(*[f"{NAME}:{port}" for port in ports.values()], HERE)
    for scheme, port in ports.items():
        found = executor(f"URL = '{scheme}://{NAME}:{port}/data?x=1'\n{LIBRARIES[library]}\ntext").output
        assert json.loads(found)["path"] == "/data?x=1"


def test_each_connection_is_recorded_with_its_bytes(sandbox: New, plain: Any, host: str) -> None:
    code = f"import requests\nfor _ in range(2):\n    requests.get('http://{host}/bytes?1000')"
    found = connections(sandbox(host), code)
    assert [(each.host, each.port, each.refused) for each in found] == [("localhost", plain.server_port, "")] * 2
    assert all(each.received > 1000 and each.sent > 50 and each.duration > 0 for each in found)


@pytest.mark.parametrize("level", ["full", "guarded"])
def test_without_an_allowed_host_the_error_names_what_to_allow(sandbox: New, level: str) -> None:
    executor = sandbox(python=level, additional_authorized_imports=["urllib.*", "requests"])
    for module, get in (("urllib.request", "urlopen"), ("requests", "get")):
        code = f"import {module}\n{module}.{get}('https://api.example.org/x')"
        with pytest.raises(InterpreterError, match=r"has no network.*--allow-host api\.example\.org$"):
            executor(code)


@pytest.mark.parametrize("code", cases(__file__, "sockets"))
def test_only_the_proxy_can_be_connected_to(sandbox: New, plain: Any, host: str, code: str) -> None:
    with pytest.raises(InterpreterError, match=r"PermissionError|gaierror|Network is unreachable|not permitted"):
        sandbox(host)(f"import socket\nPORT = {plain.server_port}\n{code}")
    assert plain.seen == []


def test_without_an_allowed_host_no_internet_socket_can_be_opened(sandbox: New) -> None:
    with pytest.raises(InterpreterError, match="PermissionError"):
        sandbox()("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_STREAM)")


def test_a_refused_connection_names_what_to_allow(sandbox: New, host: str) -> None:
    executor = sandbox(host)
    with pytest.raises(InterpreterError, match=r"other\.test is not allowed.*--allow-host other\.test"):
        executor("import requests\nrequests.get('https://other.test/')")
    status, text = executor("answer = requests.get('http://other.test/')\n(answer.status_code, answer.text)").output
    assert (status, "--allow-host other.test" in text) == (403, True)


def test_no_connection_outlives_its_step(sandbox: New, host: str) -> None:
    executor = sandbox(host)
    begin = f"""
import socket
s = socket.create_connection(("127.0.0.1", 3128))
s.sendall(b"GET http://{host}/bytes?3 HTTP/1.1\\r\\nHost: {host}\\r\\n\\r\\n")
answer = s.recv(10000)
while len(answer.partition(b"\\r\\n\\r\\n")[2]) < 3:
    answer += s.recv(10000)
answer
"""
    assert executor(begin).output.startswith(b"HTTP/1.1 200")
    assert executor("s.recv(100)").output == b""


def test_the_boundary_and_the_wall_say_what_is_open(sandbox: New) -> None:
    executor = sandbox("api.example.org", "*.data.example.org")
    executor("1")
    boundary = executor.boundary()
    assert boundary.isolated
    assert boundary.hosts == ("api.example.org", "*.data.example.org")
    assert "data can leave through an allowed host" in boundary.warning
    assert {wall.name: wall.detail for wall in boundary.walls}["network"].endswith("and the proxy in it")


def test_network_and_allowed_hosts_exclude_each_other() -> None:
    from smolcell import CodeAgent, DockerExecutor, run_inside
    from smolcell.testing import ScriptedModel

    model, hosts = ScriptedModel(), {"allow_hosts": ["a.example"]}
    bridge: dict[str, Any] = {"executor_type": "docker", "executor_kwargs": {"network": "bridge"}}
    for make in (
        lambda: DockerExecutor(network="bridge", **hosts),
        lambda: run_inside("docker", "task", network=True, model=model, **hosts),
        lambda: CodeAgent(model=model, **bridge, **hosts),
    ):
        with pytest.raises(SetupError, match="give one of them"):
            make()


@pytest.mark.slow
def test_git_and_pip_work_through_it(sandbox: New, secure: Any) -> None:
    """git asks for the references of a repository, pip for the files of a package: both get the server's answer."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    executor = sandbox(f"{NAME}:{secure.server_port}", HERE)
    code = f"""
import subprocess, sys
url = "https://{NAME}:{secure.server_port}"
git = subprocess.run(["git", "ls-remote", url + "/r.git"], capture_output=True, text=True)
command = [sys.executable, "-m", "pip", "download", "--no-deps", "--index-url", url + "/simple", "nothing"]
pip = subprocess.run(command, capture_output=True, text=True)
(git.stderr, pip.stdout + pip.stderr)
"""
    executor(code)
    asked = [path for _, path, _ in secure.seen]
    assert "/r.git/info/refs?service=git-upload-pack" in asked
    assert "/simple/nothing/" in asked


class WithoutNamespaces(LocalPythonExecutor):
    def _options(self) -> dict[str, Any]:
        options = super()._options()
        return {**options, "jail": {**options["jail"], "without": ["namespaces"]}}


def test_without_a_network_namespace_nothing_is_opened() -> None:
    with WithoutNamespaces(allow_hosts=["localhost"]) as executor, pytest.raises(SetupError, match="network namespace"):
        executor("1")
    with WithoutNamespaces() as executor:
        assert executor("1 + 1").output == 2


def test_with_a_mounted_folder_the_proxy_is_reached_and_no_socket_of_the_folder(
    sandbox: New, host: str, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").touch()
    executor = sandbox(host)
    executor.mount([tmp_path / "data"])
    assert executor(f"import urllib.request\nurllib.request.urlopen('http://{host}/').status").output == 200
    with pytest.raises(InterpreterError, match="PermissionError"):
        executor("import socket\nsocket.socket(socket.AF_UNIX)")


# --- credentials ---------------------------------------------------------------------------------------------------------

KEY = "s3cr3t-value-of-the-key"


@pytest.fixture
def keyed(sandbox: New, secure: Any, monkeypatch: pytest.MonkeyPatch) -> LocalPythonExecutor:
    """A sandbox with a credential for the server, whose variable it has, and in which ``get`` asks the server."""
    monkeypatch.setenv("WB_KEY", KEY)
    target = f"{NAME}:{secure.server_port}"
    executor = sandbox(HERE, credentials={"WB_KEY": Credential(env="WB_KEY", hosts=[target])})
    executor(f"""
import os, requests
key = os.environ["WB_KEY"]
def get(**options):
    return requests.get("https://{target}/x", **options)
""")
    return executor


def test_a_credential_is_filled_in_outside_of_the_sandbox(keyed: LocalPythonExecutor, secure: Any) -> None:
    events: list[Event] = []
    code = "(key, get(headers={'Authorization': 'Bearer ' + key}).json())"
    key, answer = keyed(code, record=events.append).output
    assert secure.seen[0][2]["Authorization"] == f"Bearer {KEY}"
    assert key.startswith("smolcell-credential-WB_KEY-")
    assert answer["headers"]["Authorization"] == "Bearer " + "*" * len(KEY)
    assert [event.credentials for event in events if isinstance(event, Connected)] == [("WB_KEY",)]
    assert KEY not in repr(events)


def test_a_placeholder_that_is_sent_elsewhere_is_refused_and_shown(keyed: LocalPythonExecutor, secure: Any) -> None:
    said = connections(keyed, "print(get(headers={'Authorization': key, 'X-Other': key}).text)")
    assert "the credential WB_KEY is sent only to" in said[0].refused
    assert secure.seen == []


def test_a_basic_authorization_is_filled_in(keyed: LocalPythonExecutor, secure: Any) -> None:
    said = keyed("get(auth=('me', key)).text").output
    sent = base64.b64decode(secure.seen[0][2]["Authorization"].removeprefix("Basic ")).decode()
    assert sent == f"me:{KEY}"
    assert base64.b64encode(sent.encode()).decode() not in said


def test_a_credential_without_a_value_stops_the_start_and_is_named(
    sandbox: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WB_KEY", raising=False)
    with pytest.raises(SetupError, match="WB_KEY has no value"):
        sandbox(credentials={"WB_KEY": Credential(env="WB_KEY", hosts=["api.example.org"])})("1")


def test_a_credential_never_reaches_the_process_of_the_sandbox(keyed: LocalPythonExecutor) -> None:
    keyed("get(headers={'Authorization': key})")
    code = f"""
import gc
known = "".join(reversed("{KEY[::-1]}"))
found = [each for each in gc.get_objects() if each is not globals()]
known in repr(dict(os.environ)) + repr(found)"""
    assert keyed(code).output is False
