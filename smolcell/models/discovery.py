"""Finds OpenAI-compatible servers on this machine, quickly and without trusting them.

* All ports are asked at once. A server that has not answered after ``TIMEOUT_SECONDS`` seconds is ignored. Nothing is left behind.
* Only the list of models is requested: no key, no task is sent. Redirections are not followed; the answer's size is bounded.
* A server of another user of this machine is never chosen by default, since it would read every task. It can be named.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from smolcell.errors import SetupError

if TYPE_CHECKING:
    from smolcell.models.openai import OpenAIModel


SERVERS: Mapping[str, int] = MappingProxyType(
    {
        "ollama": 11434,
        "lmstudio": 1234,
        "vllm": 8000,
        "local:8080": 8080,  # llama.cpp's server, llamafile, LocalAI, mlx
        "local:1337": 1337,  # Jan
        "local:4891": 4891,  # GPT4All
        "local:5001": 5001,  # KoboldCpp
        "local:30000": 30000,  # SGLang
    }
)
"""Provider → its default port, in order of preference."""

TIMEOUT_SECONDS = 0.25  # seconds for all servers in total
_MAX_LIST_BYTES = 1024 * 1024  # bytes of a server's list of models
_MAX_NAME_CHARS = 200  # characters of a model's name
_FIRST_USER_ID = 1000  # user ids below this belong to system services
_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))


def first_local_model(servers: Mapping[str, int] = SERVERS) -> str:
    """Return ``provider/model`` of the first model that a server on this machine lists; "" if none answers in time."""
    for provider, models in local_models(servers).items():
        for model in models:
            if "embed" not in model.lower():
                return f"{provider}/{model}"
    return ""


def local_models(servers: Mapping[str, int] = SERVERS, within: float = TIMEOUT_SECONDS) -> dict[str, Sequence[str]]:
    """Return the models of every server that answers within ``within`` seconds, by provider, in the order of ``servers``."""
    deadline = time.monotonic() + within
    others = _ports_of_others()
    probes = {provider: _Probe(port, within) for provider, port in servers.items() if port not in others}
    for probe in probes.values():
        probe.start()
    for probe in probes.values():
        probe.join(max(0.0, deadline - time.monotonic()))
        probe.stop()
    return {provider: probe.models for provider, probe in probes.items() if probe.models}


class _Probe(threading.Thread):
    """Asks one port for its models. ``stop`` ends it, even if the server hangs."""

    def __init__(self, port: int, seconds: float) -> None:
        super().__init__(name=f"smolcell-probe-{port}", daemon=True)
        self.models: Sequence[str] = ()
        self._port, self._seconds = port, seconds
        self._socket: socket.socket | None = None

    def run(self) -> None:
        try:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=self._seconds)
            connection = http.client.HTTPConnection("127.0.0.1", self._port)
            connection.sock = self._socket
            headers = {"Accept": "application/json", "Connection": "close"}
            connection.request("GET", "/v1/models", headers=headers)
            with connection.getresponse() as response:
                if response.status == 200:
                    self.models = _names(json.loads(response.read(_MAX_LIST_BYTES))["data"])
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
            pass  # nothing listens there, or another kind of server
        finally:
            self.stop()

    def stop(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # never connected, or closed
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()


def _names(listed: list[Any]) -> Sequence[str]:
    """Return the plausible names in a server's list: short, printable, without spaces."""
    names = [entry["id"] for entry in listed[:1000] if isinstance(entry["id"], str)]
    return [
        name
        for name in names
        if 0 < len(name) <= _MAX_NAME_CHARS and name.isprintable() and not set(name) & set(" \t\n")
    ]


def _ports_of_others() -> set[int]:
    """Return the ports on which processes of other users listen; empty if the system does not tell."""
    ports: set[int] = set()
    for table in _TABLES if hasattr(os, "getuid") else ():
        try:
            listening = _listening(table.read_text(encoding="ascii"))
        except (OSError, ValueError, IndexError):
            continue
        ports |= {port for port, owner in listening if owner >= _FIRST_USER_ID and owner != os.getuid()}
    return ports


def _listening(table: str) -> set[tuple[int, int]]:
    """Return port and user of every listening socket. Source: Linux, Documentation/networking/proc_net_tcp.rst."""
    rows = (line.split() for line in table.splitlines()[1:])
    return {(int(row[1].rpartition(":")[2], 16), int(row[7])) for row in rows if row[3] == "0A"}


# --- Models of OpenAI-compatible servers on this machine: Ollama, LM Studio, vLLM, and others by port.


def ollama(model_id: str, api_base: str | None = None, **kwargs: Any) -> OpenAIModel:
    """Return a model served by Ollama, on this machine or at ``OLLAMA_HOST``."""
    host = os.environ.get("OLLAMA_HOST", "").strip().rstrip("/").replace("0.0.0.0", "127.0.0.1")  # noqa: S104
    if host and "://" not in host:
        host = f"http://{host}" if ":" in host else f"http://{host}:{SERVERS['ollama']}"
    return _make_served("ollama", model_id, api_base or (f"{host.removesuffix('/v1')}/v1" if host else None), **kwargs)


def _make_served(provider: str, model_id: str, api_base: str | None = None, **kwargs: Any) -> OpenAIModel:
    from smolcell.models.openai import OpenAIModel

    port = SERVERS.get(provider) or provider.removeprefix("local:")
    return OpenAIModel(model_id, api_base or f"http://127.0.0.1:{port}/v1", name=f"{provider}/{model_id}", **kwargs)


lmstudio = partial(_make_served, "lmstudio")
vllm = partial(_make_served, "vllm")  # or another server on its port


def on_port(provider: str) -> Callable[..., OpenAIModel]:
    """Return the function that makes models of ``local:PORT/…``, any OpenAI-compatible server of this machine.

    Raises:
        SetupError: there is no such port.
    """
    port = provider.removeprefix("local:")
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise SetupError(f"{provider!r} names no port; a server of this machine is local:8080/model")
    return partial(_make_served, provider)
