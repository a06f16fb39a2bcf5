"""Rich output as bounded text by MIME type: open figures, arguments of ``display``, the last expression.

* A bundle is data; nothing in it is executed here or on the host.
* Bounded in number and in size; omissions are noted on stdout.
* An object's ``_repr_*_`` may fail without failing the step.
"""

from __future__ import annotations

import base64
import sys
import threading
import time
from typing import Any, Callable

from ..wire import frames
from ..wire.arrays import figure_png
from ..wire.bounds import CLEAR, PLACES, clean, cut, cut_end, is_small, short_repr
from ..wire.values import JSON_DEPTH
from . import charts

# --- A table as rows of text, which the page draws. Bounded: of a long or wide table the first and last rows and columns.


MIME = "application/vnd.smolcell.table+json"
FIRST_ROWS, LAST_ROWS = 20, 5
FIRST_COLUMNS, LAST_COLUMNS = 20, 5
MAX_CELL = 200


def grid(value: Any, first_rows: int = FIRST_ROWS, last_rows: int = LAST_ROWS) -> str:
    """Return a DataFrame as JSON; "" for other values and tables without cells.

    ``columns``, ``index`` and ``rows`` are texts; ``numeric`` says which columns hold numbers; ``shape`` is the full size; ``gap``
    says after how many rows and columns some are left out (0: none).
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or type(value) is not getattr(pandas, "DataFrame", None) or 0 in value.shape:
        return ""
    rows, row_gap = _places(value.shape[0], first_rows, last_rows)
    columns, column_gap = _places(value.shape[1], FIRST_COLUMNS, LAST_COLUMNS)
    part = value.iloc[rows, columns]
    cells = [_column(pandas, part.iloc[:, at]) for at in range(len(columns))]
    shown = {
        "columns": [_label(name) for name in part.columns],
        "index": [_label(name) for name in part.index],
        "rows": [list(row) for row in zip(*cells)],
        "numeric": [bool(pandas.api.types.is_numeric_dtype(part.iloc[:, at].dtype)) for at in range(len(columns))],
        "shape": [int(size) for size in value.shape],
        "gap": [row_gap, column_gap],
    }
    return frames.dumps(shown).decode("ascii")


def _places(count: int, first: int, last: int) -> tuple[list[int], int]:
    """Return the positions that are shown, and after how many of them some are left out."""
    if count <= first + last:
        return list(range(count)), 0
    return [*range(first), *range(count - last, count)], first


def _column(pandas: Any, values: Any) -> list[str]:
    """Return the cells as pandas prints them, with the same decimals in a whole column."""
    with pandas.option_context("display.max_colwidth", MAX_CELL, "display.max_rows", None):
        lines = values.to_string(header=False, index=False).split("\n")
    if len(lines) != len(values):
        lines = [str(value) for value in values]
    return [_bounded(line.strip()) for line in lines]


def _label(name: Any) -> str:
    return _bounded(", ".join(map(str, name)) if type(name) is tuple else str(name))


def _bounded(text: str) -> str:
    text = str.__str__(text)
    return clean(cut_end(text, MAX_CELL))


MAX_BUNDLES = len(PLACES)
MAX_OUTPUT_BYTES = 5 << 20
MAX_OUTPUTS_BYTES = 20 << 20
MAX_REPR = 20_000
LIVE_EVERY, LIVE_EACH = 0.1, 0.02  # seconds between messages of a running step, and per output in a message
LIVE_RATE = 300_000  # characters per second of such messages; Jupyter's server drops much more
METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_json_": "application/json",
}
MIMES = frozenset(
    ("text/plain", MIME, *METHODS.values(), "image/gif", "image/webp", "video/mp4", "video/webm", *charts.MIMES)
)
BINARY = ("image/png", "image/jpeg", "image/gif", "image/webp", "video/")  # base64


class Display:
    """Rich outputs of one step.

    Args:
        changed: called with the index of each output that is new or changed; -1 if all were dropped.
        printed: the streams that the step prints to, an ``InterpreterState``; None leaves printed text alone.
    """

    def __init__(self, changed: Callable[[int], object] = lambda _: None, printed: Any = None) -> None:
        self.bundles: list[dict[str, str]] = []
        self._changed = changed
        self._printed = printed
        self._waits = False  # the next output replaces all before it
        self._places: dict[str, int] = {}  # by display id
        self._size = 0
        self._full = False

    def clear(self, wait: bool = False) -> None:
        """Drop all outputs and all printed text, now or before the next output."""
        self._waits = wait
        if self._printed is not None:
            self._printed.before_next(self.clear if wait else None)
        if not wait:
            self.bundles.clear()
            self._places.clear()
            self._size = 0
            self._changed(-1)
            if self._printed is not None:
                self._printed.write(CLEAR)

    def show(self, *values: Any, raw: bool = False, name: str = "", update: bool = False) -> None:
        """Add values in rich form (a table, a figure, an image, anything with ``_repr_html_``).

        Args:
            values: the values to show.
            raw: the values are MIME bundles.
            name: display id, by which the output can be updated.
            update: replace the output of that name, if this step has one.
        """
        for value in values:
            bundle = (_mimes(value) if raw else mime_bundle(value)) or {}
            bundle.setdefault("text/plain", short_repr(value, MAX_REPR))
            if update and name in self._places:
                self._replace(self._places[name], bundle)
            elif self.add(bundle) and name:
                self._places[name] = len(self.bundles) - 1

    def take(self, other: Display) -> None:
        """Continue with another one's outputs."""
        self.bundles += other.bundles
        self._places, self._size = dict(other._places), other._size
        for at in range(len(self.bundles)):
            self._changed(at)

    def add(self, bundle: dict[str, str]) -> bool:
        """Add a bundle if the bounds allow; returns whether they do."""
        if self._waits:
            self.clear()
        size = _size(bundle)
        if len(self.bundles) < MAX_BUNDLES and self._size + size <= MAX_OUTPUTS_BYTES:
            self._size += size
            self.bundles.append(bundle)
            if self._printed is not None:
                self._printed.write(PLACES[len(self.bundles) - 1])
            self._changed(len(self.bundles) - 1)
            return True
        if not self._full:
            text = f"[outputs are left out: a step shows at most {MAX_BUNDLES}, of {MAX_OUTPUTS_BYTES >> 20} MiB together]\n"
            sys.stdout.write(text)
        self._full = True
        return False

    def _replace(self, at: int, bundle: dict[str, str]) -> None:
        size = self._size - _size(self.bundles[at]) + _size(bundle)
        if size <= MAX_OUTPUTS_BYTES:
            self._size, self.bundles[at] = size, bundle
            self._changed(at)

    def figures(self, again: bool = True) -> None:
        """Show the open matplotlib figures, and close them.

        Args:
            again: also those of which the step has displayed the same picture.
        """
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None or not hasattr(pyplot, "get_fignums"):
            return
        displayed = (
            [] if again or self._waits else [bundle["image/png"] for bundle in self.bundles if "image/png" in bundle]
        )
        try:
            for number in pyplot.get_fignums():
                bundle = _figure(pyplot.figure(number))
                if bundle and bundle.get("image/png") not in displayed:
                    self.add(bundle)
        finally:
            pyplot.close("all")


def _size(bundle: dict[str, str]) -> int:
    return sum(len(text) for text in bundle.values())


class Live:
    """Sends the outputs of a running step to the host: at most ten times a second, and large ones less often.

    It sends on its own threads, so that an interrupt of the code never hits a message.

    Args:
        send: sends output ``at`` of ``count``; with None, only the count.

    Attributes:
        display: the outputs of the running step; between the steps, those that the next one begins with.
    """

    def __init__(self, send: Callable[[int, int, Any], object]) -> None:
        self.display = self._before = Display()
        self._send = send
        self._bundles: list[dict[str, str]] = []
        self._dirty: set[int] = set()
        self._timer: Any = None
        self._next = 0.0  # earliest time of the next message
        self._over = False
        self._state = threading.Lock()
        self._sending = threading.Lock()

    def show(self, *values: Any, raw: bool = False, name: str = "", update: bool = False) -> None:
        """Show values now. See ``Display.show``."""
        self.display.show(*values, raw=raw, name=name, update=update)

    def clear(self, wait: bool) -> None:
        """Drop what is shown now. See ``Display.clear``."""
        self.display.clear(wait)

    def figures(self) -> None:
        """Show the open figures now. See ``Display.figures``."""
        self.display.figures()

    def forget(self) -> None:
        """Show nothing of what a child process displays: it shares the streams and the connection."""
        self.display = Display()

    def begin(self, printed: Any, apart: bool) -> None:
        """Start a step.

        Args:
            printed: the streams that it prints to.
            apart: leave what was shown since the last step to the next one.
        """
        self._before, self.display = self.display, Display(self._changed, printed)
        self._bundles, self._over, self._next = self.display.bundles, False, 0.0
        if not apart:
            self.display.take(self._before)

    def end(self, printed: Any, apart: bool) -> None:
        """End the step, whose last message carries its outputs. Waits for a message that is being sent. See ``begin``."""
        with self._state:
            self._over, timer, self._timer = True, self._timer, None
            self._dirty.clear()
        if timer is not None:
            timer.cancel()
        with self._sending:
            pass
        self.display = self._before if apart else Display(printed=printed)

    def _changed(self, at: int) -> None:
        with self._state:
            if self._over:
                return
            if at < 0:
                self._dirty.clear()
            self._dirty.add(at)
            if self._timer is not None:
                return
            self._timer = threading.Timer(max(0.0, self._next - time.monotonic()), self._tell)
            self._timer.daemon = True
            try:
                self._timer.start()
            except RuntimeError:  # no thread can be started: the step's last message has it
                self._timer = None

    def _tell(self) -> None:
        with self._sending:
            with self._state:
                dirty, self._dirty, self._timer = self._dirty, set(), None
                bundles = list(self._bundles)
                changed = [(at, bundles[at]) for at in sorted(dirty) if 0 <= at < len(bundles)]
                size = sum(_size(bundle) for _, bundle in changed)
                self._next = time.monotonic() + max(LIVE_EVERY, LIVE_EACH * len(changed), size / LIVE_RATE)
                if self._over:
                    return
            if not changed:
                self._send(0, len(bundles), None)
            for at, bundle in changed:
                self._send(at, len(bundles), bundle)


def _is_figure(value: Any) -> bool:
    module = sys.modules.get("matplotlib.figure")
    return module is not None and hasattr(module, "Figure") and isinstance(value, module.Figure)


def _figure(figure: Any) -> dict[str, str] | None:
    text = {"text/plain": short_repr(figure, 200)}
    try:
        if len(figure.get_children()) < 2:
            return text  # nothing but its background
        data = figure_png(figure, MAX_OUTPUT_BYTES)
    except Exception as error:
        sys.stdout.write(f"[a figure could not be drawn: {type(error).__name__}: {error}]\n")
        return None
    if data is None:
        sys.stdout.write(f"[a figure is left out: larger than {MAX_OUTPUT_BYTES >> 20} MiB]\n")
        return None
    return {"image/png": base64.b64encode(data).decode("ascii"), **text}


def mime_bundle(value: Any) -> dict[str, str] | None:
    """Return the value's MIME bundle; None if it has only a plain repr."""
    if _is_figure(value):
        return _figure(value)
    if isinstance(value, type):
        return None
    found = guess(lambda: charts.bundle(value, MAX_OUTPUT_BYTES)) or _mimes(guess(lambda: _own_bundle(value)))
    for method, mime in METHODS.items() if not found else ():
        text = _call(value, method)
        if text and not (mime == "image/jpeg" and "image/png" in found):
            found[mime] = text
    table = guess(lambda: grid(value))
    if table:
        found[MIME] = table
    if not found:
        return None
    found.update(charts.video_of(found.get("text/html", "")))
    found.setdefault("text/plain", short_repr(value, MAX_REPR))
    return found


def text_for_model(value: Any, bundle: dict[str, str] | None, limit: int) -> str:
    """Return the value as text for the model: a chart's description, else its repr."""
    about = (bundle or {}).get("text/plain", "")
    return cut(about, limit) if any(mime in _DESCRIBED for mime in bundle or ()) else short_repr(value, limit)


_DESCRIBED = charts.MIMES | {"video/mp4", "video/webm", "image/gif"}


def _own_bundle(value: Any) -> Any:
    bundle = getattr(value, "_repr_mimebundle_", None)
    bundle = bundle(include=None, exclude=None) if callable(bundle) else None
    return bundle[0] if isinstance(bundle, tuple) and bundle else bundle


def _mimes(bundle: Any) -> dict[str, str]:
    """Return a MIME bundle as text by MIME type: only types that can be shown, with descriptions of charts."""
    texts: dict[str, str] = {}
    if not isinstance(bundle, dict):
        return texts
    for mime, data in bundle.items():
        if type(mime) is str and mime in MIMES:
            is_json = mime.endswith("json")
            text = _text(data, "_repr_json_" if is_json else "_repr_png_" if mime.startswith(BINARY) else "")
            if text:
                texts[mime] = text
            if text and is_json:
                texts.update(charts.describe_chart(mime, frames.loads(text.encode(), JSON_DEPTH)))
    return texts


def guess(make: Callable[[], Any], otherwise: Any = None) -> Any:
    """Call a function; returns ``otherwise`` if it fails, since an object's code may raise anything."""
    try:
        return make()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return otherwise


def _call(value: Any, method: str) -> str:
    def made() -> str:
        function = getattr(value, method, None)
        return _text(function() if callable(function) else None, method)

    return guess(made) or ""


def _text(value: Any, method: str) -> str:
    """Return a method's result as an exact ``str``, without methods that a subclass may override."""
    if isinstance(value, tuple) and value:
        value = value[0]  # (data, metadata)
    kind = type(value)
    if issubclass(kind, bytes):
        return base64.b64encode(memoryview(value)).decode("ascii") if len(memoryview(value)) <= MAX_OUTPUT_BYTES else ""
    if issubclass(kind, str):
        text = str.__str__(value)
    elif value is not None and method == "_repr_json_" and is_small(value):
        text = frames.dumps(value).decode("ascii")
    else:
        return ""
    return clean(text) if len(text) <= MAX_OUTPUT_BYTES else ""
