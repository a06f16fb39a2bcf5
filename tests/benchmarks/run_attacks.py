"""Attacks on a sandbox, from a file: ``python tests/benchmarks/run_attacks.py FILE``; ``--help`` lists the options.

FILE holds one JSON object a line: ``id``, ``category``, ``code`` with placeholders such as @@PWN@@, ``checks`` as
``{"t": name, …}``, ``imports`` that are authorised (``guarded``), ``followup`` code. Each attack has a process of its own, which
stands for the user's kernel: it holds secrets in its environment, its files and the functions it lends. Prints what was not held;
the exit code says whether anything was not. Checks of kind ``hook`` are meant for the parser and the views, run no code, and are
left out.
"""

from __future__ import annotations

import argparse
import base64
import builtins
import codecs
import collections
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "executors"))

from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.system import processes

Json = dict[str, Any]
STEP = 5  # seconds that a step may take whose end is timed
PATIENT_STEP = 60  # seconds of the others
DEADLINE = 120  # seconds that an attack may take, with the start of its sandbox


class Reduced(LocalPythonExecutor):
    """The local sandbox of a system without namespaces."""

    def _options(self) -> Json:
        options = super()._options()
        return {**options, "jail": {**options["jail"], "without": ["namespaces"]}}


def create(sandbox: str, level: str, imports: list[str], timeout: int) -> Any:
    kind: Any = {"local": LocalPythonExecutor, "reduced": Reduced}.get(sandbox)
    if kind is None:
        from engines import DockerInTests as kind
    return kind([] if level == "full" else imports, python=level, timeout=timeout, memory=1024)


class Host:
    """What an attack is after: secrets, files, a listener, a process, and the state of this one."""

    def __init__(self, folder: Path) -> None:
        self.canary = canary = secrets.token_hex(12)
        home, outside = folder / "home", folder / "outside"
        (home / ".ssh").mkdir(parents=True)
        outside.mkdir()
        for path in (home / ".ssh" / "id_rsa", home / ".netrc", home / ".env", folder / "secret", outside / "keep.txt"):
            path.write_text(canary)
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", port))
        self.victim = subprocess.Popen(["sleep", "600"], env={})
        os.environ.update(
            dict.fromkeys(("HF_TOKEN", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY"), canary), HOME=str(home)
        )
        self.places = {
            "@@PWN@@": str(folder / "pwned"),
            "@@SECRET@@": str(folder / "secret"),
            "@@HOME@@": str(home),
            "@@OUTSIDE@@": str(outside),
            "@@PORT@@": str(port),
            "@@VICTIM@@": str(self.victim.pid),
            "@@HOSTPID@@": str(os.getpid()),
        }
        self.tools = {"lookup": lookup}
        lookup.__globals__["TOOL_SECRET"] = canary
        self.state = ""

    def fill(self, text: str) -> str:
        for name, value in self.places.items():
            text = text.replace(name, value)
        return text

    def fingerprint(self) -> str:
        hooks = (sys.meta_path, sys.path, sys.stdout, sys.excepthook, signal.getsignal(signal.SIGINT), self.tools)
        return repr([sorted((name, id(value)) for name, value in vars(builtins).items()), dict(os.environ), hooks])

    def connections(self) -> list[Any]:
        return select.select([self.listener, self.datagrams], [], [], 0)[0]

    def told(self, text: str) -> bool:
        """Whether the secret is in a text, in one of the ways to hide it."""
        canary = self.canary
        raw = canary.encode()
        ways = [canary, canary[::-1], raw.hex(), " ".join(canary), codecs.encode(canary, "rot13"), str(list(raw))[1:-1]]
        ways += [base64.b64encode(raw).decode().rstrip("="), base64.b85encode(raw).decode(), canary.upper()]
        return any(way in text for way in ways)


def lookup(query: str) -> str:
    """A function that is lent."""
    return f"found {query}"


class Attack:
    """One attack, carried out.

    Attributes:
        failed: what was not held, in words.
    """

    def __init__(self, case: Json, sandbox: str, level: str, folder: Path) -> None:
        self.case, self.sandbox, self.host = case, sandbox, Host(folder)
        self.failed: list[str] = []
        imports = [*case["imports"], *case.get("needs", ())]
        timed = any("within" in check for check in case["checks"])
        imports = [name if "*" in name else f"{name}.*" for name in imports]
        self.executor = create(sandbox, level, imports, STEP if timed else PATIENT_STEP)
        self.executor.send_tools(self.host.tools)
        self.work = self.executor("import os; os.getcwd()" if level == "full" else "'.'").output
        self.host.places["@@WORK@@"] = self.work
        self.token = getattr(self.executor._channel, "_token", "")
        self.host.state = self.host.fingerprint()
        began = time.monotonic()
        self.result, self.printed, self.error = self.step(self.host.fill(case["code"]))
        self.took = time.monotonic() - began
        for code in case.get("followup", ()):
            self.printed += "".join(self.step(self.host.fill(code)))
        time.sleep(case.get("linger", 0))
        for check in sorted(case["checks"], key=lambda check: check["t"] in ("close", "no_leftover")):
            if not CHECKS[check["t"]](self, check):
                self.failed.append(f"{check}")
        self.executor.close()
        self.host.victim.kill()

    def step(self, code: str) -> tuple[str, str, str]:
        """The result, the output, the error of a step."""
        try:
            done = self.executor(code)
        except Exception as error:
            return "", str(getattr(error, "logs", "")), f"{type(error).__name__}: {error}"
        return str(done.output), str(done.logs), ""

    @property
    def text(self) -> str:
        return f"{self.result}\n{self.printed}\n{self.error}"

    def alive(self) -> bool:
        return self.executor("41 + 1").output == 42 and subprocess.run(["true"], check=False).returncode == 0

    def close(self, within: float) -> bool:
        began = time.monotonic()
        self.executor.close()
        return time.monotonic() - began <= within

    def leftovers(self) -> list[str]:
        """Processes of the sandbox, after its end."""
        self.executor.close()
        found = []
        for path in Path("/proc").glob("[0-9]*/environ") if self.token else ():
            try:
                found += [str(path)] if f"{processes.TOKEN}={self.token}".encode() in path.read_bytes() else []
            except OSError:
                pass
        return found

    def folder(self) -> tuple[int, int]:
        """Bytes and files of the work folder, as the sandbox sees it."""
        code = f"""
import os
sizes = [os.lstat(os.path.join(at, name)).st_size for at, _, names in os.walk({self.work!r}) for name in names]
[sum(sizes), len(sizes)]
"""
        size, count = self.executor(code).output
        return size, count


CHECKS: dict[str, Callable[[Attack, Json], bool]] = {
    "alive": lambda attack, check: attack.alive(),
    "no_file": lambda attack, check: not os.path.lexists(attack.host.fill(check["path"])),
    "file_intact": lambda attack, check: Path(attack.host.fill(check["path"])).read_text() == attack.host.canary,
    "no_canary": lambda attack, check: not attack.host.told(attack.text),
    "no_text": lambda attack, check: check["value"] not in attack.text,
    "no_text_result": lambda attack, check: check["value"] not in attack.result,
    "expect": lambda attack, check: check["value"] in attack.text and not attack.error,
    "integrity": lambda attack, check: attack.host.fingerprint() == attack.host.state,
    "no_connect": lambda attack, check: not attack.host.connections(),
    "victim_alive": lambda attack, check: attack.host.victim.poll() is None,
    "limit": lambda attack, check: bool(attack.error) and attack.took <= check["within"],
    "returns": lambda attack, check: attack.took <= check["within"],
    "stdout_max": lambda attack, check: len(attack.text.encode("utf-8", "replace")) <= check["bytes"],
    "dir_max": lambda attack, check: all(
        is_ <= most for is_, most in zip(attack.folder(), (check["bytes"], check.get("files", 1e9)), strict=True)
    ),
    "close": lambda attack, check: attack.close(check["within"]),
    "no_leftover": lambda attack, check: not attack.leftovers(),
}


def carry_out(case: Json, sandbox: str, level: str) -> Json:
    """Run an attack in a forked process, which is ended at the deadline."""
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    report = folder / "report"
    pid = os.fork()
    if not pid:
        os.setsid()
        out = os.open(folder / "out", os.O_CREAT | os.O_WRONLY)
        os.dup2(out, 1), os.dup2(out, 2)
        try:
            attack = Attack(case, sandbox, level, folder)
            said = {"failed": attack.failed, "text": attack.text[-500:], "took": attack.took}
        except BaseException as error:
            said = {"failed": [f"{type(error).__name__}: {error}"], "text": "", "took": 0}
        report.with_suffix(".new").write_text(json.dumps(said))
        report.with_suffix(".new").rename(report)
        os._exit(0)
    end = time.monotonic() + DEADLINE
    while not report.exists() and time.monotonic() < end and os.waitpid(pid, os.WNOHANG) == (0, 0):
        time.sleep(0.02)
    said = json.loads(report.read_text()) if report.exists() else {"failed": ["no end in time"], "text": "", "took": 0}
    try:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
    shutil.rmtree(folder, ignore_errors=True)
    return dict(said)


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("file", type=Path)
    words.add_argument("--sandbox", choices=["local", "reduced", "docker"], default="local")
    words.add_argument("--python", choices=["full", "guarded"], default="full")
    words.add_argument("--id", action="append", help="this attack only; may be given again")
    given = words.parse_args()
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for line in given.file.read_text("utf-8").splitlines():
        case = json.loads(line)
        if given.id and case["id"] not in given.id:
            continue
        if any(check["t"] not in CHECKS for check in case["checks"]):
            counts[case["category"][0]]["left out"] += 1
            continue
        said = carry_out(case, given.sandbox, given.python)
        counts[case["category"][0]]["not held" if said["failed"] else "held"] += 1
        if said["failed"] or given.id:
            print(f"{case['id']} {case['category']}: {'; '.join(said['failed']) or 'held'} ({said['took']:.1f} s)")
            print(*(f"    {each}" for each in said["text"].strip().splitlines()[-6:]), sep="\n", flush=True)
    for name, count in sorted(counts.items()):
        print(name, dict(count))
    total: collections.Counter[str] = sum(counts.values(), collections.Counter())
    print(f"{given.sandbox}, {given.python}: {dict(total)}")
    return int(bool(total["not held"]))


if __name__ == "__main__":
    sys.exit(main())
