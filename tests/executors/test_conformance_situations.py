"""The local sandbox keeps what every sandbox promises in each situation a person may be in, not only in the tests' own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from smolcell.testing import checks

EVERY = bool(os.environ.get("SMOLCELL_FULL"))
DEPENDS = [("checks_isolation",), pytest.param(("checks_isolation", "checks_limits"), marks=pytest.mark.slow)]
"""The checks that the situation may make fail, by module; with SMOLCELL_FULL the whole list is run (a minute each)."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's")


SITUATIONS = (
    ["root", "user", "refused", "docker"] if EVERY else ["user", pytest.param("refused", marks=pytest.mark.slow)]
)
"""In CI root is what test_conformance.py runs as, and docker has the walls of refused."""


@pytest.mark.parametrize("depends", DEPENDS, ids=["isolation", "isolation and limits"])
@pytest.mark.parametrize("name", SITUATIONS)
def test_local_in_a_situation(name: str, depends: tuple[str, ...]) -> None:
    if os.geteuid() != 0 and name in ("root", "docker"):
        pytest.skip("needs root: this situation is root itself, with or without namespaces")
    names = [check.name for check in checks() if EVERY or check.look.__module__.rpartition(".")[2] in depends]
    here = Path(__file__).parent
    home = Path("/tmp") / f"smolcell-conformance-{os.getpid()}-{name}"  # where others may go, too
    environment = {**os.environ, "TMPDIR": "/tmp", "PYTHONPATH": os.pathsep.join([str(here), *sys.path])}
    try:
        answer = subprocess.run(
            [sys.executable, str(here / "situation.py"), name, str(home), *names],
            capture_output=True,
            text=True,
            env=environment,
            timeout=900,
            check=False,
        )
    finally:
        subprocess.run(["rm", "-rf", str(home)], check=True)
    assert answer.stdout, answer.stderr
    found = json.loads(answer.stdout.splitlines()[-1])
    assert (found["identity"] == 0) is (name in ("root", "docker"))
    assert (found["namespaces"] == "") is (name in ("root", "user"))
    assert found["isolated"]
    expected = dict.fromkeys(names, "passed")
    if found["namespaces"]:  # which allowed hosts need
        expected |= {name: "not applicable" for name in ("allowed_host", "other_hosts") if name in names}
    assert found["states"] == expected, "\n".join(found["failed"])
