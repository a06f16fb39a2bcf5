"""The macOS profile, as far as it is text; and the way it is used, with a stand-in for Apple's program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smolcell.executors import local, walls
from smolcell.executors.local import macos


def test_everything_is_denied_but_what_is_listed() -> None:
    text = macos.profile(["/opt/python"], ["/private/tmp/work"])
    assert text.splitlines()[:2] == ["(version 1)", "(deny default)"]
    reads, writes = text.split("(allow file-read* file-write*\n")
    assert '  (subpath "/opt/python")\n' in reads
    assert writes.startswith('  (subpath "/private/tmp/work")\n)\n')
    assert "network" not in text
    assert "mach" not in text
    assert text.count("(") == text.count(")")


def test_configuration_in_what_is_listed_is_denied_after_it() -> None:
    text = macos.profile(["/opt/env/share"], ["/private/tmp/work"], ["/opt/env/share/jupyter", "/opt/env/bin/activate"])
    denied = '(deny file-read*\n  (subpath "/opt/env/share/jupyter")\n  (subpath "/opt/env/bin/activate")\n)\n'
    assert denied in text
    assert text.index('"/opt/env/share"') < text.index(denied) < text.index('"/private/tmp/work"')


def test_a_path_cannot_add_a_rule() -> None:
    text = macos.profile(['/x") (allow default) ("', "/back\\slash"], [])
    assert '(subpath "/x\\") (allow default) (\\"")' in text
    assert '(subpath "/back\\\\slash")' in text
    for path in ("relative", "/new\nline", "/nul\0"):
        with pytest.raises(ValueError, match="not an absolute path"):
            macos.profile([path], [])
        with pytest.raises(ValueError, match="not an absolute path"):
            macos.profile([], [], [path])


def stand_in(path: Path, body: str) -> str:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def on_a_mac(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(local, "IS_MAC", True)
    monkeypatch.setattr(local, "SANDBOX_EXEC", program)
    report = local.LocalChannel.report
    as_there = lambda self, said: report(self, {})  # noqa: E731 - its worker thinks this is Linux
    monkeypatch.setattr(local.LocalChannel, "report", as_there)


def test_the_worker_is_started_under_the_profile(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    monkeypatch.setattr(sys, "platform", "darwin")  # no warm parent there
    on_a_mac(monkeypatch, stand_in(tmp_path / "sandbox-exec", f'echo "$1 $2" >> {log}; shift 2; exec "$@"'))
    executor = make(timeout=20)
    assert executor("1 + 1").output == 2
    boundary = executor.boundary()
    assert boundary.isolated
    assert {wall.name for wall in boundary.walls if wall.stands} >= {"files", "network", "processes"}
    assert log.read_text().count("(deny default)") == 2  # the trial, and the worker


def test_where_the_profile_does_not_work_no_wall_is_claimed(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    on_a_mac(monkeypatch, stand_in(tmp_path / "sandbox-exec", "echo forbidden >&2; exit 71"))
    executor = make(timeout=20)
    assert executor("1 + 1").output == 2
    boundary = executor.boundary()
    assert not boundary.isolated
    missing = {wall.name: wall.detail for wall in boundary.walls if not wall.stands}
    assert "ended with 71: forbidden" in missing["files"]
    assert {"files", "network", "processes"} <= set(missing)


def test_a_missing_program_is_named() -> None:
    assert macos.failure(sys.executable, "", "/nowhere/sandbox-exec") == "/nowhere/sandbox-exec is missing"


def test_a_report_of_a_mac() -> None:
    held = {wall.name: wall.stands for wall in walls.read_walls(walls.with_profile(""))}
    assert (held["files"], held["network"], held["processes"]) == (True, True, True)
    open_ = {wall.name: wall.stands for wall in walls.read_walls(walls.with_profile("no"))}
    assert (open_["files"], open_["network"], open_["processes"]) == (False, False, False)
