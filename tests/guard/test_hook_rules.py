"""The audit hook's tables and rules, in this process: nothing is installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smolcell.worker.guard import audit, files, transformer
from smolcell.worker.guard.audit import Hook
from smolcell.worker.guard.imports import ForbiddenError, ModuleViews
from smolcell.worker.wire import values


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    (tmp_path / "work").mkdir()
    found = files.Places(str(tmp_path / "work"), files.installation_paths(), [])
    return Hook(ModuleViews(["json", "datetime"]), {}, found, (vars(transformer),), vars(values))


def test_every_event_stands_in_one_table() -> None:
    tables = [
        set(audit.REFUSED_EVENTS),
        set(audit.WRITE_EVENTS),
        set(audit.READ_EVENTS),
        set(audit.CHECKED_EVENTS),
        set(audit.ALLOWED_EVENTS),
    ]
    assert sum(map(len, tables)) == len(set().union(*tables))
    assert all(audit.ALLOWED_EVENTS.values())


def test_every_event_has_its_rule(hook: Hook) -> None:
    for event in (*audit.REFUSED_EVENTS, *audit.WRITE_EVENTS, *audit.READ_EVENTS, *audit.CHECKED_EVENTS):
        assert callable(hook.rules[event])
    assert {event for event, rule in hook.rules.items() if rule is None} == set(audit.ALLOWED_EVENTS)


def test_a_new_event_is_refused_if_it_is_the_interpreters(hook: Hook) -> None:
    with pytest.raises(ForbiddenError, match=r"ctypes\.of_tomorrow"):
        hook.unknown("ctypes.of_tomorrow", ())
    hook.unknown("somelibrary.event", ())


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> files.Places:
    (tmp_path / "work" / "below").mkdir(parents=True)
    (tmp_path / "work" / "out").symlink_to(tmp_path)
    (tmp_path / "secret").write_text("")
    (tmp_path / "workaday").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return files.Places(str(tmp_path / "work"), files.installation_paths(), [])


@pytest.mark.parametrize(
    "path",
    [
        "../secret",
        "out/secret",
        "below/../../secret",
        "{0}/secret",
        "{0}/workaday/x",
        "/etc/passwd",
        "/proc/self/environ",
        "~",
    ],
)
def test_no_path_leads_out(lab: files.Places, tmp_path: Path, path: str) -> None:
    path = str(Path.home() / ".netrc") if path == "~" else path.format(tmp_path)
    for form in (path, path.encode(), Path(path)):
        with pytest.raises(
            ForbiddenError, match=r"lies outside the work folder\. Use a relative path, such as 'data\.csv'"
        ):
            lab.read(form)
        with pytest.raises(PermissionError):
            lab.written(form)


def test_the_work_folder_is_open_and_stays(lab: files.Places, tmp_path: Path) -> None:
    for path in ("x", "below/x", tmp_path / "work" / "x", b"below/../x", 5):
        lab.read(path)
        lab.written(path)
    lab.written("out", name=True)  # the link itself may be removed
    for path in (".", "below/..", tmp_path / "work"):
        lab.read(path)
        with pytest.raises(ForbiddenError):
            lab.written(path, name=True)


def test_the_installation_is_read_and_not_written(lab: files.Places) -> None:
    lab.read(os.__file__)
    with pytest.raises(ForbiddenError):
        lab.written(os.__file__)


def test_a_folder_s_descriptor_counts(lab: files.Places, tmp_path: Path) -> None:
    outside = os.open(tmp_path, os.O_RDONLY)
    below = os.open("below", os.O_RDONLY)
    try:
        lab.written("x", below)
        lab.written("../x", below)
        for path, folder in (("x", outside), ("../../x", below)):
            with pytest.raises(ForbiddenError):
                lab.written(path, folder)
    finally:
        os.close(outside)
        os.close(below)


def test_a_link_that_leads_out_is_not_made(lab: files.Places, tmp_path: Path) -> None:
    lab.linked("x", "below/link")
    lab.linked("../x", "below/link")
    for target in ("../../x", str(tmp_path)):
        with pytest.raises(ForbiddenError):
            lab.linked(target, "below/link")


@pytest.mark.parametrize("name", ["", ":memory:", "a.db", "file:a.db?mode=rw", "file::memory:?cache=shared", b"a.db"])
def test_databases_of_the_work_folder_are_open(lab: files.Places, name: Any) -> None:
    lab.database(name)


@pytest.mark.parametrize(
    "name", ["../a.db", "file:../a.db", "file:///etc/a.db", "file:%2e%2e/a.db", "file://localhost/etc/a"]
)
def test_a_database_outside_the_work_folder_is_refused(lab: files.Places, name: Any) -> None:
    with pytest.raises(ForbiddenError):
        lab.database(name)


def test_a_path_whose_text_may_change_is_refused(lab: files.Places) -> None:
    class Turning:
        def __fspath__(self) -> str:
            return "x"

    class Lying(str):
        def startswith(self, *_: Any) -> bool:
            return True

    for path in (Turning(), type("P", (type(Path()),), {})("x")):
        with pytest.raises(ForbiddenError, match="paths must be str"):
            lab.read(path)
    with pytest.raises(ForbiddenError):
        lab.read(Lying("/etc/passwd"))


def allows(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


@pytest.mark.parametrize(
    "text", ["a + b", "x ** 2 if x else 3", "import math\nf(1)", "no python (", "import tmpl.runtime", b"a.b"]
)
def test_ordinary_text_is_compiled(text: Any) -> None:
    audit.check_text(text, "tmpl", allows())


@pytest.mark.parametrize(
    "text",
    [
        "().__class__",
        "x.gi_frame",
        "_＿import_＿('os')",
        "eval('1')",
        "getattr(x, y)",
        "open('f')",
        "'{0.x}'.format(y)",
        "f(x, '__globals__')",
        "import os",
        "from subprocess import run",
        "lambda: globals()",
        "[__builtins__ for _ in x]",
    ],
)
def test_text_says_nothing_that_a_program_must_not(text: str) -> None:
    with pytest.raises(ForbiddenError):
        audit.check_text(text, "tmpl", allows("json"))
