"""Finds Deno and Pyodide on this machine, installs Pyodide, and makes a snapshot of Python's memory.

    python -m smolcell.executors.wasm

* Only ``install`` uses the network, by Deno's npm client, which downloads exactly the files of the committed lock.
* A folder gets its name when it is complete; its content is never changed afterwards.

Layout of the cache, below the user's own cache folder::

        pyodide-VERSION/node_modules/…      installed packages
        pyodide-VERSION/deno/…              code that Deno compiled
        pyodide-VERSION/KEY/…               the program, the worker, the snapshot; KEY is the hash of their contents

Source of the snapshots: Pyodide's ``makeMemorySnapshot`` and ``_loadSnapshot``, which it does not promise to keep; they are used
only with the version named here.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import io
import os
import re
import secrets
import shutil
import subprocess
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smolcell.core.text import tail
from smolcell.errors import SandboxError, SetupError
from smolcell.executors.local.environment import worker_zip
from smolcell.machine.environment import importing, startup_value
from smolcell.protocols import tell_opening

PYODIDE = "314.0.7"
MIN_DENO = (2, 4)
COMMAND = "python -m smolcell.executors.wasm"
EXTRA = "pip install 'smolcell[wasm]'"
SOURCES = Path(__file__).parent
PROGRAM = ("disk.js", "host.js", "python.js", "ring.js", "runner.js", "snapshot.js")
MAKING_SECONDS = 240.0  # seconds that making a snapshot may take
UNUSED_SECONDS = 30 * 24 * 3600.0  # seconds after which a program and its snapshot are removed


@dataclass(frozen=True, slots=True)
class Installation:
    """Deno, and Pyodide as installed for it.

    Attributes:
        deno: path of Deno.
        folder: cache of this version of Pyodide; see the module's docstring.
    """

    deno: str
    folder: Path

    @classmethod
    def find(cls) -> Installation:
        """Return the installation on this machine.

        Raises:
            SetupError: something is missing; the text ends with the command that installs it.
        """
        installation = cls(find_deno(), cache())
        if not installation.package.is_file():
            raise SetupError(f"Pyodide {PYODIDE} is not on this machine; run once: {COMMAND}")
        return installation

    @property
    def package(self) -> Path:
        """Pyodide's package.json."""
        return self.folder / "node_modules" / "pyodide" / "package.json"

    @property
    def prepared(self) -> Path:
        """Folder of the program, the worker and the snapshot."""
        return self.folder / _key()

    def paths(self) -> dict[str, str]:
        """Return paths as options for a supervisor; see ``smolcell.worker.wasm``."""
        here = self.prepared
        return {
            "program": self.deno,
            "folder": str(self.folder),
            "main": str(here / "host.js"),
            "snapshot": str(here / "snapshot.bin"),
            "archive": str(here / "worker.zip"),
        }

    def prepare(self) -> None:
        """Make the snapshot if it is missing; takes some seconds, once per version of smolcell.

        Raises:
            SandboxError: making it failed.
        """
        if self.prepared.is_dir():
            os.utime(self.prepared)
            return
        tell_opening("making a snapshot of Python in WebAssembly, once")
        making = self.folder / f"making-{secrets.token_hex(8)}"
        try:
            making.mkdir()
            for name in PROGRAM:
                shutil.copyfile(SOURCES / name, making / name)
            (making / "worker.zip").write_bytes(_archive())
            self._snapshot(making)
            making.rename(self.prepared)
        except OSError as error:
            if not self.prepared.is_dir():  # otherwise another process was faster
                raise SandboxError(f"the snapshot of Python cannot be stored in {self.folder}: {error}") from error
        finally:
            shutil.rmtree(making, ignore_errors=True)
        self._forget_unused()

    def _snapshot(self, making: Path) -> None:
        command = [self.deno, *READING, f"--allow-read={self.folder}", str(making / "snapshot.js")]
        environ = {"DENO_DIR": str(self.folder / "deno"), "NO_COLOR": "1", "PATH": os.defpath}
        with (making / "snapshot.bin").open("wb") as file:
            try:
                process = subprocess.run(
                    [*command, str(making / "worker.zip")],
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.PIPE,
                    env=environ,
                    timeout=MAKING_SECONDS,
                )
            except subprocess.TimeoutExpired:
                raise SandboxError(f"the snapshot of Python was not made within {MAKING_SECONDS:g} s") from None
        if process.returncode:
            message = tail(process.stderr.decode("utf-8", "replace"), 1000)
            raise SandboxError(f"the snapshot of Python could not be made; install Pyodide again: {COMMAND}\n{message}")

    def _forget_unused(self) -> None:
        for path in self.folder.iterdir():
            is_snapshot = re.fullmatch(r"[0-9a-f]{16}|making-[0-9a-f]{16}", path.name)
            if is_snapshot and path != self.prepared and time.time() - path.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


READING = (
    "run",
    "--quiet",
    "--no-prompt",
    "--no-remote",
    "--no-config",
    "--no-lock",
    "--cached-only",
    "--node-modules-dir=manual",
)


def cache() -> Path:
    """Return the cache folder of this version of Pyodide; SMOLCELL_CACHE_DIR replaces its parent."""
    with importing():
        import platformdirs

    base = startup_value("SMOLCELL_CACHE_DIR") or platformdirs.user_cache_dir("smolcell", appauthor=False)
    return Path(base).resolve() / f"pyodide-{PYODIDE}"


@functools.cache
def _key() -> str:
    parts = [(SOURCES / name).read_bytes() for name in PROGRAM] + [_archive()]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]


@functools.cache
def _archive() -> bytes:
    """Return a zip that Python imports from: the worker, and the time zones, which Pyodide lacks."""
    data = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(worker_zip())) as worker,
        zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for entry in worker.infolist():
            if not entry.filename.endswith(".pyc"):  # bytecode of another Python
                archive.writestr(entry, worker.read(entry))
        for name, content in _time_zones():
            archive.writestr(zipfile.ZipInfo(name, date_time=(2020, 1, 1, 0, 0, 0)), content)
    return data.getvalue()


def _time_zones() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the package ``tzdata``; none if it is not installed."""
    with importing():
        spec = importlib.util.find_spec("tzdata")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                yield f"tzdata/{path.relative_to(folder).as_posix()}", path.read_bytes()


def find_deno() -> str:
    """Return the path of Deno: that of the package ``deno``, else the one on the PATH.

    Raises:
        SetupError: it is not installed, or too old.
    """
    path = _of_package() or shutil.which("deno")
    if not path:
        raise SetupError(f"the sandbox 'wasm' needs Deno, which is not installed; run: {EXTRA}")
    version = _version(path)
    if version < MIN_DENO:
        shown, least = (".".join(map(str, numbers)) for numbers in (version, MIN_DENO))
        raise SetupError(f"{path} is Deno {shown}; the sandbox 'wasm' needs {least} or newer; run: {EXTRA}")
    return path


def _of_package() -> str:
    try:
        with importing():
            return str(importlib.import_module("deno").find_deno_bin())
    except (ImportError, FileNotFoundError):
        return ""


@functools.cache
def _version(path: str) -> tuple[int, ...]:
    try:
        output = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, text=True, env={}
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"{path} cannot be run ({error}); run: {EXTRA}") from None
    numbers = re.match(r"deno (\d+)\.(\d+)\.(\d+)", output)
    if numbers is None:
        raise SetupError(f"{path} is not Deno; it prints {output[:100]!r}; run: {EXTRA}")
    return tuple(map(int, numbers.groups()))


def install() -> Installation:
    """Install Pyodide for Deno, with Deno's progress on stderr, and make the snapshot.

    Raises:
        SetupError: Deno is missing, or its npm client failed; its messages are on stderr.
        SandboxError: making the snapshot failed.
    """
    installation = Installation(find_deno(), cache())
    installation.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in ("deno.json", "deno.lock"):
        shutil.copyfile(SOURCES / name, installation.folder / name)
    done = subprocess.run(
        [installation.deno, "install", "--frozen"],
        cwd=installation.folder,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "DENO_DIR": str(installation.folder / "deno"), "DENO_NO_UPDATE_CHECK": "1"},
    )
    if done.returncode or not installation.package.is_file():
        raise SetupError(
            f"Deno's npm client did not bring pyodide {PYODIDE} (see above); to use another registry, name it in .npmrc "
            f"or NPM_CONFIG_REGISTRY, and run again: {COMMAND}"
        )
    installation.prepare()
    return installation
