"""A cell that waits, in every ipykernel that is promised to work: what the page sends is heard, or kept for later.

The notebook side is a comm made in the waiting cell, as the widget will be; the page side is a protocol client.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator

import pytest
from kernels import INSTALLED, INSTALLED_VERSION, SUBSHELL_VERSIONS, KernelClient, Message, SharedKernel, parameters

pytestmark = pytest.mark.kernels

SETUP = """
import signal, sys, threading, time
from concurrent.futures import Future
from comm import create_comm
from smolcell.notebook.wait import Interrupted, KernelWaiter, supported
waiter, done, order = KernelWaiter(get_ipython()), Future(), []
comm = create_comm(target_name="smolcell.test")
def on_msg(message):
    data = message["content"]["data"]
    comm.send({"heard": data, "thread": threading.current_thread() is threading.main_thread()})
    if data == "done":
        done.set_result("the result")
    elif callable(globals().get(data)):
        globals()[data]()
comm.on_msg(on_msg)
order.append("setup")
"""

WAIT = 'print("waiting", flush=True); print(waiter.wait(done)); order.append("waited")'


class Kernel(KernelClient):
    """A kernel with a comm that reports what it hears, and a cell that waits."""

    comm_id: str
    cell: str

    def set_up(self) -> None:
        self.run(SETUP)
        opened = [m for m in self.seen if m.type == "comm_open"][-1]
        self.comm_id = opened.content["comm_id"]

    def wait(self, code: str = WAIT, subshell: str | None = None) -> str:
        """Run a cell until it waits; returns its message id."""
        self.cell = self.execute(code, subshell=subshell)
        self.until(lambda m: m.type == "stream" and m.parent == self.cell and "waiting" in m.content["text"])
        return self.cell

    def click(self, data: str, subshell: str | None = None) -> Message:
        """Send to the comm; returns the comm's report of it, which belongs to the click."""
        click = self.send_comm(self.comm_id, data, subshell=subshell)
        return self.until(lambda m: m.type == "comm_msg" and m.parent == click and m.content["data"]["heard"] == data)

    def end(self) -> None:
        """End the wait; check that the cell got its result."""
        self.click("done")
        assert self.reply(self.cell).content["status"] == "ok"
        self.idle(self.cell)
        assert self.printed(self.cell) == "waiting\nthe result\n"

    def is_interrupted(self) -> Message:
        """Interrupt the wait; returns the cell's reply, an error."""
        self.click("one")
        self.interrupt()
        reply = self.reply(self.cell)
        assert reply.content["status"] == "error"
        return reply


@pytest.fixture(scope="module", params=parameters())
def kernels(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedKernel[Kernel]]:
    """The one kernel that the tests of a version share."""
    shared = SharedKernel(Kernel, request.param, tmp_path_factory.mktemp("kernel"))
    yield shared
    shared.close()


@pytest.fixture
def kernel(kernels: SharedKernel[Kernel]) -> Iterator[Kernel]:
    with kernels.lend() as kernel:
        kernel.set_up()
        yield kernel


on_subshells = pytest.mark.parametrize("kernels", parameters(SUBSHELL_VERSIONS), indirect=True)


def states(messages: list[Message]) -> list[str]:
    return [m.content["execution_state"] for m in messages if m.type == "status"]


def test_it_is_the_version_it_says_and_it_is_supported(kernels: SharedKernel[Kernel], kernel: Kernel) -> None:
    version, reason = kernel.run("import ipykernel; print(ipykernel.__version__, supported(get_ipython()))").split()
    assert version.startswith(INSTALLED_VERSION if kernels.version == INSTALLED else kernels.version)
    assert reason == "None"


def test_a_click_is_heard_on_the_waiting_thread_and_has_a_busy_and_an_idle_of_its_own(kernel: Kernel) -> None:
    kernel.wait()
    heard = kernel.click("one")
    assert heard.content["data"] == {"heard": "one", "thread": True}
    kernel.idle(heard.parent)
    assert states(kernel.of(heard.parent)) == ["busy", "idle"]
    kernel.end()


def test_many_clicks_are_heard_in_order(kernel: Kernel) -> None:
    kernel.wait()
    for number in range(50):
        kernel.send_comm(kernel.comm_id, f"click {number}")
    kernel.end()
    heard = [m.content["data"]["heard"] for m in kernel.seen if m.type == "comm_msg"]
    assert heard == [f"click {number}" for number in range(50)] + ["done"]


def test_a_reloading_page_gets_its_kernel_info_and_its_comms_and_a_new_one(kernel: Kernel) -> None:
    kernel.run(
        'get_ipython().kernel.comm_manager.register_target("late", lambda comm, _: comm.send({"text": "welcome"}))'
    )
    kernel.wait()
    info = kernel.request("kernel_info_request")
    assert kernel.reply(info).content["status"] == "ok"
    kernel.idle(info)
    assert states(kernel.of(info)) == ["busy", "idle"]
    comms = kernel.reply(kernel.request("comm_info_request", {"target_name": "smolcell.test"})).content["comms"]
    assert comms[kernel.comm_id] == {"target_name": "smolcell.test"}
    opened = kernel.request("comm_open", {"comm_id": "new", "target_name": "late", "data": {}})
    assert kernel.until(lambda m: m.type == "comm_msg" and m.parent == opened).content["data"] == {"text": "welcome"}
    kernel.end()


def test_a_widget_page_can_ask_for_all_states(kernel: Kernel) -> None:
    kernel.run("import ipywidgets; slider = ipywidgets.IntSlider(7)")
    kernel.wait()
    content = {"comm_id": "control", "target_name": "jupyter.widget.control", "data": {}}
    message = kernel.client.session.msg("comm_open", content)
    message["metadata"] = {"version": "1.0.0"}
    kernel.client.shell_channel.send(message)
    kernel.send_comm("control", {"method": "request_states"})
    answer = kernel.until(lambda m: m.type == "comm_msg" and m.content["data"].get("method") == "update_states")
    assert 7 in [model["state"].get("value") for model in answer.content["data"]["states"].values()]
    kernel.end()


def test_cells_queued_during_the_wait_run_after_it_in_order(kernel: Kernel) -> None:
    first = kernel.execute(WAIT)
    queued = [kernel.execute(f"order.append({number})") for number in range(3)]  # before the cell runs: Run All
    kernel.until(lambda m: m.type == "stream" and m.parent == first)
    queued += [kernel.execute(f"order.append({number})") for number in range(3, 6)]
    kernel.request("is_complete_request", {"code": "1"})
    kernel.click("one")
    queued += [kernel.execute(f"order.append({number})") for number in range(6, 9)]
    kernel.cell = first
    kernel.end()
    for cell in queued:
        assert kernel.reply(cell).content["status"] == "ok"
    assert kernel.run("print(order)") == "['setup', 'waited', 0, 1, 2, 3, 4, 5, 6, 7, 8]\n"
    replies = [m.parent for m in kernel.seen if m.type == "execute_reply" and m.parent in [first, *queued]]
    assert replies == [first, *queued]


@pytest.mark.slow
def test_a_completion_asked_for_during_the_wait_is_answered_after_it(kernel: Kernel) -> None:
    kernel.wait()
    request = kernel.request("complete_request", {"code": "kernel_wai", "cursor_pos": 10})
    kernel.click("one")
    assert not [m for m in kernel.seen if m.type == "complete_reply"]
    kernel.end()
    assert kernel.reply(request).content["status"] == "ok"


def test_an_interrupt_ends_the_wait_in_one_line_and_aborts_queued_cells(kernel: Kernel) -> None:
    kernel.wait()
    queued = [kernel.execute("order.append(1)"), kernel.execute("order.append(2)")]
    reply = kernel.is_interrupted()
    assert reply.content["traceback"] == ["KeyboardInterrupt: the cell was interrupted while it waited"]
    assert [kernel.reply(cell).content["status"] for cell in queued] == ["aborted", "aborted"]
    assert kernel.run("print(order)") == "['setup']\n"
    kernel.wait()  # the next wait hears clicks
    kernel.click("one")
    kernel.end()


def test_an_interrupt_is_a_keyboard_interrupt_for_the_caller(kernel: Kernel) -> None:
    kernel.wait(
        'print("waiting", flush=True)\n'
        "try:\n    waiter.wait(done)\nexcept KeyboardInterrupt as error:\n    print(type(error), done.cancel())"
    )
    kernel.click("one")
    kernel.interrupt()
    assert kernel.reply(kernel.cell).content["status"] == "ok"
    kernel.idle(kernel.cell)
    assert kernel.printed(kernel.cell).splitlines()[1] == "<class 'smolcell.notebook.wait.Interrupted'> True"


def test_an_interrupt_is_heard_in_a_cell_with_a_top_level_await(kernel: Kernel) -> None:
    kernel.wait(f"import asyncio; await asyncio.sleep(0)\n{WAIT}")
    kernel.is_interrupted()
    assert kernel.run("print(order)") == "['setup']\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no alarm; not run on Windows")
def test_what_the_callers_own_alarm_raises_comes_out_of_the_wait(kernel: Kernel) -> None:
    kernel.wait(
        "class Late(Exception): pass\n"
        "def ring(*_): raise Late\n"
        'print("waiting", flush=True); before = signal.signal(signal.SIGALRM, ring)\n'
        "try:\n    signal.setitimer(signal.ITIMER_REAL, 0.2)\n    waiter.wait(done)\n"
        'except Late:\n    print("late", signal.getsignal(signal.SIGALRM) is ring)\n'
        "finally:\n    signal.signal(signal.SIGALRM, before)"
    )
    kernel.idle(kernel.cell)
    assert kernel.printed(kernel.cell) == "waiting\nlate True\n"


def test_no_request_is_lost_when_interrupts_rain_on_a_wait(kernel: Kernel) -> None:
    """A message torn or dropped by a KeyboardInterrupt leaves a cell that never gets its reply."""
    kernel.run(
        "inside = False\n"
        "def interrupt(*_):\n"  # nowhere but in the wait: ipykernel itself does lose messages to an interrupt
        "    global inside\n"
        "    if inside:\n        inside = False\n        raise KeyboardInterrupt\n"
        "def stubborn():\n"
        "    global inside\n    interrupts = 0\n"
        "    before = signal.signal(signal.SIGINT, interrupt)\n"
        '    print("waiting", flush=True)\n'
        "    while not done.done():\n"
        "        try:\n            inside = True\n            waiter.wait(done)\n"
        "        except KeyboardInterrupt:\n            interrupts += 1\n"
        "    inside = False\n    signal.signal(signal.SIGINT, before)\n    print(interrupts)"
    )
    kernel.wait("stubborn()")
    cells: list[str] = []
    requests: list[str] = []
    for number in range(100):
        cells.append(kernel.execute(f"order.append({number})"))
        requests.append(kernel.send_comm(kernel.comm_id, "rain"))
        os.kill(kernel.manager.provisioner.pid, signal.SIGINT)  # type: ignore[union-attr]
        kernel.settle(0.004)
    kernel.click("done")
    for cell in cells:
        assert kernel.reply(cell).content["status"] in ("ok", "aborted")
    for request in requests:
        kernel.idle(request)
    assert int(kernel.printed(kernel.cell).split()[1]) > 0  # how many, is the machine's affair
    assert kernel.run("print(order)") == f"{['setup', *range(len(cells))]}\n"


@pytest.mark.slow
def test_the_kernel_is_busy_while_it_waits_also_after_a_control_message(kernel: Kernel) -> None:
    kernel.wait()
    for channel in ("control", "shell"):
        request = kernel.request("kernel_info_request", channel=channel)
        kernel.idle(request)
        after = len(kernel.seen)
        kernel.until(
            lambda m: m.type == "status" and m.parent == kernel.cell and m.content["execution_state"] == "busy",
            since=after,
        )
        assert kernel.state() == "busy"
    kernel.end()
    kernel.run("'over'")
    assert kernel.state() == "idle"


def test_posts_while_no_cell_waits_are_run_by_the_kernels_loop_and_can_use_comms(kernel: Kernel) -> None:
    kernel.run(
        "threading.Timer(0.2, waiter.post, [lambda: comm.send("
        '{"heard": "timer", "thread": threading.current_thread() is threading.main_thread()})]).start()'
    )
    heard = kernel.until(lambda m: m.type == "comm_msg" and m.content["data"].get("heard") == "timer")
    assert heard.content["data"]["thread"] is True


def test_output_after_a_click_still_belongs_to_the_cell(kernel: Kernel) -> None:
    kernel.run("def talk(): print('from the click')\ndef tool(): waiter.post(lambda: print('from the tool'))")
    kernel.wait()
    talk = kernel.click("talk")
    kernel.idle(talk.parent)
    assert kernel.printed(talk.parent) == "from the click\n"
    kernel.click("tool")
    kernel.click("done")
    kernel.idle(kernel.cell)
    assert kernel.printed(kernel.cell) == "waiting\nfrom the tool\nthe result\n"


def test_a_click_does_not_trigger_the_events_of_a_cell(kernel: Kernel) -> None:
    kernel.run(
        "events, note = get_ipython().events, lambda: order.append('post_execute')\n"
        "def plot(): events.register('post_execute', note)"  # as matplotlib does on first use
    )
    kernel.wait()
    kernel.click("plot")
    kernel.click("one")
    kernel.end()
    assert kernel.run("print(order); 'trigger' in vars(events)") == "['setup', 'waited', 'post_execute']\n"
    kernel.run("events.unregister('post_execute', note)")


def test_a_cell_that_waits_often_for_a_moment_hears_every_click_and_keeps_the_order_of_cells(
    kernel: Kernel,
) -> None:
    kernel.run(
        "def moments():\n"
        "    while not done.done():\n"
        "        moment = Future()\n        moment.set_result(None)\n"
        "        waiter.wait(moment)\n        time.sleep(0.002)\n"
        "    return done.result()\n"
    )
    kernel.wait('print("waiting", flush=True); print(moments()); order.append("waited")')
    cells = []
    for number in range(30):
        cells.append(kernel.execute(f"order.append({number})"))
        kernel.click(f"click {number}")
    kernel.end()
    for cell in cells:
        assert kernel.reply(cell).content["status"] == "ok"
    assert kernel.run("print(order)") == f"{['setup', 'waited', *range(30)]}\n"


def test_posts_in_a_kernel_that_has_not_run_a_cell_yet_can_use_comms(kernel: Kernel) -> None:
    """An extension that the kernel's configuration loads is made in no cell; with `--background` none waits either."""
    kernel.run(
        "from contextvars import Context\n"
        "bare = Context().run(KernelWaiter, get_ipython())\n"
        "threading.Timer(0.2, bare.post, [lambda: comm.send({'heard': 'bare'})]).start()"
    )
    kernel.until(lambda m: m.type == "comm_msg" and m.content["data"].get("heard") == "bare")


def test_a_wait_inside_a_posted_call_and_one_inside_a_click(kernel: Kernel) -> None:
    kernel.run(
        "inner = [Future(), Future()]\n"
        "def nest(number):\n    order.append(f'{number} in')\n"
        "    waiter.wait(inner[number])\n    order.append(f'{number} out')\n"
        "def post(): waiter.post(lambda: nest(0))\n"
        "def click(): nest(1)\n"
        "def free_0(): inner[0].set_result(None)\n"
        "def free_1(): inner[1].set_result(None)"
    )
    cell = kernel.wait()
    kernel.click("post")
    queued = kernel.execute("order.append('queued')")
    kernel.click("click")
    info = kernel.request("kernel_info_request")
    kernel.reply(info)
    kernel.click("free_1")
    kernel.click("free_0")
    kernel.end()
    assert kernel.reply(queued).content["status"] == "ok"
    printed = kernel.run("print(order)")
    assert printed == "['setup', '0 in', '1 in', '1 out', '0 out', 'waited', 'queued']\n"
    assert cell == kernel.cell


def test_a_message_with_a_wrong_signature_is_neither_obeyed_nor_fatal(kernel: Kernel) -> None:
    kernel.wait()
    session = kernel.client.session
    message = session.msg("comm_msg", {"comm_id": kernel.comm_id, "data": "done"})
    parts = session.serialize(message)
    parts[1] = b"0" * len(parts[1])
    kernel.client.shell_channel.socket.send_multipart(parts)
    kernel.client.shell_channel.socket.send_multipart([b"rubbish"])
    kernel.click("one")
    assert not [m for m in kernel.seen if m.type == "comm_msg" and m.content["data"]["heard"] == "done"]
    kernel.end()


def test_nothing_stays_behind(kernel: Kernel) -> None:
    look = (
        "import os, time; kernel = get_ipython().kernel\n"
        "def look():\n"
        "    return (threading.active_count(), kernel.shell_stream._recv_callback,\n"
        "            sorted(kernel.shell_handlers), [signal.getsignal(n) for n in signal.valid_signals()],\n"
        "            kernel.get_parent('shell')['header']['msg_id'], dict(waiter._busy), list(waiter._bells))\n"
        "before = look()\n"
        "files = lambda: len(os.listdir('/proc/self/fd')) if os.path.exists('/proc/self/fd') else 0\n"
        "for _ in range(50):\n"
        "    (timer := threading.Timer(0, (short := Future()).set_result, [1])).start(); waiter.wait(short); timer.join()\n"
        "opened = files()\n"
        'print("waiting", flush=True); print(waiter.wait(done)); after = look()\n'
        "end = time.monotonic() + 10  # another thread of the kernel may just have one open\n"
        "while files() > opened and time.monotonic() < end: time.sleep(0.05)\n"
        "assert files() <= opened, (opened, files())\n"
        "if before != after: print([pair for pair in zip(before, after) if pair[0] != pair[1]])"
    )
    kernel.run("print('warm')")
    kernel.wait(look)
    kernel.click("one")
    kernel.request("is_complete_request", {"code": "1"})
    kernel.end()


def test_a_kernel_that_is_built_differently_says_so_and_still_waits(kernel: Kernel) -> None:
    kernel.run(
        "class Other:\n    '''A shell of some other kernel.'''\n    kernel = None\n"
        "class Strange:\n    class kernel:\n        shell_stream = session = None\n"
        "reasons = supported(None), supported(Other()), supported(Strange())"
    )
    none, other, strange = kernel.run("print(*reasons, sep='\\n')").splitlines()
    assert (none, other) == ("there is no Jupyter kernel here", "there is no Jupyter kernel here")
    assert re.fullmatch("type has no shell channel", strange)
    kernel.run(
        "plain = KernelWaiter(Other()); threading.Timer(0.1, plain.post, [lambda: done.set_result(1)]).start()\n"
        "assert plain.wait(done) == 1"
    )


# --- front ends that send comms on subshells --------------------------------------------------------------------------


@on_subshells
def test_a_cell_in_a_subshell_hears_its_page_while_the_main_shell_works(kernel: Kernel) -> None:
    subshell = kernel.create_subshell()
    kernel.wait(subshell=subshell)
    kernel.click("one", subshell)
    assert kernel.run("print(order)") == "['setup']\n"
    queued = kernel.execute("order.append('queued')", subshell=subshell)
    kernel.click("done", subshell)
    assert kernel.reply(kernel.cell).content["status"] == "ok"
    assert kernel.reply(queued).content["status"] == "ok"
    assert kernel.run("print(order)") == "['setup', 'waited', 'queued']\n"
