"""What code may reach beyond its sandbox: nothing with the default imports; with every import, nothing that a wall keeps.

The rules this file exists to keep:

* The host decides whether something was reached: by a secret that comes back, a file that appears, a connection.
* Where a wall does not stand, reaching is no surprise, but then ``boundary()`` must say so: not isolated, the wall named.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from smolcell.events import Observed
from smolcell.protocols import FILES, NETWORK, Executor
from smolcell.testing.checks.check import check
from smolcell.testing.trial import Trial, expect, ok, that

READS = {  # with the default imports
    "open": "open({path!r}).read()",
    "open, relative": "open({relative!r}).read()",
    "open, bytes": "open({path!r}.encode(), 'rb').read()",
    "open, opener": "import json\njson.load(open({path!r}, opener=None))",
    "open, str subclass": "class P(str): pass\nopen(P({path!r})).read()",
    "open, path-like": "class P:\n    def __fspath__(self): return {path!r}\nopen(P()).read()",
}
READS_BY_LIBRARIES = {  # with every import
    "os": "import os\nos.read(os.open({path!r}, os.O_RDONLY), 999)",
    "io": "import io\nio.open({path!r}).read()",
    "pathlib": "import pathlib\npathlib.Path({path!r}).read_text()",
    "link": "import os\nos.symlink({path!r}, 'way')\nopen('way').read()",
    "copy": "import shutil\nshutil.copy({path!r}, 'mine')\nopen('mine').read()",
    "linecache": "import linecache\nlinecache.getlines({path!r})",
    "program": "import subprocess\nsubprocess.run(['cat', {path!r}], capture_output=True).stdout",
    "system": "import os\nos.system('cat ' + {path!r})",
    "the host's root": "import os\nos.read(os.open('/proc/{host}/root' + {path!r}, os.O_RDONLY), 999)",
    "C": "import ctypes\nlibc = ctypes.CDLL(None)\nb = ctypes.create_string_buffer(999)\n"
    "libc.read(libc.open({path!r}.encode(), 0), b, 999)\nb.value",
    "numpy": "import numpy\nnumpy.fromfile({path!r}, dtype='u1').tobytes()",
    "pandas": "import pandas\npandas.read_csv({path!r}).to_string()",
}
WRITES = {
    "open": "open({path!r}, 'w').write('x')",
    "open, relative": "open({relative!r}, 'w').write('x')",
}
WRITES_BY_LIBRARIES = {
    "os": "import os\nos.write(os.open({path!r}, os.O_WRONLY | os.O_CREAT), b'x')",
    "mkdir": "import os\nos.mkdir({path!r})",
    "pathlib": "import pathlib\npathlib.Path({path!r}).write_text('x')",
    "rename": "import os\nopen('mine', 'w').close()\nos.rename('mine', {path!r})",
    "program": "import subprocess\nsubprocess.run(['touch', {path!r}])",
    "numpy": "import numpy\nnumpy.zeros(3).tofile({path!r})",
}
CONNECTS = {
    "asyncio": "import asyncio\nawait asyncio.open_connection('127.0.0.1', {port})",
    "asyncio's loop": "import asyncio\nawait asyncio.get_running_loop().create_connection(asyncio.Protocol, '127.0.0.1', {port})",
}
CONNECTS_BY_LIBRARIES = {
    "socket": "import socket\nsocket.create_connection(('127.0.0.1', {port}), 2).sendall(b'x')",
    "a raw socket": "import _socket\n_socket.socket().connect(('127.0.0.1', {port}))",
    "asyncio.streams": "import asyncio.streams\nawait asyncio.streams.open_connection('127.0.0.1', {port})",
    "urllib": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:{port}/', timeout=2)",
    "http": "import http.client\nhttp.client.HTTPConnection('127.0.0.1', {port}, timeout=2).request('GET', '/')",
    "pandas": "import pandas\npandas.read_csv('http://127.0.0.1:{port}/')",
    "program": "import subprocess\nsubprocess.run(['bash', '-c', 'echo x > /dev/tcp/127.0.0.1/{port}'])",
    "datagram": "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', ('127.0.0.1', {port}))",
}
ENVIRONMENT = {
    "os.environ": "import os\ndict(os.environ)",
    "os.environb": "import os\ndict(os.environb)",
    "a program": "import subprocess\nsubprocess.run(['env'], capture_output=True).stdout",
    "its parent": "import os\nos.read(os.open('/proc/%d/environ' % os.getppid(), os.O_RDONLY), 99999)",
    "itself": "import os\nos.read(os.open('/proc/self/environ', os.O_RDONLY), 99999)",
    "C": "import ctypes\nctypes.CDLL(None).getenv.restype = ctypes.c_char_p\nctypes.CDLL(None).getenv(b'{variable}')",
}


def everything(observed: Observed) -> str:
    """All that a step gave back."""
    return repr((observed.output, observed.result, observed.stdout, observed.error, observed.outputs))


def judge(executor: Executor, wall: str, reached: list[str]) -> str:
    """What is to be said of ways that reached the host: the boundary must have said it before.

    Raises:
        Broken: the wall is said to stand.
    """
    boundary = executor.boundary()
    named = {each.name: each.stands for each in boundary.walls}
    that(wall in named, f"the boundary does not name the wall {wall!r}; it names: {', '.join(named) or 'none'}")
    if named[wall]:
        expect(reached, [], f"the wall {wall!r} is said to stand; ways that went past it")
        return f"the wall {wall!r} stands: of every way, none went past it"
    that(not boundary.isolated, f"the wall {wall!r} is said to be missing, and the sandbox to be isolated")
    return f"the wall {wall!r} is said to be missing; past it: {', '.join(reached) or 'no way that was tried'}"


def sandboxes(trial: Trial) -> tuple[Executor, Executor]:
    """One with the default imports, one with every import."""
    return trial.given(), trial.given(additional_authorized_imports=["*"])


@check
async def host_files_read(trial: Trial) -> str:
    """Code does not read files of the host: not with the default imports, and with every import not past a wall that stands."""
    plain, every = sandboxes(trial)
    secret = f"canary-{secrets.token_hex(8)}"
    with _folder() as folder:
        path = folder / "secret.txt"
        path.write_text(secret)
        words = {"path": str(path), "relative": _relative(path), "host": os.getpid()}
        reached: dict[Executor, list[str]] = {plain: [], every: []}
        for executor, ways in ((plain, READS), (every, {**READS, **READS_BY_LIBRARIES})):
            for name, code in ways.items():
                if secret in everything(await trial.run(_filled(code, words), executor)).replace("', '", ""):
                    reached[executor].append(name)
    expect(reached[plain], [], "ways to read a file of the host with the default imports")
    return judge(every, FILES, reached[every])


@check
async def host_files_written(trial: Trial) -> str:
    """Code does not write files of the host: not with the default imports, and with every import not past a wall that stands."""
    plain, every = sandboxes(trial)
    reached: dict[Executor, list[str]] = {plain: [], every: []}
    with _folder() as folder:
        for executor, ways in ((plain, WRITES), (every, {**WRITES, **WRITES_BY_LIBRARIES})):
            for number, (name, code) in enumerate(ways.items()):
                path = folder / f"new{number}"
                await trial.run(_filled(code, {"path": str(path), "relative": _relative(path)}), executor)
                if any(folder.iterdir()):
                    reached[executor].append(name)
                for made in folder.iterdir():
                    made.rmdir() if made.is_dir() else made.unlink()
    expect(reached[plain], [], "ways to write a file of the host with the default imports")
    return judge(every, FILES, reached[every])


@check
async def work_folder(trial: Trial) -> None:
    """Files that code writes are in a work folder of its own: there in the next step, not in the host's, gone at the end."""
    executor = trial.fresh(additional_authorized_imports=["os"])
    name = f"note-{secrets.token_hex(8)}.txt"
    ok(await trial.run(f"with open({name!r}, 'w') as file: file.write('hello')", executor))
    expect(ok(await trial.run(f"open({name!r}).read()", executor)).output, "hello", "what the next step reads")
    that(name not in os.listdir(), "the file is in the host's working folder")  # noqa: PTH208
    observed = await trial.run("import os\nos.path.realpath('.')", executor)
    here = Path(observed.output) / name if isinstance(observed.output, str) else None
    if here is not None and here.exists():  # a folder of this machine
        that(
            here.parent.stat().st_mode & 0o077 == 0 or here.parents[1].stat().st_mode & 0o077 == 0,
            f"others may enter {here.parent}",
        )
        await trial.close(executor)
        await trial.eventually(lambda: not here.exists(), f"{here} is gone after closing")


@check
async def network(trial: Trial) -> str:
    """Code opens no connection: not with the default imports, and with every import not past a wall that stands."""
    plain, every = sandboxes(trial)
    reached: dict[Executor, list[str]] = {plain: [], every: []}
    with _Listener() as listener:
        for executor, ways in ((plain, CONNECTS), (every, {**CONNECTS, **CONNECTS_BY_LIBRARIES})):
            for name, code in ways.items():
                before = listener.heard()
                await trial.run(_filled(code, {"port": listener.port}), executor)
                if listener.heard() > before:
                    reached[executor].append(name)
    expect(reached[plain], [], "ways to a service of the host with the default imports")
    return judge(every, NETWORK, reached[every])


@check
async def host_environment(trial: Trial) -> None:
    """No variable of the host's environment is in the sandbox, whatever the code imports."""
    name, secret = f"SMOLCELL_CANARY_{secrets.token_hex(4).upper()}_API_KEY", f"canary-{secrets.token_hex(8)}"
    os.environ[name] = secret
    try:
        executor = trial.fresh(additional_authorized_imports=["*"])
        for way, code in ENVIRONMENT.items():
            found = everything(await trial.run(_filled(code, {"variable": name}), executor))
            that(secret not in found, f"a variable of the host's environment is in the sandbox, by {way}")
    finally:
        del os.environ[name]


@check
async def boundary(trial: Trial) -> None:
    """``boundary()`` names the sandbox, its limits and imports, and both walls that "isolated" means."""
    executor = trial.fresh(timeout=7, additional_authorized_imports=["csv"])
    for _ in range(2):  # before it is open, and after
        told = executor.boundary()
        that(told.sandbox and told.where, f"it does not say what it is, or where code runs: {told}")
        that("csv" in told.imports and "math" in told.imports, f"it does not name the imports: {told.imports}")
        that(7 in told.limits.values(), f"it does not name the time limit: {dict(told.limits)}")
        stands = {wall.name: wall.stands for wall in told.walls}
        for wall in (FILES, NETWORK):
            that(
                wall in stands,
                f"it does not say whether the wall {wall!r} stands; it names: {', '.join(stands) or 'none'}",
            )
            that(stands[wall] or not told.isolated, f"it says isolated, and that the wall {wall!r} does not stand")
        await executor.open()


# --- canaries -----------------------------------------------------------------------------------------------------------


def _filled(code: str, words: dict[str, object]) -> str:
    """The code with its words in place; other braces are its own."""
    for name, value in words.items():
        code = code.replace("{" + name + "!r}", repr(value)).replace("{" + name + "}", str(value))
    return code


def _relative(path: Path) -> str:
    return "../" * 30 + str(path).lstrip("/")


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="host-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Listener:
    """A service of the host, which counts who speaks to it."""

    def __init__(self) -> None:
        self._stream = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._stream.getsockname()[1])
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", self.port))
        self._datagrams.setblocking(False)
        self._count = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            while True:
                connection, _ = self._stream.accept()
                self._count += 1
                connection.settimeout(1)
                with connection:
                    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\na,b\n1,2\n")
        except OSError:
            pass  # closed

    def heard(self) -> int:
        """How often somebody spoke to it."""
        try:
            while self._datagrams.recv(100):
                self._count += 1
        except BlockingIOError:
            pass
        return self._count

    def __enter__(self) -> _Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.shutdown(socket.SHUT_RDWR)
        self._stream.close()
        self._datagrams.close()
        self._thread.join(2)
