"""Code in a sandbox connects to the hosts that were allowed, through the proxy of this machine, and to no others."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from origins import NAME

from smolcell import LocalPythonExecutor
from smolcell.errors import InterpreterError, SetupError
from smolcell.events import Connected, Event
from smolcell.network import Credential

New = Callable[..., LocalPythonExecutor]
HERE = "127.0.0.1"


def connections(executor: LocalPythonExecutor, code: str) -> list[Connected]:
    events: list[Event] = []
    executor(code, record=events.append)
    return [event for event in events if isinstance(event, Connected)]


@pytest.mark.parametrize(
    "code",
    [
        "import requests; text = requests.get(URL).text",
        "import urllib.request; text = urllib.request.urlopen(URL).read().decode()",
        "import httpx; text = httpx.get(URL).text",
        "import pandas as pd; text = pd.read_json(URL, typ='series').to_json()",
        "import http.client, subprocess; text = subprocess.run(['curl', '-sS', URL], capture_output=True, text=True, check=True).stdout",
    ],
    ids=["requests", "urllib", "httpx", "pandas", "curl"],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_usual_libraries_reach_an_allowed_host(
    sandbox: New, plain: Any, secure: Any, code: str, scheme: str
) -> None:
    if "curl" in code and not shutil.which("curl"):
        pytest.skip("curl is not installed")
    port = plain.server_port if scheme == "http" else secure.server_port
    executor = sandbox(f"{NAME}:{port}", HERE)

    found = executor(f"URL = '{scheme}://{NAME}:{port}/data?x=1'\n{code}\ntext").output

    assert json.loads(found)["path"] == "/data?x=1"


def test_each_connection_is_recorded_with_its_bytes(sandbox: New, plain: Any) -> None:
    executor = sandbox(f"localhost:{plain.server_port}")
    code = f"import requests\nfor _ in range(2):\n    requests.get('http://localhost:{plain.server_port}/bytes?1000')"

    found = connections(executor, code)

    assert [(each.host, each.port, each.refused) for each in found] == [("localhost", plain.server_port, "")] * 2
    assert all(each.received > 1000 and each.sent > 50 and each.duration > 0 for each in found)


def test_without_an_allowed_host_no_internet_socket_can_be_opened(sandbox: New) -> None:
    with pytest.raises(InterpreterError, match="PermissionError"):
        sandbox()("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_STREAM)")


@pytest.mark.parametrize("level", ["full", "guarded"])
@pytest.mark.parametrize(
    "code",
    [
        "import urllib.request\nurllib.request.urlopen('https://api.example.org/x')",
        "import requests\nrequests.get('https://api.example.org/x')",
        "import pandas as pd\npd.read_csv('https://api.example.org/x.csv')",
    ],
    ids=["urllib", "requests", "pandas"],
)
def test_without_an_allowed_host_the_error_names_what_to_allow(sandbox: New, code: str, level: str) -> None:
    executor = sandbox(python=level, additional_authorized_imports=["urllib.*", "requests", "pandas"])

    with pytest.raises(InterpreterError, match=r"has no network.*--allow-host api\.example\.org$"):
        executor(code)


@pytest.mark.parametrize(
    "code",
    [
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)",
        "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)",
        "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)",
        "socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
        "socket.create_connection(('127.0.0.1', PORT))",
        "socket.create_connection(('1.1.1.1', 443))",
        "socket.create_server(('127.0.0.1', 8000))",
        "socket.getaddrinfo('example.org', 443)",
    ],
)
def test_only_the_proxy_can_be_connected_to(sandbox: New, plain: Any, code: str) -> None:
    executor = sandbox(f"localhost:{plain.server_port}")

    with pytest.raises(
        InterpreterError, match=r"PermissionError|gaierror|Network is unreachable|Operation not permitted"
    ):
        executor(f"import socket\nPORT = {plain.server_port}\n{code}")

    assert plain.seen == []


def test_a_refused_connection_names_what_to_allow(sandbox: New, plain: Any) -> None:
    executor = sandbox(f"localhost:{plain.server_port}")

    with pytest.raises(InterpreterError, match=r"other\.test is not allowed.*--allow-host other\.test"):
        executor("import requests\nrequests.get('https://other.test/')")
    answer = executor(
        "import requests\nanswer = requests.get('http://other.test/')\n(answer.status_code, answer.text)"
    ).output

    assert answer[0] == 403
    assert "--allow-host other.test" in answer[1]


def test_no_connection_outlives_its_step(sandbox: New, plain: Any) -> None:
    executor = sandbox(f"localhost:{plain.server_port}")
    begin = f"""
import socket
s = socket.create_connection(("127.0.0.1", 3128))
s.sendall(b"GET http://localhost:{plain.server_port}/bytes?3 HTTP/1.1\\r\\nHost: localhost:{plain.server_port}\\r\\n\\r\\n")
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

    with pytest.raises(SetupError, match="give one of them"):
        DockerExecutor(network="bridge", allow_hosts=["example.org"])
    with pytest.raises(SetupError, match="give one of them"):
        run_inside("docker", "task", network=True, allow_hosts=["a.example"], model=ScriptedModel())
    with pytest.raises(SetupError, match="give one of them"):
        CodeAgent(
            model=ScriptedModel(),
            executor_type="docker",
            executor_kwargs={"network": "bridge"},
            allow_hosts=["a.example"],
        )


def test_git_and_pip_work_through_it(sandbox: New, secure: Any, tmp_path: Path) -> None:
    """git asks for the references of a repository, pip for the files of a package: both get the server's answer."""
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
    sandbox: New, plain: Any, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").touch()
    executor = sandbox(f"localhost:{plain.server_port}")
    executor.mount([tmp_path / "data"])
    get = f"import urllib.request\nurllib.request.urlopen('http://localhost:{plain.server_port}/').status"

    assert executor(get).output == 200
    with pytest.raises(InterpreterError, match="PermissionError"):
        executor("import socket\nsocket.socket(socket.AF_UNIX)")


KEY = "s3cr3t-value-of-the-key"


def keyed(sandbox: New, server: Any, **more: Any) -> LocalPythonExecutor:
    credential = Credential(env="WB_KEY", hosts=[f"{NAME}:{server.server_port}"], **more)
    return sandbox(HERE, credentials={"WB_KEY": credential})


def test_a_credential_is_filled_in_outside_of_the_sandbox(
    sandbox: New, secure: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WB_KEY", KEY)
    executor = keyed(sandbox, secure)
    code = f"""
import os, requests
key = os.environ["WB_KEY"]
answer = requests.get("https://{NAME}:{secure.server_port}/x", headers={{"Authorization": "Bearer " + key}}).json()
(key, answer)
"""
    events: list[Event] = []
    key, answer = executor(code, record=events.append).output

    assert secure.seen[0][2]["Authorization"] == f"Bearer {KEY}"
    assert key.startswith("smolcell-credential-WB_KEY-")
    assert answer["headers"]["Authorization"] == "Bearer " + "*" * len(KEY)
    assert [event.credentials for event in events if isinstance(event, Connected)] == [("WB_KEY",)]
    assert KEY not in repr(events)


@pytest.mark.parametrize(
    "request_",
    [
        "requests.get('https://{name}:{port}/?key=' + key)",
        "requests.get('https://{name}:{port}/', headers={{'X-Other': key}})",
        "requests.post('https://{name}:{port}/', data='a' * 70000 + key)",
        "requests.get('https://{name}:{port}/', auth=('me', 'x' + key[:-1] + key[-1]), headers={{'X-Other': key}})",
        "requests.get('http://127.0.0.1:{plain}/', headers={{'Authorization': key}})",
        "requests.get('https://other.test:{port}/', headers={{'Authorization': key}}, verify=False)",
    ],
)
def test_a_placeholder_that_is_sent_elsewhere_is_refused_and_shown(
    sandbox: New, secure: Any, plain: Any, monkeypatch: pytest.MonkeyPatch, request_: str
) -> None:
    monkeypatch.setenv("WB_KEY", KEY)
    credential = Credential(env="WB_KEY", hosts=[f"{NAME}:{secure.server_port}"])
    executor = sandbox(HERE, f"other.test:{secure.server_port}", credentials={"WB_KEY": credential})
    text = request_.format(name=NAME, port=secure.server_port, plain=plain.server_port)
    events: list[Event] = []

    code = f"""
import os, requests, warnings
warnings.simplefilter("ignore")
key = os.environ["WB_KEY"]
try:
    print({text}.text)
except OSError as error:
    print(error)"""
    executor(code, record=events.append)

    refused = [event.refused for event in events if isinstance(event, Connected) and event.refused]
    assert "the credential WB_KEY is sent only to" in refused[0]
    assert KEY not in repr(secure.seen) + repr(plain.seen)


def test_a_basic_authorization_is_filled_in(sandbox: New, secure: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import base64

    monkeypatch.setenv("WB_KEY", KEY)
    executor = keyed(sandbox, secure)
    code = f"import os, requests\nrequests.get('https://{NAME}:{secure.server_port}/', auth=('me', os.environ['WB_KEY'])).text"

    said = executor(code).output

    sent = base64.b64decode(secure.seen[0][2]["Authorization"].removeprefix("Basic ")).decode()
    assert sent == f"me:{KEY}"
    assert base64.b64encode(sent.encode()).decode() not in said


def test_a_credential_without_a_value_is_an_error_that_names_it(sandbox: New, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WB_KEY", raising=False)

    with pytest.raises(SetupError, match="WB_KEY has no value"):
        sandbox(credentials={"WB_KEY": Credential(env="WB_KEY", hosts=["api.example.org"])})("1")


def test_a_credential_never_reaches_the_process_of_the_sandbox(
    sandbox: New, secure: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WB_KEY", KEY)
    executor = keyed(sandbox, secure)
    executor(
        f"import os, requests\nrequests.get('https://{NAME}:{secure.server_port}/', headers={{'Authorization': os.environ['WB_KEY']}})"
    )

    backwards = KEY[::-1]
    code = f"""
import gc, os
key = "".join(reversed("{backwards}"))
found = [each for each in gc.get_objects() if each is not globals()]
key in repr(dict(os.environ)) + repr(found)"""

    assert executor(code).output is False
