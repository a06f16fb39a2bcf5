"""Models that run in this process with Hugging Face's ``transformers``, which is imported and loads the model on the first reply."""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

from smolcell.core.parsing import REASONING
from smolcell.core.redaction import register
from smolcell.errors import SetupError
from smolcell.events import Delta, Replied, Usage
from smolcell.machine.environment import optional
from smolcell.models.errors import ModelError, Source, from_exception
from smolcell.models.generate import Generates, sent_parameters
from smolcell.models.inprocess import STOPS, CallerLeft, GrowingReply, ItemSink, on_thread, plain_messages
from smolcell.protocols import Message


class TransformersModel(Generates):
    """A causal language model, run in this process by ``transformers`` and PyTorch, streamed.

    Args:
        model_id: a model on the Hub, or a folder that ``save_pretrained`` wrote; by name: ``transformers/owner/name``.
        device_map: the device: "auto" (with accelerate installed), "cuda", "mps", "cpu", or a map; transformers' default if None.
        torch_dtype: "bfloat16", "float16", "float32", or "auto" for the type in which the model was saved.
        max_new_tokens: limit on a reply; a reply that reaches it is an error, because half a program is never run.
        temperature: 0 always takes the likeliest token; the model's own settings if None.
        stop: further texts that end a reply and are not part of it.
        trust_remote_code: run Python code that comes with the model, **in this process and without asking**. Only for authors you trust.
        token: for the Hub; by default ``HF_TOKEN``, else the token that ``hf auth login`` stored.
        load: further arguments of ``AutoModelForCausalLM.from_pretrained``.
        parameters: further arguments of ``generate``, such as ``top_p`` or ``repetition_penalty``.

    Makes one reply at a time: a second one waits. Leaving a reply ends it at the next token. With ``HF_HUB_OFFLINE=1`` nothing is fetched.
    Without a chat template in the tokenizer, a plain one is used: each message under its role's name. Images, tool calls and JSON schemas
    are not supported.
    """

    def __init__(
        self,
        model_id: str,
        api_base: str | None = None,
        api_key: str | None = None,
        *,
        device_map: str | Mapping[str, Any] | None = None,
        torch_dtype: str = "auto",
        max_new_tokens: int = 2048,
        max_tokens: int | None = None,
        temperature: float | None = None,
        stop: Sequence[str] = (),
        trust_remote_code: bool = False,
        token: str | None = None,
        load: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        self.model_id = model_id
        self.name = f"transformers/{model_id}"
        self.max_new_tokens = max_tokens or max_new_tokens
        self._token = token or api_key
        self._trust = trust_remote_code
        self._load_with = {"dtype": torch_dtype, **({"device_map": device_map} if device_map else {}), **(load or {})}
        given = sent_parameters({"temperature": temperature, "stop": stop}, {})
        self._stops = (*STOPS, *given.get("stop", ()))
        self.parameters = sent_parameters(_sampling(given.get("temperature")), parameters)
        self._model: Any = None
        self._tokenizer: Any = None
        self._reasons = False  # whether the model's template begins reasoning
        self._turn = threading.Lock()
        register(self._token)

    def __repr__(self) -> str:
        return f"TransformersModel({self.model_id!r})"

    @property
    def context_window(self) -> int | None:
        """Tokens of prompt and reply together; None until the model is loaded, or if its configuration has no limit."""
        window = getattr(getattr(self._model, "config", None), "max_position_embeddings", None)
        return window if isinstance(window, int) and window > 0 else None

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text. Raises ``ValueError`` before the model is loaded."""
        if self._model is None:
            raise ValueError("the model is not loaded")
        return len(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream the model's reply. See ``smolcell.protocols.Model``.

        Raises:
            SetupError: transformers or PyTorch is not installed.
            ModelError: an ``AgentGenerationError`` whose message ends with what to do.
        """
        shown = plain_messages(messages)
        async with aclosing(on_thread(lambda sink: self._answer(shown, sink))) as items:
            async for item in items:
                yield item

    @property
    def _source(self) -> Source:
        return Source(model=self.name)

    def _answer(self, messages: list[dict[str, Any]], sink: ItemSink) -> None:
        with self._turn:
            sink.check()
            try:
                self._load(sink)
                sink(self._generate(self._prompt(messages), sink))
            except (CallerLeft, SetupError, ModelError):
                raise
            except Exception as error:
                raise _fault(self._source, error) from None

    def _load(self, sink: ItemSink) -> None:
        if self._model is not None:
            return
        sink(Delta(text="loading transformers", channel="progress"))
        with optional(self.name, "transformers"):
            import torch  # noqa: F401 - transformers imports without it, and then has no models
            import transformers
        place = self.model_id
        if place.startswith(("/", "./", "../", "~")):
            place = str(Path(place).expanduser())
            if not Path(place).is_dir():
                advice = "Give the folder that save_pretrained wrote, or a model's name on the Hub"
                raise self._source.fault("is not an existing folder", advice, kind="model")
        sink(Delta(text="loading weights", channel="progress"))
        shared = {"token": self._token, "trust_remote_code": self._trust}
        tokenizer = transformers.AutoTokenizer.from_pretrained(place, **shared)
        sink.check()
        model = transformers.AutoModelForCausalLM.from_pretrained(place, **shared, **self._load_with)
        self._tokenizer, self._model = tokenizer, model.eval()

    def _prompt(self, messages: list[dict[str, Any]]) -> Any:
        """Return the conversation as tokens, by the model's own chat template."""
        if getattr(self._tokenizer, "chat_template", None):
            try:
                text = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            except Exception as error:  # some templates refuse the role "system"
                if messages[0]["role"] != "system" or len(messages) < 2:
                    raise
                first = {"role": "user", "content": f"{messages[0]['content']}\n\n{messages[1]['content']}"}
                merged = [first, *messages[2:]] if messages[1]["role"] == "user" else None
                if merged is None:
                    raise error from None
                text = self._tokenizer.apply_chat_template(merged, tokenize=False, add_generation_prompt=True)
            self._reasons = text.rstrip().endswith(tuple(REASONING))
            tokens = self._tokenizer(text, return_tensors="pt", add_special_tokens=False)
        else:
            text = "".join(f"### {message['role'].capitalize()}:\n{message['content']}\n\n" for message in messages)
            tokens = self._tokenizer(f"{text}### Assistant:\n", return_tensors="pt")
        return tokens.to(self._model.device)

    def _generate(self, tokens: Any, sink: ItemSink) -> Replied:
        size, window = int(tokens["input_ids"].shape[1]), self.context_window
        if window is not None and size >= window:
            advice = "Start again with --new, copy in less, or use a model with a longer context"
            what = f"finds the conversation too long ({size:,} tokens of {window:,})"
            raise self._source.fault(what, advice, kind="context")
        most = self.max_new_tokens if window is None else min(self.max_new_tokens, window - size)
        stops = self._stops if getattr(self._tokenizer, "chat_template", None) else (*self._stops, "\n### ")
        growing = GrowingReply(self._source, sink, stops, reasons=self._reasons)
        stream = _Stream(self._tokenizer, growing)
        self._model.generate(
            **{key: tokens[key] for key in ("input_ids", "attention_mask") if key in tokens},
            streamer=stream,
            stopping_criteria=[stream.enough],
            max_new_tokens=most,
            pad_token_id=_pad(self._tokenizer),
            **self.parameters,
        )
        ended = stream.last in _ends(self._model, self._tokenizer)
        usage = Usage(input_tokens=size, output_tokens=stream.made)
        return growing.whole(usage, self.name, reason="length" if stream.made >= most and not ended else "stop")


class _Stream:
    """Receives the tokens of ``generate``, and passes text on as soon as it is certain."""

    def __init__(self, tokenizer: Any, growing: GrowingReply) -> None:
        self._tokenizer, self._growing = tokenizer, growing
        self._special = set(tokenizer.all_special_ids)
        self._waiting: list[int] = []
        self._known = ""  # the part of their text that was passed on
        self._prompt = True
        self.made = 0
        self.last = -1

    def put(self, value: Any) -> None:
        """Receive the prompt once, then each token."""
        if self._prompt:
            self._prompt = False
            return
        for token in value.reshape(-1).tolist():
            self.made += 1
            self.last = token
            if token not in self._special:
                self._waiting.append(token)
        self._tell(end=False)

    def end(self) -> None:
        self._tell(end=True)

    def enough(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """A stopping criterion: one answer, since one reply is generated."""
        return input_ids.new_full((input_ids.shape[0],), int(self._growing.ended)).bool()

    def _tell(self, *, end: bool) -> None:
        text = self._tokenizer.decode(self._waiting, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        if not end and text.endswith("\ufffd"):  # half of a character
            self._growing.add("")
            return
        self._growing.add(text[len(self._known) :])
        self._known = text
        if text.endswith("\n"):  # restart decoding: the next token's text does not depend on earlier lines
            self._waiting, self._known = [], ""


def _sampling(temperature: float | None) -> dict[str, Any]:
    if temperature is None:
        return {}
    return {"do_sample": True, "temperature": temperature} if temperature > 0 else {"do_sample": False}


def _pad(tokenizer: Any) -> Any:
    return tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id


def _ends(model: Any, tokenizer: Any) -> set[int]:
    """Return the tokens that end a reply."""
    ends = getattr(model.generation_config, "eos_token_id", None)
    return {*(ends if isinstance(ends, list) else [ends]), tokenizer.eos_token_id} - {None}


def _fault(source: Source, error: Exception) -> ModelError:
    names = {cls.__name__ for cls in type(error).__mro__}
    message = str(error)
    if "OutOfMemoryError" in names or "out of memory" in message or "can't allocate memory" in message:
        advice = (
            "Use a smaller model, torch_dtype='bfloat16', or another device_map; restarting the kernel frees the memory"
        )
        return source.fault("ran out of memory", advice, kind="memory")
    if names & {"OSError", "HFValidationError"} and "HTTPError" not in names:
        offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")
        advice = "Unset HF_HUB_OFFLINE to fetch it" if offline else "Check the name; a private one needs: hf auth login"
        return source.fault("cannot be loaded", advice, kind="model", reason=message)
    if names & {"ValueError", "ImportError", "KeyError", "SafetensorError"}:
        advice = "Check that it is a causal language model with its tokenizer"
        return source.fault("cannot be used", advice, kind="model", reason=message)
    return from_exception(source, error)
