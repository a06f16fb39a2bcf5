"""Code in WebAssembly reaches the hosts that were allowed: its sockets lead to the proxy, which opens TLS for it."""

from __future__ import annotations

import importlib.util
import json
import socket
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from origins import NAME, Origin, origin, sandboxes, tls_context

from smolcell.errors import InterpreterError
from smolcell.events import Connected, Event
from smolcell.executors.wasm import WasmExecutor
from smolcell.network import Credential
from smolcell.network.certificates import Issuer

sys.path.insert(0, str(Path(__file__).parents[1] / "executors"))
import wasm_parts

New = Callable[..., WasmExecutor]
HERE = "127.0.0.1"
KEY = "s3cr3t-value-of-the-key"
LIBRARIES = ("requests", "urllib3", "idna", "certifi", "charset_normalizer", "httpx", "httpcore", "h11", "anyio")


@pytest.fixture
def wasm() -> Iterator[New]:
    wasm_parts.installation()
    with sandboxes(WasmExecutor) as make:
        yield make


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """What is installed here of these libraries, as far as it is Python."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "libraries.whl", "w") as archive:
        for name in LIBRARIES:
            found = importlib.util.find_spec(name)
            assert found is not None
            assert found.origin is not None
            for path in Path(found.origin).parent.rglob("*"):
                if path.suffix in (".py", ".pem"):
                    archive.write(path, Path(name) / path.relative_to(Path(found.origin).parent))
    return folder


GET = """
import urllib.request
def get(path):
    return urllib.request.urlopen("http://localhost:{port}/" + path, timeout=20).read()
"""


@pytest.mark.slow
def test_the_usual_libraries_reach_an_allowed_host(wasm: New, plain: Any, secure: Any, wheels: Path) -> None:
    executor = wasm(f"{NAME}:{plain.server_port}", f"{NAME}:{secure.server_port}", HERE, wheels=wheels)
    urls = [f"http://{NAME}:{plain.server_port}/data?x=1", f"https://{NAME}:{secure.server_port}/data?x=1"]
    code = f"""
import urllib.request, requests, httpx
get = [lambda url: urllib.request.urlopen(url, timeout=20).read().decode(), lambda url: requests.get(url, timeout=20).text]
get += [lambda url: httpx.get(url, timeout=20).text]
[one(url) for one in get for url in {urls}]
"""
    assert [json.loads(text)["path"] for text in executor(code).output] == ["/data?x=1"] * 6


def test_each_connection_is_recorded_and_others_are_refused(wasm: New, plain: Any) -> None:
    executor = wasm(f"localhost:{plain.server_port}")
    code = f"""
import socket, urllib.request
def get(url):
    try:
        return len(urllib.request.urlopen(url, timeout=20).read())
    except OSError:
        return None
found = [get(url) for url in ("http://localhost:{plain.server_port}/bytes?3000000", "http://other.test/", "https://other.test/")]
"""
    events: list[Event] = []
    executor(code, record=events.append)
    found = [event for event in events if isinstance(event, Connected)]
    assert [(each.host, each.port, each.received > 3_000_000) for each in found] == [
        ("localhost", plain.server_port, True),
        ("other.test", 80, False),
        ("other.test", 443, False),
    ]
    with pytest.raises(InterpreterError, match=r"other\.test is not allowed.*--allow-host other\.test"):
        executor("urllib.request.urlopen('https://other.test/')")
    with pytest.raises(InterpreterError, match="PermissionError"):  # past the proxy
        executor(f"socket.create_connection(('127.0.0.1', {plain.server_port}))")
    assert executor("found[0]").output == 3_000_000
    assert len(plain.seen) == 1


@pytest.mark.slow
def test_a_host_with_a_certificate_that_is_not_valid_is_refused(wasm: New, trusted: Any, tmp_path: Path) -> None:
    with origin(Origin, tls_context(Issuer(), tmp_path, "other.test")) as server:
        executor = wasm(f"other.test:{server.server_port}", HERE)
        with pytest.raises(InterpreterError, match=r"certificate of other\.test is not valid"):
            executor(f"import urllib.request\nurllib.request.urlopen('https://other.test:{server.server_port}/')")
        assert server.seen == []


@pytest.mark.slow
def test_a_credential_is_filled_in_outside_of_the_sandbox(
    wasm: New, secure: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WB_KEY", KEY)
    target = f"{NAME}:{secure.server_port}"
    executor = wasm(HERE, credentials={"WB_KEY": Credential(env="WB_KEY", hosts=[target])})
    code = f"""
import os, urllib.request
key = os.environ["WB_KEY"]
def get(path, header="Authorization"):
    asked = urllib.request.Request("https://{target}" + path, headers={{header: "Bearer " + key}})
    return urllib.request.urlopen(asked, timeout=20).read().decode()
(key, get("/x"))
"""
    key, answer = executor(code).output
    assert secure.seen[0][2]["Authorization"] == f"Bearer {KEY}"
    assert key.startswith("smolcell-credential-WB_KEY-")
    assert json.loads(answer)["headers"]["Authorization"] == "Bearer " + "*" * len(KEY)
    for elsewhere in ("get('/?' + key)", "get('/', 'X-Other')"):
        with pytest.raises(InterpreterError, match="the credential WB_KEY is sent only to"):
            executor(elsewhere)
    assert len(secure.seen) == 1


class Interrupting(Origin):
    """Has ``server.interrupt`` called for a request of /interrupt, and does not answer it before the client is gone."""

    def do_GET(self) -> None:
        server: Any = self.server
        if self.path != "/interrupt":
            super().do_GET()
            return
        server.interrupt()
        self.close_connection = True
        with suppress(OSError):
            self.connection.recv(1)


@pytest.mark.slow
def test_a_host_that_does_not_answer_ends_by_the_codes_time_limit_or_by_an_interrupt(wasm: New) -> None:
    server: Any
    with origin(Interrupting) as server, socket.create_server((HERE, 0)) as silent:
        executor = wasm("localhost")
        executor("import urllib.request\nkept = 7")
        server.interrupt = executor.interrupt

        with pytest.raises(InterpreterError, match="timed out"):
            executor(f"urllib.request.urlopen('http://localhost:{silent.getsockname()[1]}/', timeout=0.3)")
        with pytest.raises(InterpreterError, match="KeyboardInterrupt") as ended:
            executor(f"urllib.request.urlopen('http://localhost:{server.server_port}/interrupt')")
        # On a busy machine Pyodide may not be done within the grace period; then its process is ended.
        if "variables are kept" in str(ended.value):
            assert executor("kept").output == 7
        else:
            assert "did not react" in str(ended.value)


STUBBORN = """
def never_end():
    while True:
        try:
            while True: pass
        except BaseException: pass
"""


@pytest.mark.slow
def test_no_connection_outlives_its_step_and_a_new_runner_connects_again(wasm: New) -> None:
    server: Any
    with origin(Interrupting) as server:
        executor = wasm("localhost")
        server.interrupt = executor.interrupt
        get = GET.format(port=server.server_port)
        executor("import socket\nsock = socket.create_connection(('127.0.0.1', 3128))")

        assert executor("sock.recv(100)").output == b""
        assert executor(get + STUBBORN + "get('bytes?10')").output == bytes(10)
        with pytest.raises(InterpreterError, match="did not react"):
            executor("try:\n    get('interrupt')\nexcept BaseException:\n    never_end()")
        assert executor(get + "get('bytes?10')").output == bytes(10)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["", "\n1 / 0", "\nnever_end()"])
def test_a_download_that_is_read_by_half_leaves_the_next_step_its_network(wasm: New, plain: Any, ending: str) -> None:
    executor = wasm("localhost", timeout=20)  # a busy machine takes seconds to import urllib.request in a new runner
    get = GET.format(port=plain.server_port) + STUBBORN
    half = (
        f"kept = urllib.request.urlopen('http://localhost:{plain.server_port}/bytes?5000000', timeout=20)\nkept.read(1)"
    )
    for _ in range(2):
        executor(get)  # a runner that had to be ended has lost it
        with pytest.raises(InterpreterError) if ending else nullcontext():
            executor(half + ending)
        assert executor(get + "get('bytes?1000000')").output == bytes(1_000_000)


@pytest.mark.slow
def test_more_connections_than_are_allowed_at_once_are_an_error_and_the_sandbox_goes_on(wasm: New, plain: Any) -> None:
    executor = wasm("localhost")
    connect = "def connect():\n    return socket.create_connection(('127.0.0.1', 3128))\n"
    executor(f"import socket\n{connect}{GET.format(port=plain.server_port)}kept = [connect() for _ in range(128)]")
    assert executor("kept[0].recv(1)").output == b""  # each step may open as many
    with pytest.raises(InterpreterError, match="128 connections are open"):
        executor("kept = []\nfor _ in range(140):\n    kept.append(connect())")
    assert executor("for _ in range(300):\n    connect().close()\nget('bytes?10')").output == bytes(10)
    assert executor("len(kept)").output == 128
