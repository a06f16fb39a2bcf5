"""Small models for this machine: which there are, fetching one, and which one ``local`` names."""

from __future__ import annotations

import errno
import hashlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smolcell.errors import SetupError
from smolcell.machine.environment import importing, is_installed, optional
from smolcell.models.discovery import first_local_model
from smolcell.models.errors import ModelError, Source, from_exception, from_status

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Gguf:
    """A file on the Hub that was tried with smolcell.

    Attributes:
        name: what ``smolcell models get`` calls it.
        sha256: of the whole file; what is fetched and has another one is not kept.
        size: bytes.
    """

    name: str
    repository: str
    file: str
    sha256: str
    size: int

    @property
    def model(self) -> str:
        """The model's name."""
        return f"llamacpp/{self.repository}:{self.file}"

    @property
    def path(self) -> Path | None:
        """The file in the Hub's cache; None if it is not there."""
        found = (path for path in cached(self.repository).glob(f"snapshots/*/{self.file}") if path.is_file())
        return next((path for path in found if path.stat().st_size == self.size), None)


KNOWN = (
    Gguf(
        "qwen2.5-coder-1.5b",
        "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        1_117_320_768,
    ),
    Gguf(
        "qwen2.5-coder-0.5b",
        "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        491_400_064,
    ),
)
"""The largest, and most often right, first."""


def check_library(model: str, problem: str = "") -> None:
    """Raise ``SetupError`` if the library that serves GGUF files is missing, or has this problem. The error ends with what to type."""
    with optional(model, "llamacpp"):
        if problem or not is_installed("xllamacpp"):
            raise ImportError(problem or "it is not installed")


def in_cache() -> Iterator[Gguf]:
    """Yield the known files that were fetched and fit in memory, the largest first."""
    free = free_memory()
    for known in KNOWN:
        if (free is None or known.size * 3 // 2 < free) and known.path is not None:
            yield known


def resolve() -> str:
    """Return the name of the model that ``local`` stands for: the largest known file in the cache that fits in memory, else a server's.

    Raises:
        SetupError: there is neither.
    """
    name = next((known.model for known in in_cache()), "") or first_local_model()
    large = [known for known in KNOWN if known.path is not None]
    if not name and large:
        needs, free = large[-1].size * 3 // 2, free_memory() or 0
        raise SetupError(
            f"{large[-1].name} is on this machine, but needs {needs / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free. End other "
            "programs, or use another model with -m"
        )
    if not name:
        raise SetupError(
            f"there is no model on this machine yet. Fetch one ({KNOWN[0].size / 1e9:.1f} GB): smolcell models get {KNOWN[0].name}"
        )
    return name


def with_local(names: str) -> str:
    """Return names of models, separated by commas, with ``local`` replaced by what it stands for. Raises what ``resolve`` does."""
    parts = [part.strip() for part in names.split(",")]
    return ",".join(resolve() if part == LOCAL else part for part in parts) if LOCAL in parts else names


def free_memory() -> int | None:
    """Return the bytes of memory that programs can still take, also within a container's limit; None if the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        free = int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, ValueError, KeyError, IndexError):
        return None
    try:
        most, used = (
            int(Path(f"/sys/fs/cgroup/memory.{name}").read_text(encoding="ascii")) for name in ("max", "current")
        )
    except (OSError, ValueError):  # "max", or another system
        return free
    return min(free, most - used)


def named(name: str) -> Gguf:
    """Return the known file of this name.

    Raises:
        SetupError: there is none.
    """
    found = next((known for known in KNOWN if name.lower() == known.name), None)
    if found is None:
        names = ", ".join(known.name for known in KNOWN)
        raise SetupError(
            f"{name!r} is not known; there are: {names}. Any other GGUF file is -m llamacpp/owner/name:FILE"
        )
    return found


def fetch(known: Gguf, token: str | None = None, bar: Any = None) -> Path:
    """Fetch a known file into the Hub's cache, unless it is there. Goes on where an earlier fetch ended.

    Args:
        known: the file.
        token: for the Hub; by default that of the environment, or the stored one.
        bar: a class like tqdm's that shows the progress; by default a bar on standard error.

    Raises:
        ModelError: it cannot be fetched.
        SetupError: the Hub has another file, or the disk is full.
    """
    if known.path is not None and check(known.path, known):
        return known.path
    with importing():
        from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
        from huggingface_hub.utils import WeakFileLock  # type: ignore[attr-defined]
    folder = cached(known.repository) / "blobs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if get_hf_file_metadata(hf_hub_url(known.repository, known.file)).etag != known.sha256:
            raise _other_file(known)
        with WeakFileLock(f"{folder / known.sha256}.lock"):
            _fetch_blob(known, folder, token, bar)
        return Path(hf_hub_download(known.repository, known.file))  # which finds it, and gives it its name
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise hub_fault(Source(model=known.name), error) from None
        raise SetupError(
            f"{known.name} needs {known.size / 1e9:.1f} GB on the disk of {folder}: {error.strerror}. Make room, or set HF_HOME to a "
            f"folder on another disk, and type again: smolcell models get {known.name}"
        ) from None
    except SetupError:
        raise
    except Exception as error:
        raise hub_fault(Source(model=known.name), error) from None


def _fetch_blob(known: Gguf, folder: Path, token: str | None, bar: Any) -> None:
    """Fetch a file's content to its place in the Hub's cache. What was fetched is kept if this is interrupted."""
    with importing():
        from huggingface_hub import file_download, hf_hub_url
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

    blob = folder / known.sha256
    if blob.is_file() and check(blob, known):
        return
    part = folder / f"{known.sha256}.part"
    with part.open("ab") as file:
        if file.tell() > known.size:
            file.truncate(0)
        url, begin = hf_hub_url(known.repository, known.file), file.tell()
        options = with_bar(file_download.http_get, bar)
        headers = build_hf_headers(token=token)
        file_download.http_get(url, file, resume_size=begin, headers=headers, expected_size=known.size, **options)
    if not check(part, known):
        part.unlink()
        raise _other_file(known)
    part.replace(blob)


def with_bar(fetching: Callable[..., object], bar: Any) -> dict[str, Any]:
    """Return the option with which this function of the Hub's library shows its progress, if there is a bar and it takes one."""
    return {"tqdm_class": bar} if bar is not None and "tqdm_class" in inspect.signature(fetching).parameters else {}


def _other_file(known: Gguf) -> SetupError:
    return SetupError(
        f"{known.file} of {known.repository} is not the known file (SHA-256 {known.sha256[:12]}…); it was not kept"
    )


def known_as(model_id: str) -> Gguf | None:
    """Return the known file that a model's name means, without its provider; None if it means another."""
    return next((known for known in KNOWN if known.model == f"llamacpp/{model_id}"), None)


def check(path: Path, known: Gguf) -> bool:
    """Return whether a file is the known one, by its SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == known.sha256


def cached(repository: str) -> Path:
    """Return the folder of a repository in the Hub's cache."""
    with importing():
        from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE) / ("models--" + repository.replace("/", "--"))


def hub_fault(source: Source, error: Exception) -> ModelError:
    """Return what a person is told about an error of the Hub's library."""
    names = {cls.__name__ for cls in type(error).__mro__}
    if "OfflineModeIsEnabled" in names:
        advice = "Unset HF_HUB_OFFLINE to fetch it, or name a file"
        return source.fault("is not on this machine", advice, kind="model")
    if "GatedRepoError" in names:
        advice = "Ask for access on its page on the Hub, then type: hf auth login"
        return source.fault("is open only to users whom its owners approved", advice, kind="key")
    if names & {"RepositoryNotFoundError", "EntryNotFoundError", "HFValidationError"}:
        advice = "Check the name; for a private one, log in with: hf auth login"
        return source.fault("was not found on the Hub", advice, kind="model")
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(status, int):
        return from_status(source, status, str(error))
    return from_exception(source, error)
