"""Takes away what Python has on Linux and not on Windows, from host and worker, and runs steps: a program for a test.

With the word ``modules`` it imports every module of the package instead.

What the standard library itself needs on Linux (to start processes, to make event loops) is kept for it.
"""

import asyncio
import os
import select
import signal
import socket
import subprocess
import sys
import types
from typing import Any

try:
    import platformdirs as platformdirs  # chooses by the system, which is still Linux here
except ImportError:
    pass  # in the worker

MODULES = ("fcntl", "grp", "pwd", "resource", "termios")
NAMES: dict[Any, str] = {
    os: "fork forkpty fwalk geteuid getuid getsid setsid killpg kill set_blocking memfd_create pidfd_open pread fchown chown "
    "uname sysconf getppid setresuid WIFSIGNALED WTERMSIG WEXITSTATUS WNOHANG register_at_fork closerange O_NOFOLLOW",
    signal: "SIGKILL SIGHUP pthread_kill pthread_sigmask setitimer pidfd_send_signal",
    socket: "CMSG_SPACE SCM_RIGHTS SOCK_SEQPACKET send_fds recv_fds",
    select: "poll epoll",
}
KEPT = {os: "closerange kill register_at_fork WNOHANG"}  # the standard library's own code asks for them by name


def _own_copy(module: Any) -> Any:
    copy = types.ModuleType(module.__name__)
    vars(copy).update(vars(module))
    return copy


def strip() -> None:
    """From now on this process lacks them."""
    loop = asyncio.new_event_loop()  # loads what it needs
    loop.close()
    subprocess.signal = _own_copy(signal)  # type: ignore[attr-defined]
    for name in ("asyncio.unix_events", "asyncio.base_events", "asyncio.selector_events", "selectors"):
        for label, module in (("signal", signal), ("socket", socket), ("select", select), ("os", os)):
            if hasattr(sys.modules[name], label):
                setattr(sys.modules[name], label, _own_copy(module))
    for found, names in NAMES.items():
        for name in set(names.split()) - set(KEPT.get(found, "").split()):
            if hasattr(found, name):
                delattr(found, name)
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]


def main() -> None:
    """Run steps with both sides stripped; prints what they gave."""
    strip()
    from pathlib import Path

    from smolcell.errors import LimitError
    from smolcell.executors import portable
    from smolcell.executors.local import LocalPythonExecutor
    from smolcell.worker.system import processes

    processes.signal = subprocess.signal  # type: ignore[attr-defined]  # Linux's stand-in for the job ends processes by it

    whole = portable.START
    program = Path(__file__).read_text(encoding="utf-8").rpartition("\nif __name__")[0]
    portable.START = f"{program}\nstrip()\n{whole}"

    class Portable(LocalPythonExecutor):
        _portable = True

    with Portable(timeout=2) as executor:
        print(executor("kept = 20\nprint('said')\nkept + 1"))
        try:
            executor("while True: pass")
        except LimitError as error:
            print(error)
        print(executor("import asyncio\nawait asyncio.sleep(0)\nkept * 2").output)
        try:
            executor("sum(range(10**12))")
        except LimitError as error:
            print(error)
        print(executor("'kept' in globals()").output)
    print(list(Path(portable.tempfile.gettempdir()).iterdir()))


def modules() -> None:
    """Import every module of the package without what Windows lacks; prints those that cannot be."""
    import importlib
    import pkgutil

    for library in ("IPython", "anywidget", "jupyter_server.base.handlers", "mcp"):  # which need some of it on Linux
        importlib.import_module(library)
    strip()
    import smolcell

    found = [module.name for module in pkgutil.walk_packages(smolcell.__path__, "smolcell.")]
    found = [name for name in found if not name.endswith((".__main__", ".jupyter_ai"))]  # needs Jupyter AI
    for name in found:
        try:
            importlib.import_module(name)
        except (ImportError, AttributeError) as error:
            print(f"{name}: {error}")
    print(f"{sum(name in sys.modules for name in found)} of {len(found)}")


if __name__ == "__main__":
    modules() if "modules" in sys.argv else main()
