"""Environments of child processes, built from named variables only, so that no other variable of this process reaches a child."""

from __future__ import annotations

import os
from pathlib import Path

from smolcell.worker.system import processes

USER = ("HOME", "PATH", "LANG", "LC_", "USERPROFILE")
NETWORK = ("SSL_CERT_", "REQUESTS_CA_BUNDLE", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def inherited(*names: str) -> dict[str, str]:
    """Return the variables of this process with one of these names, in upper or lower case. For programs of the user.

    Args:
        names: in upper case; one that ends in "_" includes all that begin with it.
    """
    prefixes = tuple(name for name in names if name.endswith("_"))
    return {
        name: value for name, value in os.environ.items() if name.upper() in names or name.upper().startswith(prefixes)
    }


def worker(
    work: Path, cache: Path, token: str, *, path: str = SYSTEM_PATH, windows: bool = os.name == "nt"
) -> dict[str, str]:
    """Return the whole environment of a worker on this machine: no variables of the user.

    Args:
        work: work folder; also the home folder and the folder for temporary files.
        cache: folder of caches, for example Matplotlib's list of fonts.
        token: marks the sandbox's processes.
        path: search path of programs.
        windows: whether to add SystemRoot, without which Python on Windows has no random numbers.
    """
    variables = {
        "HOME": str(work),
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": str(cache / "matplotlib"),
        processes.TOKEN: token,
    }
    if not windows:
        return {**variables, "TMPDIR": str(work), "PATH": path, "LANG": "C.UTF-8"}
    root = os.environ.get("SYSTEMROOT", r"C:\Windows")
    variables.update(
        SystemRoot=root, PATH=rf"{root}\System32;{root}", USERPROFILE=str(work), TEMP=str(work), TMP=str(work)
    )
    return variables


def container(home: str, cache: str) -> dict[str, str]:
    """Return the variables that are added to an image's environment; none of this machine's."""
    return {"HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "MPLBACKEND": "Agg", "XDG_CACHE_HOME": cache}
