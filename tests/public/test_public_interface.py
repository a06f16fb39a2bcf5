"""The public interface is the one of 91d5c28, or more: names and optional parameters may be added, none removed or renamed.

``interface_91d5c28.json`` was written by ``interface.py`` at that commit. It is not written again for a later one.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import interface
import pytest

import smolcell
from smolcell.executors import create_executor
from smolcell.testing import MemoryExecutor

Json = dict[str, Any]
THEN: Json = json.loads(Path(__file__).with_name("interface_91d5c28.json").read_text(encoding="utf-8"))
KEYWORD, POSITIONAL = "KEYWORD_ONLY", "POSITIONAL_OR_KEYWORD"


class Parameter(NamedTuple):
    name: str
    kind: str
    annotation: str
    default: str | None


CONTAINERS = ("Blaxel", "Docker", "E2B", "Modal")
RENAMED = {f"smolcell:{name}Executor": ["python: removed"] for name in CONTAINERS}
"""``python`` is the level in every executor; the path of an interpreter is ``interpreter`` (DESIGN: Python levels)."""

IN_ITS_OWN_PROCESS = {
    "smolcell:LlamaCppModel": [
        *[f"{name}: removed" for name in ("stop", "chat_format", "load", ".context_window", ".count_tokens")]
    ]
}
"""llama-cpp-python's own settings went with it; ``context_window`` is an attribute of each object, as in ``OpenAIModel`` (ADR 32)."""


GONE = {"smolcell.executors.piped"}
"""Modules of former names that no release had; what they named is in ``smolcell.executors.command``."""


def changed_signature(then: Json, now: Json) -> list[str]:
    """How a call that was right may be wrong now."""
    before, after = ([Parameter(*each) for each in one["parameters"]] for one in (then, now))
    by_name = {each.name: each for each in after}
    found = [
        f"{old.name}: {difference}"
        for old in before
        for difference in (changed_parameter(old, by_name[old.name]) if old.name in by_name else ["removed"])
    ]
    added = [each for each in after if each.name not in {old.name for old in before}]
    found += [f"{each.name}: added, required" for each in added if each.default is None and "VAR" not in each.kind]
    places = [[each.name for each in one if each.kind.startswith("POS")] for one in (before, after)]
    if places[1][: len(places[0])] != places[0]:
        found.append(f"positions: {places[0]} is {places[1]}")
    if then["returns"] != now["returns"]:
        found.append(f"returns: {then['returns']} is {now['returns']}")
    return found


def changed_parameter(old: Parameter, new: Parameter) -> list[str]:
    found = []
    if old.kind != new.kind and (old.kind, new.kind) != (KEYWORD, POSITIONAL):
        found.append(f"{old.kind} is {new.kind}")
    if old.default is not None and old.default != new.default:
        found.append(f"default {old.default} is {new.default}")
    if not alternatives(old.annotation) <= alternatives(new.annotation):
        found.append(f"{old.annotation} is {new.annotation}")
    return found


def alternatives(annotation: str) -> set[str]:
    return {part.strip(" '\"") for part in annotation.split("|")}


def changed(then: Json, now: Json) -> list[str]:
    """How what a name stands for is less than it was."""
    found = [] if then["is"] == now["is"] else [f"a {then['is']} is a {now['is']}"]
    if "parameters" in then and "parameters" in now:
        found += changed_signature(then, now)
    for part in ("bases", "fields"):
        found += [f"{part}: {name} removed" for name in then.get(part, ()) if name not in now.get(part, ())]
    for name, member in then.get("members", {}).items():
        other = now.get("members", {}).get(name)
        found += [f".{name}: removed"] if other is None else [f".{name}: {each}" for each in changed(member, other)]
    return found


def test_names_are_importable_and_their_signatures_compatible() -> None:
    names = {name: then for name, then in THEN["names"].items() if name.partition(":")[0] not in GONE}
    now = {name: interface.describe(interface.resolve(name)) for name in names}
    found = {name: changed(then, now[name]) for name, then in names.items()}
    assert {name: differences for name, differences in found.items() if differences} == RENAMED | IN_ITS_OWN_PROCESS
    exported = {name.partition(":")[2] for name in THEN["names"] if name.startswith("smolcell:")}
    assert exported - set(smolcell.__all__) == set()


def lost(then: dict[str, list[str]], now: dict[str, list[str]]) -> dict[str, set[str]]:
    """What each entry had and has no more."""
    return {name: gone for name, words in then.items() if (gone := set(words) - set(now[name]))}


def test_objects_have_the_attributes_that_they_had() -> None:
    assert lost(THEN["objects"], interface.objects()) == {}


def test_commands_have_the_options_that_they_had() -> None:
    assert lost(THEN["options"], {command: interface.options(command) for command in THEN["options"]}) == {}


def test_magics_have_the_options_words_and_settings_that_they_had() -> None:
    assert lost(THEN["magics"], interface.magics()) == {}


def test_modules_that_the_documents_run_have_a_main() -> None:
    for module in THEN["python -m"]:
        assert importlib.util.find_spec(f"{module}.__main__") is not None, module
        assert callable(interface.resolve(f"{module}.__main__:main")), module


def test_python_m_smolcell_prints_its_help() -> None:
    done = subprocess.run([sys.executable, "-m", "smolcell", "--help"], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: smolcell")


def test_sandboxes_are_made_by_their_names() -> None:
    found = {}
    for name in THEN["sandboxes"]:
        with closing(create_executor(name)) as executor:
            found[name] = type(executor).__name__
    assert found == THEN["sandboxes"]


def test_installed_command_is_the_one_in_pyproject() -> None:
    [installed] = metadata.entry_points(group="console_scripts", name="smolcell")
    assert installed.value == interface.scripts()["smolcell"]
    assert callable(installed.load())


def test_sandbox_of_another_package_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "elsewhere-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[smolcell.executors]\nelsewhere = smolcell.testing:MemoryExecutor\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert isinstance(create_executor("elsewhere"), MemoryExecutor)


# --- the comparison itself --------------------------------------------------------------------------------------------


def described(source: str) -> Json:
    names: Json = {"__name__": "smolcell.example"}
    exec(source, names)
    return interface.describe(names["f"])


@pytest.mark.parametrize(
    ("now", "difference"),
    [
        ("def f(a: int, b=1, *, c: str | None = None): ...", []),
        ("def f(a: int | str, b=1, d=2, *, c: str | None = None, e=3): ...", []),
        ("def f(a: int, b=1, c: str | None = None): ...", []),
        (
            "def f(x: int, b=1, *, c: str | None = None): ...",
            ["a: removed", "x: added, required", "positions: ['a', 'b'] is ['x', 'b']"],
        ),
        ("def f(a: int, b=2, *, c: str | None = None): ...", ["b: default 1 is 2"]),
        ("def f(a: int, b=1, *, c: str = ''): ...", ["c: default None is ''", "c: str | None is str"]),
        ("def f(a: int, b=1, *, d, c: str | None = None): ...", ["d: added, required"]),
        (
            "def f(b: int, a=1, *, c: str | None = None): ...",
            ["a: int is ", "b: default 1 is None", "b:  is int", "positions: ['a', 'b'] is ['b', 'a']"],
        ),
    ],
)
def test_additions_are_compatible_and_removals_are_not(now: str, difference: list[str]) -> None:
    then = described("def f(a: int, b=1, *, c: str | None = None): ...")
    assert changed(then, described(now)) == difference


def test_a_method_that_is_gone_is_seen() -> None:
    then = described("class f:\n def stay(self, a=1): ...\n def go(self): ...")
    now = described("class f:\n def stay(self): ...")
    assert changed(then, now) == [".go: removed", ".stay: a: removed", ".stay: positions: ['a'] is []"]
