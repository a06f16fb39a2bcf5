"""GGUF models in this process, through llama-cpp-python, which is imported and loads the model on the first reply.

A name is a file (``llamacpp/./model.gguf``, absolute or with ``~``), or a repository of the Hub: ``llamacpp/owner/name`` uses its only
GGUF file, or a four-bit one of several; ``llamacpp/owner/name:*Q8_0.gguf`` uses the file that matches the pattern.
"""

from __future__ import annotations

import inspect
import re
import threading
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from smolcell.environment import importing, optional
from smolcell.errors import SetupError, SmolcellError
from smolcell.events import Delta, Replied, Usage
from smolcell.models.errors import ModelError, Source, from_exception, from_status
from smolcell.models.generate import Generates
from smolcell.models.inprocess import STOPS, CallerLeft, GrowingReply, ItemSink, on_thread, plain_messages
from smolcell.protocols import Message
from smolcell.redaction import register

# --- Finding a GGUF file: by path, or on the Hugging Face Hub, from where ``huggingface_hub`` fetches it once.


PREFERRED = ("Q4_K_M", "Q4_K_S", "Q4_0", "Q4_1", "IQ4_XS", "Q5_K_M", "Q8_0")
"""Order of preference if no file is named: small files of good quality first."""

_PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf\Z", re.IGNORECASE)
_PROGRESS_SECONDS = 0.25  # seconds between progress messages of a download


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
    repository, _, pattern = model_id.partition(":")
    try:
        return _fetch(repository, pattern, token, sink, source)
    except (CallerLeft, SmolcellError):
        raise
    except Exception as error:
        raise _gguf_fault(source, error) from None


def choose(names: Sequence[str], pattern: str, source: Source) -> str:
    """Choose among a repository's files: the one that matches the pattern, else the only one, else a preferred one.

    Raises:
        ModelError: none or several match; the message names them.
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


def _fetch(repository: str, pattern: str, token: str | None, sink: ItemSink, source: Source) -> Path:
    with importing():
        from huggingface_hub import HfApi, hf_hub_download

    sink(Delta(text=f"looking for {repository} on the Hub", channel="progress"))
    try:
        names = list(HfApi(token=token).list_repo_files(repository))
    except Exception as error:
        cached = _cached_files(repository)
        if not cached or getattr(error, "response", None) is not None:  # the Hub answered, so the error is real
            raise
        folder = next(iter(cached.values()))
        sink(Delta(text="the Hub cannot be reached; using an earlier download", channel="progress"))
        return folder / choose(list(cached), pattern, source)
    chosen = choose(names, pattern, source)
    takes_bar = "tqdm_class" in inspect.signature(hf_hub_download).parameters
    first: Path | None = None
    for name in _parts(chosen, names):
        sink(Delta(text=f"fetching {_base(name, lower=False)}", channel="progress"))
        options: dict[str, Any] = {"tqdm_class": _bar(sink, _base(name, lower=False))} if takes_bar else {}
        path = Path(str(hf_hub_download(repository, name, token=token, **options)))
        first = first or path
    assert first is not None  # noqa: S101 - `chosen` is among its parts
    return first


def _parts(chosen: str, names: Sequence[str]) -> list[str]:
    """Return the parts of a file, the first one first. Most files have one part."""
    part = _PART.search(chosen)
    if part is None:
        return [chosen]
    stem = chosen[: part.start()]
    return sorted(name for name in names if name.startswith(stem) and _PART.fullmatch(name, len(stem)))


def _cached_files(repository: str) -> dict[str, Path]:
    """Return the GGUF files of a repository that were fetched before, by name, and their folder."""
    with importing():
        from huggingface_hub import constants

    base = Path(constants.HF_HUB_CACHE) / ("models--" + repository.replace("/", "--"))
    main = base / "refs" / "main"
    folder = base / "snapshots" / (main.read_text(encoding="utf-8").strip() if main.is_file() else "none")
    return {path.relative_to(folder).as_posix(): folder for path in sorted(folder.rglob("*.gguf"))}


def _base(name: str, *, lower: bool = True) -> str:
    base = name.rpartition("/")[2]
    return base.lower() if lower else base


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


def _gguf_fault(source: Source, error: Exception) -> ModelError:
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


class LlamaCppModel(Generates):
    """A GGUF model, run in this process by llama.cpp, streamed.

    Args:
        model_id: a file, or ``owner/name`` or ``owner/name:pattern`` on the Hub.
        api_base: not used; the model runs here.
        api_key: the same as ``token``.
        n_ctx: tokens of prompt and reply together, at most the number that the model was trained for. More need more memory.
        max_tokens: limit on a reply; a reply that reaches it is an error, because half a program is never run.
        temperature: 0 always takes the likeliest token.
        stop: further texts that end a reply and are not part of it.
        n_gpu_layers: number of layers on the GPU, -1 for all; no effect if llama-cpp-python was built for the CPU.
        n_threads: number of CPU threads; llama.cpp chooses if None.
        chat_format: one of llama-cpp-python's names, if the file names none.
        token: for the Hub; by default ``HF_TOKEN``, else the token that ``hf auth login`` stored.
        load: further arguments of ``llama_cpp.Llama``.
        parameters: further arguments of its ``create_chat_completion``, such as ``top_p``, ``seed`` or ``repeat_penalty``.

    Raises:
        SetupError: the file does not exist. On the first reply: llama-cpp-python is not installed.

    Makes one reply at a time: a second one waits. Leaving a reply ends it at the next token, or after the prompt was processed. Images and
    tool calls are not supported. While llama.cpp loads a model, output of this process is discarded.
    """

    takes_response_format = True

    def __init__(
        self,
        model_id: str,
        api_base: str | None = None,
        api_key: str | None = None,
        *,
        n_ctx: int = 8192,
        max_tokens: int = 2048,
        temperature: float = 0.2,
        stop: Sequence[str] = (),
        n_gpu_layers: int = -1,
        n_threads: int | None = None,
        chat_format: str | None = None,
        token: str | None = None,
        load: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        self.model_id = model_id
        self.name = f"llamacpp/{model_id}"
        self.max_tokens = max_tokens
        self._token = token or api_key
        self._load_with = {
            "n_ctx": n_ctx,
            "n_gpu_layers": n_gpu_layers,
            "n_threads": n_threads,
            "chat_format": chat_format,
            "verbose": False,
            **(load or {}),
        }
        self._stops = (*STOPS, *stop)
        self.parameters = {"temperature": temperature, **parameters}
        self._llama: Any = None
        self._turn = threading.Lock()
        register(self._token)
        if is_path(model_id) and not Path(model_id).expanduser().is_file():
            raise SetupError(
                f"there is no file {model_id!r}; name an existing GGUF file, or one on the Hub: "
                "%agent config model=llamacpp/owner/name"
            )

    def __repr__(self) -> str:
        return f"LlamaCppModel({self.model_id!r})"

    @property
    def context_window(self) -> int | None:
        """Tokens of prompt and reply together; None until the model is loaded."""
        if self._llama is None:
            return None
        known, room = self._llama.metadata, int(self._llama.n_ctx())
        trained = str(known.get(f"{known.get('general.architecture')}.context_length", ""))
        return min(room, int(trained)) if trained.isdecimal() else room

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text. Raises ``ValueError`` before the model is loaded."""
        if self._llama is None:
            raise ValueError("the model is not loaded")
        return len(self._llama.tokenize(text.encode("utf-8", "replace"), add_bos=False))

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[Any] = (),
        *,
        response_format: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the model's reply. See ``smolcell.protocols.Model``.

        Args:
            messages: the conversation.
            tools: not used.
            response_format: a JSON schema in the form of OpenAI's protocol; llama.cpp enforces it while it generates.

        Raises:
            SetupError: llama-cpp-python is not installed.
            ModelError: an ``AgentGenerationError`` whose message ends with what to do.
        """
        shown = plain_messages(messages)
        async with aclosing(on_thread(lambda sink: self._answer(shown, sink, response_format))) as items:
            async for item in items:
                yield item

    @property
    def _source(self) -> Source:
        return Source(model=self.name)

    def _answer(
        self, messages: list[dict[str, Any]], sink: ItemSink, response_format: Mapping[str, Any] | None
    ) -> None:
        with self._turn:
            sink.check()
            try:
                llama = self._loaded(sink)
                sink(self._generate(llama, messages, sink, response_format))
            except (CallerLeft, SetupError, ModelError):
                raise
            except Exception as error:
                raise _fault(self._source, error) from None

    def _loaded(self, sink: ItemSink) -> Any:
        if self._llama is None:
            sink(Delta(text="loading llama.cpp", channel="progress"))
            with optional(self.name, "llamacpp"):
                import llama_cpp
            path = find_file(self.model_id, self._token, sink, self._source)
            sink(Delta(text=f"loading {path.name} ({path.stat().st_size / 1e6:,.0f} MB)", channel="progress"))
            try:
                self._llama = llama_cpp.Llama(str(path), **self._load_with)
            except (ValueError, RuntimeError, AssertionError, MemoryError) as error:
                advice = "Check that the file is a whole GGUF file and fits into memory; a smaller n_ctx takes less"
                raise self._source.fault("cannot be loaded", advice, kind="model", reason=str(error)) from None
        return self._llama

    def _generate(
        self, llama: Any, messages: list[dict[str, Any]], sink: ItemSink, response_format: Mapping[str, Any] | None
    ) -> Replied:
        growing = GrowingReply(self._source, sink, () if response_format else self._stops, program=not response_format)
        options = {"response_format": _grammar(response_format)} if response_format else {}
        reason = "length"
        chunks = llama.create_chat_completion(
            messages, stream=True, max_tokens=self.max_tokens, **options, **self.parameters
        )
        try:
            for chunk in chunks:
                choice = chunk["choices"][0]
                reason = choice.get("finish_reason") or reason
                if not growing.add(choice["delta"].get("content") or ""):
                    break
        finally:
            chunks.close()
        count = self.count_tokens(growing.text)
        usage = Usage(input_tokens=max(0, llama.n_tokens - count), output_tokens=count)
        return growing.whole(usage, self.name, reason=reason)


def _grammar(response_format: Mapping[str, Any]) -> dict[str, Any]:
    """Convert OpenAI's form of a schema to llama-cpp-python's."""
    schema = response_format.get("json_schema", {}).get("schema")
    return {"type": "json_object", **({"schema": schema} if schema else {})}


def _fault(source: Source, error: Exception) -> ModelError:
    message = str(error)
    if "exceed context window" in message:
        advice = "Start again with --new, copy in less, or give the model more room with n_ctx"
        return source.fault("finds the conversation too long", advice, kind="context", reason=message)
    advice = "Try again; if it fails again, report it with this message"
    return source.fault(f"failed ({type(error).__name__})", advice, kind="server", reason=message)
