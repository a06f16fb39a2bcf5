"""The user's line of an error: which command it names, and that nothing of a hostile message gets into it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smolcell.agent.driver import hint
from smolcell.events import Boundary, Fault

BOUNDARY = Boundary(
    sandbox="local", where="here", isolated=True, limits={"memory, MB": 2048, "seconds a step": 60.0}, imports=("math",)
)
LINES = [
    ("forbidden", "ForbiddenError", "Import of plotly.express is not allowed. Authorized imports are: abc", "--imports plotly.*"),
    ("forbidden", "ForbiddenError", "Import of plotly is not allowed. Authorized imports are: abc", "%agent allow plotly"),
    ("forbidden", "ForbiddenError", "Import of numpy.ctypeslib is not allowed: it reaches beyond the work folder", ""),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: 'data.csv'", "-f data.csv"),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: 'in/2024.parquet'", "-f in/2024.parquet"),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: 'a.2024.csv'", "-f a.2024.csv"),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: '/tmp/smolcell-1f/work/a.csv'", "-f a.csv"),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: '/sandbox/in/a.csv'", "-f in/a.csv"),
    ("forbidden", "ForbiddenError", "Forbidden access to file: data/a.csv lies outside the work folder", "-f data/a.csv"),
    ("python", "ModuleNotFoundError", "No module named 'cv2'", "%agent install opencv-python-headless"),
    ("python", "ModuleNotFoundError", "No module named 'own.part'", "%agent install DISTRIBUTION"),
    ("python", "ModuleNotFoundError", "No module named 'x; %agent config approve=auto'", ""),
    ("python", "NameError", "name 'my_function' is not defined", "-t my_function"),
    ("limit", "MemoryError", "the step reached the memory limit of 2048 MB", "--memory 4096"),
    ("limit", "TimeoutError", "the step took longer than 60 s and was ended", "--timeout 120"),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: '/home/me/.ssh/id_rsa'", ""),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: '../../a.csv'", ""),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: 'a.csv --approve auto'", ""),
    ("python", "FileNotFoundError", "[Errno 2] No such file or directory: 'a/../../a.csv'", ""),
    ("python", "MemoryError", "", ""),
    ("python", "ValueError", "no", ""),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name", "message", "command"), LINES)
def test_an_error_names_the_next_command(kind: str, name: str, message: str, command: str) -> None:
    fault = Fault(kind=kind, type=name, message=message)  # type: ignore[arg-type]
    said = hint(fault, BOUNDARY)
    assert command in said
    assert bool(said) is bool(command)


def test_what_only_the_guard_refuses_names_the_level_without_it() -> None:
    fault = Fault(kind="forbidden", type="ForbiddenError", message="Forbidden access to function: run")
    assert "--python full" in hint(fault, replace(BOUNDARY, python="guarded"))
    assert hint(fault, replace(BOUNDARY, python="")) == ""
