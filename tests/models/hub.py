"""A server on this machine that answers as the Hugging Face Hub does, for a repository's list of files and its files."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    def __init__(self, files: Mapping[str, bytes], status: int = 200, code: str = "") -> None:
        self.files, self.status, self.code = files, status, code
        self.fetched: list[str] = []
        self.tokens: list[str | None] = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        self.server.tokens.append(self.headers.get("Authorization"))
        path = self.path.partition("?")[0]
        if self.server.status != 200:
            return self._send(self.server.status, b"{}", {"X-Error-Code": self.server.code} if self.server.code else {})
        if path.startswith("/api/models/"):
            name = path.removeprefix("/api/models/")
            if "/tree/" in name:
                found = [
                    {"type": "file", "path": path, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
                    for path, data in self.server.files.items()
                ]
                return self._send(200, json.dumps(found).encode(), {"Content-Type": "application/json"})
            siblings = [{"rfilename": name} for name in self.server.files]
            info = {"id": name.partition("/revision/")[0], "sha": COMMIT, "siblings": siblings, "tags": []}
            return self._send(200, json.dumps(info).encode(), {"Content-Type": "application/json"})
        name = path.partition(f"/resolve/{'main' if '/resolve/main/' in path else COMMIT}/")[2]
        if name not in self.server.files:
            return self._send(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})
        data = self.server.files[name]
        if body:
            self.server.fetched.append(name)
        etag = f'"{hashlib.sha256(data).hexdigest()}"'
        return self._send(200, data, {"ETag": etag, "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}, body=body)

    def _send(self, status: int, data: bytes, headers: Mapping[str, str], *, body: bool = True) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body and self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hub(files: Mapping[str, bytes], status: int = 200, code: str = "") -> Iterator[Hub]:
    with Hub(files, status, code) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
