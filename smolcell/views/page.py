"""The widget a card travels by. The only module that knows anywidget; imported when the first card is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from smolcell.visible import one_line

STATIC = Path(__file__).parent / "static"


class RunWidget(anywidget.AnyWidget):
    """The page side of one run. Live changes travel as custom messages; the traits are set at the run's end."""

    # anywidget adds these three to each widget whose class has none, and a trait that is added makes a class of the widget's own.
    _esm = traitlets.Unicode((STATIC / "widget.js").read_text(encoding="utf-8")).tag(sync=True)
    _css = traitlets.Unicode((STATIC / "widget.css").read_text(encoding="utf-8")).tag(sync=True)
    _anywidget_id = traitlets.Unicode(f"{__name__}.RunWidget").tag(sync=True)

    snapshot = traitlets.Unicode("").tag(sync=True)  # the run's events as JSON
    live = traitlets.Bool(True).tag(sync=True)
    title = ""
    run = ""

    def add_traits(self, **traits: Any) -> None:
        """Add those that the class does not have."""
        added = {name: trait for name, trait in traits.items() if not self.has_trait(name)}
        if added:
            super().add_traits(**added)

    def close(self) -> None:
        """Take the widget from the page, and its layout, which ipywidgets would keep."""
        layout = self.layout
        super().close()
        layout.close()

    def __repr__(self) -> str:
        """What stands in the saved notebook beside the widget, and in consoles."""
        return f"smolcell run: {self.title}" if self.title else "smolcell run"


def make_widget(run: str, title: str, on_message: Callable[[Any], None]) -> RunWidget:
    """A widget for the run that hands the page's messages to ``on_message``, on the thread where they arrive."""
    widget = RunWidget()
    widget.run = run
    widget.title = one_line(title)
    widget.on_msg(lambda _widget, content, _buffers: on_message(content))
    return widget
