"""Notebook variables in, results out. In is a copy: the user's own objects are never mutated."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from smolcell.errors import SetupError

# Not part of an address (me@home), not inside backticks, not a literal \@name.
_REFERENCE = re.compile(r"(?<![\w@.\\`])@([A-Za-z_]\w*)")
_CODE = re.compile(r"`[^`\n]*`")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")  # CommonMark, section 4.5


def references(task: str) -> tuple[str, ...]:
    """The names that a task refers to with ``@name``, in order. What stands in backticks, or in a fenced block, is no reference."""
    return tuple(dict.fromkeys(_REFERENCE.findall(_CODE.sub("", "\n".join(_prose(task))))))


def _prose(task: str) -> Iterator[str]:
    """The lines outside of fenced blocks: a cell or a traceback that a task quotes must not hand variables in."""
    fence = ""
    for line in re.split(r"\r\n?|\n", task):
        opening = _FENCE.match(line)
        if fence:
            run = line.strip(" \t")
            if opening is not None and len(run) >= len(fence) and not run.strip(fence[0]):
                fence = ""
        elif opening is not None:
            fence = opening[1]
        else:
            yield line


def gather(names: Iterable[str], mentioned: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """The values to copy in.

    Args:
        names: asked for with ``--in``.
        mentioned: asked for with ``@name`` in the task.
        namespace: the notebook's.

    Raises:
        SetupError: a name is not defined in the notebook.
    """
    for name in names:
        if name not in namespace:
            raise SetupError(f"--in {name}: there is no variable {name!r} in this notebook{_near(name, namespace)}")
    for name in mentioned:
        if name not in namespace:
            hint = f" (for a plain at sign write \\@{name})"
            raise SetupError(
                f"@{name} in the task: there is no variable {name!r} in this notebook{_near(name, namespace)}{hint}"
            )
    return {name: namespace[name] for name in (*names, *mentioned)}


def functions(names: Iterable[str], namespace: Mapping[str, Any]) -> list[Any]:
    """The notebook's functions or Tool objects of these names; smolcell's own tools where the notebook has nothing of the name.

    Raises:
        SetupError: a name is not defined, or is nothing that can be called.
    """
    from smolcell.tools.default import DEFAULT_TOOLS
    from smolcell.tools.function import as_tool
    from smolcell.tools.tool import Tool

    found: list[Any] = []
    for name in names:
        if name not in namespace and name in DEFAULT_TOOLS:
            found.append(DEFAULT_TOOLS[name]())
            continue
        if name not in namespace:
            near = _near(name, {**namespace, **DEFAULT_TOOLS})
            raise SetupError(f"--tool {name}: there is no function {name!r} in this notebook{near}")
        if not callable(namespace[name]):
            raise SetupError(f"--tool {name}: {name!r} is a {type(namespace[name]).__name__}, not a function")
        value = namespace[name]
        named = isinstance(value, Tool) or hasattr(value, "inputs")
        found.append(as_tool(value) if named else Tool(value, name=name))
    return found


def servers(specs: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """MCP servers by what they are called on the option line: what the notebook has of that name, else the word itself."""
    return {spec: namespace[spec] if spec.isidentifier() and spec in namespace else spec for spec in specs}


def _near(name: str, namespace: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name, [known for known in namespace if not known.startswith("_")], n=1)
    return f"; did you mean {near[0]!r}?" if near else ". Run the cell that defines it first"
