"""Packages of a session: resolved and installed by this machine's uv or pip, into a folder of the session.

* Only wheels: no code of a package runs on this machine. Exactly the wheels that were shown are installed, by version and SHA-256.
* The notebook's environment is only read. A package of the sandbox is neither replaced nor hidden by another version.
* No requirement is put on a command line or passed to a shell.
"""

from __future__ import annotations

import asyncio
import functools
import importlib.metadata
import json
import os
import re
import secrets
import shutil
import signal
import sys
import tarfile
import tempfile
import tomllib
import weakref
from asyncio import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from smolcell.approval.policy import current
from smolcell.core.packages import canonical, name_of
from smolcell.core.text import clip, presentable, visible
from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.events import Package
from smolcell.executors.reaper import reaper
from smolcell.machine.environment import importing, is_installed, search_path
from smolcell.worker.system import folders

LOOK_UP, INSTALL = 180.0, 900.0  # seconds
MAX_PAGE_BYTES = 30 << 20  # bytes of an index's page about one package
MAX_ERROR_CHARS = 400  # characters of an installer's error
PAGE_TYPE = "application/vnd.pypi.simple.v1+json"  # PEP 691; sizes and times: PEP 700
_NO_MODULES = ("bin", "share", "__pycache__")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"[0-9A-Za-z.+!_-]{1,60}")
_UNREACHABLE = re.compile(
    r"Failed to fetch|NewConnectionError|Max retries|Connect error|\(Connect\)|dns error|timed out", re.I
)
_ENVIRONMENT = {
    "PIP_USER": "0",
    "PIP_REQUIRE_VIRTUALENV": "0",
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "UV_NO_PROGRESS": "1",
}
"""Variables for the installer besides the user's own configuration; none refers to the user's environment."""


# --- installed packages of a sandbox ------------------------------------------------------------------------------------


class Site:
    """Packages of the Python that a sandbox runs; here that of this machine."""

    flags: Mapping[str, Sequence[str]] = {"pip": (), "uv": ()}
    """Options that tell the installer the Python version and platform."""

    def has_module(self, name: str) -> bool:
        """Return whether a top-level module can be imported."""
        try:
            return name in sys.stdlib_module_names or is_installed(name)
        except ValueError:  # a module without a spec, such as __main__
            return True

    @functools.cached_property
    def versions(self) -> Mapping[str, str]:
        """Return versions by canonical name; "" for a distribution that came from no index."""
        with importing():
            found = [
                (each.name, each.version, each.read_text("direct_url.json"))
                for each in importlib.metadata.distributions(path=search_path())
            ]
        return {canonical(name): "" if own else version for name, version, own in reversed(found) if name and version}


class OtherSite(Site):
    """Packages of a Python on another machine.

    Args:
        output: output of ``LOOK``; untrusted.

    Raises:
        CapabilityError: wheels for that Python or platform cannot be selected.
    """

    def __init__(self, output: bytes) -> None:
        try:
            facts = json.loads(output)
            python, machine, libc = str(facts["python"]), str(facts["machine"]), str(facts["libc"])
            self._names = frozenset(map(str, facts["modules"]))
            self.__dict__["versions"] = {canonical(str(k)): str(v) for k, v in dict(facts["versions"]).items()}
        except (ValueError, KeyError, TypeError) as error:
            raise CapabilityError(f"the sandbox does not say which packages it has: {error}") from None
        minor = re.fullmatch(r"2\.(\d{1,2})", libc)
        if not re.fullmatch(r"3\.\d{1,2}", python) or machine not in ("x86_64", "aarch64") or minor is None:
            raise CapabilityError(
                "no packages can be installed for this sandbox: it needs CPython 3 on glibc, x86_64 or aarch64"
            )
        known = next((each for each in (40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 28, 17) if each <= int(minor[1])), 17)
        tags = [f"manylinux_2_{each}_{machine}" for each in range(int(minor[1]), 4, -1)]
        tags += [f"{old}_{machine}" for old in ("manylinux2014", "manylinux2010", "manylinux1", "linux")]
        platforms = [word for tag in tags for word in ("--platform", tag)]
        self.flags = {
            "pip": ("--python-version", python, "--implementation", "cp", *platforms),
            "uv": ("--python-version", python, "--python-platform", f"{machine}-manylinux_2_{known}"),
        }

    def has_module(self, name: str) -> bool:
        return name in self._names


LOOK = """import importlib.metadata as m,json,pkgutil,platform,sys
f=[(d.metadata["Name"],d.version,d.read_text("direct_url.json")) for d in m.distributions()]
n={*sys.builtin_module_names,*getattr(sys,"stdlib_module_names",()),*(i.name for i in pkgutil.iter_modules()),"IPython"}
print(json.dumps({"python":"%d.%d"%sys.version_info[:2],"machine":platform.machine(),"libc":platform.libc_ver()[1],
"modules":sorted(n),"versions":{a:"" if o else v for a,v,o in f if a}}))
"""
"""Program that lists the packages of a Python."""

UNPACK = """import os,sys,tarfile
os.umask(18);os.chdir(sys.argv[1])
with tarfile.open(fileobj=sys.stdin.buffer,mode="r|") as t:
    for m in t:
        if not os.path.lexists(m.name):t.extract(m)
"""
"""Program that unpacks the archive of ``pack``; existing files are not overwritten, since the code may have loaded them."""


def pack(folder: Path, file: IO[bytes]) -> None:
    """Write the packages of a session as an archive in which root owns all files."""
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.add(folder, ".", filter=_of_root)


def _of_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


# --- resolved packages ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel that would be installed."""

    package: Package
    size: int = 0  # bytes; 0: unknown
    released: str = ""  # date of the distribution's first release, YYYY-MM-DD; "": unknown
    index: str = "the configured index"  # host name

    def __str__(self) -> str:
        size = f"{self.size / 1000:,.0f} kB" if self.size else "size not known"
        released = f"first released {self.released}" if self.released else "first release not known"
        return f"{self.package.name} {self.package.version} ({size}, {released})"


@dataclass(frozen=True, slots=True)
class Plan:
    """The packages that some requirements need; empty if all are installed."""

    requirements: tuple[str, ...]
    found: tuple[Wheel, ...]

    @property
    def index(self) -> str:
        """Host names of the packages' indexes."""
        return ", ".join(sorted({each.index for each in self.found}))

    @property
    def packages(self) -> tuple[Package, ...]:
        return tuple(each.package for each in self.found)

    def check(self) -> None:
        """Check every package, including dependencies, and every index against the policy.

        Raises:
            SetupError: one is not allowed.
        """
        current().check("packages", [each.package.name for each in self.found], "The package {} is not allowed")
        current().check("indexes", [each.index for each in self.found], "The package index {} is not allowed")

    def __str__(self) -> str:
        size = sum(each.size for each in self.found) if all(each.size for each in self.found) else 0
        together = f" ({len(self.found)} packages{f', {size / 1000:,.0f} kB' if size else ''})" * (len(self.found) > 1)
        return "\n  ".join([f"From {self.index}{together}:", *map(str, self.found)])


class SessionPackages:
    """The folder of a session's packages. It is separate from the notebook's environment, and removed with this process.

    Attributes:
        installed: packages in the folder.
    """

    def __init__(self) -> None:
        self.installed: tuple[Package, ...] = ()
        self._modules: set[str] = set()
        self._end: Any = None
        self._top = self._folder = Path()

    @property
    def folder(self) -> Path:
        """The folder; created on first use. Other users can read it if they know its name: the code may run as one of them."""
        if self._end is None:
            token = secrets.token_hex(8)
            self._top = Path(tempfile.gettempdir()) / f"smolcell-packages-{token}"
            reaper.register(0, token, str(self._top))
            self._end = weakref.finalize(self, _remove, str(self._top), token)
            self._top.mkdir(mode=0o711)
            self._folder = self._top / secrets.token_hex(8)
            self._folder.mkdir()
            for path, mode in ((self._top, 0o711), (self._folder, 0o755)):
                path.chmod(mode)  # independent of the umask
        return self._folder

    def close(self) -> None:
        """Remove the folder. Idempotent. The next use creates another."""
        end, self._end, self.installed, self._modules = self._end, None, (), set()
        if end is not None:
            end()

    def has_module(self, name: str) -> bool:
        """Return whether these packages contain a top-level module."""
        return name in self._modules

    def has_distribution(self, name: str) -> bool:
        return any(package.name == name for package in self.installed)

    async def look_up(self, requirements: Sequence[str], site: Site) -> Plan:
        """Resolve requirements with the user's package index; installs nothing.

        Args:
            requirements: from ``smolcell.core.packages.requirements``.
            site: the packages that are already installed.

        Raises:
            SetupError: there is no installer, index, package, or wheel of it for this Python.
        """
        current().check("packages", requirements, "The package {} is not allowed")
        versions = {**await asyncio.to_thread(lambda: site.versions)}
        versions |= {package.name: package.version for package in self.installed}
        with tempfile.TemporaryDirectory(prefix="smolcell-packages-") as name:
            here = Path(name)
            (here / "wanted.txt").write_text("\n".join(requirements), "utf-8")
            kept = (
                f"{each}=={_without_local_part(version)}\n"
                for each, version in versions.items()
                if name_of(each) == each and _VERSION.fullmatch(version)  # data of an image is untrusted
            )
            (here / "kept.txt").write_text("".join(kept), "utf-8")
            tool, start, end = _installer()
            log = await _run([*start, *_RESOLVE[tool], *site.flags[tool], *end], here, LOOK_UP)
            try:
                packages = _read_lock(here) if tool == "uv" else _read_report(here)
            except (ValueError, KeyError, TypeError) as error:
                raise SetupError(f"this version of {tool} wrote an unknown format: {error!r}") from None
            log += (here / "log.txt").read_text("utf-8", "replace") if tool == "pip" else ""
        asked = {name_of(requirement) for requirement in requirements}
        missing = [(each, url) for each, url in packages if each.package.name not in versions]
        missing.sort(key=lambda each: (each[0].package.name not in asked, each[0].package.name))
        plan = Plan(tuple(requirements), tuple(await _add_details(missing, log)))
        plan.check()
        return plan

    async def install(self, plan: Plan, site: Site) -> tuple[str, ...]:
        """Install the packages of a plan; returns the top-level modules of those that were requested.

        Raises:
            SetupError: installation failed; nothing was added.
        """
        plan.check()
        pinned = (f"{each.name}=={each.version} --hash=sha256:{each.sha256}\n" for each in plan.packages)
        folder = self.folder
        with tempfile.TemporaryDirectory(dir=self._top) as name:
            here, staging = Path(name), Path(name) / "staging"
            staging.mkdir()
            (here / "pinned.txt").write_text("".join(pinned), "utf-8")
            tool, start, end = _installer()
            await _run([*start, *_INSTALL[tool], *site.flags[tool], *end], here, INSTALL)
            modules = _modules(staging)
            await asyncio.to_thread(
                shutil.copytree, staging, folder, copy_function=os.replace, dirs_exist_ok=True, symlinks=True
            )
        self.installed = (*self.installed, *plan.packages)
        self._modules.update(name for names in modules.values() for name in names)
        asked = dict.fromkeys(map(name_of, plan.requirements))
        return tuple(module for name in asked for module in modules.get(name, ()))


def _remove(top: str, token: str) -> None:
    folders.remove(top)
    reaper.forget(token)


def _without_local_part(version: str) -> str:
    """Return a version without its local part, which indexes do not have."""
    return version.partition("+")[0]


def _modules(folder: Path) -> dict[str, list[str]]:
    """Return the top-level modules of the distributions in a folder, by canonical name."""
    modules: dict[str, list[str]] = {}
    for each in importlib.metadata.distributions(path=[str(folder)]):
        files = [file for file in each.files or () if len(file.parts) > 1 or file.suffix in (".py", ".so", ".pyd")]
        tops = dict.fromkeys(file.parts[0].partition(".")[0] for file in files if file.parts[0] not in _NO_MODULES)
        modules[canonical(each.name or "")] = [top for top in tops if top.isidentifier()]
    return modules


# --- the installer -------------------------------------------------------------------------------------------------------

_WHEELS = ("--only-binary", ":all:")
_PINNED = ("install", "--target", "staging", "--no-deps", "--require-hashes", *_WHEELS, "-r", "pinned.txt")
_RESOLVE = {
    "uv": ("compile", "wanted.txt", "-c", "kept.txt", "--format", "pylock.toml", "-o", "pylock.toml", *_WHEELS, "-v"),
    "pip": (
        *("install", "--dry-run", "--ignore-installed", "--target", "staging", "--report", "report.json", *_WHEELS),
        *("-r", "wanted.txt", "-c", "kept.txt", "--log", "log.txt", "--retries", "1"),
    ),
}
_INSTALL = {"uv": (*_PINNED, "--link-mode", "copy"), "pip": (*_PINNED, "--no-compile")}


def _installer() -> tuple[str, list[str], list[str]]:
    """Return the installer's name (uv or pip), and the words before and after its command; ignores the current folder."""
    python = sys.executable
    if uv := shutil.which("uv"):
        return "uv", [uv, "pip"], ["--python", python]
    if is_installed("pip"):
        return "pip", [python, "-P", "-m", "pip"], []
    if pip := shutil.which("pip"):
        return "pip", [pip, "--python", python], []
    raise SetupError("packages are installed by uv or pip, and neither is on this machine's PATH")


async def _run(words: list[str], folder: Path, seconds: float) -> str:
    """Run the installer in this folder and return its output; cancelling the task ends it."""
    (folder / "uv.toml").touch()  # otherwise uv would read that of a parent folder, which other users may write
    process = await subprocess.create_subprocess_exec(
        *words,
        cwd=folder,
        env={**os.environ, **_ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        umask=0o022,
    )
    try:
        async with asyncio.timeout(seconds):
            output = str((await process.communicate())[1], "utf-8", "replace")
    except TimeoutError:
        raise SetupError(f"the installer was not done within {seconds:g} s") from None
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if process.returncode:
        raise SetupError(_summarize(output))
    return output


def _summarize(output: str) -> str:
    """Summarize an installer's output in one line."""
    if _UNREACHABLE.search(output):
        return "the package index cannot be reached from this machine"
    lines = [
        line.strip(" \u00d7╰─▶│├")
        for line in output.splitlines()
        if not re.match(r"DEBUG |TRACE |WARNING|warning", line)
    ]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")] or lines
    return clip(presentable(" ".join(" ".join(errors).split())), MAX_ERROR_CHARS) or "the installer failed"


def _read_report(folder: Path) -> list[tuple[Wheel, str]]:
    """Read the wheels that pip would install from its installation report, version 1."""
    report = json.loads((folder / "report.json").read_text("utf-8"))
    return [
        _found(
            each["metadata"]["name"],
            each["metadata"]["version"],
            each["download_info"]["url"],
            each["download_info"].get("archive_info", {}).get("hashes", {}),
        )
        for each in report["install"]
    ]


def _read_lock(folder: Path) -> list[tuple[Wheel, str]]:
    """Read the wheels that uv would install (PEP 751); of several wheels, the one for this platform."""
    lock = tomllib.loads((folder / "pylock.toml").read_text("utf-8"))
    packages = []
    for each in lock.get("packages", ()):
        wheels = sorted(each.get("wheels", ()), key=lambda wheel: str(wheel.get("url")).endswith("-none-any.whl"))
        wheel = wheels[0] if wheels else {}
        one, url = _found(each["name"], each.get("version", ""), str(wheel.get("url", "")), wheel.get("hashes", {}))
        packages.append((replace(one, size=int(wheel.get("size", 0))), url))
    return packages


def _found(name: str, version: str, url: str, hashes: Mapping[str, str]) -> tuple[Wheel, str]:
    name, sha256 = canonical(name), str(hashes.get("sha256", ""))
    if not (name_of(name) == name and _VERSION.fullmatch(version) and urlsplit(url).path.endswith(".whl")):
        raise SetupError(f"{visible(name[:100])} has no wheel for this Python")
    if not _SHA256.fullmatch(sha256):
        raise SetupError(f"the index gives no SHA-256 for {name} {version}")
    return Wheel(package=Package(name=name, version=version, sha256=sha256)), url


# --- facts from the index -----------------------------------------------------------------------------------------------------


async def _add_details(packages: Iterable[tuple[Wheel, str]], log: str) -> list[Wheel]:
    """Add size, first release and index, as far as known."""
    with importing():
        import httpx

    async with httpx.AsyncClient(follow_redirects=True, timeout=10.0) as client:
        return await asyncio.gather(
            *(_describe(client, one, _page(one.package.name, url, log)) for one, url in packages)
        )


def _page(name: str, url: str, log: str) -> str:
    """Return the URL of the index page that lists this wheel, read from the installer's log; "" if unknown."""
    exact = re.search(rf"{re.escape(url)}\S* \(from (https?://[^\s)]+)\)", log)
    pages = re.findall(rf"https?://[^\s'\"`<>]+/{re.escape(name)}/(?=[\s'\"`),]|$)", log)
    return exact[1] if exact else pages[-1] if pages else ""


async def _describe(client: Any, package: Wheel, page: str) -> Wheel:
    if not page:
        return package
    package = replace(package, index=visible(urlsplit(page).hostname or package.index))
    try:
        files = await _files(client, page)
    except Exception:  # the HTTP client raises many kinds, and an index may lack this information
        return package
    sizes = [file.get("size") for file in files if file.get("hashes", {}).get("sha256") == package.package.sha256]
    days = sorted(str(file["upload-time"])[:10] for file in files if file.get("upload-time"))
    released = days[0] if days and re.fullmatch(r"\d{4}-\d\d-\d\d", days[0]) else ""
    size = next((size for size in sizes if type(size) is int and size > 0), 0)
    return replace(package, size=package.size or size, released=released)


async def _files(client: Any, page: str) -> list[dict[str, Any]]:
    async with client.stream("GET", page, headers={"Accept": PAGE_TYPE}) as answer:
        answer.raise_for_status()
        data = bytearray()
        async for piece in answer.aiter_bytes():
            data += piece
            if len(data) > MAX_PAGE_BYTES:
                raise SandboxError("the index's page is too large")
    files: list[dict[str, Any]] = json.loads(data)["files"]
    return files
