"""The one place that knows ipykernel from the inside: where the messages of the calling thread's shell come in and go
out.

While a cell runs, its thread does not turn the kernel's event loop, so messages for this shell pile up in a socket that
**belongs to this very thread**. Nobody else may read that socket, and this thread may, without any hook, lock or second
thread:

- ipykernel 6 (and 7 embedded without a shell-channel thread): the ROUTER socket of `kernel.shell_stream`;
- ipykernel 7: the receiving end of the in-process pair through which the shell-channel thread passes the main shell's
  messages (`SubshellManager.get_shell_channel_to_subshell_pair(None)`; ipykernel's own GUI loops look at the same one),
  and for a cell that runs in a subshell that subshell's pair. Replies go back through the opposite pair, which is also
  this thread's.

`why_not` checks every private name that is used, before the first use.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from dataclasses import dataclass
from typing import Any

__all__ = ["Channel", "channel_of_this_thread", "why_not"]

OLDEST, NEWEST = (6, 29), (7,)
NAMES = ("session", "shell_stream", "shell_handlers", "iopub_socket", "io_loop", "log")
METHODS = ("get_parent", "set_parent", "_publish_status")
STREAM_NAMES = ("socket", "on_recv", "closed", "_recv_callback", "_recv_copy", "_run_callback")
SERVED = frozenset({"comm_open", "comm_msg", "comm_close", "kernel_info_request", "comm_info_request"})


@dataclass(frozen=True)
class Channel:
    """One shell's ends of the wire; use them on that shell's thread only."""

    stream: Any
    """The `ZMQStream` that feeds the kernel's event loop."""
    reply: Any
    """The ZeroMQ socket that takes replies."""

    @property
    def socket(self) -> Any:
        """The ZeroMQ socket that requests come from."""
        return self.stream.socket

    def receive(self) -> list[Any] | None:
        """The next message as ZeroMQ frames, or None. Never blocks."""
        import zmq

        if not self.socket.poll(0):
            return None
        frames: list[Any] = self.socket.recv_multipart(zmq.NOBLOCK, copy=False)
        return frames

    def give_back(self, messages: list[list[Any]]) -> None:
        """Hand messages to the kernel as if they came now, in order, ahead of those still in the socket.

        The latter are left there: the same cell may wait again, and has to hear them.
        """
        for frames in messages:
            self.stream._run_callback(self.stream._recv_callback, frames)
        if not self.stream.closed():
            # The socket's descriptor reports only changes, and we have seen some of them in the stream's place. Being
            # given its callback again, it looks for itself when the loop turns next.
            self.stream.on_recv(self.stream._recv_callback, copy=self.stream._recv_copy)


def channel_of_this_thread(kernel: Any) -> Channel | None:
    """The channel of the shell that runs on this thread, or None: an ordinary thread has none."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return None
    thread = getattr(kernel, "shell_channel_thread", None)
    if thread is None:
        return Channel(kernel.shell_stream, kernel.shell_stream.socket) if loop is kernel.io_loop.asyncio_loop else None
    try:
        subshell = thread.manager.subshell_id_from_thread_id(threading.get_ident())
    except RuntimeError:
        return None
    pair = thread.manager.get_shell_channel_to_subshell_pair(subshell)
    return Channel(pair.to_stream, thread.manager.get_subshell_to_shell_channel_socket(subshell))


def why_not(kernel: Any) -> str | None:
    """The version guard and self-test: None if a waiting cell can serve its page in this kernel, else the reason in one
    line."""
    if kernel is None:
        return "there is no Jupyter kernel here"
    ipykernel = sys.modules.get("ipykernel")
    if ipykernel is None:
        return f"{type(kernel).__name__} is not ipykernel's"
    version = tuple(ipykernel.version_info[:2])
    if version < OLDEST or version[:1] > NEWEST:
        return f"ipykernel {ipykernel.__version__} is outside of the versions this was tried with (6.29 to 7.x)"
    try:
        return _missing(kernel)
    except Exception as error:
        return f"ipykernel {ipykernel.__version__} is built differently: {type(error).__name__}: {error}"


def _missing(kernel: Any) -> str | None:
    """What of the private parts is not as expected, or None."""
    if getattr(kernel, "shell_stream", None) is None or kernel.session is None:
        return f"{type(kernel).__name__} has no shell channel"
    lacking = [name for name in NAMES + METHODS if not hasattr(kernel, name)]
    lacking += sorted(SERVED - set(kernel.shell_handlers))
    if lacking:  # `io_loop` comes when the kernel starts: an extension that its configuration loads is earlier
        return f"{type(kernel).__name__} lacks {', '.join(lacking)}"
    stream, thread = kernel.shell_stream, getattr(kernel, "shell_channel_thread", None)
    if thread is not None:
        pair = thread.manager.get_shell_channel_to_subshell_pair(None)
        stream = pair.to_stream
        if stream.socket is not pair.to_socket or thread.manager.get_subshell_to_shell_channel_socket(None) is None:
            return "the main shell is not fed by a socket pair"
    lacking = [name for name in STREAM_NAMES if not hasattr(stream, name)]
    if lacking:
        return f"{type(stream).__name__} lacks {', '.join(lacking)}"
    if not callable(stream._recv_callback) or stream._recv_copy:
        return "the shell's stream is not read in frames"
    _ = kernel._parent_ident["shell"]
    return None
