"""Small everyday programs print under the guard what they print under CPython; no library but the standard one is needed."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

import pytest
from guarded import HERE, Session

SECTIONS = [part.partition("\n") for part in (HERE / "everyday.txt").read_text(encoding="utf-8").split("#### ")[1:]]
PROGRAMS = {
    f"{name} {number}": program.strip("\n")
    for name, _, text in SECTIONS
    if not (name.startswith("from Python 3.12") and sys.version_info < (3, 12))
    for number, program in enumerate(part for part in text.split("\n\n") if part.strip())
}


def printed(session: Session, program: str) -> str:
    """What a program prints, and the error that ends it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            session.run(program)
        except Exception as error:
            return f"{out.getvalue()}{type(error).__name__}: {error}"
    return out.getvalue()


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)  # files left open
def test_a_small_program_prints_what_it_prints_under_cpython(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert printed(Session(folder=str(tmp_path)), program) == printed(Session(guard=None), program)
