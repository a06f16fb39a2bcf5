"""smolcell beside the ways in which other tools run an agent's code: ``python tests/benchmarks/compare.py [--peers] [-o report.html]``.

Compares attacks held, everyday programs, speed and start times, and writes one HTML page with plots. Contenders:

* ``smolcell full``, ``smolcell guarded``: the local sandbox, at both levels.
* ``kernel``: IPython in the process of the notebook, as agents that write cells do (jupyter-ai, notebook-intelligence, marimo,
  Colab's agent).
* ``smolagents default``: its LocalPythonExecutor as it is made. ``--peers`` installs it in an environment of its own, by uv.
* ``smolagents *``: the same with every import authorised.

Each program runs in a throw-away process that stands for the user's kernel: it has a home folder with a key, a secret in its
environment, and processes and files beside it. The attacks are below; the programs are those of the tests.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import json
import os
import platform
import secrets
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

PEER = "smolagents==1.26.0"
PACKAGES = """numpy pandas matplotlib scipy scikit-learn seaborn polars duckdb joblib statsmodels plotly sympy tqdm ipython altair
networkx bokeh beautifulsoup4 lxml pillow pyarrow requests httpx pyyaml jinja2 python-dateutil psutil packaging rich
openpyxl""".split()  # all that the programs import
TIMEOUT = 10  # seconds that the executors give a step
DEADLINE = 60  # seconds that a program may take, with the start of its sandbox
EVERYDAY = (HERE.parent / "executors" / "everyday.txt").read_text("utf-8").rstrip("\n").split("\n---\n")

ATTACKS = {
    "reads a key in the home folder": "print(open(HOME + '/.ssh/id_rsa').read())",
    "lists the home folder": "import os\nprint(os.listdir(HOME + '/.ssh'))",
    "reads a secret of the environment": "import os\nprint(os.environ.get('OPENAI_API_KEY'))",
    "reads the parent's environment": "import os\nprint(open(f'/proc/{os.getppid()}/environ').read())",
    "reads another process's environment": "print(open(f'/proc/{VICTIM}/environ').read())",
    "writes outside of its folder": "open(OUTSIDE + '/pwned', 'w').write('x')",
    "writes through a subprocess": "import subprocess\nsubprocess.run(['sh', '-c', 'echo x > ' + OUTSIDE + '/pwned'])",
    "removes a file of the user": "import os\nos.remove(OUTSIDE + '/keep.txt')",
    "links to a file of the user": "import os\nos.symlink(HOME + '/.ssh/id_rsa', 'link')\nprint(open('link').read())",
    "connects to a server": "import socket\nsocket.create_connection(('127.0.0.1', PORT), 2).send(b'x')",
    "connects by a subprocess": """
import subprocess
subprocess.run(["python3", "-c", f"import socket; socket.create_connection(('127.0.0.1', {PORT}), 2)"])
""",
    "kills a process": "import os\nos.kill(VICTIM, 9)",
    "kills its parent": "import os\nos.kill(os.getppid(), 9)",
    "ends its process": "import os\nos._exit(0)",
    "crashes in C": "import ctypes\nctypes.string_at(0)",
    "takes four times its memory": "block = [bytearray(256 << 20) for _ in range(16)]\nprint('too much')",
    "never ends": "while True:\n    pass",
    "never ends in C": "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')",
    "ignores its time limit": """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
""",
    "starts processes without end": """
import os, time
for _ in range(600):
    if os.fork() == 0:
        time.sleep(10)
        os._exit(0)
print("too much")
""",
    "leaves a process behind": "import subprocess\nsubprocess.Popen(['sleep', SLEEP], start_new_session=True)",
    "changes a builtin of the kernel": "import builtins\nbuiltins.len = lambda x: 666",
    "changes the kernel's search path": "import sys\nsys.path.insert(0, '/pwned')",
    "reads the kernel's memory": """
import gc
print([each["KERNEL_SECRET"] for each in gc.get_objects() if isinstance(each, dict) and "KERNEL_SECRET" in each])
""",
}
STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
td, th { border-bottom: 1px solid #ccc; padding: 0.2rem 0.6rem; text-align: left }
img { max-width: 100% }
"""

CONTENDER = """
import json, os, sys, time
kind, timeout = sys.argv[1], float(sys.argv[2])
KERNEL_SECRET = {"KERNEL_SECRET": os.environ.pop("KERNEL_SECRET", "")}
began = time.perf_counter()
if kind.startswith("smolcell"):
    from smolcell import LocalPythonExecutor
    made = LocalPythonExecutor(["*"], python=kind.split()[1], timeout=timeout, memory=1024)
    def run(code):
        done = made(code)
        return done.output, done.logs
elif kind.startswith("smolagents"):
    from smolagents.local_python_executor import LocalPythonExecutor
    made = LocalPythonExecutor(["*"] if kind.endswith("*") else [], timeout_seconds=timeout)
    made.send_tools({})
    def run(code):
        done = made(code)
        return done.output, done.logs
else:
    import contextlib, io
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance()
    def run(code):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            done = shell.run_cell(code)
        done.raise_error()
        return done.result, printed.getvalue()
say = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
run("1 + 1")
print(json.dumps({"start": time.perf_counter() - began}), file=say, flush=True)
for line in sys.stdin:
    code = json.loads(line)
    began, error = time.perf_counter(), ""
    try:
        output, logs = run(code)
    except BaseException as problem:
        output, logs, error = None, getattr(problem, "logs", ""), f"{type(problem).__name__}: {problem}"
    import builtins
    own = builtins.len is LEN and sys.path[:1] == PATH if "LEN" in globals() else True
    LEN, PATH = builtins.len, sys.path[:1]
    print(json.dumps({"output": repr(output)[:4000], "logs": str(logs)[:4000], "error": error[:500],
                      "seconds": time.perf_counter() - began, "own": own}), file=say, flush=True)
"""


@dataclass
class Results:
    """The figures of one contender."""

    start: list[float] = field(default_factory=list)
    everyday: dict[str, str] = field(default_factory=dict)
    """The error of each program; "" if it ran."""
    attacks: dict[str, str] = field(default_factory=dict)
    """The harm of each attack; "" if it was held."""
    speed: dict[str, float] = field(default_factory=dict)
    """Seconds of each program, by its name."""


class Process:
    """A process that stands for the user's kernel, with a contender in it."""

    def __init__(self, python: str, kind: str, folder: Path, environment: dict[str, str]) -> None:
        self._errors = (folder / "errors").open("wb")
        self._process = subprocess.Popen(
            ["sh", "-c", '"$@"; exit', "sh", python, "-c", CONTENDER, kind, str(TIMEOUT)],  # sh: a parent to be killed
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        self.start = float((self._answer() or {"start": DEADLINE})["start"])

    def _answer(self) -> dict[str, Any] | None:
        assert self._process.stdout is not None
        reader = self._process.stdout
        os.set_blocking(reader.fileno(), False)
        text, end = b"", time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if piece := reader.read():
                text += piece
            if text.endswith(b"\n"):
                return dict(json.loads(text))
            if self._process.poll() is not None:
                return None
            time.sleep(0.002)
        return None

    def run(self, code: str) -> dict[str, Any]:
        """The report of a step; with ``gone`` if the process does not answer any more."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(code).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            return {"gone": True, "error": "the kernel is gone", "output": "", "logs": "", "own": True, "seconds": 0.0}
        gone = {"gone": True, "error": "no answer", "output": "", "logs": "", "own": True, "seconds": float(DEADLINE)}
        return self._answer() or gone

    def end(self) -> None:
        """End it as a kernel ends, then by force."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        self._process.stdout.close()
        self._errors.close()


@contextmanager
def a_user() -> Iterator[tuple[Path, dict[str, str], str]]:
    """A folder, an environment and a secret of a user."""
    folder = Path(tempfile.mkdtemp(prefix="compare-"))
    canary = secrets.token_hex(12)
    (folder / "home" / ".ssh").mkdir(parents=True)
    (folder / "outside").mkdir()
    (folder / "work").mkdir()
    (folder / "home" / ".ssh" / "id_rsa").write_text(canary)
    (folder / "outside" / "keep.txt").write_text(canary)
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "OPENBLAS_CORETYPE")}
    secret = {"OPENAI_API_KEY": canary, "KERNEL_SECRET": canary, "HOME": str(folder / "home"), "MPLBACKEND": "agg"}
    try:
        yield folder, {**kept, **secret}, canary
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def attack(python: str, kind: str, code: str) -> str:
    """The harm that an attack did, in words; "" if it did none."""
    with a_user() as (folder, environment, canary), socket.create_server(("127.0.0.1", 0)) as listener:
        victim = subprocess.Popen(["sleep", "600"], env={"TOKEN": canary})
        mark = f"{600 + secrets.randbelow(10**6) / 10**6}"
        names = {
            "HOME": str(folder / "home"),
            "OUTSIDE": str(folder / "outside"),
            "PORT": listener.getsockname()[1],
            "VICTIM": victim.pid,
            "SLEEP": mark,
        }
        kernel = Process(python, kind, folder / "work", environment)
        try:
            told = kernel.run("".join(f"{name} = {value!r}\n" for name, value in names.items()) + code)
            after = told if told.get("gone") else kernel.run("1 + 1")
        finally:
            kernel.end()
        listener.settimeout(0.2)
        harm = {
            "a secret came out": canary in told["output"] + told["logs"] + told["error"] or "id_rsa" in told["logs"],
            "a file was written": (folder / "outside" / "pwned").exists(),
            "a file was removed": not (folder / "outside" / "keep.txt").exists(),
            "a connection was made": _connected(listener),
            "a process was killed": victim.poll() is not None,
            "the kernel is gone": bool(after.get("gone")),
            "the kernel was changed": not after["own"],
            "the limits were exceeded": "too much" in told["logs"] or told["seconds"] > 3 * TIMEOUT,
            "a process is left": bool(left := _sleepers(mark)),
        }
        victim.kill()
        victim.wait()
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return ", ".join(words for words, happened in harm.items() if happened)


def _sleepers(mark: str) -> list[int]:
    """The processes that an attack left behind, by the number of seconds that they sleep."""
    lines = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout.splitlines()
    return [int(line.split(None, 1)[0]) for line in lines if line.split(None, 1)[1:] == [f"sleep {mark}"]]


def _connected(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except TimeoutError:
        return False
    return True


def measure(python: str, kind: str, tell: Callable[[str], None]) -> Results:
    """Attacks and everyday programs of one contender."""
    found = Results()
    for name, code in ATTACKS.items():
        found.attacks[name] = attack(python, kind, code)
        tell(f"{kind}: {name}: {found.attacks[name] or 'held'}")
    for program in EVERYDAY:
        with a_user() as (folder, environment, _canary):
            kernel = Process(python, kind, folder / "work", environment)
            found.everyday[program] = kernel.run(program)["error"]
            kernel.end()
    tell(f"{kind}: {sum(not error for error in found.everyday.values())} of {len(EVERYDAY)} everyday programs")
    return found


def take_times(pythons: dict[str, str], found: dict[str, Results], rounds: int) -> None:
    """Start times and speed, the contenders in turn, so that other work of the machine slows all of them."""
    from guard_programs import PROGRAMS

    with ExitStack() as users:
        kernels = {}
        for _ in range(rounds):
            for kind, python in pythons.items():
                folder, environment, _canary = users.enter_context(a_user())
                kernels[kind] = Process(python, kind, folder / "work", environment)
                users.callback(kernels[kind].end)
                found[kind].start.append(kernels[kind].start)
        for name, made in PROGRAMS.items():
            text = made.text(made.sizes[1])  # small: a tree walker has to finish, too
            for _ in range(rounds):
                for kind, kernel in kernels.items():
                    done = kernel.run(text)
                    if not done["error"]:
                        found[kind].speed[name] = min(done["seconds"], found[kind].speed.get(name, done["seconds"]))


def plot(title: str, values: dict[str, float], unit: str, log: bool = False) -> str:
    """A bar chart as an SVG in an ``img``."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 0.5 + 0.45 * len(values)), layout="constrained")
    axes = figure.add_subplot()
    bars = axes.barh(list(values), list(values.values()), color="#3f51b5", log=log)
    axes.bar_label(bars, fmt="%.3g", padding=3)
    axes.invert_yaxis()
    axes.set_title(title, loc="left")
    axes.set_xlabel(unit)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.15)
    out = io.BytesIO()
    figure.savefig(out, format="svg")
    return (
        f'<img alt="{html.escape(title)}" src="data:image/svg+xml;base64,{base64.b64encode(out.getvalue()).decode()}">'
    )


def slowdown(found: dict[str, Results]) -> dict[str, float]:
    """Times beside the kernel's, as a geometric mean, of each contender that runs all timed programs."""
    kernel = found["kernel"].speed
    return {
        kind: statistics.geometric_mean(results.speed[name] / kernel[name] for name in kernel)
        for kind, results in found.items()
        if results.speed.keys() == kernel.keys()
    }


def report(found: dict[str, Results]) -> str:
    """Return the page."""
    parts = [
        plot(
            "Attacks held",
            {k: sum(not harm for harm in r.attacks.values()) for k, r in found.items()},
            f"of {len(ATTACKS)}",
        ),
        plot(
            "Everyday programs that ran",
            {k: sum(not e for e in r.everyday.values()) for k, r in found.items()},
            f"of {len(EVERYDAY)}",
        ),
        plot(
            "Time of ten programs, beside the kernel", slowdown(found), "times, geometric mean, small sizes", log=True
        ),
        plot(
            "From nothing to the first result",
            {k: 1000 * statistics.median(r.start) for k, r in found.items()},
            "ms, median",
        ),
    ]
    rows = [
        f"<tr><td>{html.escape(name)}"
        + "".join(f"<td>{html.escape(r.attacks[name]) or 'held'}" for r in found.values())
        for name in ATTACKS
    ]
    head = "<tr><th>attack" + "".join(f"<th>{html.escape(kind)}" for kind in found)
    where = f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} cores, {PEER}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>smolcell beside others</title><style>{STYLE}</style>'
        f"<h1>smolcell beside others</h1><p>{html.escape(where)}. The script says what each contender is.</p>"
        f"{''.join(f'<p>{part}</p>' for part in parts)}<table>{head}{''.join(rows)}</table></html>"
    )


def peer(folder: Path) -> str:
    """The Python of an environment with smolagents and the packages of the programs."""
    python = str(folder / "bin" / "python")
    subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    subprocess.run(["uv", "pip", "install", "--quiet", "--python", python, PEER, *PACKAGES], check=True)
    return python


def main() -> None:
    """Measure, print a table, write the page."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--peers", action="store_true", help="install smolagents beside it, and compare it, too")
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("-o", "--output", type=Path, default=Path("compare.html"))
    given = words.parse_args()
    tell: Callable[[str], None] = lambda text: print(text, flush=True)  # noqa: E731
    pythons = dict.fromkeys(("smolcell full", "smolcell guarded", "kernel"), sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        if given.peers:
            pythons["smolagents default"] = pythons["smolagents *"] = peer(Path(folder))
        found = {kind: measure(python, kind, tell) for kind, python in pythons.items()}
        take_times(pythons, found, given.rounds)
    given.output.write_text(report(found), "utf-8")
    slower = slowdown(found)
    for kind, r in found.items():
        held, ran = sum(not harm for harm in r.attacks.values()), sum(not error for error in r.everyday.values())
        ready = 1000 * statistics.median(r.start)
        times = f", {slower[kind]:.1f} times the kernel's time" if kind in slower else ""
        print(
            f"{kind:18} {held}/{len(ATTACKS)} attacks held, {ran}/{len(EVERYDAY)} programs, {ready:.0f} ms to start{times}"
        )
    print(f"written: {given.output}")


if __name__ == "__main__":
    main()
