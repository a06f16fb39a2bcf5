"""Rich output: figures left open, what ``display`` is given, the last expression. Text by MIME type, bounded.

The rules this file exists to keep:

* A bundle is data; nothing in it is executed here or on the host.
* Bounded in number and in size; what is left out is said on stdout.
* An object's own ``_repr_*_`` may fail: it never fails the step.
"""

from __future__ import annotations

import base64
import sys
from typing import Any

from . import frames, wire
from .grid import MIME as GRID
from .grid import grid
from .texts import is_small
from .values import clean, short_repr

MAX_BUNDLES = 24
MAX_ONE = 5 << 20
MAX_ALL = 20 << 20
MAX_REPR = 20_000
METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_json_": "application/json",
}


class Display:
    """The rich outputs of one step."""

    def __init__(self) -> None:
        self.bundles: list[dict[str, str]] = []
        self._size = 0
        self._full = False

    def show(self, *values: Any) -> None:
        """Show values richly (a table, a figure, an image, anything with ``_repr_html_``)."""
        for value in values:
            bundle = rich(value) or {}
            bundle.setdefault("text/plain", short_repr(value, MAX_REPR))
            self.add(bundle)

    def add(self, bundle: dict[str, str]) -> None:
        """Keep a bundle, as far as the bounds allow."""
        size = sum(len(text) for text in bundle.values())
        if len(self.bundles) < MAX_BUNDLES and self._size + size <= MAX_ALL:
            self._size += size
            self.bundles.append(bundle)
            return
        if not self._full:
            text = f"[outputs are left out: a step shows at most {MAX_BUNDLES}, of {MAX_ALL >> 20} MiB together]\n"
            sys.stdout.write(text)
        self._full = True

    def figures(self) -> None:
        """Take the matplotlib figures that are open, and close them."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None or not hasattr(pyplot, "get_fignums"):
            return
        try:
            for number in pyplot.get_fignums():
                figure = pyplot.figure(number)
                bundle = _figure(figure)
                if bundle:
                    self.add(bundle)
        except Exception as error:
            sys.stdout.write(f"[a figure could not be drawn: {type(error).__name__}: {error}]\n")
        finally:
            pyplot.close("all")


def _is_figure(value: Any) -> bool:
    module = sys.modules.get("matplotlib.figure")
    return module is not None and hasattr(module, "Figure") and isinstance(value, module.Figure)


def _figure(figure: Any) -> dict[str, str] | None:
    data = frames.figure_png(figure, MAX_ONE)
    if data is None:
        sys.stdout.write(f"[a figure is left out: larger than {MAX_ONE >> 20} MiB]\n")
        return None
    return {"image/png": base64.b64encode(data).decode("ascii"), "text/plain": short_repr(figure, 200)}


def rich(value: Any) -> dict[str, str] | None:
    """The value's MIME bundle; None when it has only a plain repr."""
    if _is_figure(value):
        bundle = _figure(value)
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is not None:
            pyplot.close(value)
        return bundle
    if isinstance(value, type):
        return None
    found = {}
    for method, mime in METHODS.items():
        text = _call(value, method)
        if text:
            found[mime] = text
    table = _grid(value)
    if table:
        found[GRID] = table
    if not found:
        return None
    found["text/plain"] = short_repr(value, MAX_REPR)
    return found


def _call(value: Any, method: str) -> str:
    try:
        made = getattr(value, method, None)
        made = made() if callable(made) else None
        return _text(made, method)
    except KeyboardInterrupt:
        raise
    except BaseException:  # an object's own code may raise what it likes
        return ""


def _grid(value: Any) -> str:
    try:
        return grid(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # as in _call: what stands in a table may raise what it likes
        return ""


def _text(made: Any, method: str) -> str:
    """What a method has given, as exact text: a subclass may bring methods of its own."""
    if isinstance(made, tuple) and made:
        made = made[0]  # (data, metadata)
    kind = type(made)
    if issubclass(kind, bytes):
        return base64.b64encode(memoryview(made)).decode("ascii") if len(memoryview(made)) <= MAX_ONE else ""
    if issubclass(kind, str):
        text = str.__str__(made)
    elif made is not None and method == "_repr_json_" and is_small(made):
        text = wire.dumps(made).decode("ascii")
    else:
        return ""
    return clean(text) if len(text) <= MAX_ONE else ""
