"""How a runner begins: its limits, its streams, its link.

The rules this file exists to keep:

* Resource limits are set before any code of the agent runs, and cannot be raised again.
* The runner alone holds the link: what the code forks does not.
* stdin is /dev/null, stdout and stderr are the pipe that the supervisor drains.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import Any

from . import (
    limits,
    tabular,  # noqa: F401 - imported late by others, when this program's own files are out of sight
    untabular,  # noqa: F401
    wire,
)
from .agent import Agent
from .kept import stream
from .link import Far
from .runner import Runner

_BEFORE: list[Any] = []
"""The supervisor's streams, whose descriptors are closed here: ended as garbage, they would complain into a step's output."""


def _streams() -> None:
    """Text streams over descriptors 0 to 2; a line is written when it is ended."""

    for name, descriptor, mode in (("stdin", 0, "rb"), ("stdout", 1, "wb"), ("stderr", 2, "wb")):
        _BEFORE.extend((getattr(sys, name), getattr(sys, f"__{name}__")))
        made = stream(descriptor, mode)
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)


def main(sock: socket.socket, options: dict[str, Any], tools: dict[str, str]) -> int:
    """Run as the child of a supervisor; returns the exit code."""
    sock.setblocking(True)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=sock.close)  # a process that the code forks does not answer for this one
    kind: Any = Agent if options.get("agent") else Runner
    return serve(Far(sock, wire.TO_WORKER, wire.FROM_WORKER), options, tools, kind)


def serve(link: Far, options: dict[str, Any], tools: dict[str, str], kind: Any = Runner) -> int:
    """Run behind a link, a runner of this kind (or an agent); returns the exit code."""
    _streams()
    if options.get("work"):
        os.chdir(options["work"])
    limits.apply(limits.limits(options))
    sys.argv = [""]
    runner = kind(link, options, tools)
    signal.signal(signal.SIGINT, runner.on_interrupt)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    link.started()
    runner.serve()
    return 0


def spawned() -> None:
    """Run as a program of its own: ``sys.argv[2]`` is the descriptor of the link; options and tools come first."""
    sock = socket.socket(fileno=int(sys.argv[2]))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=sock.close)  # a process that the code forks does not answer for this one
    link = Far(sock, wire.TO_WORKER, wire.FROM_WORKER)
    options = link.receive().fields["options"]
    sys.path.extend(path for path in options.get("paths", ()) if path not in sys.path)
    tools = link.receive().fields["tools"]
    os._exit(main(sock, options, tools))
