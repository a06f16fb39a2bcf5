"""Walls on macOS: runs the whole worker under ``sandbox-exec`` with a profile that denies what it does not list.

* Everything is denied except reading Python's installation, writing the private folders, and what any program needs.
* Paths are quoted, so that no name can add a rule.
* The profile is tested with this Python first; if it does not work the reason is reported, and no wall is claimed.

Written after Apple's profiles in /System/Library/Sandbox/Profiles; never run on a Mac.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

PROGRAM = "/usr/bin/sandbox-exec"
SYSTEM = (
    "/usr/lib",
    "/usr/share",
    "/usr/bin",
    "/bin",
    "/System/Library",
    "/System/Volumes/Preboot/Cryptexes",
    "/Library/Apple",
    "/Library/Fonts",
    "/private/etc/localtime",
    "/private/var/db/timezone",
    "/private/var/db/dyld",
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_HEAD = """\
(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow ipc-posix-sem)
"""
TRY = 20.0  # seconds


def quoted(path: str) -> str:
    """Quote a path as a string of the profile's language."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def profile(read: Sequence[str], write: Sequence[str], hidden: Sequence[str] = ()) -> str:
    """Write the profile.

    Args:
        read: files and folders that may be read and run.
        write: folders that may also be written.
        hidden: files and folders below these that may not.

    Raises:
        ValueError: a path is not absolute, or contains an invalid character.
    """
    for path in (*read, *write, *hidden):
        if "\0" in path or "\n" in path or not path.startswith("/"):
            raise ValueError(f"not an absolute path: {path!r}")

    def rule(operations: str, kind: str, paths: Sequence[str], verdict: str = "allow") -> str:
        return f"({verdict} {operations}\n" + "".join(f"  ({kind} {quoted(path)})\n" for path in paths) + ")\n"

    return (
        _HEAD
        + rule("file-read* process-exec file-map-executable", "subpath", [*SYSTEM, *read])
        + (rule("file-read*", "subpath", hidden, "deny") if hidden else "")  # the last rule that matches decides
        + rule("file-read* file-write*", "subpath", list(write))
        + rule("file-read* file-write-data", "literal", DEVICES)
        + '(allow file-read* (literal "/"))\n'
    )


def command(argv: Sequence[str], text: str, program: str = PROGRAM) -> list[str]:
    """Return the command that runs ``argv`` under a profile."""
    return [program, "-p", text, *argv]


def failure(python: str, text: str, program: str = PROGRAM) -> str:
    """Return why this Python does not run under a profile; "" if it does."""
    if not Path(program).exists():
        return f"{program} is missing"
    test = [python, "-I", "-S", "-c", "import socket, ctypes, threading; socket.socketpair(); print('ready')"]
    try:
        answer = subprocess.run(
            command(test, text, program), capture_output=True, text=True, timeout=TRY, check=False, cwd="/", env={}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program}: {error}"
    if answer.stdout.strip() == "ready":
        return ""
    return f"{program} ended with {answer.returncode}: {answer.stderr.strip()[-100:]}"
