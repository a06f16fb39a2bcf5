"""``%load_ext smolcell`` imports nothing that is for first use, and starts nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from kernels import KernelClient
from leftovers import command, needs_proc, parent_of, processes

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

from bench_load import FORBIDDEN, LOAD


@pytest.mark.kernels
@needs_proc
def test_loading_imports_nothing_for_first_use_and_starts_no_process(tmp_path: Path) -> None:
    with KernelClient(sys.executable, tmp_path) as kernel:
        look = "import os, threading\nprint(os.getpid(), threading.active_count())"
        before = kernel.run(look)
        pid = int(before.split()[0])
        found = json.loads(kernel.run(LOAD, 60))
        assert "smolcell" in found["new"]
        assert sorted(set(found["new"]) & set(FORBIDDEN)) == []
        assert [command(each) for each in processes() if parent_of(each) == pid] == []
        assert kernel.run(look) == before
