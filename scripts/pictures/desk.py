"""Where pictures are taken: a JupyterLab, a browser, folders with notebooks and recorded models, and the camera."""

from __future__ import annotations

import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import nbformat
import numpy as np
from lab import Card, LabServer, Notebook, until
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--hide-scrollbars",
]
FONTS = ":root { --jp-ui-font-family: 'DejaVu Sans' !important; --jp-content-font-family: 'DejaVu Sans' !important; \
--jp-code-font-family: 'DejaVu Sans Mono' !important }"
STILL = ".cm-cursorLayer { visibility: hidden !important } .jp-Notebook-footer { visibility: hidden !important }"
COLOURS = 160
MARGIN = 8  # pixels around what is taken
SHARP = 1.5  # pixels of the picture for one of the page

Target = Page | Locator | Sequence[Locator]
"""What of a page is taken: all of its window, one part, or the rectangle around several."""


class Desk:
    """One JupyterLab and one browser, and a folder for the picture that is being taken.

    Args:
        server: serves ``server.root``.
        browser: Chromium.
    """

    def __init__(self, server: LabServer, browser: Browser) -> None:
        self.server, self.browser = server, browser
        self.name = ""
        self._contexts: list[BrowserContext] = []

    @property
    def folder(self) -> Path:
        """The folder of this picture's notebooks and recordings."""
        return self.server.root / self.name

    @contextmanager
    def fresh(self, name: str) -> Iterator[None]:
        """A new folder; afterwards no page is open and no kernel runs."""
        self.name = name
        self.folder.mkdir()
        try:
            yield
        finally:
            for context in self._contexts:
                context.close()
            self._contexts = []
            for session in self.server.rest("GET", "sessions"):
                until(partial(self.server.end_session, session["id"]), "the kernel is shut down")
            shutil.rmtree(self.folder)

    # --- what is to be seen

    def page(self, width: int = 1100, height: int = 900, *, scale: float = SHARP) -> Page:
        """An empty window of this size, in CSS pixels."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=scale,
            reduced_motion="reduce",
            color_scheme="light",
            locale="en-GB",
        )
        self._contexts.append(context)
        context.add_init_script(
            f"addEventListener('DOMContentLoaded', () => {{ const style = document.createElement('style');"
            f" style.textContent = {json.dumps(FONTS)}; document.head.append(style); }})"
        )
        return context.new_page()

    def course(self) -> None:
        """Put what ``smolcell demo`` copies into this picture's folder."""
        for path in (ROOT / "notebooks").iterdir():
            if path.is_file():
                shutil.copy(path, self.folder)

    def record(self, name: str, runs: dict[str, list[str]], **fields: object) -> None:
        """Write a recording by hand: for each task what the model says, step by step.

        Args:
            name: the file's.
            runs: replies by task.
            fields: further fields of each reply, as ``smolcell.models.recording`` explains them.
        """
        head = {"format": "smolcell-recording", "version": 1, "model": "example"}
        lines = [{"task": task, "text": text, **fields} for task, replies in runs.items() for text in replies]
        (self.folder / name).write_text("\n".join(map(json.dumps, [head, *lines])) + "\n", encoding="utf-8")

    def write(self, name: str, *cells: str) -> None:
        """A notebook; a cell that begins with ``#`` and a blank is Markdown, any other one code."""
        made = [
            (nbformat.v4.new_markdown_cell if cell.startswith("# ") else nbformat.v4.new_code_cell)(cell)
            for cell in cells
        ]
        kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
        nbformat.write(nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": kernel}), self.folder / name)

    def open(
        self,
        name: str,
        page: Page | None = None,
        *,
        app: str = "lab",
        sidebar: bool = False,
        width: int = 1000,
        height: int = 900,
    ) -> Notebook:
        """A notebook of this picture's folder, in a window of its own or in ``page``; in JupyterLab without the left sidebar."""
        notebook = Notebook(page or self.page(width, height), self.server, f"{self.name}/{name}", app).open()
        if app == "lab" and not sidebar:
            notebook.command("application:toggle-left-area")
        return notebook

    def work(self, name: str, *cells: str, **options: object) -> Notebook:
        """A new notebook whose first cells, up to the first agent cell, were run; the agent cell is under way."""
        self.write(name, *cells)
        return run_to_agent(self.open(name, **options))  # type: ignore[arg-type]

    # --- the camera

    def take(self, target: Target, file: Path) -> None:
        """Write what is meant to a small PNG file."""
        page = target if isinstance(target, Page) else (target if isinstance(target, Locator) else target[0]).page
        page.evaluate("document.fonts.ready.then(() => null)")
        parts = [] if isinstance(target, Page) else [target] if isinstance(target, Locator) else list(target)
        clip = around(parts) if parts else None
        scroller = page.locator(".jp-WindowedPanel-outer:visible")
        scrolls = parts and parts[0].evaluate("part => part.closest('.jp-WindowedPanel-outer') !== null")
        if clip and scrolls and (seen := scroller.first.bounding_box()):
            low, top = clip["y"] + clip["height"], seen["y"] - MARGIN
            assert top <= clip["y"] and low <= seen["y"] + seen["height"] + MARGIN, (
                f"{file.stem}: the window is too low"
            )
        png = page.screenshot(clip=clip, style=STILL, animations="disabled", caret="hide")  # type: ignore[arg-type]
        small(png, file)


def around(parts: Sequence[Locator]) -> dict[str, float]:
    """The rectangle around these parts, with a margin, within the window."""
    boxes = [box for part in parts if (box := part.bounding_box())]
    assert len(boxes) == len(parts), "a part is not to be seen"
    window = parts[0].page.viewport_size
    assert window is not None
    left, top = (max(0.0, min(box[side] for box in boxes) - MARGIN) for side in ("x", "y"))
    right = min(window["width"], max(box["x"] + box["width"] for box in boxes) + MARGIN)
    low = min(window["height"], max(box["y"] + box["height"] for box in boxes) + MARGIN)
    return {"x": left, "y": top, "width": right - left, "height": low - top}


def small(png: bytes, file: Path) -> None:
    """Write a picture with its most frequent colours alone, which text and flat surfaces do not miss."""
    with Image.open(io.BytesIO(png)) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.int32)
    packed = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    found, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([found >> 16, (found >> 8) & 255, found & 255], axis=-1)
    kept = colours[np.argsort(-counts, kind="stable")[:COLOURS]]
    nearest = np.array([((kept - colour) ** 2).sum(axis=-1).argmin() for colour in colours], dtype=np.uint8)
    made = Image.fromarray(nearest[places.reshape(packed.shape)])
    made.putpalette(kept.astype(np.uint8).tobytes())
    made.save(file, optimize=True)


def place_of(notebook: Notebook, start: str) -> int:
    """The index of the first cell that starts so."""
    return next(index for index, cell in enumerate(notebook.cells()) if cell["source"].startswith(start))


def run_to_agent(notebook: Notebook) -> Notebook:
    """Run the code cells up to the first agent cell, which is then under way, at the top of the window."""
    at = place_of(notebook, "%%agent")
    for index, cell in enumerate(notebook.cells()[:at]):
        if cell["cell_type"] == "code":
            notebook.run(index)
            notebook.ran(index)
    notebook.run(at)
    return notebook


def approve(notebook: Notebook, *steps: int) -> Card:
    """Approve these steps of the newest card, one after the other; a click that came too early to count is made again."""
    card = notebook.card
    for step in steps:
        card.pending(step)
        for _ in range(10):
            with suppress(AssertionError, Error):
                card.button("Approve").click(timeout=5_000)
                expect(card.step(step)).not_to_have_attribute("data-status", "pending", timeout=3_000)
                break
    return card


def code(thought: str, *lines: str) -> str:
    """A reply: a thought and a program."""
    program = "\n".join(lines)
    return f"{thought}\n<code>\n{program}\n</code>"


@contextmanager
def desk() -> Iterator[Desk]:
    """A desk with nothing on it."""
    chromium = os.environ.get("SMOLCELL_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("no Chromium: install one and name it in SMOLCELL_CHROMIUM")
    with (
        tempfile.TemporaryDirectory(prefix="smolcell-pictures-") as folder,
        LabServer(Path(folder) / "jupyter") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield Desk(server, browser)
        browser.close()
