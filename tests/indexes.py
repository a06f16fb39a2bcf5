"""A package index on this machine, with wheels that tests make."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import os
import shutil
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from http_server import Handler, Server, served

from smolcell.events import Package

TOOLS = [
    name
    for name, there in (("uv", shutil.which("uv")), ("pip", importlib.util.find_spec("pip") or shutil.which("pip")))
    if there
]


PURE = "py3-none-any"


def wheel(name: str, version: str, module: str, text: str, *requires: str, tag: str = PURE) -> tuple[str, bytes]:
    """File name and bytes of a wheel with one module."""
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
    files = {
        f"{module}.py": text,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return f"{name}-{version}-{tag}.whl", data.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Index:
    """A package index on this machine (PEP 691), and what was asked of it."""

    def __init__(self, *wheels: tuple[str, bytes]) -> None:
        self.files = dict(wheels)
        self.asked: list[str] = []
        index = self

        class Files(Handler):
            def do_GET(self) -> None:
                index.asked.append(self.path)
                kind, data = index.answer(self.path)
                self.answer(data, status=200 if kind else 404, kind=kind or "text/plain")

            do_HEAD = do_GET

        self._open = ExitStack()
        self.url = f"{self._open.enter_context(served(Server(Files))).url}/simple"

    def answer(self, path: str) -> tuple[str, bytes]:
        kind, _, name = path.strip("/").partition("/")
        if kind == "files" and name in self.files:
            return "application/octet-stream", self.files[name]
        own = {file: data for file, data in self.files.items() if file.split("-")[0] == name.replace("-", "_")}
        if kind != "simple" or not own:
            return "", b"not here"
        files = [
            {
                "filename": file,
                "url": f"/files/{file}",
                "hashes": {"sha256": sha256(data)},
                "size": len(data),
                "upload-time": f"20{10 + number}-02-03T04:05:06Z",
            }
            for number, (file, data) in enumerate(own.items())
        ]
        page = {"meta": {"api-version": "1.1"}, "name": name, "versions": [], "files": files}
        return "application/vnd.pypi.simple.v1+json", json.dumps(page).encode()

    def package(self, file: str) -> Package:
        name, version = file.split("-")[:2]
        return Package(name=name.replace("_", "-"), version=version, sha256=sha256(self.files[file]))

    def close(self) -> None:
        self._open.close()


def plots() -> Index:
    """An index with what the tests install."""
    import numpy

    draws = "import axes_of\ndef plot(): return axes_of.name"
    return Index(
        wheel("squarify", "0.1", "squarify", draws, "axes-of", "numpy"),
        wheel("squarify", "0.2", "squarify", draws + " + ' 2'", "axes-of", "numpy"),
        wheel("axes_of", "3", "axes_of", "name = 'drawn'"),
        wheel("tinyplots", "1.0", "tinyplots_core", "def draw(): return 'tiny'"),
        wheel("other_machine", "1", "other_machine", "", tag="cp38-cp38-win_amd64"),
        wheel("wants_old_numpy", "1", "wants_old_numpy", "", "numpy<1"),
        wheel("numpy", numpy.__version__, "numpy", "raise SystemExit('the wrong one')"),
        wheel("numpy", "0.5", "numpy", ""),
    )


def configure(monkeypatch: pytest.MonkeyPatch, index: Index, caches: Path, tool: str = "") -> None:
    """Have uv and pip use this index and nothing else; with ``tool="pip"``, uv is not found."""
    if tool == "pip":
        found = [folder for folder in os.environ["PATH"].split(os.pathsep) if not Path(folder, "uv").exists()]
        monkeypatch.setenv("PATH", os.pathsep.join(found))
    chosen = dict.fromkeys(("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"), index.url)
    chosen |= {"UV_CACHE_DIR": str(caches / "uv"), "PIP_CACHE_DIR": str(caches / "pip"), "NO_PROXY": "127.0.0.1"}
    for name, value in {**chosen, "PIP_CONFIG_FILE": os.devnull, "UV_NO_CONFIG": "1"}.items():
        monkeypatch.setenv(name, value)
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "UV_EXTRA_INDEX_URL", "UV_INDEX"):
        monkeypatch.delenv(name, raising=False)
