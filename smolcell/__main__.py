"""``python -m smolcell`` is the command ``smolcell``."""

from __future__ import annotations

import sys

from smolcell.cli import main

if __name__ == "__main__":
    sys.exit(main())
