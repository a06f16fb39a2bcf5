"""A server on this machine that answers as the Hugging Face Hub does: a repository's list of files, its files, and commits to it."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from http_server import Handler, Server, served

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(Server):
    def __init__(self, files: Mapping[str, bytes], status: int = 200, code: str = "") -> None:
        self.files, self.status, self.code = dict(files), status, code
        self.fetched: list[str] = []
        self.tokens: list[str | None] = []
        self.created: list[dict[str, Any]] = []
        self.cuts: list[int] = []  # bytes of the next files after which the connection is lost
        self.begins: list[int] = []  # the byte that each file was asked for from
        self.commit = COMMIT
        self.stalled = threading.Event()  # cleared: the next cut leaves the connection open and silent, and sets this
        self.stalled.set()
        super().__init__(Repository)


class Repository(Handler):
    server: Hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def is_refused(self) -> bool:
        """Whether the request was answered by the status that the server was given."""
        self.server.tokens.append(self.headers.get("Authorization"))
        if self.server.status != 200:
            self.answer({}, status=self.server.status, X_Error_Code=self.server.code)
        return self.server.status != 200

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if self.is_refused():
            return None
        if path.startswith("/api/models/"):
            return self.answer(self.listing(path.removeprefix("/api/models/")))
        name = path.partition(f"/resolve/{'main' if '/resolve/main/' in path else self.server.commit}/")[2]
        if name not in self.server.files:
            return self.answer(status=404, kind="", X_Error_Code="EntryNotFound", X_Repo_Commit=self.server.commit)
        data = self.server.files[name]
        headers = {
            "ETag": f'"{hashlib.sha256(data).hexdigest()}"',
            "X-Repo-Commit": self.server.commit,
            "Accept-Ranges": "bytes",
        }
        if self.command == "HEAD":
            return self.answer(data, kind="", **headers)
        self.server.fetched.append(name)
        begin = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
        self.server.begins.append(begin)
        if begin:
            headers["Content-Range"] = f"bytes {begin}-{len(data) - 1}/{len(data)}"
        headers["Content-Length"] = str(len(data) - begin)
        end = begin + self.server.cuts.pop(0) if self.server.cuts else len(data)
        self.answer(data[begin:end], status=206 if begin else 200, kind="", **headers)
        if end < len(data) and not self.server.stalled.is_set():
            self.server.stalled.set()
            self.connection.recv(1)
        return None

    def listing(self, name: str) -> Any:
        files = self.server.files.items()
        if "/tree/" in name:
            ids = {path: hashlib.sha1(data).hexdigest() for path, data in files}
            return [{"type": "file", "path": path, "size": len(data), "oid": ids[path]} for path, data in files]
        siblings = [{"rfilename": path} for path, _ in files]
        return {"id": name.partition("/revision/")[0], "sha": self.server.commit, "siblings": siblings, "tags": []}

    def do_POST(self) -> None:
        """Of a new repository, or of a commit: files are taken whole, and later answers have them."""
        body, path = self.body(), self.path.partition("?")[0]
        if self.is_refused():
            return None
        if path == "/api/repos/create":
            self.server.created.append(json.loads(body))
            return self.answer({"url": f"https://huggingface.co/me/{self.server.created[-1]['name']}"})
        if "/preupload/" in path:
            modes = {"uploadMode": "regular", "shouldIgnore": False, "oid": None}
            return self.answer({"files": [{"path": file["path"], **modes} for file in json.loads(body)["files"]]})
        if "/commit/" in path:
            lines = [json.loads(line) for line in body.splitlines()]
            sent = [line["value"] for line in lines if line["key"] == "file"]
            self.server.files |= {file["path"]: base64.b64decode(file["content"]) for file in sent}
            where = {"commitUrl": f"https://huggingface.co/me/x/commit/{COMMIT}", "commitOid": COMMIT}
            return self.answer({"success": True, "hookOutput": "", **where})
        return self.answer({})


@contextmanager
def hub(files: Mapping[str, bytes], status: int = 200, code: str = "") -> Iterator[Hub]:
    with served(Hub(files, status, code)) as server:
        yield server
