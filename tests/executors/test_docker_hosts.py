"""Allowed hosts in a container without a network: the code reaches them through the proxy of this machine, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import engines
import pytest
from http_server import Handler, Server, served

from smolcell.errors import InterpreterError
from smolcell.events import Connected, Event

Contained = Callable[..., engines.DockerInTests]


class Hello(Handler):
    """Answers with its path."""

    def do_GET(self) -> None:
        self.answer(self.path)


@pytest.mark.parametrize("level", ["full", "guarded"])
def test_a_container_reaches_the_allowed_host_and_no_other(contained: Contained, level: str) -> None:
    with served(Server(Hello)) as server:
        executor = contained(
            python=level,
            allow_hosts=[f"localhost:{server.server_port}"],
            additional_authorized_imports=["urllib.*"],
        )
        events: list[Event] = []
        get = "import urllib.request\nurllib.request.urlopen('{}').read().decode()"

        assert (
            executor(get.format(f"http://localhost:{server.server_port}/here"), record=events.append).output == "/here"
        )
        for url in ("http://example.org/", f"http://127.0.0.1:{server.server_port}/", "http://169.254.169.254/"):
            with pytest.raises(InterpreterError, match="is not allowed"):
                executor(get.format(url), record=events.append)

        found = [(each.host, bool(each.refused)) for each in events if isinstance(each, Connected)]
        assert found == [
            ("localhost", False),
            ("example.org", True),
            ("127.0.0.1", True),
            ("169.254.169.254", True),
        ]
        assert executor.boundary().isolated
