"""GGUF models on this machine: llama.cpp serves one in a process of its own, which starts with the first reply and ends with this process.

A name is a file (``llamacpp/./model.gguf``, absolute or with ``~``), or a repository of the Hub: ``llamacpp/owner/name`` uses its only
GGUF file, or a four-bit one of several; ``llamacpp/owner/name:*Q8_0.gguf`` uses the file that matches the pattern.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from smolcell.core.redaction import register
from smolcell.errors import SetupError, SmolcellError
from smolcell.events import Delta, Replied
from smolcell.machine.environment import importing
from smolcell.models.errors import ModelError, Retry, Source
from smolcell.models.gguf_server import Server
from smolcell.models.inprocess import CallerLeft, ItemSink, on_thread, plain_messages
from smolcell.models.local import cached, check_library, fetch, hub_fault, known_as, with_bar
from smolcell.models.openai import OpenAIModel
from smolcell.protocols import Message

# --- Finding a GGUF file: by path, or on the Hugging Face Hub, from where ``huggingface_hub`` fetches it once.


PREFERRED = ("Q4_K_M", "Q4_K_S", "Q4_0", "Q4_1", "IQ4_XS", "Q5_K_M", "Q8_0")
"""Order of preference if no file is named: small files of good quality first."""

_PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf\Z", re.IGNORECASE)
_PROGRESS_SECONDS = 0.25  # seconds between progress messages of a download
_ENDING_SECONDS = 1.0  # seconds within which the process has ended if that broke off a reply
_READING_SECONDS = 900.0  # seconds without a token after which a reply is given up: a long prompt is read first


def is_path(model_id: str) -> bool:
    """Return whether a name is a file's instead of a repository's: it begins or ends like one."""
    return model_id.startswith(("/", "./", "../", "~")) or (":" not in model_id and model_id.lower().endswith(".gguf"))


def find_file(model_id: str, token: str | None, sink: ItemSink, source: Source) -> Path:
    """Return the file of a model, fetched if needed. Progress is shown as "progress" deltas.

    Without a network, or with ``HF_HUB_OFFLINE=1``, an earlier download is used.

    Raises:
        ModelError: there is no such model or file, or it cannot be fetched.
    """
    if is_path(model_id):
        return Path(model_id).expanduser()
    if known := known_as(model_id):
        return known.path or fetch(known, token, _bar(sink, known.file))
    repository, _, pattern = model_id.partition(":")
    try:
        return _fetch(repository, pattern, token, sink, source)
    except (CallerLeft, SmolcellError):
        raise
    except Exception as error:
        raise hub_fault(source, error) from None


def choose(names: Sequence[str], pattern: str, source: Source) -> str:
    """Choose among a repository's files: the one that matches the pattern, else the only one, else a preferred one.

    Raises:
        ModelError: none or several match; the message names them.
    """
    whole = [name for name in names if name.lower().endswith(".gguf") and "mmproj" not in name.lower()]
    files = [name for name in whole if (part := _PART.search(name)) is None or int(part[1]) == 1]
    if pattern:
        files = [name for name in files if any(fnmatch(part.lower(), pattern.lower()) for part in (name, _base(name)))]
    if len(files) == 1:
        return files[0]
    for kind in PREFERRED:
        fits = [name for name in files if kind.lower() in _base(name).lower()]
        if fits:
            return min(fits, key=len)
    listed = ", ".join(sorted(whole)[:20]) or "none"
    advice = f"Name one with -m {source.model.partition(':')[0]}:PATTERN; its GGUF files are: {listed}"
    what = f"has {len(files) or 'no'} GGUF file{'' if len(files) == 1 else 's'} to choose from"
    raise source.fault(what, advice, kind="model")


def _fetch(repository: str, pattern: str, token: str | None, sink: ItemSink, source: Source) -> Path:
    with importing():
        from huggingface_hub import HfApi, hf_hub_download

    sink(Delta(text=f"looking for {repository} on the Hub", channel="progress"))
    try:
        names = list(HfApi(token=token).list_repo_files(repository))
    except Exception as error:
        cached = cached_files(repository)
        if not cached or getattr(error, "response", None) is not None:  # the Hub answered, so the error is real
            raise
        folder = next(iter(cached.values()))
        sink(Delta(text="the Hub cannot be reached; using an earlier download", channel="progress"))
        return folder / choose(list(cached), pattern, source)
    chosen = choose(names, pattern, source)
    paths = []
    for name in _parts(chosen, names):
        sink(Delta(text=f"fetching {_base(name)}", channel="progress"))
        options = with_bar(hf_hub_download, _bar(sink, _base(name)))
        paths.append(Path(str(hf_hub_download(repository, name, token=token, **options))))
    return paths[0]


def _parts(chosen: str, names: Sequence[str]) -> list[str]:
    """Return the parts of a file, the first one first. Most files have one part."""
    part = _PART.search(chosen)
    if part is None:
        return [chosen]
    stem = chosen[: part.start()]
    return sorted(name for name in names if name.startswith(stem) and _PART.fullmatch(name, len(stem)))


def cached_files(repository: str) -> dict[str, Path]:
    """Return the GGUF files of a repository that were fetched before, by name, and their folder."""
    base = cached(repository)
    main = base / "refs" / "main"
    folder = base / "snapshots" / (main.read_text(encoding="utf-8").strip() if main.is_file() else "none")
    return {path.relative_to(folder).as_posix(): folder for path in sorted(folder.rglob("*.gguf"))}


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def _bar(sink: ItemSink, name: str) -> type:
    """Return a progress bar class for ``huggingface_hub`` that calls ``say``, and stops the download after the caller stopped reading."""

    class Bar:
        def __init__(self, *_: Any, total: float | None = None, initial: float = 0, **__: Any) -> None:
            self.total, self.n, self._last_shown = total, initial, 0.0

        def update(self, more: float | None = 1) -> None:
            self.n += more or 0
            sink.check()
            if time.monotonic() - self._last_shown > _PROGRESS_SECONDS or self.n == self.total:
                self._last_shown = time.monotonic()
                whole = f" of {self.total / 1e6:,.0f}" if self.total else ""
                sink(Delta(text=f"fetching {name}: {self.n / 1e6:,.0f}{whole} MB", channel="progress"))

        def __enter__(self) -> Bar:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __getattr__(self, _: str) -> Any:  # other features of a bar are not needed
            return lambda *_, **__: None

    return Bar


class LlamaCppModel(OpenAIModel):
    """A GGUF model, run on this machine by llama.cpp, streamed. Nothing leaves this machine but, once, the name of a file to fetch.

    Args:
        model_id: a file, or ``owner/name`` or ``owner/name:pattern`` on the Hub.
        api_base: not used; the model runs here.
        api_key: the same as ``token``.
        n_ctx: tokens of prompt and reply together, more than the model was trained for give bad replies. More need more memory.
        max_tokens: limit on a reply; a reply that reaches it is an error, because half a program is never run.
        temperature: 0 always takes the likeliest token.
        n_gpu_layers: number of layers on the GPU, -1 for all; no effect if the library was built for the CPU.
        n_threads: number of CPU threads; as many as this process has cores if None.
        chat_template: a Jinja template, if the file names none.
        token: for the Hub; by default ``HF_TOKEN``, else the token that ``hf auth login`` stored.
        parameters: further fields of a request to llama.cpp's server, such as ``top_p``, ``seed`` or ``repeat_penalty``.

    Raises:
        SetupError: the file does not exist. On the first reply: xllamacpp is not installed.

    The process keeps the beginning of the conversation, so that the next step reads only what is new. ``close()`` ends it.
    Images and tool calls are not supported.
    """

    takes_tools = False

    def __init__(
        self,
        model_id: str,
        api_base: str | None = None,
        api_key: str | None = None,
        *,
        n_ctx: int = 8192,
        max_tokens: int = 2048,
        temperature: float = 0.2,
        n_gpu_layers: int = -1,
        n_threads: int | None = None,
        chat_template: str | None = None,
        token: str | None = None,
        **parameters: Any,
    ) -> None:
        for name in {"load", "chat_format"} & parameters.keys():
            raise SetupError(
                f"LlamaCppModel takes no {name}= any more: the model runs in a process of its own. Leave it out"
            )
        super().__init__(
            model_id,
            "http://127.0.0.1:1/v1",  # until the process says where it listens
            "",
            name=f"llamacpp/{model_id}",
            temperature=temperature,
            max_tokens=max_tokens,
            timeout=_READING_SECONDS,
            timings_per_token=True,
            **{"retry": Retry(tries=1), **parameters},
        )
        self.max_tokens = max_tokens
        self._looked = True  # the process says its window
        self._token = token or api_key
        options = {"n_gpu_layers": n_gpu_layers, "n_threads": n_threads, "chat_template": chat_template or ""}
        self._server = Server(self._source, n_ctx=n_ctx, **options)
        self._starting = threading.Lock()
        register(self._token)
        if is_path(model_id) and not Path(model_id).expanduser().is_file():
            raise SetupError(
                f"there is no file {model_id!r}; name an existing GGUF file, or one on the Hub: "
                "%agent config model=llamacpp/owner/name"
            )

    def __repr__(self) -> str:
        return f"LlamaCppModel({self.model_id!r})"

    def close(self) -> None:
        """End the process, which gives its memory back. The next reply starts another."""
        self._server.stop()

    async def _get_ready(self) -> AsyncGenerator[Delta, None]:
        async with aclosing(on_thread(self._start)) as steps:
            async for step in steps:
                yield step

    def _request(self, messages: Sequence[Message], **options: Any) -> dict[str, Any]:
        return super()._request([Message(**message) for message in plain_messages(messages)], **options)

    async def _attempt(self, request: dict[str, Any]) -> AsyncGenerator[Delta | Replied, None]:
        try:
            async with aclosing(super()._attempt(request)) as items:
                async for item in items:
                    yield item
        except ModelError as error:  # a process that dies closes its connections first
            broke_off = error.kind in ("stream", "connection")
            if not await asyncio.to_thread(self._server.ends, _ENDING_SECONDS if broke_off else 0):
                raise
            advice = "It may have run out of memory: a smaller n_ctx, or a smaller model, takes less"
            raise self._source.fault("ended while it replied", advice, kind="model") from None

    @property
    def _source(self) -> Source:
        return Source(model=self.name)

    def _start(self, sink: ItemSink) -> None:
        with self._starting:
            if not self._server.runs:
                check_library(self.name)  # before anything is fetched
                path = find_file(self.model_id, self._token, sink, self._source)
                sink(Delta(text=f"loading {path.name} ({path.stat().st_size / 1e6:,.0f} MB)", channel="progress"))
                self._server.start(path, sink.check)
                self.context_window = self._server.window
            self.api_base, self._headers = self._server.address, self._server.headers
