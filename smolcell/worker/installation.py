"""A Python installation: which folders are to be read to run it with its packages.

The rules this file exists to keep:

* Of an installation's root only the folders that programs are read from are lent: a root may be a home folder, or hold
  settings with secrets.
* A home folder, or what contains one, is never lent.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig

PARTS = ("bin", "lib", "lib32", "lib64", "libexec", "share", "pyvenv.cfg", "Frameworks", "Resources")


def site_paths() -> list[str]:
    """The folders of installed packages of the running environment (``-S`` leaves them out)."""
    known = [*site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        known.append(site.getusersitepackages())
    known += [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
    return [path for path in dict.fromkeys(known) if os.path.isdir(path)]


def readable() -> list[str]:
    """What a sandbox must read to run this Python with its packages; absolute paths that exist."""
    roots = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    found = [os.path.join(root, part) for root in sorted(roots) for part in PARTS]
    found += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    found += [os.path.realpath(sys.executable), *site_paths()]
    found += [os.path.realpath(path) for path in found]
    return [path for path in dict.fromkeys(found) if os.path.exists(path) and not holds_home(path)]


def holds_home(path: str) -> bool:
    """Whether a path is a home folder, or contains one."""
    home = os.path.realpath(os.path.expanduser("~"))
    return (home + "/").startswith(os.path.realpath(path).rstrip("/") + "/")
