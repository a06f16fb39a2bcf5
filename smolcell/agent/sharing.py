"""Agents in folders, on the Hub, and for many tasks; their approved steps as ordinary cells."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any, TypeVar

from smolcell.agent.making import spec_of
from smolcell.exports import Export, cells
from smolcell.machine.extensions import extension
from smolcell.protocols import Model
from smolcell.tools.builtin import sources

A = TypeVar("A")


def save(self: Any, folder: str | os.PathLike[str]) -> str:
    """Write the agent into a folder, which is created: ``agent.toml``, the sources of its tools, and a card.

    A model without a name (``provider/model``) is recorded by its class, and must be given when the agent is loaded. The file of a
    ``RecordingModel`` is copied. Keys, journals and memory are not saved.

    Returns:
        The SHA-256 of all files, for ``trust=``.

    Raises:
        SetupError: a tool has no source that works elsewhere, a text contains a secret, or the folder cannot be written.
    """
    digest: str = extension("hub").save(self, folder)
    return digest


def load(
    cls: type[A],
    /,
    folder: str | os.PathLike[str],
    model: Model | None = None,
    *,
    trust: str | None = None,
    **options: Any,
) -> A:
    """Make an agent from a folder that ``save``, or smolagents' ``agent.save``, wrote. Shows the agent first.

    Args:
        folder: the folder.
        model: replaces the model named in the folder.
        trust: the SHA-256 that was shown. With it, the tools run in this process; without it, each runs in its own sandbox.
        options: arguments of the constructor, which override the folder's; ``expected_walls=()`` to run its code even if walls are
            missing.

    Raises:
        SetupError: it is no such folder, it does not match ``trust``, it needs a model, or the policy forbids it.
    """
    agent: A = extension("hub").load(cls, folder, model, trust, options)
    return agent


def push_to_hub(
    self: Any, repo: str, private: bool = True, *, token: str | None = None, endpoint: str | None = None
) -> Any:
    """``save`` to a repository of the Hugging Face Hub, which is created. Returns ``repo``, ``revision`` and ``trust``.

    Raises:
        SetupError: the agent cannot be saved, or the Hub refuses it.
    """
    return extension("hub").push(self, repo, private, token, endpoint)


def from_hub(
    cls: type[A],
    /,
    repo: str,
    model: Model | None = None,
    *,
    revision: str = "",
    trust: str | None = None,
    token: str | None = None,
    endpoint: str | None = None,
    **options: Any,
) -> A:
    """``load`` an agent from the Hugging Face Hub, from exactly one commit.

    Args:
        repo: ``owner/name``, or ``spaces/owner/name`` for a Space, as smolagents pushes agents.
        revision: the commit, 40 hexadecimal digits.
        model, trust, options: as for ``load``.
        token: for a private repository.
        endpoint: the URL of another Hub.

    Raises:
        SetupError: the commit is missing (the message says which is the newest), or what ``load`` raises.
    """
    agent: A = extension("hub").fetch(cls, repo, model, revision, trust, token, endpoint, options)
    return agent


def map_tasks(self: Any, tasks: Any, on: Any = "local", **options: Any) -> Any:
    """Do many tasks, each with an agent of the same spec. Takes the arguments of ``smolcell.scale.map``.

    This agent's memory and sandbox are not used.

    Raises:
        SetupError: a part of the agent cannot be described by a name, so other processes cannot make it.
    """
    return extension("scale").map(tasks, spec_of(self), on, **options)


def export(self: Any, run: str = "", *, answer: str = "answer", defined: Collection[str] = ()) -> Export:
    """Return the approved steps of a run as ordinary cells that give the same answer.

    Args:
        run: its id; the newest run remembered by default.
        answer: the variable for the answer.
        defined: names of tools that the target of the cells already defines.

    Raises:
        SetupError: there is no such run, or none of its steps ended.
    """
    return cells.export(self.memory.events, run, answer=answer, tools=sources(self.callables), defined=defined)
