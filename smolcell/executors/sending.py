"""Values and tools as they go to a worker."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

from smolcell.errors import CapabilityError
from smolcell.worker import values, wire


def encoded(variables: Mapping[str, Any], *, arrow: bool) -> tuple[list[Any], list[wire.Blob]]:
    """Values with their names, and the bytes they refer to.

    Args:
        arrow: whether tables may travel as Arrow.

    Raises:
        CapabilityError: a value cannot be copied; the message names it.
    """
    encoder = values.Encoder(trusted=True, arrow=arrow)
    named = []
    for name, value in variables.items():
        if not name.isidentifier():
            raise CapabilityError(f"{name!r} is not a variable name")
        try:
            named.append([name, encoder.encode(value)])
        except (values.UnencodableError, RecursionError) as error:
            raise CapabilityError(f"{name!r} ({type(value).__name__}) cannot be sent to the sandbox: {error}") from None
    return named, encoder.blobs


def described(tools: Mapping[str, Any]) -> dict[str, str]:
    """What the code is told of tools, by their names."""
    return {name: _description(tool) for name, tool in tools.items()}


def _description(tool: Any) -> str:
    return str(getattr(tool, "description", None) or getattr(tool, "__doc__", None) or "")[:4000]


def joined(blob: wire.Blob) -> bytes:
    """A copy, for a value that is sent later."""
    return bytes(blob) if isinstance(blob, (bytes, bytearray, memoryview)) else b"".join(blob)


def has_arrow() -> bool:
    """Whether this process can make Arrow tables."""
    return importlib.util.find_spec("pyarrow") is not None
