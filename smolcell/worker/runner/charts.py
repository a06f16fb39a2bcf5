"""Charts and animations as MIME bundles: the specification as JSON, a description for the model, a table of the data.

* Libraries are never imported here: objects are recognized through the modules that the program has loaded.
* The specification is JSON, never a script; the page draws it with its own libraries.
"""

from __future__ import annotations

import array
import base64
import html
import itertools
import re
import sys
from typing import Any

from ..wire import frames
from ..wire.bounds import cut_end
from ..wire.values import JSON_DEPTH

PLOTLY = "application/vnd.plotly.v1+json"
VEGA = "application/vnd.{}.v{}+json"
MIMES = frozenset({PLOTLY, *(VEGA.format(kind, number) for kind in ("vega", "vegalite") for number in range(2, 10))})
ROWS, COLUMNS, CELL = 25, 12, 80  # of the table
NAMED = 6  # traces, fields and columns named in a description
MOVING = re.compile(r"<source[^>]{0,200}src=\"data:(video/(?:mp4|webm));base64,([A-Za-z0-9+/=\s]+)\"", re.ASCII)


def bundle(value: Any, limit: int) -> dict[str, str] | None:
    """Return the MIME bundle of a chart or an animation; None for any other value.

    Args:
        value: any object.
        limit: maximum characters of the largest part.
    """
    for module, name, make in _KINDS:
        kind = getattr(sys.modules.get(module), name, None)
        if isinstance(kind, type) and isinstance(value, kind):
            return make(value, limit)  # type: ignore[no-any-return]
    return None


def describe_chart(mime: str, spec: Any) -> dict[str, str]:
    """Return description and table of a specification by its MIME type; empty for other types."""
    if mime == PLOTLY and isinstance(spec, dict):
        return _plotly_texts(spec)
    if mime.startswith("application/vnd.vega") and isinstance(spec, dict):
        return _vega_texts(spec)
    return {}


def _plotly(value: Any, limit: int) -> dict[str, str]:
    text = value.to_json()
    spec = frames.loads(text.encode(), JSON_DEPTH)
    words = _plotly_texts(spec)
    if len(text) > limit:
        return _without_chart(words, len(text))
    return {PLOTLY: text, **words}


def _without_chart(words: dict[str, str], size: int) -> dict[str, str]:
    words["text/plain"] += f" [the chart is left out: {size:,} characters are too many]"
    return words


def _plotly_texts(spec: dict[str, Any]) -> dict[str, str]:
    traces = [trace for trace in spec.get("data") or () if isinstance(trace, dict)]
    layout = spec.get("layout") or {}
    named = ", ".join(
        " ".join(filter(None, (trace.get("type", "scatter"), _quoted(trace.get("name"))))) for trace in traces[:NAMED]
    )
    axes = "".join(f"; {axis[0]}: {title}" for axis in ("xaxis", "yaxis") if (title := _title(layout.get(axis))))
    more = ", …" if len(traces) > NAMED else ""
    about = (
        f"plotly figure{_titled(_title(layout))}: {len(traces)} trace{'s' * (len(traces) != 1)} ({named}{more}){axes}"
    )
    columns: dict[str, list[Any]] = {}
    for number, trace in enumerate(traces[:NAMED], 1):
        for key in ("labels", "values", "x", "y", "z"):
            column = _column(trace.get(key))
            if column:
                columns[f"{trace.get('name') or number} {key}" if len(traces) > 1 else key] = column
    return _texts(about, columns)


def _column(data: Any) -> list[Any]:
    """Decode a list, or an array in plotly's base64 (``{"dtype": "f8", "bdata": …}``)."""
    if isinstance(data, dict) and data.get("dtype") in _TYPECODES and "shape" not in data:
        return array.array(_TYPECODES[data["dtype"]], base64.b64decode(data["bdata"])).tolist()
    return data if isinstance(data, list) else []


_TYPECODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "f4": "f", "f8": "d"}


def _title(part: Any) -> str:
    """Return the title of a layout, an axis or an encoding."""
    title = part.get("title") if isinstance(part, dict) else None
    title = title.get("text") if isinstance(title, dict) else title
    return cut_end(str(title), CELL) if title else ""


def _titled(title: str) -> str:
    return f" {title!r}" if title else ""


def _quoted(name: Any) -> str:
    return repr(cut_end(str(name), CELL)) if name else ""


def _altair(value: Any, limit: int) -> dict[str, str]:
    spec = value.to_dict()
    words = _vega_texts(spec)
    match = re.search(r"/(vega-lite|vega)/v(\d{1,2})", str(spec.get("$schema", "")))
    text = frames.dumps(spec).decode("ascii")
    mime = VEGA.format(match[1].replace("-", ""), match[2]) if match is not None else ""
    return {mime: text, **words} if mime in MIMES and len(text) <= limit else _without_chart(words, len(text))


def _vega_texts(spec: dict[str, Any]) -> dict[str, str]:
    kinds: list[str] = []
    fields: dict[str, str] = {}
    waiting = [spec]
    while waiting and len(kinds) < 50:
        part = waiting.pop(0)
        mark = part.get("mark")
        mark = mark.get("type") if isinstance(mark, dict) else mark
        if isinstance(mark, str):
            kinds.append(mark)
        encoding = part.get("encoding")
        for channel, given in encoding.items() if isinstance(encoding, dict) else ():
            what = (given.get("field") or given.get("aggregate")) if isinstance(given, dict) else None
            if what:
                fields[str(channel)] = cut_end(str(what), CELL)
        for key in ("layer", "hconcat", "vconcat", "concat"):
            waiting += [inner for inner in part.get(key) or () if isinstance(inner, dict)]
        if isinstance(part.get("spec"), dict):
            waiting.append(part["spec"])
    channels = ", ".join(f"{channel}={field}" for channel, field in itertools.islice(fields.items(), NAMED))
    marks = " + ".join(dict.fromkeys(kinds)) or "chart"
    about = f"Vega chart{_titled(_title(spec))}: {marks}" + (f" of {channels}" if channels else "")
    rows = _vega_rows(spec)
    columns = {str(name): [row.get(name) for row in rows] for name in (rows[0] if rows else ())}
    return _texts(about, columns)


def _vega_rows(spec: dict[str, Any]) -> list[dict[str, Any]]:
    data, datasets = spec.get("data"), spec.get("datasets")
    values = data.get("values") if isinstance(data, dict) else None
    if values is None and isinstance(datasets, dict) and datasets:
        values = next(iter(datasets.values()))
    return [row for row in values if isinstance(row, dict)] if isinstance(values, list) else []


def _bokeh(value: Any, limit: int) -> dict[str, str]:
    models = list(value.references())
    kinds = [type(model.glyph).__name__ for model in models if hasattr(model, "glyph")]
    sources = [model.data for model in models if type(model).__name__ == "ColumnDataSource"]
    title = getattr(getattr(value, "title", None), "text", "") or ""
    about = (
        f"bokeh {type(value).__name__}{_titled(cut_end(str(title), CELL))}: {', '.join(kinds[:NAMED]) or 'no glyphs'}"
    )
    columns = {str(name): list(column)[: ROWS + 1] for source in sources[:1] for name, column in source.items()}
    return _texts(about, columns)


def _texts(about: str, columns: dict[str, list[Any]]) -> dict[str, str]:
    """Return the description with the columns' names, and a table of the first rows."""
    shown = dict(itertools.islice(columns.items(), COLUMNS))
    if not shown:
        return {"text/plain": about}
    length = max(len(column) for column in columns.values())
    rows = [[column[at] if at < len(column) else "" for column in shown.values()] for at in range(min(length, ROWS))]
    head = "".join(f"<th>{_cell(name)}</th>" for name in shown)
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    named = ", ".join(cut_end(str(name), CELL) for name in itertools.islice(columns, NAMED)) + (
        ", …" if len(columns) > NAMED else ""
    )
    return {"text/plain": f"{about} (data: {named})", "text/html": f"<p>{html.escape(about)}</p>{table}"}


def _cell(value: Any) -> str:
    return html.escape("" if value is None else cut_end(str(value), CELL))


def _animation(value: Any, limit: int) -> dict[str, str]:
    """Return an MP4 if ffmpeg is installed, else an animated GIF."""
    import os
    import tempfile

    writers = sys.modules["matplotlib.animation"].writers
    about = f"matplotlib {type(value).__name__}"
    for writer, ending, mime in (("ffmpeg", "mp4", "video/mp4"), ("pillow", "gif", "image/gif")):
        if not writers.is_available(writer):
            continue
        folder = tempfile.mkdtemp(dir=os.getcwd(), prefix=".animation-")
        path = os.path.join(folder, f"movie.{ending}")
        try:
            value.save(path, writer=writer)
            with open(path, "rb") as file:
                data = base64.b64encode(file.read()).decode("ascii")
        finally:
            if os.path.exists(path):
                os.remove(path)
            os.rmdir(folder)
        figure = getattr(value, "_fig", None)
        if figure is not None:
            sys.modules["matplotlib.pyplot"].close(figure)  # otherwise it would be shown as an image, too
        return (
            {mime: data, "text/plain": about}
            if len(data) <= limit
            else _without_chart({"text/plain": about}, len(data))
        )
    return {"text/plain": f"{about} (neither ffmpeg nor Pillow is installed)"}


def video_of(text: str) -> dict[str, str]:
    """Return the video contained in HTML such as ``HTML(animation.to_html5_video())``; empty if there is none."""
    match = MOVING.search(text)
    return {match[1]: re.sub(r"\s", "", match[2]), "text/plain": "a video"} if match else {}


_KINDS: tuple[tuple[str, str, Any], ...] = (
    ("plotly.basedatatypes", "BaseFigure", _plotly),
    ("altair.vegalite", "TopLevelMixin", _altair),
    ("bokeh.model", "Model", _bokeh),
    ("matplotlib.animation", "Animation", _animation),
)
