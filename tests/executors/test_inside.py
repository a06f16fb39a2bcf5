"""The whole agent in a sandbox: what is in there, what stays here, and that a run is the same as one whose loop is here."""

from __future__ import annotations

import io
import os
import socket
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from engines import DockerInTests
from http_server import Handler, Server, served
from local_parts import programs
from model_server import server
from processes import eventually
from provider_parts import E2BInTests, running
from wasm_parts import installation

from smolcell import CodeAgent, LocalPythonExecutor, run_inside, tool
from smolcell.approval.gates import allow_all, ask, deny_all
from smolcell.errors import ApprovalError, CapabilityError, ContextLengthError, SandboxError, SetupError
from smolcell.events import Allowed, Asked, Boundary, Called, Connected, Observed, Opened, Proposed, Refused, Replied
from smolcell.inside import InsideAgent, packaging, remote_loop
from smolcell.models.scripted import ScriptedModel
from smolcell.network import Hosts
from smolcell.protocols import Answer
from smolcell.testing import MemoryExecutor
from smolcell.tools.tool import Tool

PROGRAMS = programs("sandbox_programs.txt")
Contained = Callable[..., DockerInTests]


def program(code: str) -> str:
    return f"I try it.\n```python\n{code}\n```"


def run(*replies: str, executor: Any = "local", **options: Any) -> Any:
    """The result of a run whose model's replies are these programs, unless `model` is given."""
    words = {"gate": allow_all, "model": options.pop("model", None) or ScriptedModel(*map(program, replies)), **options}
    return run_inside(executor, "Do it.", return_full_result=True, **words)


@tool
def where(question: str) -> list[int]:
    """Say which process does the work.

    Args:
        question: anything
    """
    import os

    return [os.getpid(), len(question)]


@tool
def ask_here(question: str) -> int:
    """Say which process this is.

    Args:
        question: anything
    """
    return os.getpid()


# --- a run -------------------------------------------------------------------------------------------------------------


def told(result: Any) -> list[tuple[Any, ...]]:
    """What happened, without what differs from run to run."""
    kinds = (Replied, Proposed, Allowed, Refused, Observed)
    words = ("text", "thought", "findings", "stdout", "result", "error", "changed", "step", "reason")
    return [
        (type(event).__name__, *(getattr(event, word, None) for word in words))
        for event in result.events
        if isinstance(event, kinds)
    ]


REPLIES = ("x = 6\nimport os", "x = 6", "y = x * 7\nprint(y)", "1 / 0", "final_answer({'y': y, 'name': name})")


def test_a_run_is_the_same_as_one_whose_loop_is_here_and_the_model_is_told_the_same() -> None:
    here, there = (ScriptedModel(*map(program, REPLIES)) for _ in range(2))
    inside = run(model=there, additional_args={"name": "ä"})
    with CodeAgent(model=here, sandbox="local", gate=allow_all) as agent:
        outside = agent.run("Do it.", additional_args={"name": "ä"}, return_full_result=True)
    assert (inside.state, inside.output) == (outside.state, outside.output) == ("success", {"y": 42, "name": "ä"})
    assert told(inside) == told(outside)
    assert there.calls == here.calls


@pytest.mark.parametrize("reply", ["No program, only words.", program("print(1)")])
def test_the_step_limit_ends_it_with_the_best_answer(reply: str) -> None:
    result = run(model=ScriptedModel(reply, reply, "It is nine."), max_steps=2)
    assert (result.state, result.output) == ("max_steps_error", "It is nine.")


def test_a_reply_that_is_the_answer_is_checked_here() -> None:
    seen: list[Any] = []

    def long_enough(answer: Any) -> bool:
        seen.append(answer)
        return len(str(answer)) > 3

    model = ScriptedModel('{"final_answer": "no"}', "Final answer: nine", program("final_answer('nine')"))
    result = run(model=model, final_answer_checks=[long_enough])
    assert (result.state, result.output) == ("success", "nine")
    assert seen[-1] == "nine"


def test_plans_are_reviewed_too() -> None:
    model = ScriptedModel("1. Look.", program("final_answer(1)"))
    proposed: list[str] = []

    async def gate(proposal: Proposed) -> Any:
        proposed.append(proposal.kind)
        return await allow_all(proposal)

    assert run(model=model, gate=gate, planning_interval=3).output == 1
    assert proposed == ["plan", "code"]


def test_a_conversation_that_is_too_long_is_shortened_inside() -> None:
    model = ScriptedModel(program("print('a' * 5000)"), ContextLengthError("too long"), program("final_answer(2)"))
    assert run(model=model).output == 2
    assert len(str(model.calls[2])) < len(str(model.calls[1]))


def test_the_next_run_goes_on_from_the_last() -> None:
    model = ScriptedModel(program("x = 5\nfinal_answer(x)"), program("final_answer(x + 1)"))
    with InsideAgent("local", model, gate=allow_all) as agent:
        assert agent.run("One.") == 5
        assert agent.run("Two.", reset=False) == 6
    assert "One." in str(model.calls[1])


# --- approval ----------------------------------------------------------------------------------------------------------


def test_nothing_of_it_runs_without_a_yes_from_here() -> None:
    with LocalPythonExecutor() as executor:
        with pytest.raises(ApprovalError):
            run_inside(executor, "Do it.", model=ScriptedModel(program("x = 1")), gate=deny_all)
        assert executor("'x' in dir()").output is False


def test_what_was_edited_here_is_what_runs() -> None:
    class Person:
        def show(self, event: Any) -> None:
            pass

        async def ask(self, proposal: Proposed) -> Answer:
            words = {"run": proposal.run, "step": proposal.step, "fingerprint": proposal.fingerprint}
            return Answer(**words, choice="edit", text="final_answer(2)")

    assert run("final_answer(1)", gate=ask(Person()), view=Person()).output == 2


def test_no_part_that_makes_a_permit_is_shipped() -> None:
    names = zipfile.ZipFile(io.BytesIO(packaging.archive(True))).namelist()
    own = {name.removeprefix("smolcell/") for name in names if name.startswith("smolcell/")}
    assert {"core/loop.py", "core/prompt.py", "core/parsing.py", "inside/program.py"} <= own
    here = "gates executors views notebook agent permit.py journal.py inside/agent.py inside/remote_loop.py".split()
    assert [name for name in own if name.startswith(tuple(here))] == []
    assert [name for name in names if not name.endswith((".py", ".pyc", ".pem", ".typed"))] == []
    assert "httpx/__init__.py" in names
    assert "httpx/__init__.py" not in zipfile.ZipFile(io.BytesIO(packaging.archive(False))).namelist()


# --- tools -------------------------------------------------------------------------------------------------------------


def test_a_tool_does_its_work_in_the_sandbox() -> None:
    result = run("final_answer(where('four'))", tools=[where])
    pid, length = result.output
    assert (pid != os.getpid(), length) == (True, 4)
    assert [(called.name, called.error) for called in result.events if isinstance(called, Called)] == [("where", "")]


def test_a_tool_s_error_is_the_error_of_the_code() -> None:
    def broken() -> int:
        """Fail."""
        raise KeyError("no 3")

    result = run("try:\n    broken()\nexcept KeyError as e:\n    final_answer(str(e))", tools=[broken])
    assert result.output == "'no 3'"


def test_a_call_of_a_tool_of_this_machine_is_always_reviewed() -> None:
    proposed: list[tuple[str, str]] = []

    async def gate(proposal: Proposed) -> Any:
        proposed.append((proposal.kind, proposal.text))
        return await allow_all(proposal)

    result = run("final_answer(ask_here('x'))", host_tools=[ask_here], gate=gate)
    assert result.output == os.getpid()
    assert proposed == [("code", "final_answer(ask_here('x'))"), ("call", "ask_here(question='x')")]


def test_so_is_a_call_of_whatever_else_is_here() -> None:
    helper = CodeAgent([], ScriptedModel(program("final_answer(1)")), name="helper", description="Helps.")
    silent = tool(ask_here.function)
    silent.approve = ""
    more = {"host_tools": [silent], "add_base_tools": True, "managed_agents": [helper]}
    with InsideAgent("local", ScriptedModel("x"), [where], **more) as agent:
        assert unreviewed(agent) == ["where"]
        assert {"web_search", "visit_webpage", "helper", "ask_here"} < agent.callables.keys()
        assert agent.callables == agent.callables  # a tool is the same one each time it is asked for
        agent.set_tools([ask_here])
        assert unreviewed(agent) == []
        assert agent.callables.keys() == {"ask_here", "helper"}


def unreviewed(agent: InsideAgent) -> list[str]:
    """The tools that the code may call without the gate's yes."""
    return [name for name, each in agent.callables.items() if not (isinstance(each.approve, str) and each.approve)]


OUTSIDE = 3


def uses_outside() -> int:
    """Look outside."""
    return OUTSIDE


class Counter(Tool):
    name, description, output_type = "count", "Counts.", "integer"
    inputs = {"x": {"type": "integer", "description": "a number"}}

    def __init__(self, start: int = 0) -> None:
        self.start = start

    def forward(self, x: int) -> int:
        self.start += x
        return self.start


def test_a_tool_that_is_a_class_keeps_what_it_knows() -> None:
    assert run("count(2)\nfinal_answer(count(3))", tools=[Counter()]).output == 5


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (uses_outside, "it uses OUTSIDE from outside"),
        (Counter(4), "it holds values"),
        (Tool(len, name="size", description="The length."), "it is not a Python function"),
    ],
)
def test_a_tool_that_cannot_go_there_is_refused_with_the_reason(given: Any, why: str) -> None:
    with pytest.raises(SetupError, match=why):
        run("1", tools=[given])


# --- the sandbox -------------------------------------------------------------------------------------------------------


def boundary(result: Any) -> Boundary:
    (opened,) = (event for event in result.events if isinstance(event, Opened))
    return opened.boundary


def walls(result: Any) -> dict[str, tuple[bool, str]]:
    return {wall.name: (wall.stands, wall.detail) for wall in boundary(result).walls}


def test_the_boundary_says_what_is_in_there() -> None:
    found = walls(run("final_answer(1)", tools=[where]))
    assert found["agent"][0] and "the work of where" in found["agent"][1]
    assert found["model"] == (True, "scripted is asked from this machine, which relays the messages")
    assert found["secrets"] == (True, "none is in the sandbox")


def test_secrets_go_to_the_agent_and_not_to_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEIR_API_KEY", "it-is-secret-0123456789")

    def has_key() -> bool:
        """Say whether the key is there."""
        import os

        return os.environ.get("THEIR_API_KEY", "").endswith("789")

    code = "import os\nfinal_answer([has_key(), 'THEIR_API_KEY' in os.environ])"
    result = run(code, tools=[has_key], secrets=["THEIR_API_KEY"], additional_authorized_imports=["os"])
    assert result.output == [True, False]
    assert walls(result)["secrets"] == (False, "THEIR_API_KEY: all code in the sandbox can read it")


def test_a_secret_is_in_no_journal_whatever_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEIR_THING", "it-is-secret-too-9876543210")

    def said() -> str:
        """Say it."""
        import os

        return os.environ["THEIR_THING"]

    model = ScriptedModel(program("print(said())\nfinal_answer(1)"))
    with InsideAgent("local", model, [said], secrets=["THEIR_THING"], gate=allow_all) as agent:
        assert agent.run("Do it.") == 1
        journal = agent.journal.path.read_text(encoding="utf-8")
    assert "it-is-secret-too" not in journal and "[redacted]" in journal


def test_a_secret_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(SetupError, match="NO_SUCH_KEY, which is not set here; type: export NO_SUCH_KEY="):
        run("1", secrets=["NO_SUCH_KEY"])


def test_a_sandbox_without_the_needed_capability_raises_an_error_that_names_it() -> None:
    with pytest.raises(CapabilityError, match="'memory' cannot hold an agent"):
        run("1", executor=MemoryExecutor())
    with pytest.raises(CapabilityError, match="'local' cannot have a network"):
        run("1", network=True)


def test_a_model_without_a_client_for_inside_is_refused() -> None:
    class Networked(LocalPythonExecutor):
        def allow_network(self) -> None:
            pass

    with Networked() as executor, pytest.raises(SetupError, match="anthropic/claude cannot be asked from inside"):
        run_inside(executor, "Do it.", model="anthropic/claude", network=True)


def test_an_executor_that_was_handed_over_stays_open_without_the_agent() -> None:
    with LocalPythonExecutor() as executor:
        assert run("x = 4\nfinal_answer(x)", executor=executor, tools=[where]).output == 4
        assert executor("x + 1").output == 5

        def gone() -> bool:
            try:
                remote_loop.ask(executor, [b"{}"], 5.0)
            except remote_loop.AgentGoneError:
                return True
            return False

        assert eventually(gone)


def test_a_run_goes_on_when_the_code_s_process_has_ended(make: Callable[..., Any]) -> None:
    result = run("import os\nos._exit(3)", "final_answer(where('x')[1])", tools=[where], executor=make(unguarded=True))
    assert (result.state, result.output) == ("success", 1)
    assert [event.state_lost for event in result.events if isinstance(event, Observed)] == [True, False]


def test_the_agent_is_started_again_where_its_process_was_killed(make: Callable[..., Any]) -> None:
    """Without the guard the code can kill it: it is told again what happened, and goes on from there."""
    result = run("x = 1", PROGRAMS["kill all others"], "final_answer(7)", executor=make(unguarded=True, timeout=20))
    assert (result.state, result.output) == ("success", 7)


@pytest.mark.slow
def test_a_step_that_is_interrupted_leaves_an_agent_that_goes_on() -> None:
    with LocalPythonExecutor(timeout=1.0) as executor:
        result = run("while True: pass", "final_answer(where('ab')[1])", executor=executor, tools=[where])
    assert (result.state, result.output) == ("success", 2)
    errors = [event.error.type for event in result.events if isinstance(event, Observed) and event.error]
    assert errors == ["TimeoutError"]


def test_it_ends_with_its_sandbox() -> None:
    agent = InsideAgent("local", ScriptedModel(program("final_answer(where('x')[0])")), [where], gate=allow_all)
    agent.run("Do it.")
    asked = [event for event in agent.memory.events if isinstance(event, Asked)]
    agent.cleanup()
    assert len(asked) == 1
    with pytest.raises(remote_loop.AgentGoneError):
        remote_loop.ask(agent.line.executor, [b"{}"], 5.0)


@pytest.mark.slow
def test_a_provider_s_sandbox_holds_it_too() -> None:
    """With a network the agent's process gets the provider's, and the code beside it none."""
    probe = "import socket\ntry:\n    socket.socket()\nexcept OSError as e:\n    final_answer('refused')"
    with (
        running("e2b") as service,
        server(program("x = 4"), program(probe)) as found,
        E2BInTests(["socket"]) as executor,
    ):
        asked_inside = {"model_kwargs": {"api_base": found.address, "api_key": ""}, "network": True}
        result = run(executor=executor, model="openai/small", **asked_inside)
        assert executor.order.internet is False  # it was lent, and is not kept by who comes next
        assert executor("'x' in dir()").output is False
        with pytest.raises(SetupError, match="cannot be asked from inside"):
            run_inside(executor, "Do it.", model="anthropic/large", network=True, gate=allow_all)
        assert executor.order.internet is False
        assert [each["internet"] for each in service.sandboxes()] == [False]
    assert (result.error, result.output, len(found.asked)) == (None, "refused", 2)
    assert [walls(result)[name][0] for name in ("agent", "network", "agent's network")] == [True, True, False]
    assert walls(result)["agent's network"][1] == "the agent's process was given a network; the code beside it has none"


@pytest.mark.slow
def test_a_sandbox_without_processes_to_spare_says_so() -> None:
    installation()
    model = ScriptedModel(program("final_answer(1)"))
    result = run(executor="wasm", model=model)
    assert isinstance(result.error, CapabilityError)
    assert "cannot hold an agent: it cannot start processes" in str(result.error)
    assert model.calls == []


# --- in a container: nothing of the agent here, no network and no secret there unless asked for ---------------------------

KEY = "sk-inside-0123456789abcdef"


@tool
def place() -> list[str]:
    """Say where the work is done."""
    import os
    import socket

    return [socket.gethostname(), str(os.getuid())]


@pytest.mark.slow
def test_loop_tools_and_code_are_in_the_container(contained: Contained) -> None:
    result = run("print(sorted(place()))", "x = 1 / 0", "final_answer(place())", executor=contained(), tools=[place])
    assert (result.state, result.output) == ("success", ["sandbox", "65534"])
    stands = {name for name, (stands, _) in walls(result).items() if stands}
    assert stands >= {"files", "network", "processes", "agent", "model", "secrets"}
    assert boundary(result).isolated


@pytest.mark.slow
def test_the_agent_comes_back_with_a_container_that_was_removed_in_mid_step(contained: Contained) -> None:
    executor = contained()
    killed: list[str] = []

    def kill() -> str:
        """End the container."""
        channel = executor._channel
        if not killed:
            killed.append(channel.name)
            channel.engine.client.api.kill(channel.id)
        return "it is gone"

    result = run("kill()", "final_answer(place())", executor=executor, tools=[place], host_tools=[kill])
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


class Hello(Handler):
    """Answers with its path."""

    def do_GET(self) -> None:
        self.answer(self.path)


def reached(executor: Any, **options: Any) -> tuple[str, str, list[bool]]:
    """What the agent's process gets of an allowed host and of another, what the card says of its network, and the record."""
    with socket.create_server(("127.0.0.1", 0)) as other, served(Server(Hello)) as shown:
        ports = (shown.server_port, other.getsockname()[1])
        if executor == "local":
            options["allow_hosts"] = [f"localhost:{ports[0]}"]
        else:
            executor.egress.hosts = Hosts([f"localhost:{ports[0]}"])
        code = f"final_answer([connect({ports[0]}), connect({ports[1]})])"
        result = run(code, executor=executor, tools=[connect], **options)
    connections = [bool(event.refused) for event in result.events if isinstance(event, Connected)]
    return result.output, walls(result)["agent's network"][1], connections


@pytest.mark.slow
def test_the_agent_s_process_in_a_container_reaches_allowed_hosts_and_the_card_says_so(contained: Contained) -> None:
    answers, said, connections = reached(contained())
    assert [answer.split(" ")[1] for answer in answers] == ["200", "403"]
    assert "while a step runs it reaches the hosts that the code may: localhost:" in said
    assert connections == [False, True]


def test_the_agent_s_process_behind_walls_of_its_own_reaches_no_host() -> None:
    answers, said, connections = reached("local", python="full")
    assert answers == ["ConnectionRefusedError"] * 2
    assert said == "the agent's process was given no network"
    assert connections == []


@pytest.mark.slow
def test_with_a_network_and_a_secret_the_model_is_asked_from_inside(
    contained: Contained, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine's own network stands for one with a way out: the engine of the tests has no other."""
    monkeypatch.setenv("SMOLCELL_API_KEY", KEY)
    with server(program("import socket"), program("final_answer(6 * 7)")) as found:
        asked_inside = {"model_kwargs": {"api_base": found.address}, "network": True, "secrets": ["SMOLCELL_API_KEY"]}
        result = run(executor=contained(network="host"), model="openai/small", **asked_inside)
    assert (result.error, result.output) == (None, 42)
    assert found.asked == [(f"Bearer {KEY}", "small")] * 2
    assert [event.usage.output_tokens for event in result.events if isinstance(event, Replied)] == [4, 4]
    assert not boundary(result).isolated
    stands = {name: stands for name, (stands, _) in walls(result).items()}
    assert stands["files"] and not any(stands[name] for name in ("network", "agent's network", "model", "secrets"))
    assert KEY not in repr(result.events)


@pytest.mark.slow
def test_a_server_that_is_not_there_is_the_model_s_error(contained: Contained) -> None:
    nowhere = {"api_base": "http://127.0.0.1:1/v1", "retry": None}
    result = run(executor=contained(network="host"), model="openai/small", model_kwargs=nowhere, network=True)
    assert result.state == "error" and type(result.error).__name__ == "AgentGenerationError"
    assert "127.0.0.1:1" in str(result.error)


@pytest.mark.slow
def test_a_network_is_given_before_the_container_is_there(contained: Contained) -> None:
    executor = contained()
    assert executor("1 + 1").output == 2
    with pytest.raises(SandboxError, match="an open container cannot get a network"):
        run(executor=executor, network=True)
    assert contained(network="host").allow_network() is False
    made = contained()
    made.allow_network()
    assert (made.shape.network, contained().shape.network) == ("bridge", "none")
    made.forbid_network()
    assert made.shape.network == "none"


def test_at_the_step_limit_a_last_program_answers() -> None:
    result = run("x = 6", "y = 7", "final_answer(x * y)", max_steps=2)
    assert (result.state, result.output) == ("success", 42)


def test_a_program_that_ran_twice_and_one_that_replaces_a_variable_are_said_to_the_person() -> None:
    result = run(*["x = 6"] * 3, "name = 'b'", "name = 'b'", "final_answer(1)", additional_args={"name": "ä" * 5000})
    found = [
        [f.kind for f in event.findings if f.risk != "none"] for event in result.events if isinstance(event, Proposed)
    ]
    assert found == [[], [], ["repeat"], ["input"], []]
