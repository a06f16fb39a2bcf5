"""HTTP of the stand-in: the control API below ``/v0``, and each sandbox's own API below ``/run/NAME``."""

from __future__ import annotations

import datetime
import email
import email.policy
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import stand_in
from e2b_service.programs import Recorded
from stand_in import HTTPHandler, HTTPStandIn, RefusedError

IMAGES = ("blaxel/py-app:latest", "blaxel/base-image:latest")
KEEPALIVE = 5.0  # seconds


class Running(Recorded):
    """One program of a sandbox, with every line that it has said."""

    def __init__(self, asked: dict[str, Any], folder: Path) -> None:
        self.asked, self.lines = asked, list[str]()
        self.rest = {"stdout": b"", "stderr": b""}
        environ = {"HOME": "/tmp", **asked.get("env", {})}
        super().__init__(["/bin/sh", "-c", asked["command"]], environ, folder, bool(asked.get("stdin")))

    def add(self, kind: str, data: bytes) -> None:
        *lines, self.rest[kind] = (self.rest[kind] + data).split(b"\n")
        self.lines += [f"{kind}:{line.decode('utf-8', 'replace')}" for line in lines]

    def after(self, at: int) -> tuple[list[str], bool]:
        """What was said since then, and whether that is all; waits a while where it is nothing."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.lines) > at or self.over, KEEPALIVE)
            return self.lines[at:], self.over

    def _said(self, kind: str) -> str:
        return "".join(f"{line.removeprefix(kind)}\n" for line in list(self.lines) if line.startswith(kind))

    def told(self) -> dict[str, Any]:
        """What the API says of it."""
        status = "running" if not self.over else "failed" if self.program.status else "completed"
        return {
            "command": self.asked["command"], "completedAt": "", "exitCode": self.program.status or 0, "logs": "",
            "name": self.asked["name"], "pid": str(self.program.pid), "startedAt": "", "status": status,
            "stderr": self._said("stderr:"), "stdout": self._said("stdout:"), "workingDir": "/tmp",
        }  # fmt: skip


class Sandbox(stand_in.Sandbox):
    """One sandbox: what it was made with, and its programs."""

    def __init__(self, asked: dict[str, Any], address: str) -> None:
        super().__init__(asked["metadata"]["name"])
        self.asked, self.address = asked, f"{address}/run/{self.name}"
        (policy,) = asked["spec"]["lifecycle"]["expirationPolicies"]
        self.idle = float(policy["value"].removesuffix("s"))
        self.connected, self.seen = 0, time.monotonic()

    def is_over(self) -> bool:
        return not self.connected and time.monotonic() - self.seen > self.idle

    def told(self, ahead: float) -> dict[str, Any]:
        """What the control API says of it; and to tests, its name and its template."""
        made = datetime.datetime.fromtimestamp(self.made + ahead, datetime.UTC).isoformat()
        said = {**self.asked["metadata"], "createdAt": made, "url": self.address, "workspace": "stand-in"}
        template = self.asked["spec"]["runtime"]["image"]
        return {
            "metadata": said, "spec": self.asked["spec"], "status": "DEPLOYED", "name": self.name, "template": template,
        }  # fmt: skip


class Server(HTTPStandIn):
    """The stand-in."""

    def __init__(self, key: str) -> None:
        super().__init__(key, Handler)


class Handler(HTTPHandler):
    """One connection."""

    server: Server

    def serve(self) -> None:
        words = [unquote(word) for word in self.where.path.split("/") if word]
        self._judge()
        self._control(words[2:]) if words[0] == "v0" else self._inside(words[1], words[2:])

    def _judge(self) -> None:
        key = self.headers.get("X-Blaxel-Authorization", "").removeprefix("Bearer ")
        if key != self.server.key:
            raise RefusedError(401, f"authentication failed for {key}", "AUTHENTICATION_FAILED")
        if refusal := self.server.refusal(self._fits):
            raise RefusedError(refusal["status"], refusal["message"])

    def _fits(self, path: str) -> bool:
        """Whether this request is meant by a path, in which a star stands for anything."""
        begin, _, end = path.partition("*")
        return self.where.path.startswith(begin) and self.where.path.endswith(end)

    # --- the control API ---

    def _control(self, words: list[str]) -> None:
        server = self.server
        server.asked.append({"method": self.command, "path": self.path, "body": self.body.decode("utf-8", "replace")})
        if self.command == "POST" and not words:
            asked = self.json()
            image = asked["spec"]["runtime"]["image"]
            if image not in IMAGES:
                raise RefusedError(404, f"image {image} was not found", "IMAGE_NOT_FOUND")
            return self.answer(200, server.add(Sandbox(asked, server.address)).told(server.ahead))
        if self.command == "GET" and not words:
            return self._list()
        found = server.sandboxes.get(words[0])
        if found is None:
            raise RefusedError(404, f"sandbox {words[0]} was not found", "WORKLOAD_NOT_FOUND")
        if self.command == "DELETE":
            server.end(found.name)
        return self.answer(200, found.told(server.ahead))

    def _list(self) -> None:
        query = self.query()
        begin, size = int(query.get("cursor", 0)), min(2, int(query.get("limit", 50)))
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
        found: Running | None = sandbox.programs.get(name)
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
