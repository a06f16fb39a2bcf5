"""Imports: authorised modules, views of them, and nothing of what they drag in."""

from __future__ import annotations

import ast
import sys

import pytest
from guarded import Session, refused

from smolcell.worker.guard import tables
from smolcell.worker.guard.imports import ForbiddenError, ModuleViews, is_view


def test_import_like_a_c_function_gives_no_module() -> None:
    session = Session()
    load = session.names["__builtins__"]["__import__"]
    assert load("os", None, None, ["x"]) is None  # loaded already: nothing is imported
    with pytest.raises(ForbiddenError, match="Import of antigravity is not allowed"):
        load("antigravity", None, None, [])
    assert session.run(
        "import time, datetime\ndatetime.datetime.strptime('2020', '%Y').year, time.strptime('2020 1', '%Y %d')[2]"
    ) == (2020, 1)


def test_a_package_is_authorised_alone_or_with_all_below() -> None:
    assert ModuleViews(["xml"]).allows("xml")
    assert not ModuleViews(["xml"]).allows("xml.etree")
    assert ModuleViews(["xml.*"]).allows("xml")
    assert ModuleViews(["xml.*"]).allows("xml.etree.ElementTree")
    assert not ModuleViews(["xml.*"]).allows("xmlrpc")
    assert Session("xml.*").run("import xml.etree.ElementTree as E\nE.fromstring('<a/>').tag") == "a"


def test_agent_code_holds_views_and_cannot_change_the_module() -> None:
    import json

    view = Session().run("import json\njson.loads = 1\njson")
    assert is_view(view)
    assert json.loads is not view.loads
    assert Session().run("import json\njson.loads('[1]')") == [1]


def test_the_default_imports_are_importable_and_reach_no_process() -> None:
    for name in tables.DEFAULT_IMPORTS:
        if name == "__future__" or (name == "string.templatelib" and sys.version_info < (3, 14)):
            continue
        view = ModuleViews(tables.DEFAULT_IMPORTS).import_module(name, ("*",))
        for attribute in dir(view):
            try:
                value = getattr(view, attribute)
            except (ForbiddenError, AttributeError):
                continue
            assert not isinstance(value, type(ast)) or is_view(value), (name, attribute)


def test_a_part_of_a_package_that_is_not_authorised_is_refused_by_its_name() -> None:
    code = "from wsgiref import validate"
    assert refused(code, "wsgiref").startswith(
        "Import of wsgiref.validate is not allowed; authorized imports are, for example: "
    )
    assert "wsgiref.validate" not in sys.modules
    with pytest.raises(ImportError, match="cannot import name 'nothing_like_it'"):
        Session("wsgiref").run("from wsgiref import nothing_like_it")


@pytest.mark.parametrize("kind", ["ImportError", "ModuleNotFoundError", "Exception"])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import plotly", "Import of plotly is not allowed; authorized imports are, for example: "),
        ("import os.path as p", "Import of os.path is not allowed; authorized imports are, for example: "),
        ("from random import _os", "Forbidden access to module: os"),
        ("import nosuch_module", "No module named 'nosuch_module'"),
    ],
)
def test_a_program_catches_a_refused_or_missing_import(line: str, said: str, kind: str) -> None:
    code = f"try:\n    {line}\nexcept {kind} as error:\n    found = str(error)\nfound"
    assert Session("nosuch_module").run(code).startswith(said)


def test_a_refused_import_in_a_function_fails_when_it_is_called() -> None:
    session = Session()
    session.run("def fast():\n    import numba\n    return 1\nif False:\n    import winreg")
    assert session.run("try:\n    x = fast()\nexcept ImportError as error:\n    x = error.name\nx") == "numba"
    with pytest.raises(ForbiddenError, match="Import of numba is not allowed"):
        session.run("fast()")


def test_a_refused_import_names_those_that_are_near() -> None:
    said = refused("import statistic", "polars.*", "numpy.*")
    assert said == (
        "Import of statistic is not allowed; authorized imports are, for example: statistics, stat, "
        "numpy, polars, math, json, re, datetime"
    )
