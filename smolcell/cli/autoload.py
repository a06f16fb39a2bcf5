"""``smolcell autoload``: whether IPython and its kernels load the extension when they start."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from smolcell.errors import SetupError

_LINE = "c.InteractiveShellApp.extensions.append('smolcell')"
_SET = re.compile(r"^[^#\n]*InteractiveShellApp\.extensions", re.MULTILINE)
_APP, _LIST, _NAME = "InteractiveShellApp", "extensions", "smolcell"


def config_file() -> Path:
    """The JSON file of IPython's default profile, which every IPython and every kernel reads."""
    from IPython.paths import get_ipython_dir

    return Path(get_ipython_dir()) / "profile_default" / "ipython_config.json"


def autoload(wanted: str) -> str:
    """Switch it on or off, or look; returns what holds now.

    Args:
        wanted: "on", "off" or "status".

    Raises:
        SetupError: the file cannot be read or written, or is not what IPython would read. Nothing is changed then.
    """
    path = config_file()
    config = _read(path)
    extensions = config.setdefault(_APP, {}).setdefault(_LIST, [])
    if wanted == "on" and _NAME not in extensions:
        own = path.with_suffix(".py")
        if own.is_file() and _SET.search(own.read_text("utf-8", "replace")):
            raise SetupError(f"{own} sets the extensions itself: add this line there: {_LINE}")
        extensions.append(_NAME)
        _write(path, config)
    elif wanted == "off" and _NAME in extensions:
        extensions[:] = [name for name in extensions if name != _NAME]
        _write(path, config)
    if _NAME in extensions:
        return f"on: IPython and its kernels load smolcell when they start ({path})"
    return f"off: a notebook loads smolcell by %load_ext smolcell ({path})"


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
        names = found.get(_APP, {}).get(_LIST, [])
        if not isinstance(names, list):
            raise TypeError
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, AttributeError):
        raise SetupError(f"{path} is not a configuration of IPython: mend it, or move it away") from None
    return dict(found)


def _write(path: Path, config: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(json.dumps(config, indent=2) + "\n")
        Path(name).replace(path)
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror}") from None
