"""The guard changes the libraries of its process for good, as befits a worker; this process is pytest's, and gets them back."""

from __future__ import annotations

import builtins
import copy
import sys
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from smolcell.worker.guard import stdlib, tables


@pytest.fixture(autouse=True, scope="module")
def _libraries_as_before() -> Iterator[None]:
    reconstruct, alias = copy._reconstruct, typing._BaseGenericAlias  # type: ignore[attr-defined]
    stored = alias.__setattr__
    yield
    copy._reconstruct, alias.__setattr__ = reconstruct, stored  # type: ignore[attr-defined]
    for module in tables.CHECKED_MODULES.keys() & sys.modules.keys():
        for name in tables.CHECKED_MODULES[module]:
            _give_back(vars(sys.modules[module]), name, stdlib._CHECKED[name])
    for module in stdlib._patched & sys.modules.keys():
        _give_back(vars(sys.modules[module]), "getattr", stdlib.library_getattr)
    stdlib._patched.clear()


def _give_back(names: dict[str, Any], name: str, put: object) -> None:
    if names.get(name) is not put:
        return
    if hasattr(builtins, name):
        del names[name]
    else:
        names[name] = sys.modules[name]
