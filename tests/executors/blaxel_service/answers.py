"""HTTP of the stand-in: the control API below ``/v0``, and each sandbox's own API below ``/run/NAME``."""

from __future__ import annotations

import datetime
import email
import email.policy
import json
import os
import shutil
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from e2b_service.programs import Program
from stand_in import HTTPStandIn

from smolcell.worker.system import folders

IMAGES = ("blaxel/py-app:latest", "blaxel/base-image:latest")
WORKSPACE = "stand-in"
KEEPALIVE = 5.0  # seconds


class RefusedError(Exception):
    """What was asked is refused: an HTTP status, a code, why, and when to ask again."""

    def __init__(self, status: int, message: str, code: str = "", after: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.after = status, message, code, after


class Running:
    """One program of a sandbox, with everything it has said."""

    def __init__(self, asked: dict[str, Any], folder: Path) -> None:
        self.asked, self.status = asked, "running"
        self.lines: list[str] = []
        self.changed = threading.Condition()
        environ = {"PATH": os.environ["PATH"], "HOME": "/tmp", "TMPDIR": str(folder), **asked.get("env", {})}
        self.program = Program(["/bin/sh", "-c", asked["command"]], environ, Path("/tmp"), bool(asked.get("stdin")))
        threading.Thread(target=self._keep, daemon=True).start()

    def _keep(self) -> None:
        rest = {"stdout": b"", "stderr": b""}
        for kind, data in self.program.first.events():
            if kind in rest:
                *lines, rest[kind] = (rest[kind] + data).split(b"\n")
                self._add([f"{kind}:{line.decode('utf-8', 'replace')}" for line in lines])
        with self.changed:
            self.status = "failed" if self.program.status else "completed"
            self.changed.notify_all()

    def _add(self, lines: list[str]) -> None:
        with self.changed:
            self.lines += lines
            self.changed.notify_all()

    def after(self, at: int) -> tuple[list[str], bool]:
        """What was said since then, and whether that is all; waits a while where it is nothing."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.lines) > at or self.status != "running", KEEPALIVE)
            return self.lines[at:], self.status != "running"

    def wait(self) -> None:
        """Until it has ended."""
        with self.changed:
            self.changed.wait_for(lambda: self.status != "running")

    def _said(self, kind: str) -> str:
        return "".join(f"{line.removeprefix(kind)}\n" for line in list(self.lines) if line.startswith(kind))

    def told(self) -> dict[str, Any]:
        """What the API says of it."""
        return {
            "command": self.asked["command"], "completedAt": "", "exitCode": self.program.status or 0, "logs": "",
            "name": self.asked["name"], "pid": str(self.program.pid), "startedAt": "", "status": self.status,
            "stderr": self._said("stderr:"), "stdout": self._said("stdout:"), "workingDir": "/tmp",
        }  # fmt: skip


class Sandbox:
    """One sandbox: what it was made with, and its programs."""

    def __init__(self, asked: dict[str, Any], address: str) -> None:
        self.asked, self.name = asked, asked["metadata"]["name"]
        self.made = datetime.datetime.now(datetime.UTC)
        self.address = f"{address}/run/{self.name}"
        self.programs: dict[str, Running] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="blaxel-stand-in-"))  # for what its programs keep
        self.folder.chmod(0o711)
        (policy,) = asked["spec"]["lifecycle"]["expirationPolicies"]
        self.idle = float(policy["value"].removesuffix("s"))
        self.connected, self.seen = 0, time.monotonic()

    def told(self, ahead: float) -> dict[str, Any]:
        """What the control API says of it, by a clock that is so many seconds ahead."""
        made = (self.made + datetime.timedelta(seconds=ahead)).isoformat()
        said = {**self.asked["metadata"], "createdAt": made, "url": self.address, "workspace": WORKSPACE}
        return {"metadata": said, "spec": self.asked["spec"], "status": "DEPLOYED"}

    def pids(self) -> list[int]:
        return sorted(pid for each in list(self.programs.values()) for pid in each.program.members())

    def end(self) -> None:
        for each in self.programs.values():
            each.program.end()
        folders.remove(str(self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)


class Server(HTTPStandIn):
    """The stand-in."""

    def __init__(self, key: str) -> None:
        super().__init__(key, Handler)
        self.sandboxes: dict[str, Sandbox] = {}
        threading.Thread(target=self._look_at_clock, daemon=True).start()

    def told(self) -> list[dict[str, Any]]:
        return [{"name": each.name, "pids": each.pids(), **each.asked} for each in list(self.sandboxes.values())]

    def end(self, name: str) -> None:
        found = self.sandboxes.pop(name, None)
        if found is not None:
            found.end()

    def _look_at_clock(self) -> None:
        while True:
            time.sleep(0.1)
            for each in list(self.sandboxes.values()):
                if not each.connected and time.monotonic() - each.seen > each.idle:
                    self.end(each.name)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def _serve(self) -> None:
        self.where = urlsplit(self.path)
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        words = [unquote(word) for word in self.where.path.split("/") if word]
        try:
            self._judge()
            self._control(words[2:]) if words[0] == "v0" else self._inside(words[1], words[2:])
        except RefusedError as error:
            said = {"code": error.status, "message": error.message, "error": error.code or error.message}
            self.answer(error.status, said, error.after)

    do_GET = do_POST = do_DELETE = do_PUT = _serve

    def _judge(self) -> None:
        if self.headers.get("X-Blaxel-Authorization") != f"Bearer {self.server.key}":
            raise RefusedError(401, "authentication failed", "AUTHENTICATION_FAILED")
        if refusal := self.server.refusal(self._fits):
            raise RefusedError(refusal["status"], refusal["message"], after=refusal["after"])

    def _fits(self, path: str) -> bool:
        """Whether this request is meant by a path, in which a star stands for anything."""
        begin, _, end = path.partition("*")
        return self.where.path.startswith(begin) and self.where.path.endswith(end)

    def json(self) -> dict[str, Any]:
        found = json.loads(self.body or b"{}")
        return found if isinstance(found, dict) else {}

    def answer(self, status: int, said: Any = None, after: str = "") -> None:
        data = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if after:
            self.send_header("Retry-After", after)
        self.end_headers()
        self.wfile.write(data)

    # --- the control API ---

    def _control(self, words: list[str]) -> None:
        server = self.server
        server.asked.append({"method": self.command, "path": self.path, "body": self.body.decode("utf-8", "replace")})
        if self.command == "POST" and not words:
            asked = self.json()
            image = asked["spec"]["runtime"]["image"]
            if image not in IMAGES:
                raise RefusedError(404, f"image {image} was not found", "IMAGE_NOT_FOUND")
            made = Sandbox(asked, server.address)
            server.sandboxes[made.name] = made
            return self.answer(200, made.told(server.ahead))
        if self.command == "GET" and not words:
            return self._list()
        found = server.sandboxes.get(words[0])
        if found is None:
            raise RefusedError(404, f"sandbox {words[0]} was not found", "WORKLOAD_NOT_FOUND")
        if self.command == "DELETE":
            server.end(found.name)
        return self.answer(200, found.told(server.ahead))

    def _list(self) -> None:
        query = parse_qs(self.where.query)
        begin, size = int(query.get("cursor", ["0"])[0]), min(2, int(query.get("limit", ["50"])[0]))
        found = [each.told(self.server.ahead) for each in list(self.server.sandboxes.values())]
        more = begin + size < len(found)
        meta = {"hasMore": more, "nextCursor": str(begin + size) if more else "", "total": len(found)}
        self.answer(200, {"data": found[begin : begin + size], "meta": meta})

    # --- a sandbox's own ---

    def _inside(self, name: str, words: list[str]) -> None:
        sandbox = self.server.sandboxes.get(name)
        if sandbox is None:
            raise RefusedError(404, f"workload {name} was not found", "WORKLOAD_NOT_FOUND")
        sandbox.seen = time.monotonic()
        match self.command, words:
            case "PUT", ["filesystem", *path]:
                self._write("/" + "/".join(word for word in path if word))
            case "POST", ["process"]:
                asked = {"name": f"proc-{len(sandbox.programs)}", **self.json()}
                sandbox.programs[asked["name"]] = made = Running(asked, sandbox.folder)
                if asked.get("waitForCompletion"):
                    made.wait()
                self.answer(200, made.told())
            case "GET", ["process", program]:
                self.answer(200, self._program(sandbox, program).told())
            case "GET", ["process", program, "logs", "stream"]:
                self._stream(sandbox, self._program(sandbox, program))
            case "POST", ["process", program, "stdin"]:
                self._stdin(self._program(sandbox, program))
            case _:
                raise RefusedError(404, "no such route", "ROUTE_NOT_FOUND")

    def _program(self, sandbox: Sandbox, name: str) -> Running:
        found = sandbox.programs.get(name)
        if found is None:
            raise RefusedError(404, f"process {name} was not found")
        return found

    def _write(self, path: str) -> None:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = email.message_from_bytes(head + self.body, policy=email.policy.HTTP)
        (file,) = [part for part in form.iter_parts() if part.get_filename()]
        data = file.get_payload(decode=True)
        Path(path).write_bytes(data if isinstance(data, bytes) else b"")
        self.answer(200, {"message": "written", "path": path})

    def _stdin(self, running: Running) -> None:
        try:
            running.program.write(self.body)
        except OSError:
            raise RefusedError(409, "the process has no open stdin") from None
        self.answer(200, {"message": "written"})

    def _stream(self, sandbox: Sandbox, running: Running) -> None:
        """All that was said, from the beginning, and what is said from now on."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Connection", "close")
        self.end_headers()
        sandbox.connected += 1
        at = 0
        try:
            while True:
                new, over = running.after(at)
                at += len(new)
                self.wfile.write("".join(f"{line}\n" for line in new or ["[keepalive]"]).encode())
                self.wfile.flush()
                if (over and not new) or self.server.is_down():
                    return
        except OSError:
            pass  # no one listens any more
        finally:
            sandbox.connected -= 1
            sandbox.seen = time.monotonic()
