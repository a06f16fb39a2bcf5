"""The widget a card travels by. The only module that knows anywidget; imported when the first card is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

STATIC = Path(__file__).parent / "static"


class RunWidget(anywidget.AnyWidget):
    """The page side of one run. Live changes travel as custom messages; the traits are set at the run's end."""

    _esm = (STATIC / "widget.js").read_text(encoding="utf-8")
    _css = (STATIC / "widget.css").read_text(encoding="utf-8")

    snapshot = traitlets.Unicode("").tag(sync=True)  # the run's events as JSON
    live = traitlets.Bool(True).tag(sync=True)
    title = ""
    run = ""

    def __repr__(self) -> str:
        """What stands in the saved notebook beside the widget, and in consoles."""
        return f"smolcell run: {self.title}" if self.title else "smolcell run"


def make_widget(run: str, title: str, on_message: Callable[[Any], None]) -> RunWidget:
    """A widget for the run that hands the page's messages to ``on_message``, on the thread where they arrive."""
    widget = RunWidget()
    widget.run = run
    widget.title = " ".join(title.split())[:80]
    widget.on_msg(lambda _widget, content, _buffers: on_message(content))
    return widget
