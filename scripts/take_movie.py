"""Take the moving picture of the README: ``python scripts/take_movie.py [FILE]``, by default docs/img/undo.gif.

A real JupyterLab in Chromium, with recorded models, as for ``scripts/take_pictures.py``. Drawn are the captions below the page, and the
ring around the button that is pressed next. Fails above 2 MB. ``--frames FOLDER`` keeps each frame as a file, to be looked at.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST = 2_000_000  # bytes
COLORS = 96


def main() -> None:
    """Take the frames, and write them to one file."""
    words = argparse.ArgumentParser(description="Take the moving picture of the README.")
    words.add_argument("file", nargs="?", type=Path, default=ROOT / "docs" / "img" / "undo.gif")
    words.add_argument("--frames", type=Path, metavar="FOLDER", help="keep each frame as a PNG there")
    given = words.parse_args()
    print(f"{given.file}: {take(given.file, given.frames)}")
    if given.file.stat().st_size > MOST:
        raise SystemExit(f"above {MOST / 1e6:g} MB")


def take(file: Path, frames: Path | None) -> str:
    """Write the moving picture; returns how many frames, how long, how large."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "browser")]  # their JupyterLab and pages
    from pictures.desk import desk
    from pictures.movie import scene, taken
    from PIL import Image

    with desk() as there, there.fresh("undo"):
        story = [(taken(frame), frame.seconds) for frame in scene(there)]
    if frames is not None:
        frames.mkdir(parents=True, exist_ok=True)
        for number, (picture, _) in enumerate(story, 1):
            picture.save(frames / f"{number:02}.png")
    first, *rest = (picture.quantize(COLORS, dither=Image.Dither.NONE) for picture, _ in story)
    times = [int(1000 * seconds) for _, seconds in story]
    first.save(file, save_all=True, append_images=rest, duration=times, loop=0)
    return f"{len(story)} frames, {sum(times) / 1000:g} s, {file.stat().st_size / 1000:.0f} kB"


if __name__ == "__main__":
    main()
