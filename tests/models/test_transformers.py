"""``TransformersModel`` with a real transformers and PyTorch, on a model of a few kilobytes that is built here.

The model is a chain: after each token comes the one that the test names, whatever came before, so what it says is known.
PyTorch is large: CI has a part of its own for this file, and sets ``SMOLCELL_TORCH=1`` there, so that it cannot be skipped.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from dialects import HELLO, items

from smolcell.agent import CodeAgent
from smolcell.errors import SetupError
from smolcell.events import Delta, Replied
from smolcell.models import create_model
from smolcell.models.errors import ModelError
from smolcell.models.transformers import TransformersModel
from smolcell.testing import allow_all

INSTALLED = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))


def needs_torch(test: Callable[..., None]) -> pytest.MarkDecorator:
    """Skip it where PyTorch is not installed, but never where it should be."""
    reason = "PyTorch is tested by itself: pip install 'smolcell[transformers]'"
    test = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")(test)
    return pytest.mark.skipif(not INSTALLED and os.environ.get("SMOLCELL_TORCH") != "1", reason=reason)(test)


TURNS = "<|{{ m.role }}|> {{ m.content }} {% endfor %}<|assistant|>"
TEMPLATE = "{% for m in messages %}" + TURNS
REFUSING = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}" + TURNS
SAYS = "Easy.|\n<co|de>\nx| = 1\n|final_answer(x + 41)|\n</|code>\nObser|vation of step 1|</s>".split("|")


@pytest.fixture(autouse=True)
def _no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """transformers looks for a package ``kernels``, and would find the tests' own module of that name."""
    monkeypatch.setitem(sys.modules, "kernels", None)


def save_model(
    folder: Path, says: Sequence[str] = SAYS, template: str | None = TEMPLATE, window: int = 4000, end: str = "</s>"
) -> str:
    """Write a model whose reply is these tokens; after the last of them it starts again."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    as_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    special = ["<unk>", "</s>", "<|system|>", "<|user|>", "<|assistant|>"]
    spelt = [token if token in special else as_bytes.pre_tokenize_str(token)[0][0] for token in says]
    spelt = ["\u00c3" if token == "HALF1" else "\u00a9" if token == "HALF2" else token for token in spelt]
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys([*special, *spelt]))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", eos_token=end)
    fast.add_special_tokens({"additional_special_tokens": special[2:]})
    fast.chat_template = template
    size = len(fast)
    config = LlamaConfig(
        vocab_size=size, hidden_size=size + size % 2, intermediate_size=4, num_hidden_layers=1, num_attention_heads=1,
        num_key_value_heads=1, max_position_embeddings=window, eos_token_id=vocabulary[end], bos_token_id=None,
        tie_word_embeddings=False,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    follows = {"<|assistant|>": spelt[0], "<unk>": spelt[0], **dict(zip(spelt, [*spelt[1:], spelt[0]], strict=True))}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        model.model.norm.weight.fill_(1.0)
        model.model.embed_tokens.weight[:, :size] = torch.eye(size)
        for token, after in follows.items():
            model.lm_head.weight[vocabulary[after], vocabulary[token]] = 1.0
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    return str(folder)


@needs_torch
def test_a_model_is_loaded_once_and_its_reply_is_streamed(tmp_path: Path) -> None:
    model = create_model(f"transformers/{save_model(tmp_path)}", temperature=0.0)
    assert isinstance(model, TransformersModel)
    assert model.context_window is None
    first, second = items(model), items(model)
    assert [item.text for item in first[:2]] == ["loading transformers", "loading weights"]
    text = "Easy.\n<code>\nx = 1\nfinal_answer(x + 41)\n</code>"
    whole = second[-1]
    assert isinstance(whole, Replied)
    assert (whole.text, whole.model) == (text, model.name)
    assert whole.usage.output_tokens in {7, 8}  # "Obser" is the seventh; transformers may make one more
    assert whole.usage.input_tokens > 5
    assert "".join(item.text for item in second[:-1]) == text
    assert len(second) > 5
    assert first[2:] == second
    assert (model.context_window, model.count_tokens("<|user|>")) == (4000, 1)


@needs_torch
def test_a_run_with_it_answers(tmp_path: Path) -> None:
    model = TransformersModel(save_model(tmp_path), temperature=0.0, torch_dtype="float32")
    with CodeAgent(model=model, gate=allow_all) as agent:
        assert agent.run("What is 41 + 1?") == 42


@needs_torch
@pytest.mark.parametrize("template", [None, REFUSING], ids=["no template", "a template without a system role"])
def test_templates_that_lack_something(template: str | None, tmp_path: Path) -> None:
    model = TransformersModel(save_model(tmp_path, template=template), temperature=0.0)
    (whole,) = [item for item in items(model) if isinstance(item, Replied)]
    assert whole.text.endswith("final_answer(x + 41)\n</code>")


@needs_torch
def test_half_a_character_is_held_back_and_special_tokens_are_not_shown(tmp_path: Path) -> None:
    folder = save_model(tmp_path, ["caf", "HALF1", "HALF2", " <|user|>", "<|user|>", "!", "</s>"])
    *deltas, whole = items(TransformersModel(folder, temperature=0.0))
    assert whole.text == "café <|user|>!"
    shown = [item.text for item in deltas if isinstance(item, Delta) and item.channel == "reply"]
    assert shown == ["caf", "é", " <|user|>", "!"]


@needs_torch
@pytest.mark.parametrize(
    ("says", "options", "kind", "message"),
    [
        (SAYS, {"max_new_tokens": 3}, "length", r"limit on its reply's length.* Raise max_tokens"),
        (["all", " work", " and"], {}, "length", r"repeated itself without end"),
        (["a"], {"window": 5}, "context", r"finds the conversation too long \([0-9]+ tokens of 5\).* longer context"),
        (SAYS, {"spoil": "config.json"}, "model", r"cannot be|failed"),
        (SAYS, {"spoil": "tokenizer.json"}, "model", r"cannot be"),
    ],
)
def test_every_failure_is_named(
    says: list[str], options: dict[str, Any], kind: str, message: str, tmp_path: Path
) -> None:
    folder = save_model(tmp_path, says, window=options.pop("window", 4000))
    if spoilt := options.pop("spoil", ""):
        (tmp_path / spoilt).write_text("{")
    with pytest.raises(ModelError, match=message) as caught:
        items(TransformersModel(folder, temperature=0.0, **options))
    assert (caught.value.kind, caught.value.retry) == (kind, False)


@needs_torch
def test_a_reply_that_ends_at_its_limit_is_whole(tmp_path: Path) -> None:
    model = TransformersModel(save_model(tmp_path, ["a", " b", "</s>"]), temperature=0.0, max_new_tokens=3)
    assert items(model)[-1].text == "a b"


@needs_torch
def test_too_little_memory_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    model = TransformersModel(save_model(tmp_path), temperature=0.0)
    items(model)

    def generate(**_: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")

    monkeypatch.setattr(model._model, "generate", generate)
    with pytest.raises(ModelError, match=r"ran out of memory\. Use a smaller model") as caught:
        items(model)
    assert caught.value.kind == "memory"


@needs_torch
def test_leaving_a_reply_stops_the_model_and_frees_its_thread(tmp_path: Path) -> None:
    says = [f"word{number} " for number in range(400)]
    model = TransformersModel(save_model(tmp_path, says, window=20_000), temperature=0.0, max_new_tokens=19_000)

    async def leave() -> None:
        reply: Any = model.reply(HELLO)
        async with aclosing(reply):
            shown = 0
            while shown < 3:
                shown += (await anext(reply)).channel == "reply"

    asyncio.run(leave())
    for thread in threading.enumerate():
        if thread.name == "smolcell-model":
            thread.join(60)
            assert not thread.is_alive()
    model.max_new_tokens = 2
    with pytest.raises(ModelError, match="limit on its reply's length"):
        items(model)


@needs_torch
def test_offline_nothing_is_fetched_and_the_error_says_so(tmp_path: Path) -> None:
    """In a process of its own: ``huggingface_hub`` reads the variable when it is imported."""
    program = (
        "from smolcell.models import create_model\n"
        "try: create_model('transformers/owner/name').generate([{'role': 'user', 'content': 'x'}])\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ModelError transformers/owner/name cannot be loaded: ")
    assert done.stdout.rstrip().endswith("Unset HF_HUB_OFFLINE to fetch it.")


@needs_torch
def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"is not an existing folder") as caught:
        items(TransformersModel(f"{tmp_path}/none"))
    assert caught.value.kind == "model"


def test_without_the_packages_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SetupError, match=r"pip install 'smolcell\[transformers\]'$"):
        items(TransformersModel("owner/name"))


def test_the_window_is_not_known_before_the_model_is() -> None:
    model = TransformersModel("owner/name")
    assert model.context_window is None
    with pytest.raises(ValueError, match="not loaded"):
        model.count_tokens("a")
