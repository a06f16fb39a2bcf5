"""Functions for rewritten notebook syntax, and the sandbox's modules ``IPython`` and ``IPython.display``.

The modules replace the real ones, so that they behave the same in every sandbox, load fast and need no kernel.
"""

from __future__ import annotations

import base64
import importlib.machinery
import itertools
import re
import sys
import time
import types
from collections.abc import Iterator
from typing import Any, Callable

from ..guard import magics
from ..wire import frames

INSTALL = "{} is not installed: the program cannot install it, and the user did not. Do it without"
UNKNOWN = "{} is not available here: write it as Python"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
MAX_KEPT_BYTES = 1 << 20  # maximum size of a value that Out keeps
MIN_REPEAT_SECONDS = 0.2  # shortest duration in seconds of one repeat of %timeit


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


class UsageError(Exception):
    """Raised for notebook syntax that does not work in the sandbox."""


def install(requirements: str) -> None:
    """Run ``%pip install`` or ``!pip install``: report whether the packages, which the user was asked about before, are installed."""
    import importlib.metadata
    import shlex

    for word in shlex.split(requirements, comments=True):
        name = _NAME.match(word)
        if name is None:
            continue
        try:
            version = importlib.metadata.version(name[0])
            stays = "" if word in (name[0], f"{name[0]}=={version}") else ", and is not replaced"
            _print(f"[{name[0]} {version} is installed{stays}]")
        except importlib.metadata.PackageNotFoundError:
            raise UsageError(INSTALL.format(word)) from None


def unknown(text: str) -> None:
    raise UsageError(UNKNOWN.format(text))


def note(text: str) -> None:
    _print(f"[{text} is ignored: it is not needed here]")


# --- shell lines, in the level ``full`` only ---


def _command(parts: tuple[Any, ...]) -> str:
    """Fill in the expressions of a command; one that fails stays as written, as in IPython."""
    text = ""
    for part in parts:
        if type(part) is tuple:
            function, written = part
            try:
                part = str(function())
            except Exception:
                part = written
        text += part
    return text


def _run(command: Any, **options: Any) -> Any:
    import subprocess

    sys.stdout.flush()
    return subprocess.run(command, stdin=subprocess.DEVNULL, check=False, **options)


def shell(*parts: Any) -> None:
    """Run ``!cmd``; its output is printed."""
    ended = _run(_command(parts), shell=True)  # noqa: S604
    if ended.returncode:
        _print(f"[exit status {ended.returncode}]")


def lines(*parts: Any) -> list[str]:
    """Run ``x = !cmd``; returns the lines of its output, errors included."""
    ended = _run(_command(parts), shell=True, stdout=-1, stderr=-2)  # noqa: S604 - PIPE, STDOUT
    return str(ended.stdout, "utf-8", "replace").splitlines()


def script(program: str, text: str) -> None:
    """Run ``%%bash``; raises if the script fails."""
    import subprocess

    ended = _run([program, "-c", text])
    if ended.returncode:
        raise subprocess.CalledProcessError(ended.returncode, program)


# --- times ---


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


class Timed:
    """Context manager of ``%time``: prints how long its block took."""

    def __enter__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def __exit__(self, *_: Any) -> None:
        wall, cpu = (now - began for now, began in zip((time.perf_counter(), time.process_time()), self._began))
        _print(f"CPU time: {_seconds(cpu)}, wall time: {_seconds(wall)}")


def timed_call(function: Callable[[], Any]) -> Any:
    """Run ``%time`` before an expression; returns its value."""
    with Timed():
        return function()


def timeit(number: int, repeat: int) -> Iterator[None]:
    """Return the iterations of ``%timeit``'s loop; prints the times at its end. The loop is counted in C."""
    return itertools.chain.from_iterable(_repeats(number, repeat))


def _repeats(number: int, repeat: int) -> Iterator[Iterator[None]]:
    count, taken = number or 1, -1.0
    while not number and taken < MIN_REPEAT_SECONDS:
        count = count * 10 if taken >= 0 else 1
        began = time.perf_counter()
        yield itertools.repeat(None, count)
        taken = time.perf_counter() - began
    times = [] if number else [taken / count]
    while len(times) < max(1, repeat):
        began = time.perf_counter()
        yield itertools.repeat(None, count)
        times.append((time.perf_counter() - began) / count)
    mean = sum(times) / len(times)
    spread = (sum((each - mean) ** 2 for each in times) / len(times)) ** 0.5
    _print(
        f"{_seconds(mean)} ± {_seconds(spread)} per loop (mean ± std. dev. of {len(times)} runs, {count:,} loops each)"
    )


class Notebook:
    """The runner's state and functions for notebook syntax.

    Args:
        shells: whether shell lines may run.
    """

    def __init__(self, *, shells: bool) -> None:
        self._timed: Timed | None = None
        self.names: dict[str, Any] = {
            magics.INSTALL: install,
            magics.UNKNOWN: unknown,
            magics.NOTE: note,
            magics.TIME: timed_call,
            magics.TIMED: Timed,
            magics.TIMEIT: timeit,
            magics.TIME_STEP: self._time_step,
            magics.LOOP: None,
        }
        if shells:
            self.names.update({magics.SHELL: shell, magics.LINES: lines, magics.SCRIPT: script})
        self._inputs, self._outputs = [""], dict[int, Any]()

    def history(self) -> dict[str, Any]:
        """Return IPython's names for the programs and values of the steps, before the first step."""
        unders = dict.fromkeys(("_", "__", "___"), "")
        return {"In": self._inputs, "_ih": self._inputs, "Out": self._outputs, "_oh": self._outputs, **unders}

    def begin_step(self, step: int, source: str) -> None:
        """Store the program of a step in ``In``; what a run before had from this number on is dropped."""
        self._inputs[step:] = [""] * (step - len(self._inputs))
        self._inputs.append(source)
        for later in [number for number in self._outputs if number >= step]:
            del self._outputs[later]

    def keep(self, step: int, value: Any, size: int | None) -> dict[str, Any]:
        """Store the value of a step in ``Out``, except those that may be large: they would take the memory of later steps.

        Args:
            size: bytes of the value's encoding; None if it is not data.

        Returns:
            The new values of ``_`` and the like.
        """
        if value is self._outputs:
            return {}
        if size is None or size > MAX_KEPT_BYTES:
            return {"_": value}
        self._outputs[step] = value
        last = list(self._outputs.values())[-3:]
        return {f"_{step}": value, **{"_" * at: each for at, each in enumerate(reversed(last), 1)}}

    def _time_step(self) -> None:
        self._timed = Timed()
        self._timed.__enter__()

    def end_step(self) -> None:
        """Print the duration of a step that began with ``%%time``."""
        timed, self._timed = self._timed, None
        if timed is not None:
            timed.__exit__()


# --- IPython ---


class DisplayObject:
    """Data to be displayed as one MIME type.

    Args:
        data: the data itself, or a path or an address.
        url: an address; it is not fetched.
        filename: a path in the sandbox; the file is read.
    """

    mime = "text/plain"
    binary = False

    def __init__(self, data: Any = None, url: Any = None, filename: Any = None, **options: Any) -> None:
        self.metadata = options.get("metadata")
        self.url = str(url) if url is not None else None
        self.filename = str(filename) if filename is not None else None
        if filename is not None:
            with open(filename, "rb") as file:
                data = file.read()
        self.data = self._read(data)

    def _read(self, data: Any) -> Any:
        return str(data, "utf-8", "replace") if isinstance(data, (bytes, bytearray)) else data

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        if self.data is None:
            return {"text/plain": f"{type(self).__name__}: {self.url or ''}"}
        data = self.data if isinstance(self.data, (str, bytes)) or self.mime == "application/json" else str(self.data)
        return {self.mime: data, "text/plain": self._words()}

    def _words(self) -> str:
        return str(self.data)

    def _own_data(self) -> Any:
        return self.data

    def __repr__(self) -> str:
        return f"<IPython.display.{type(self).__name__} object>"


class Pretty(DisplayObject):
    """Plain text, as of ``IPython.display.Pretty``."""


class Markdown(DisplayObject):
    """Markdown."""

    mime = "text/markdown"
    _repr_markdown_ = DisplayObject._own_data


class HTML(DisplayObject):
    """HTML; the page sanitizes it."""

    mime = "text/html"
    _repr_html_ = DisplayObject._own_data

    def _words(self) -> str:
        return repr(self)


class Latex(DisplayObject):
    """LaTeX."""

    mime = "text/latex"
    _repr_latex_ = DisplayObject._own_data


class Math(Latex):
    """LaTeX in mathematical mode."""

    def _read(self, data: Any) -> Any:
        return f"$\\displaystyle {str(data).strip('$')}$"


class SVG(DisplayObject):
    """An SVG image."""

    mime = "image/svg+xml"
    _repr_svg_ = DisplayObject._own_data

    def _words(self) -> str:
        return repr(self)


class JSON(DisplayObject):
    """A JSON value, or its text."""

    mime = "application/json"

    def _read(self, data: Any) -> Any:
        return frames.loads(data.encode(), 200) if isinstance(data, str) else data


class Javascript(DisplayObject):
    """A script; shown as text, never run."""


class _Media(DisplayObject):
    """Bytes, or the path of a file that contains them."""

    kinds: tuple[tuple[bytes, int, str], ...] = ()

    def __init__(self, data: Any = None, url: Any = None, filename: Any = None, **options: Any) -> None:
        if isinstance(data, str) and data.startswith(("http://", "https://")):
            data, url = None, data
        elif data is not None and not isinstance(data, (bytes, bytearray)) and options.get("mimetype") is None:
            data, filename = None, data
        super().__init__(data, url, filename)

    def _read(self, data: Any) -> Any:
        if isinstance(data, (bytes, bytearray)):
            data = bytes(data)
            self.mime = next((m for mark, at, m in self.kinds if data[at : at + len(mark)] == mark), "text/plain")
            return data if self.mime != "text/plain" else None
        return data

    def _words(self) -> str:
        return repr(self)


class Image(_Media):
    """An image: PNG, JPEG, GIF or WebP."""

    kinds = (
        (b"\x89PNG", 0, "image/png"),
        (b"\xff\xd8", 0, "image/jpeg"),
        (b"GIF8", 0, "image/gif"),
        (b"WEBP", 8, "image/webp"),
    )


class Video(_Media):
    """A video: MP4 or WebM."""

    kinds = ((b"ftyp", 4, "video/mp4"), (b"\x1aE\xdf\xa3", 0, "video/webm"))

    def _read(self, data: Any) -> Any:
        if isinstance(data, str):  # base64, with embed=True
            data = base64.b64decode(data)
        return super()._read(data)


class DisplayHandle:
    """Handle returned by ``display(…, display_id=…)``; an update replaces the display.

    Args:
        show: displays values; with ``update=True``, replaces those of the same ``name``.
        display_id: the name.
    """

    def __init__(self, show: Callable[..., Any], display_id: Any = None) -> None:
        self._show = show
        self.display_id = str(display_id or f"smolcell-{next(_NUMBERS)}")

    def display(self, value: Any, raw: bool = False, **_: Any) -> None:
        """Display a value that can be updated later."""
        self._show(value, raw=raw, name=self.display_id)

    def update(self, value: Any, raw: bool = False, **_: Any) -> None:
        """Replace what was displayed."""
        self._show(value, raw=raw, name=self.display_id, update=True)


_NUMBERS = itertools.count(1)


def complete_builtins() -> None:
    """Add the builtins of ``site``, without which the worker's Python was started."""
    import _sitebuiltins
    import builtins

    builtins.help = _sitebuiltins._Helper()
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D"))


def modules(
    show: Callable[..., None], clear: Callable[[bool], None], *, whole: bool = False
) -> dict[str, types.ModuleType]:
    """Create ``IPython`` and ``IPython.display``.

    Args:
        show: displays values, or MIME bundles with ``raw=True``; ``name`` is a display id, ``update=True`` replaces its display.
        clear: drops what the step has displayed and printed so far, now or (True) before the next output.
        whole: look up missing names in the real modules, if they are installed.
    """

    def display(
        *values: Any, raw: bool = False, display_id: Any = None, clear: bool = False, update: bool = False, **_: Any
    ) -> Any:
        """Display values, richly if possible."""
        if clear:
            clear_output(wait=True)
        handle = DisplayHandle(show, None if display_id is True else display_id) if display_id else None
        show(*values, raw=raw, name=handle.display_id if handle else "", update=update)
        return handle

    def update_display(value: Any, *, display_id: Any, raw: bool = False, **_: Any) -> None:
        """Replace what was displayed with this id."""
        show(value, raw=raw, name=str(display_id), update=True)

    def more(name: str) -> Any:
        """Return a name that only the real modules have: ``Audio``, ``IFrame``, ``display_html``, …"""
        for module in ("IPython.lib.display", "IPython.core.display") if whole and name[0] != "_" else ():
            try:
                return getattr(importlib.import_module(module), name)
            except (ImportError, AttributeError):
                pass
        raise AttributeError(f"module 'IPython.display' has no attribute {name!r}")

    def clear_output(wait: bool = False) -> None:
        """Drop what this step has displayed and printed so far; with ``wait`` only once there is something new."""
        clear(wait)

    def publish(data: Any, metadata: Any = None, *, transient: Any = None, update: bool = False, **_: Any) -> None:
        """Display a MIME bundle."""
        name = transient.get("display_id") if isinstance(transient, dict) else None
        show(data, raw=True, name=str(name or ""), update=update)

    def get_ipython() -> None:
        """Return None: the sandbox has no interactive shell."""

    top, below = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    classes = (DisplayObject, Pretty, Markdown, HTML, Latex, Math, SVG, JSON, Javascript, Image, Video)
    below.__dict__.update({kind.__name__: kind for kind in classes})
    below.__dict__.update(display=display, update_display=update_display, clear_output=clear_output)
    below.__dict__.update(DisplayHandle=DisplayHandle, publish_display_data=publish)
    below.__dict__["__getattr__"] = more
    real = importlib.machinery.PathFinder.find_spec("IPython")  # for libraries that use its other modules
    path = list(real.submodule_search_locations or ()) if real is not None else []
    top.__dict__.update(display=below, get_ipython=get_ipython, __path__=path, __version__="8.37.0")
    top.__dict__.update(version_info=(8, 37, 0, ""))
    own = {"IPython": top, "IPython.display": below}
    return {**own, "IPython.core.display_functions": below} if whole else own


class DisplayFinder:
    """Import finder for modules that libraries need to display figures.

    ``show`` of ``bokeh.io`` displays, with and without ``output_notebook()``. ``show`` of pyplot and of its figures displays, whatever
    the backend, and so does that of PIL's images, which looks for a program else. plotly imports ``nbformat`` before it displays a
    figure, without using it: if it is not installed, an empty module replaces it while plotly is imported.

    Args:
        show: displays values.
        figures: displays pyplot's open figures and closes them.
    """

    def __init__(self, show: Callable[..., None], figures: Callable[[], None]) -> None:
        self._show, self._figures = show, figures
        self._complete: dict[str, Callable[[Any], object]] = {
            "bokeh.io": self._complete_bokeh,
            "matplotlib.pyplot": self._complete_pyplot,
            "PIL.ImageShow": lambda module: module.register(module.IPythonViewer, 0),
        }

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        complete = self._complete.get(name)
        if complete is None and name != "nbformat":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if name == "nbformat":
            plotly = getattr(sys.modules.get("plotly.io._renderers"), "__spec__", None)
            asked = spec is None and getattr(plotly, "_initializing", False)
            return importlib.machinery.ModuleSpec(name, self) if asked else None  # type: ignore[arg-type]
        if complete is not None and spec is not None and spec.loader is not None:
            run, then = spec.loader.exec_module, complete

            def exec_module(module: Any) -> None:
                run(module)
                then(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def create_module(self, spec: Any) -> None:
        """Use the default module."""

    def exec_module(self, module: Any) -> None:
        module.__version__ = "5.10.0"

    def _complete_pyplot(self, pyplot: Any) -> None:
        pyplot.show = lambda *_, **__: self._figures()
        pyplot.Figure.show = lambda figure, *_, **__: self._show(figure)

    def _complete_bokeh(self, bokeh_io: Any) -> None:
        bokeh_io.install_notebook_hook(
            "jupyter",
            load=lambda *_, **__: None,
            show_doc=lambda shown, *_, **__: self._show(shown),
            show_app=lambda *_, **__: _print("[bokeh applications cannot be shown here]"),
            overwrite=True,
        )
        sys.modules["bokeh.io.state"].curstate().output_notebook("jupyter")
