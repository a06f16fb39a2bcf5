"""``python -m smolcell.executors.wasm``: install Pyodide for the sandbox ``wasm``; Deno must be installed."""

from __future__ import annotations

import sys

from smolcell.errors import SmolcellError
from smolcell.executors.wasm.setup import PYODIDE, install


def main() -> int:
    """Install, print the folder, and return the exit code."""
    try:
        installation = install()
    except SmolcellError as error:
        sys.stderr.write(f"smolcell: {error}\n")
        return 1
    sys.stdout.write(f"Pyodide {PYODIDE} is in {installation.folder}; use it with: %%agent --sandbox wasm\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
