"""The whole agent in a container: nothing of it here, no network and no secret there unless asked for."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any

import pytest
from engines import DockerInTests
from http_server import Handler, Server, served
from model_server import server

from smolcell import run_inside, tool
from smolcell.errors import SandboxError
from smolcell.events import Connected, Observed, Opened, Replied
from smolcell.executors.base import WorkerExecutor
from smolcell.gates import allow_all
from smolcell.models.scripted import ScriptedModel
from smolcell.network import Hosts

KEY = "sk-inside-0123456789abcdef"
NETWORK_OF_AGENT = "agent's network"


class Hello(Handler):
    """Answers with its path."""

    def do_GET(self) -> None:
        self.answer(self.path)


def program(code: str) -> str:
    return f"I try it.\n```python\n{code}\n```"


@tool
def place() -> list[str]:
    """Say where the work is done."""
    import os
    import socket

    return [socket.gethostname(), str(os.getuid())]


def walls(result: Any) -> dict[str, bool]:
    (opened,) = (event for event in result.events if isinstance(event, Opened))
    return {wall.name: wall.stands for wall in opened.boundary.walls}


def test_loop_tools_and_code_are_in_the_container(contained: Callable[..., DockerInTests]) -> None:
    executor = contained()
    replies = ("print(sorted(place()))", "x = 1 / 0", "final_answer(place())")
    model = ScriptedModel(*map(program, replies))
    result = run_inside(executor, "Where?", model=model, tools=[place], gate=allow_all, return_full_result=True)
    assert (result.state, result.output) == ("success", ["sandbox", "65534"])
    stands = walls(result)
    assert [stands[name] for name in ("files", "network", "processes", "agent", "model", "secrets")] == [True] * 6
    (opened,) = (event for event in result.events if isinstance(event, Opened))
    assert opened.boundary.isolated


def test_the_agent_comes_back_with_a_container_that_was_removed_in_mid_step(
    contained: Callable[..., DockerInTests],
) -> None:
    executor = contained()
    killed: list[str] = []

    def kill() -> str:
        """End the container."""
        channel = executor._channel
        assert channel is not None
        if not killed:
            killed.append(channel.name)
            channel.engine.client.api.kill(channel.id)
        return "it is gone"

    model = ScriptedModel(program("kill()"), program("final_answer(place())"))
    result = run_inside(
        executor, "Go on.", model=model, tools=[place], host_tools=[kill], gate=allow_all, return_full_result=True
    )
    assert (result.state, result.output) == ("success", ["sandbox", "65534"])
    errors = [event.error.kind for event in result.events if isinstance(event, Observed) and event.error]
    assert errors == ["sandbox"] and len(killed) == 1


@tool
def connect(port: int) -> str:
    """Connect to the proxy, if there is one.

    Args:
        port: of this machine, to ask for.
    """
    import socket

    try:
        with socket.create_connection(("127.0.0.1", 3128), 5) as sock:
            sock.sendall(f"GET http://localhost:{port}/ HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            return sock.recv(1000).decode().split("\r\n")[0]
    except OSError as error:
        return type(error).__name__


def reached(executor: str | WorkerExecutor, **options: Any) -> tuple[str, str, list[bool]]:
    """What the agent's process gets of an allowed host and of another, what the card says of its network, and the record."""
    with socket.create_server(("127.0.0.1", 0)) as other, served(Server(Hello)) as shown:
        ports = (shown.server_port, other.getsockname()[1])
        if isinstance(executor, WorkerExecutor):
            executor.hosts = Hosts([f"localhost:{ports[0]}"])
        else:
            options["allow_hosts"] = [f"localhost:{ports[0]}"]
        model = ScriptedModel(program(f"final_answer([connect({ports[0]}), connect({ports[1]})])"))
        result = run_inside(
            executor, "Go.", model=model, tools=[connect], gate=allow_all, return_full_result=True, **options
        )
    (opened,) = (event for event in result.events if isinstance(event, Opened))
    said = next(wall.detail for wall in opened.boundary.walls if wall.name == NETWORK_OF_AGENT)
    connections = [bool(event.refused) for event in result.events if isinstance(event, Connected)]
    return result.output, said, connections


def test_the_agent_s_process_in_a_container_reaches_allowed_hosts_and_the_card_says_so(
    contained: Callable[..., DockerInTests],
) -> None:
    answers, said, connections = reached(contained())

    assert [answer.split(" ")[1] for answer in answers] == ["200", "403"]
    assert "while a step runs it reaches the hosts that the code may: localhost:" in said
    assert connections == [False, True]


def test_the_agent_s_process_behind_walls_of_its_own_reaches_no_host() -> None:
    answers, said, connections = reached("local", python="full")

    assert answers == ["ConnectionRefusedError"] * 2
    assert said == "the agent's process was given no network"
    assert connections == []


def test_with_a_network_and_a_secret_the_model_is_asked_from_inside(
    contained: Callable[..., DockerInTests], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine's own network stands for one with a way out: the engine of the tests has no other."""
    monkeypatch.setenv("SMOLCELL_API_KEY", KEY)
    with server(program("import socket"), program("final_answer(6 * 7)")) as found:
        result = run_inside(
            contained(network="host"),
            "What is it?",
            model="openai/small",
            model_kwargs={"api_base": found.address},
            network=True,
            secrets=["SMOLCELL_API_KEY"],
            gate=allow_all,
            return_full_result=True,
        )
    assert (result.error, result.output) == (None, 42)
    assert found.asked == [(f"Bearer {KEY}", "small")] * 2
    assert [event.usage.output_tokens for event in result.events if isinstance(event, Replied)] == [4, 4]
    (opened,) = (event for event in result.events if isinstance(event, Opened))
    assert not opened.boundary.isolated
    stands = walls(result)
    assert [stands[name] for name in ("files", "network", "agent's network", "model", "secrets")] == [
        True,
        *[False] * 4,
    ]
    assert KEY not in repr(result.events)


def test_a_server_that_is_not_there_is_the_model_s_error(contained: Callable[..., DockerInTests]) -> None:
    result = run_inside(
        contained(network="host"),
        "What is it?",
        model="openai/small",
        model_kwargs={"api_base": "http://127.0.0.1:1/v1", "retry": None},
        network=True,
        gate=allow_all,
        return_full_result=True,
    )
    assert result.state == "error" and type(result.error).__name__ == "AgentGenerationError"
    assert "127.0.0.1:1" in str(result.error)


def test_a_network_is_given_before_the_container_is_there(contained: Callable[..., DockerInTests]) -> None:
    executor = contained()
    assert executor("1 + 1").output == 2
    with pytest.raises(SandboxError, match="an open container cannot get a network"):
        run_inside(executor, "x", model=ScriptedModel("x"), network=True)
    assert contained(network="host").allow_network() is False
    made = contained()
    made.allow_network()
    assert (made.shape.network, contained().shape.network) == ("bridge", "none")
    made.forbid_network()
    assert made.shape.network == "none"
    assert os.environ.get("SMOLCELL_API_KEY") != KEY
