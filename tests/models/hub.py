"""A server on this machine that answers as the Hugging Face Hub does, for a repository's list of files and its files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from http_server import Handler, Server, served

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(Server):
    def __init__(self, files: Mapping[str, bytes], status: int = 200, code: str = "") -> None:
        self.files, self.status, self.code = files, status, code
        self.fetched: list[str] = []
        self.tokens: list[str | None] = []
        super().__init__(Repository)


class Repository(Handler):
    server: Hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.server.tokens.append(self.headers.get("Authorization"))
        path = self.path.partition("?")[0]
        if self.server.status != 200:
            return self.answer({}, status=self.server.status, X_Error_Code=self.server.code)
        if path.startswith("/api/models/"):
            name = path.removeprefix("/api/models/")
            if "/tree/" in name:
                found = [
                    {"type": "file", "path": path, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
                    for path, data in self.server.files.items()
                ]
                return self.answer(found)
            siblings = [{"rfilename": name} for name in self.server.files]
            info = {"id": name.partition("/revision/")[0], "sha": COMMIT, "siblings": siblings, "tags": []}
            return self.answer(info)
        name = path.partition(f"/resolve/{'main' if '/resolve/main/' in path else COMMIT}/")[2]
        if name not in self.server.files:
            return self.answer(status=404, kind="", X_Error_Code="EntryNotFound", X_Repo_Commit=COMMIT)
        data = self.server.files[name]
        if self.command != "HEAD":
            self.server.fetched.append(name)
        etag = f'"{hashlib.sha256(data).hexdigest()}"'
        return self.answer(data, kind="", ETag=etag, X_Repo_Commit=COMMIT, Accept_Ranges="bytes")


@contextmanager
def hub(files: Mapping[str, bytes], status: int = 200, code: str = "") -> Iterator[Hub]:
    with served(Hub(files, status, code)) as server:
        yield server
