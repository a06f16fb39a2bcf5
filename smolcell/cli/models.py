"""``smolcell models``: the models of this machine, and those that can be fetched."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from smolcell.machine.environment import is_installed
from smolcell.models.discovery import local_models
from smolcell.models.local import KNOWN, Gguf, fetch, in_cache, named


def show(given: argparse.Namespace) -> int:
    """Print which models are on this machine, and which can be had. Returns the exit status."""
    print("\n".join(_lines()))
    return 0


def _lines() -> Iterator[str]:
    here = [known for known in KNOWN if known.path is not None]
    served = [f"{provider}/{model}" for provider, models in local_models().items() for model in models]
    yield "On this machine:"
    local = next(in_cache(), None)
    for known in here:
        yield f"  {known.name:24} {_size(known)}  {'-m local, or ' if known == local else ''}-m {known.model}"
    for name in served:
        yield f"  {name:24} served  -m {name}"
    if not (here or served):
        yield "  none"
    others = [known for known in KNOWN if known not in here]
    if others:
        yield "Can be fetched:"
    for known in others:
        yield f"  {known.name:24} {_size(known)}  smolcell models get {known.name}"


def _size(known: Gguf) -> str:
    return f"{known.size / 1e9:.1f} GB"


def get(given: argparse.Namespace) -> int:
    """Fetch a known model and check it. Returns the exit status.

    Raises:
        SetupError: it is another file than the known one.
        ModelError: it cannot be fetched.
    """
    known = named(given.name)
    path = fetch(known)
    install = "" if is_installed("xllamacpp") else "pip install 'smolcell[llamacpp]', then "
    print(f"{known.name} ({_size(known)}) is in {path.parent}")
    print(f'next: {install}smolcell run -m local "How many primes are there below 100?"')
    return 0
