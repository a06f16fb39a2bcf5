"""How long ``%load_ext smolcell`` takes in a warm kernel: ``python tests/benchmarks/bench_load.py [kernels]``.

Budget: 0.15 s, and none of the libraries that are for first use is imported by it. A kernel is warm when it has run a
cell; each figure is of a kernel of its own, because a second import is free.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kernels import KernelClient

BUDGET = 0.15  # seconds

FORBIDDEN = (
    "anywidget blaxel docker e2b e2b_code_interpreter httpx huggingface_hub ipywidgets jupyterlab jupyter_server litellm "
    "xllamacpp matplotlib mcp modal nh3 notebook numpy openai pandas platformdirs pyarrow pydantic requests rich torch "
    "transformers"
).split()
"""Top-level modules that loading may not import. (What IPython and the kernel import themselves is not counted.)"""

LOAD = """
import json, sys, time
before = set(sys.modules)
started = time.perf_counter()
get_ipython().run_line_magic("load_ext", "smolcell")
seconds = time.perf_counter() - started
new = sorted({name.partition(".")[0] for name in set(sys.modules) - before})
print(json.dumps({"seconds": seconds, "new": new, "modules": len(set(sys.modules) - before)}))
"""


def load(python: str, folder: Path) -> dict[str, object]:
    """Load the extension in a new kernel; returns the seconds, and the top-level modules that were imported."""
    with KernelClient(python, folder) as kernel:
        kernel.run("import sys, os, json; print('warm')", 60)
        found: dict[str, object] = json.loads(kernel.run(LOAD, 60))
    return found


def main(kernels: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = [load(sys.executable, Path(folder)) for _ in range(kernels)]
    seconds = sorted(float(str(each["seconds"])) for each in found)
    median = statistics.median(seconds)
    print(
        f"%load_ext smolcell in {kernels} warm kernels: median {median:.3f} s, {seconds[0]:.3f} to {seconds[-1]:.3f} s"
    )
    print(f"budget {BUDGET} s: {'kept' if median < BUDGET else 'NOT KEPT'}")
    new = found[0]["new"]
    assert isinstance(new, list)
    print(f"{found[0]['modules']} modules imported, of: {', '.join(new)}")
    forbidden = sorted(set(new) & set(FORBIDDEN))
    assert forbidden == [], f"imported by loading: {', '.join(forbidden)}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
