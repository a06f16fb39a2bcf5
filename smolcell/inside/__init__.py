"""The whole agent inside a sandbox: its loop, prompts, parser and tools, and if asked for its model's client.

::

    this machine                                    the sandbox
    ────────────                                    ───────────
    driver, gate, permits, view, journal            the agent's process: loop, prompt, parser, tools
         │  what happened ─────────────────────────►     │
         │  ◄──────────────────── its next request       │   (think · review · run · tell)
         │  think: the model is asked from here, or in there with ``network=True``
         │  review: shown and decided here; the permit never leaves
         │  run: the permitted text goes to ─────────►  the code's process, with the worker's guard and limits

The agent's process only answers. Its requests are data, and checked against those that are possible now (``remote_loop.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smolcell.inside.agent import InsideAgent as InsideAgent
    from smolcell.inside.agent import run_inside as run_inside

__all__ = ["InsideAgent", "run_inside"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'smolcell.inside' has no attribute {name!r}")
    from smolcell.inside import agent  # not imported inside the sandbox, where it is missing

    return getattr(agent, name)
