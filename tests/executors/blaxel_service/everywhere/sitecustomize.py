"""Read by every Python that starts with this folder on its path, as the reaper does: it reaches the stand-in, too."""

import os
import sys
from pathlib import Path

if os.environ.get("BL_STAND_IN") and "-c" in sys.orig_argv:
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    from blaxel_service import point_listing

    point_listing()
