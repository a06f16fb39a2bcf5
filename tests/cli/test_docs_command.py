"""``smolcell docs``: serves the built site on this machine, or says how to build it."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from smolcell.cli.serve import docs
from smolcell.errors import SetupError

SERVE = "import sys; from pathlib import Path; from smolcell.cli.serve import docs; docs(browser=False, site=Path(sys.argv[1]))"


def test_the_site_is_served_on_loopback_until_interrupted(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>smolcell</title>")
    server = subprocess.Popen([sys.executable, "-c", SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert answer.read() == b"<title>smolcell</title>"
    finally:
        server.send_signal(2)
        assert server.wait(30) == 0
        if server.stdout is not None:
            server.stdout.close()


def test_a_clone_without_the_site_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="mkdocs build"):
        docs(browser=False, site=tmp_path)
