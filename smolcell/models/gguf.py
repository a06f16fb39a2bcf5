"""Where a GGUF file is: named by its path, or on the Hugging Face Hub, from where ``huggingface_hub`` fetches it once."""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from smolcell.errors import SmolcellError
from smolcell.events import Delta
from smolcell.models.faults import Source, Unanswered, from_exception, from_status
from smolcell.models.inprocess import Gone, Say

PREFERRED = ("Q4_K_M", "Q4_K_S", "Q4_0", "Q4_1", "IQ4_XS", "Q5_K_M", "Q8_0")
"""Which of several files is taken where none is named: small and still good first."""

_PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf\Z", re.IGNORECASE)
_NEWS = 0.25  # seconds between two words about a download


def is_path(model_id: str) -> bool:
    """Whether a name is a file's rather than one of the Hub: it begins or ends like one."""
    return model_id.startswith(("/", "./", "../", "~")) or (":" not in model_id and model_id.lower().endswith(".gguf"))


def find_file(model_id: str, token: str | None, say: Say, source: Source) -> Path:
    """The file of a model, fetched where it has to be; what is said meanwhile are "progress" deltas.

    Without a network, or with ``HF_HUB_OFFLINE=1``, a file that was fetched before is taken.

    Raises:
        Unanswered: there is no such model or file, or it cannot be fetched.
    """
    if is_path(model_id):
        return Path(model_id).expanduser()
    repository, _, pattern = model_id.partition(":")
    try:
        return _fetched(repository, pattern, token, say, source)
    except (Gone, SmolcellError):
        raise
    except Exception as error:
        raise _fault(source, error) from None


def choose(names: Sequence[str], pattern: str, source: Source) -> str:
    """The file to take of those a repository has: the one that fits the pattern, else the only one, else a preferred one.

    Raises:
        Unanswered: none or several fit; the message names them.
    """
    whole = [name for name in names if name.lower().endswith(".gguf") and "mmproj" not in name.lower()]
    files = [name for name in whole if (part := _PART.search(name)) is None or int(part[1]) == 1]
    if pattern:
        files = [
            name for name in files if fnmatch(name.lower(), pattern.lower()) or fnmatch(_base(name), pattern.lower())
        ]
    if len(files) == 1:
        return files[0]
    for kind in PREFERRED:
        fits = [name for name in files if kind.lower() in _base(name)]
        if fits:
            return min(fits, key=len)
    listed = ", ".join(sorted(whole)[:20]) or "none"
    advice = f"Name one with -m {source.model.partition(':')[0]}:PATTERN; its GGUF files are: {listed}"
    what = f"has {len(files) or 'no'} GGUF file{'' if len(files) == 1 else 's'} to choose from"
    raise source.fault(what, advice, kind="model")


def _fetched(repository: str, pattern: str, token: str | None, say: Say, source: Source) -> Path:
    from huggingface_hub import HfApi, hf_hub_download

    say(Delta(text=f"looking for {repository} on the Hub", channel="progress"))
    try:
        names = list(HfApi(token=token).list_repo_files(repository))
    except Exception as error:
        kept = _kept(repository)
        if not kept or getattr(error, "response", None) is not None:  # the Hub answered: its word counts
            raise
        folder = next(iter(kept.values()))
        say(Delta(text="the Hub is not reached; using what was fetched before", channel="progress"))
        return folder / choose(list(kept), pattern, source)
    chosen = choose(names, pattern, source)
    takes_bar = "tqdm_class" in inspect.signature(hf_hub_download).parameters
    first: Path | None = None
    for name in _parts(chosen, names):
        say(Delta(text=f"fetching {_base(name, lower=False)}", channel="progress"))
        options: dict[str, Any] = {"tqdm_class": _bar(say, _base(name, lower=False))} if takes_bar else {}
        path = Path(str(hf_hub_download(repository, name, token=token, **options)))
        first = first or path
    assert first is not None  # noqa: S101 - `chosen` is among its parts
    return first


def _parts(chosen: str, names: Sequence[str]) -> list[str]:
    """A file's parts, the first one first; most files are one."""
    part = _PART.search(chosen)
    if part is None:
        return [chosen]
    stem = chosen[: part.start()]
    return sorted(name for name in names if name.startswith(stem) and _PART.fullmatch(name, len(stem)))


def _kept(repository: str) -> dict[str, Path]:
    """GGUF files of a repository that were fetched before, by name, and the folder they are in."""
    from huggingface_hub import constants

    base = Path(constants.HF_HUB_CACHE) / ("models--" + repository.replace("/", "--"))
    main = base / "refs" / "main"
    folder = base / "snapshots" / (main.read_text(encoding="utf-8").strip() if main.is_file() else "none")
    return {path.relative_to(folder).as_posix(): folder for path in sorted(folder.rglob("*.gguf"))}


def _base(name: str, *, lower: bool = True) -> str:
    base = name.rpartition("/")[2]
    return base.lower() if lower else base


def _bar(say: Say, name: str) -> type:
    """A progress bar of the shape ``huggingface_hub`` wants, which tells ``say``, and stops the download where nobody listens."""

    class Bar:
        def __init__(self, *_: Any, total: float | None = None, initial: float = 0, **__: Any) -> None:
            self.total, self.n, self._told = total, initial, 0.0

        def update(self, more: float | None = 1) -> None:
            self.n += more or 0
            say.check()
            if time.monotonic() - self._told > _NEWS or self.n == self.total:
                self._told = time.monotonic()
                whole = f" of {self.total / 1e6:,.0f}" if self.total else ""
                say(Delta(text=f"fetching {name}: {self.n / 1e6:,.0f}{whole} MB", channel="progress"))

        def __enter__(self) -> Bar:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __getattr__(self, _: str) -> Any:  # what else a bar can do is of no use here
            return lambda *_, **__: None

    return Bar


def _fault(source: Source, error: Exception) -> Unanswered:
    names = {cls.__name__ for cls in type(error).__mro__}
    if "OfflineModeIsEnabled" in names:
        advice = "It was not fetched before: unset HF_HUB_OFFLINE, or name a file"
        return source.fault("is not on this machine", advice, kind="model")
    if "GatedRepoError" in names:
        advice = "Ask for access on its page on the Hub, then type: hf auth login"
        return source.fault("is only for those whom its owners let in", advice, kind="key")
    if names & {"RepositoryNotFoundError", "EntryNotFoundError", "HFValidationError"}:
        advice = "Check the name; for a private one, log in with: hf auth login"
        return source.fault("was not found on the Hub", advice, kind="model")
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(status, int):
        return from_status(source, status, str(error))
    return from_exception(source, error)
