"""``asyncio``: tasks, queues and locks, and no way to a loop, a process or a socket."""

from __future__ import annotations

from typing import Any

import pytest
from guarded import Session, refused


@pytest.mark.parametrize(
    "name",
    [
        *("get_event_loop_policy", "Runner", "to_thread"),
        *(
            "SubprocessProtocol",
            "Protocol",
            "AbstractEventLoop",
            "SelectorEventLoop",
            "_get_running_loop",
            "StreamReader",
        ),
        *(
            "create_subprocess_shell",
            "open_connection",
            "start_server",
            "run_coroutine_threadsafe",
            "_set_running_loop",
        ),
    ],
)
def test_asyncio_hands_out_no_loop_and_no_process(name: str) -> None:
    assert refused(f"import asyncio\nasyncio.{name}").startswith("Forbidden access to ")
    assert refused(f"from asyncio import {name}").startswith("Forbidden access to ")
    assert refused(f"import asyncio\ngetattr(asyncio, '{name}')").startswith("Forbidden access to ")


@pytest.mark.parametrize(
    "code",
    [
        "import asyncio\nasync def m(): asyncio.current_task().get_loop()\nasyncio.run(m())",
        "import asyncio\nasyncio.Queue()._get_loop()",
        "import asyncio\nasyncio.Lock()._loop",
        "import asyncio\nasync def m(): getattr(asyncio.current_task(), '_lo' + 'op')\nasyncio.run(m())",
        "import operator\noperator.methodcaller('subprocess_' + 'shell', object, 'id')",
        "import asyncio\ngot = []\nclass Q(asyncio.Queue):\n    def __setattr__(self, name, value):\n        got.append(value)\n"
        "        object.__setattr__(self, name, value)\nasync def m():\n    got[-1].create_connection(None, '127.0.0.1', 9)\n"
        "asyncio.run(m())",
        "match 1:\n    case object(get_loop=g): pass",
        "import asyncio\nasyncio.new_event_loop().run_in_executor",
        "import asyncio\nasyncio.new_event_loop().call_soon(print)._loop",
        "import asyncio\nasyncio.new_event_loop().create_future().get_loop()",
        "import asyncio\nclass _loop: _loop = 1\nasync def m(): return asyncio.current_task()._loop\nasyncio.run(m())",
    ],
)
def test_no_object_of_asyncio_leads_to_what_a_loop_can_do(code: str) -> None:
    assert refused(code).startswith("Forbidden access to ")


@pytest.mark.parametrize(
    ("code", "output"),
    [
        (
            "async def f(n):\n    await asyncio.sleep(0)\n    return n\nasync def m(): return await asyncio.gather(f(1), f(2))",
            [1, 2],
        ),
        (
            "async def m():\n    q = asyncio.Queue()\n    async def put():\n        for n in range(3): await q.put(n)\n"
            "    t = asyncio.create_task(put())\n    await t\n    return [q.get_nowait() for _ in range(q.qsize())]",
            [0, 1, 2],
        ),
        (
            "async def m():\n    lock = asyncio.Lock()\n    async with lock:\n        try:\n"
            "            await asyncio.wait_for(asyncio.sleep(9), 0.01)\n        except asyncio.TimeoutError:\n            return 'late'",
            "late",
        ),
        (
            "async def one(): return 1\nasync def m():\n    done, _ = await asyncio.wait([asyncio.ensure_future(one())], "
            "return_when=asyncio.FIRST_COMPLETED)\n    return [t.result() for t in done]",
            [1],
        ),
        (
            "async def one(): return 1\nasync def m():\n    async with asyncio.TaskGroup() as g: t = g.create_task(one())\n"
            "    async with asyncio.timeout(1): return t.result()",
            1,
        ),
    ],
)
def test_programs_with_asyncio_work(code: str, output: Any) -> None:
    assert Session().run(f"import asyncio\n{code}\nasyncio.run(m())") == output
