"""Level full: ordinary Python behind tested walls, and never without them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from examples import quick
from local_parts import PROGRAMS, LocalInTests
from processes import eventually, sleeping

from smolcell import CodeAgent, tool
from smolcell.errors import AgentStopped, InterpreterError, SandboxDiedError, SetupError
from smolcell.events import Allowed, Delta, Observed, Opened, Refused, exposure
from smolcell.executors import create_executor
from smolcell.executors.local import LocalPythonExecutor
from smolcell.testing import ScriptedModel, allow_all

REDUCED = ["namespaces"]
BOTH = pytest.mark.parametrize("without", [[], REDUCED], ids=["full", "reduced"])


@pytest.fixture(scope="module")
def full() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(python="full", timeout=60) as made:
        yield made


@pytest.fixture(scope="module")
def reduced() -> Iterator[LocalPythonExecutor]:
    with LocalInTests(python="full", timeout=60, without=REDUCED) as made:
        yield made


# ruff: noqa: E501
# fmt: off
ORDINARY: dict[str, tuple[str, Any]] = {
    "modules": ("import os, sys, pathlib, glob, logging, sqlite3, subprocess, ctypes\nfinal_answer(os.path.basename('a/b'))", "b"),
    "dunders": ("final_answer([].__class__.__mro__[-1].__name__ + globals()['__name__'])", "object__main__"),
    "eval": ("exec('a = 1')\nfinal_answer(eval('a + 1'))", 2),
    "files": ("import pathlib\npathlib.Path.home().joinpath('.x').write_text('y')\nfinal_answer(open('.x').read())", "y"),
    "caches": ("import os, pathlib\nfolder = pathlib.Path(os.environ['XDG_CACHE_HOME'], 'z')\nfolder.mkdir()\nfinal_answer(folder.is_dir())", True),
    "temporary": ("import tempfile\nwith tempfile.NamedTemporaryFile('w+') as f:\n    f.write('t'); f.seek(0); text = f.read()\nfinal_answer(text)", "t"),
    "shell": ("import subprocess\nfinal_answer(subprocess.run('echo $((2 + 3))', shell=True, capture_output=True, text=True).stdout)", "5\n"),
    "child": ("import subprocess, sys\nfinal_answer(subprocess.check_output([sys.executable, '-c', 'import numpy; print(numpy.arange(3).sum())'], text=True))", "3\n"),
    "threads": ("from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool: out = list(pool.map(abs, [-1, -2]))\nfinal_answer(out)", [1, 2]),
    "optional import": ("try:\n    import no_such_module\nexcept ImportError:\n    no_such_module = None\nfinal_answer(no_such_module is None)", True),
}
# fmt: on


@pytest.mark.parametrize("name", ORDINARY)
@pytest.mark.parametrize("walls", ["full", "reduced"])
def test_ordinary_python_runs(walls: str, name: str, request: pytest.FixtureRequest) -> None:
    code, answer = ORDINARY[name]
    assert request.getfixturevalue(walls)(code).output == answer


SHARING = {
    "pool": "from multiprocessing import Pool\nPool(2)",
    "lock": "import multiprocessing\nmultiprocessing.Lock()",
    "executor": "from concurrent.futures import ProcessPoolExecutor\nProcessPoolExecutor(2).submit(abs, 1)",
    "memory": "from multiprocessing import shared_memory\nshared_memory.SharedMemory(create=True, size=10)",
    "array": "import multiprocessing\nmultiprocessing.RawArray('i', 3)",
    "manager": "import multiprocessing\nmultiprocessing.Manager()",
}


@pytest.mark.parametrize("name", SHARING)
def test_multiprocessing_that_fails_without_namespaces_suggests_threads(
    reduced: LocalPythonExecutor, name: str
) -> None:
    with pytest.raises(InterpreterError) as failure:
        reduced(SHARING[name])
    assert str(failure.value).endswith("for example concurrent.futures.ThreadPoolExecutor")


def test_other_errors_do_not(reduced: LocalPythonExecutor) -> None:
    for code in ("open('nothing')", "raise EOFError", "import os\nos.listdir('/dev/shm/x')"):
        with pytest.raises(InterpreterError) as failure:
            reduced(f"import multiprocessing\n{code}")
        assert "Thread" not in str(failure.value)


def test_processes_of_pools_import_what_the_code_imports(full: LocalPythonExecutor) -> None:
    assert full(PROGRAMS["pools"]).output == [[0, 1, 4], [3], [0, 1, 4]]


def test_full_patches_nothing_and_sets_no_audit_hook(full: LocalPythonExecutor) -> None:
    with LocalPythonExecutor(python="full") as executor:  # its own: a hook stays
        assert executor(PROGRAMS["nothing is patched"]).output == []


# --- code that has its own process in hand ---


TAKE_OVER = PROGRAMS["the runner is taken over"]


@BOTH
def test_code_that_took_over_its_process_cannot_forge_the_result_of_another_step(without: list[str]) -> None:
    """It answers later steps in advance, and a process that it leaves behind goes on answering."""
    code = f"""{TAKE_OVER}
own = runner._step
answers = [b"".join(encode(forged(step), link._outgoing)) for step in (own - 1, own + 1, own + 2)]
runner._step = own
nonce, copy = link._nonce, os.dup(link._sock.fileno())
if os.fork() == 0:
    import socket, time
    held = socket.socket(fileno=copy)
    while True:
        for answer in answers:
            held.sendmsg([nonce, b"\\1", answer])
        time.sleep(0.01)
final_answer("its own result")
"""
    with LocalInTests(python="full", timeout=60, without=without) as executor:
        executor(code)  # its own result is its own to spoil
        assert [executor(f"{number} * 7").output for number in range(6)] == [0, 7, 14, 21, 28, 35]


def test_code_that_took_over_its_process_can_neither_make_a_permit_nor_a_call_past_the_gate() -> None:
    paid: list[int] = []
    asked: list[tuple[str, str]] = []

    @tool(approve=True)
    def pay(amount: int) -> int:
        """Pay.

        Args:
            amount: in euros.
        """
        paid.append(amount)
        return amount

    async def gate(proposed: Any) -> Any:
        from smolcell.permit import permit

        asked.append((proposed.kind, proposed.text))
        if proposed.kind == "code":
            return permit(proposed, by="test")
        return Refused(
            run=proposed.run, step=proposed.step, reason="no", by="test", then="continue", call=proposed.call
        )

    code = f"""{TAKE_OVER}
data = dumps([[5], []])
program = b"pay(7)"
for fields in ({{"step": runner._step, "call": 900, "name": "pay"}}, {{"step": runner._step + 1, "call": 901, "name": "pay"}}):
    link.send(Frame("call", fields, (data,)))
for step in (2, runner._step):
    frame = Frame("run", {{"step": step, "timeout": 60.0}}, (program,))
    link._sock.sendmsg([link._nonce, b"\\1", b"".join(encode(frame, link._incoming))])
pay(8)  # comes after those
"""
    with CodeAgent(
        [pay], ScriptedModel(f"I try.\n<code>{code}</code>"), sandbox="local", python="full", gate=gate
    ) as agent:
        result = agent.run("t", return_full_result=True)
    assert paid == []
    assert [kind for kind, _ in asked if kind == "code"] == ["code"]
    assert [text for kind, text in asked if kind == "call"][:1] == ["pay(amount=5)"]
    assert {text for kind, text in asked if kind == "call"} <= {"pay(amount=5)", "pay(amount=8)"}
    allowed = [event for event in result.events if isinstance(event, Allowed)]
    assert [(event.kind, event.step) for event in allowed] == [("code", 1)]


OUTLIVE = {
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "closes every descriptor": "os.closerange(0, 256)\nwhile True: pass",
    "becomes another program": "os.execv(sys.executable, [sys.executable, '-c', 'while True: pass'])",
    "blocks every signal in C": "ctypes.CDLL(None).sigfillset(mask := ctypes.create_string_buffer(128))\n"
    "ctypes.CDLL(None).sigprocmask(0, mask, None)\nwhile True: ctypes.CDLL(None).sleep(600)",
    "leaves its session": "os.fork() and os._exit(0)\nos.setsid()\nwhile True: pass",
}


@pytest.mark.parametrize("without", [[], pytest.param(REDUCED, marks=pytest.mark.slow)], ids=["full", "reduced"])
@pytest.mark.parametrize("name", quick(OUTLIVE, "becomes another program", "leaves its session"))
def test_code_that_took_over_its_process_outlives_no_limit(name: str, without: list[str]) -> None:
    seconds = f"7532.{os.getpid()}"
    start = f"import ctypes, os, signal, subprocess, sys\nsubprocess.Popen(['sleep', '{seconds}'], start_new_session=True)\n"
    start += f"subprocess.run(['sh', '-c', 'sleep {seconds} &'], start_new_session=True)\n"  # its parent has ended
    with LocalInTests(python="full", timeout=2, without=without) as executor:
        with pytest.raises((InterpreterError, SandboxDiedError)):
            executor(start + OUTLIVE[name])
        assert eventually(lambda: not sleeping(seconds))
        assert executor("1 + 1").output == 2


def _approving(ran: list[str]) -> Any:
    from smolcell.permit import permit

    async def gate(proposed: Any) -> Any:
        ran.append(proposed.text)
        return permit(proposed, by="test")

    return gate


def test_what_a_step_leaves_running_ends_with_the_sandbox() -> None:
    seconds = f"7531.{os.getpid()}"
    code = f"""
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", ["sleep", "{seconds}"], {{}})
    os._exit(0)
final_answer(1)
"""
    with LocalPythonExecutor(python="full") as executor:
        assert executor(code).output == 1
        assert eventually(lambda: bool(sleeping(seconds)))
    assert eventually(lambda: not sleeping(seconds))


@pytest.mark.parametrize(
    "loop",
    [" os.fork()", pytest.param("\n    try: os.fork()\n    except OSError: pass", marks=pytest.mark.slow)],
    ids=["once", "again"],
)
def test_a_loop_of_forks_ends_without_namespaces(loop: str) -> None:
    with LocalInTests(python="full", timeout=2, without=REDUCED) as executor:
        try:
            executor(f"import os\nwhile True:{loop}")
        except InterpreterError:
            pass
        assert executor("1 + 1").output == 2
        folder = executor._channel._groups.folders["pids"]  # type: ignore[union-attr]
    assert eventually(lambda: not Path(folder).exists())  # the kernel refuses to remove it while a process is in it


# --- both levels ---


@pytest.fixture(scope="module")
def guarded() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(["os"]) as made:
        yield made


@pytest.mark.parametrize("level", ["full", "guarded"])
def test_a_variable_named_final_answer_hides_the_function_from_no_call(
    level: str, request: pytest.FixtureRequest
) -> None:
    executor: LocalPythonExecutor = request.getfixturevalue(level)
    first = executor("final_answer = 3.5\nfinal_answer(final_answer)")
    assert (first.output, first.is_final_answer) == (3.5, True)
    assert executor("final_answer(final_answer + 1)").output == 4.5
    executor("del final_answer")
    assert executor("final_answer(5)").output == 5


def test_a_part_of_an_authorised_module_is_authorised(guarded: LocalPythonExecutor) -> None:
    assert guarded("import os.path\nfrom os.path import join\njoin(os.path.sep, 'b')").output == "/b"


@pytest.mark.parametrize("level", ["full", "guarded"])
def test_what_a_stopped_step_printed_is_kept(level: str) -> None:
    code = "I wait.\n<code>\nimport time\nprint('half done')\ntime.sleep(600)\n</code>"
    model = ScriptedModel(code, "I end.\n<code>\nfinal_answer(1)\n</code>")
    with CodeAgent(tools=[], model=model, sandbox="local", python=level, gate=_approving([])) as agent:
        with pytest.raises(AgentStopped):
            for item in agent.stream("t"):
                if isinstance(item, Delta) and item.channel == "output":
                    agent.interrupt()
        (observed,) = [event for event in agent.memory.events if isinstance(event, Observed)]
        assert (observed.stdout, observed.error and observed.error.kind) == ("half done\n", "stopped")
        assert agent.memory.steps[-1].observations == "half done\n"
        assert "half done" in agent.journal.path.read_text()
        assert agent.resume() == 1
        assert "half done" in "".join(message.text for message in model.calls[-1])


# --- which level, and why ---


def test_the_boundary_names_the_level_and_the_reason(full: LocalPythonExecutor, reduced: LocalPythonExecutor) -> None:
    full("1"), reduced("1")
    one, other = full.boundary(), reduced.boundary()
    assert (one.python, one.python_reason, one.isolated, one.imports) == ("full", "the walls hold", True, ("*",))
    assert "guard" not in {wall.name for wall in one.walls} and "numpy" in one.libraries
    assert (other.python, other.isolated) == ("full, reduced", True)
    assert "no sockets" in other.python_reason and "use threads" in other.python_reason
    assert exposure(one) == exposure(other) == ""


@pytest.mark.parametrize("missing", [["namespaces", "seccomp"], ["namespaces", "landlock"], ["seccomp"]])
def test_full_without_its_walls_is_an_error_that_names_them(missing: list[str]) -> None:
    named = "files" if "landlock" in missing else "system calls"
    with (
        LocalInTests(python="full", without=missing) as executor,
        pytest.raises(SetupError, match=f"python='full' needs walls.*{named}"),
    ):
        executor("1")


@pytest.mark.parametrize(
    ("imports", "options", "reason"),
    [
        ([], {"python": "auto", "without": ["namespaces", "landlock", "seccomp"]}, "missing here: files"),
        (["*"], {}, "imports were given"),
    ],
)
def test_a_guarded_level_says_why(imports: list[str], options: dict[str, Any], reason: str) -> None:
    with LocalInTests(imports, **options) as executor:
        with pytest.raises(InterpreterError, match="Forbidden"):
            executor("().__class__")
        boundary = executor.boundary()
    assert (executor.python, boundary.python) == ("guarded", "guarded")
    assert boundary.python_reason.startswith(reason)


def test_without_a_group_to_end_it_by_there_is_no_reduced_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.executors.local.cgroups.own_groups", dict)
    with LocalInTests(python="auto", without=REDUCED) as executor:
        executor("1")
        assert executor.boundary().python == "guarded"


def test_auto_is_full_behind_walls_and_stays_so() -> None:
    with LocalPythonExecutor(python="auto") as executor:
        executor("import os\nos.getcwd()")
        with pytest.raises(SandboxDiedError):
            executor("import os\nos._exit(3)")
        assert executor("import os\nos.path.sep").output == "/"
        assert executor.boundary().python == "full"


def test_an_interpreter_given_as_level_is_refused_with_the_new_name() -> None:
    for name in ("local", "docker", "e2b", "modal", "blaxel", "wasm"):
        with pytest.raises(SetupError, match="interpreter="):
            create_executor(name, python="/usr/bin/python3")


def test_the_prompt_states_the_level() -> None:
    said = "I know.\n<code>\nfinal_answer(1)\n</code>"
    texts = {}
    for level in ("full", "guarded"):
        model = ScriptedModel(said)
        with CodeAgent(tools=[], model=model, sandbox="local", python=level, gate=_approving([])) as agent:
            result = agent.run("t", return_full_result=True)
            assert [event.boundary.python for event in result.events if isinstance(event, Opened)] == [level]
        texts[level] = model.calls[0][0].text
    assert "ordinary Python" in texts["full"] and "There is no network." in texts["full"]
    assert "numpy" in texts["full"] and "Only these modules" not in texts["full"]
    assert "Only these modules may be imported" in texts["guarded"]


# --- children, places ---


@BOTH
def test_a_child_inherits_path_work_folder_and_limits(without: list[str]) -> None:
    own = "[sys.path[1:], os.getcwd(), [resource.getrlimit(n) for n in range(16)], os.environ['HOME'], os.environ['TMPDIR']]"
    code = f"""
import json, os, resource, subprocess, sys
told = json.loads(subprocess.check_output([sys.executable, "-c", "import json, os, resource, sys; print(json.dumps({own}))"]))
mine = json.loads(json.dumps({own}))
final_answer([set(mine[0]) - set(told[0]), told[1:] == mine[1:]])
"""
    with LocalInTests(python="full", timeout=60, without=without) as executor:
        missing, same = executor(code).output
        assert same
        assert missing <= set(executor("[p for p in __import__('sys').path if p.endswith('.zip')]").output)


@BOTH
@pytest.mark.parametrize(
    "place", ["os.environ['HOME']", "os.environ['XDG_CACHE_HOME']", "tempfile.gettempdir()", "'/tmp'"]
)
def test_what_is_written_is_counted_wherever_it_is(place: str, without: list[str]) -> None:
    code = f"""
import os, tempfile
for number in range(400):
    with open(os.path.join({place}, f"f{{number}}"), "wb") as file:
        file.write(bytes(16 << 20))
"""
    with LocalInTests(python="full", timeout=60, without=without, disk=32) as executor:
        with pytest.raises(InterpreterError, match=r"folder holds more than|No space left|No such file|Permission"):
            executor(code)
        assert executor("1 + 1").output == 2


def test_two_sandboxes_see_nothing_of_each_other() -> None:
    write = "import os, tempfile\nfor at in ('/tmp', '/dev/shm', os.environ['HOME'], os.environ['XDG_CACHE_HOME']):\n    open(at + '/mine', 'w').close()"
    look = "import glob\nfinal_answer([p for at in ('/tmp', '/dev/shm', '/tmp/*', '/tmp/*/*') for p in glob.glob(at + '/mine')])"
    with LocalPythonExecutor(python="full") as one, LocalPythonExecutor(python="full") as other:
        one(write)
        assert other(look).output == []
        assert len(one(look).output) >= 2


@pytest.mark.parametrize("level", ["full", "guarded", "auto"])
def test_a_managed_agent_has_the_level_that_its_manager_s_executor_was_given(level: str) -> None:
    inner = CodeAgent(tools=[], model=ScriptedModel(), name="inner", description="Helps.", gate=allow_all)
    sandbox = LocalPythonExecutor(python=level)
    with CodeAgent(tools=[], model=ScriptedModel(), managed_agents=[inner], sandbox=sandbox, gate=allow_all):
        assert inner.executor.asked_level == level  # type: ignore[attr-defined]
