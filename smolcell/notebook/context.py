"""The notebook context of a task for the model: cells, references in the task, and the files of a trusted folder."""

from __future__ import annotations

import difflib
import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType, MappingProxyType, MethodType
from typing import Any, NamedTuple

from smolcell.core.prompt import Window, estimate
from smolcell.core.redaction import redact
from smolcell.core.text import clip, counted, describe_schema, text, visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.events import Allowed, History, Offer, Piece, Proposed, Refused, Sent, line_of
from smolcell.machine.config_files import is_trusted, projects_file
from smolcell.machine.host_files import Target, follow, open_file, path_fault

log = logging.getLogger("smolcell")
CELLS_TOKENS = 8_000  # of all cells together; the newest are preferred
PIECE_TOKENS = 8_000  # of one reference, or of AGENTS.md
MAX_REFERENCES_TOKENS = 32_000  # of all references of a task
MAX_FILE_BYTES = 10_000_000  # bytes
_MIN_CELL_TOKENS = 64  # tokens: a cell that would be cut to fewer is left out
_OWN_LINE = re.compile(r"\s*(%agent\b|%(?:re)?load_ext\s+smolcell\b|%unload_ext\s+smolcell\b)")
_COLOUR = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]")


def make_piece(kind: Any, name: str, words: str, by: str, tokens: int = PIECE_TOKENS) -> Piece:
    """Return a piece with this text, redacted and shortened to at most so many tokens."""
    whole = redact(words)
    short = _cut(whole, tokens)
    note = "" if short is whole else "cut in its middle"
    given = short.encode("utf-8", "replace")
    return Piece(kind=kind, name=name, text=given.decode(), size=len(given), sha256=_sha256(given), by=by, note=note)


def _cut(words: str, tokens: int) -> str:
    most = len(words)
    short = words
    while estimate(short) > tokens:
        most = min(most - 1, most * tokens // estimate(short))
        short = clip(words, most)
    return short


def _sha256(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


# --- The cells that ran in this kernel, from IPython's history: the same for every front end.


class Cells:
    """The cells that ran in a kernel. Call ``note`` after each, so that the newest version of a cell is known.

    Args:
        shell: IPython's shell.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._ids: dict[int, str] = {}  # number → the cell's id, if the front end sends it

    def note(self, result: Any) -> None:
        """Note the result of a cell (IPython's event ``post_run_cell``)."""
        cell_id = getattr(result.info, "cell_id", None)
        if isinstance(cell_id, str) and isinstance(result.execution_count, int):
            self._ids[result.execution_count] = cell_id

    def all(self) -> list[tuple[int, str]]:
        """Return number and source of the newest version of each cell, in the order in which they ran, without smolcell's lines."""
        cells: dict[str, tuple[int, str]] = {}
        for count, source in enumerate(self._sources()):
            source_without_magics = without_own(source)
            key = f"id {self._ids[count]}" if count in self._ids else f"source {source}"
            cells.pop(key, None)
            if count and source_without_magics.strip():
                cells[key] = (count, source_without_magics)
        return list(cells.values())

    def numbers(self) -> list[int]:
        """Return the numbers of all cells that a task can refer to."""
        return [count for count, source in enumerate(self._sources()) if count and without_own(source).strip()]

    def source(self, count: int) -> str:
        """Return the source of a cell of ``numbers``."""
        return without_own(self._sources()[count])

    def output(self, count: int) -> str:
        """Return the text that a cell printed and showed; only its last expression if IPython keeps no more."""
        kept = getattr(self._shell.history_manager, "outputs", {}).get(count, ())  # since IPython 9
        shown = [_COLOUR.sub("", words) for each in kept for words in _output_texts(each.bundle)]
        if not kept and count in self._shell.user_ns.get("Out", {}):
            shown = [text(self._shell.user_ns["Out"][count])]
        return "\n".join(words.rstrip("\n") for words in shown if words.strip())

    def last_error(self) -> tuple[str, str]:
        """Return the place and the traceback of the newest error, except in agents' cells; "" if there was none."""
        sources = self._sources()
        errors = getattr(self._shell.history_manager, "exceptions", {})  # since IPython 9
        for count in sorted(errors, reverse=True):
            if count < len(sources) and without_own(sources[count]).strip():
                return f"cell [{count}]", _COLOUR.sub("", "\n".join(map(str, errors[count]["traceback"])))
        error = getattr(sys, "last_value", None)
        if errors or error is None or isinstance(error, SmolcellError):
            return "", ""
        return "a cell", "".join(traceback.format_exception(error))

    def _sources(self) -> Sequence[str]:
        sources: Sequence[str] = self._shell.history_manager.input_hist_raw
        return sources


def without_own(source: str) -> str:
    """Return a cell's source without smolcell's lines; "" for an agent's cell."""
    if source.lstrip().startswith("%%agent"):
        return ""
    lines = source.split("\n")
    return "\n".join(line for line in lines if _OWN_LINE.match(line) is None).strip("\n")


def _output_texts(bundle: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of an output; "" for an image."""
    for kind in ("stream", "text/plain"):
        given = bundle.get(kind)
        if given is not None:
            yield given if isinstance(given, str) else "".join(map(str, given))


def cell_pieces(cells: Cells, level: str, by: str, known: Collection[str], room: int = CELLS_TOKENS) -> list[Piece]:
    """Return the cells that the model has not been sent yet, in the order in which they ran; if not all fit, the newest.

    Args:
        cells: the kernel's cells.
        level: "cells", or "outputs" for what they showed as well.
        by: who chose the level.
        known: SHA-256 of pieces that the model already has.
        room: tokens for all of them.
    """
    chosen: list[Piece] = []
    for count, source in reversed(cells.all()):
        pieces = [make_piece("cell", f"cell [{count}]", source, by, CELLS_TOKENS // 2)]
        shown = cells.output(count) if level == "outputs" else ""
        if shown:
            pieces.append(make_piece("output", f"the output of cell [{count}]", shown, by, CELLS_TOKENS // 8))
        fresh = [piece for piece in pieces if piece.sha256 not in known]
        need = sum(estimate(piece.text) for piece in fresh)
        if fresh and need > room:
            fresh = (
                [make_piece(fresh[0].kind, fresh[0].name, fresh[0].text, by, room)] if room >= _MIN_CELL_TOKENS else []
            )
            need = room
        chosen[:0] = fresh
        room -= need
    return chosen


def room_for(given: Sequence[Piece], window: Window | None) -> int:
    """Return the tokens left for cells beside these pieces: everything together takes at most a quarter of the model's window.

    Raises:
        SetupError: the references of the task take more by themselves.
    """
    most = CELLS_TOKENS if window is None else window.room // 4
    count = estimate if window is None else window.count
    tokens = sum(count(piece.text) for piece in given)
    if window is not None and tokens > most and any(piece.by == "task" and piece.text for piece in given):
        raise SetupError(
            f"the references of the task have about {tokens:,} tokens with the project's files, and of the {window.tokens:,} that this "
            f"model accepts, {most:,} are for them: use fewer references, copy files in with -f, or choose another model with -m"
        )
    return CELLS_TOKENS if window is None else max(0, min(CELLS_TOKENS, most - tokens))


def sent_before(history: History) -> set[str]:
    """Return the SHA-256 of every piece that the model was sent in this conversation."""
    sent = [event for event in history if isinstance(event, Sent)]
    return {piece.sha256 for event in sent for piece in event.pieces if piece.used and piece.text}


# --- References in a task: @cell[3], @last_error, @file:notes.md, @df.schema.


class Reference(NamedTuple):
    """A reference in a task: its kind, and its number, path or variable."""

    kind: str  # cell, error, file, schema
    name: str

    def __str__(self) -> str:
        return {
            "cell": f"@cell[{self.name}]",
            "error": "@last_error",
            "file": f"@file:{self.name}",
            "schema": f"@{self.name}.schema",
        }[self.kind]


# Not part of an address (me@home), not inside backticks, not a literal \@name. A piece has one of the first four forms; the rest are
# variables.
_REFERENCE = re.compile(
    r"(?<![\w@.\\`])@(?:cell\[(?P<cell>\d+)\]|file:(?:\"(?P<quoted>[^\"\n]+)\"|(?P<file>[^\s\"]+))"
    r"|(?P<error>last_error)\b|(?P<schema>[A-Za-z_]\w*)\.schema\b|(?P<variable>[A-Za-z_]\w*))"
)
_BEGUN = re.compile(r"(?<![\w@.\\`])(@(?:file:(?:\"[^\"\n\0]*|[^\s\"\0]*)|cell\[\d*|[\w.]*))\0$")
PUNCTUATION = ".,;:!?)]}'"  # characters that may follow a path
_CODE = re.compile(r"`[^`\n]*`")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")  # CommonMark, section 4.5


def references(task: str) -> tuple[str, ...]:
    """Return the names that a task refers to with ``@name``, in order. Text in backticks or a fenced block is ignored."""
    return tuple(dict.fromkeys(reference["variable"] for reference in _find_references(task) if reference["variable"]))


def references_in(task: str) -> tuple[Reference, ...]:
    """Return the references of a task: ``@cell[3]``, ``@last_error``, ``@file:notes.md``, ``@df.schema``; in order."""
    pieces = []
    for reference in _find_references(task):
        path = reference["quoted"] or (reference["file"] or "").rstrip(PUNCTUATION)
        if reference["variable"] is None:
            name = {"cell": reference["cell"], "file": path, "schema": reference["schema"]}
            kind = next((kind for kind, given in name.items() if given), "error")
            pieces.append(Reference(kind, name.get(kind) or ""))
    return tuple(dict.fromkeys(pieces))


def unfinished_reference(task: str) -> str | None:
    """Return the unfinished reference at the end of a task, with its ``@``; None if there is none, or in code."""
    *_, last = "", *_prose(f"{task}\0")
    line = _CODE.sub("", last)
    match = _BEGUN.search(line) if line.endswith("\0") else None
    return match[1] if match is not None and "`" not in line else None


def _find_references(task: str) -> Iterator[re.Match[str]]:
    return _REFERENCE.finditer(_CODE.sub("", "\n".join(_prose(task))))


def _prose(task: str) -> Iterator[str]:
    """Yield the lines outside of fenced blocks: a quoted cell or traceback must not copy variables in."""
    fence = ""
    for line in re.split(r"\r\n?|\n", task):
        opening = _FENCE.match(line)
        if fence:
            run = line.strip(" \t")
            if opening is not None and len(run) >= len(fence) and not run.strip(fence[0]):
                fence = ""
        elif opening is not None:
            fence = opening[1]
        else:
            yield line


def linked_files(references: Sequence[Reference]) -> dict[str, Path]:
    """Return those files of a task's references that are links out of the folder they lie in, with their real paths.

    Raises:
        SetupError: see ``_follow``.
    """
    targets = {str(each): _follow(each.name)[1] for each in references if each.kind == "file"}
    return {name: target.real for name, target in targets.items() if target.leads_out}


def _follow(name: str) -> tuple[Path, Target]:
    """Return the path of a file in a task, and where it leads.

    Raises:
        SetupError: that cannot be found out.
    """
    try:
        path = Path(os.path.normpath(Path.cwd() / Path(name).expanduser()))
        return path, follow(path, Path.cwd())
    except (OSError, RuntimeError, ValueError) as error:  # an unreadable link, no home folder, an impossible name
        reason = getattr(error, "strerror", None) or error
        raise SetupError(f"@file:{name} in the task cannot be read: {reason}") from None


def named_pieces(
    references: Sequence[Reference],
    cells: Cells,
    namespace: Mapping[str, Any],
    links: Mapping[str, Path] = MappingProxyType({}),
) -> list[Piece]:
    """Return the pieces for the references of a task.

    Args:
        links: of ``linked_files``: a person is asked about them before the pieces are sent.

    Raises:
        SetupError: a reference cannot be resolved, or they are too long together; the message says what to type.
    """
    pieces = [_resolve(reference, cells, namespace, links) for reference in references]
    tokens = sum(estimate(piece.text) for piece in pieces)
    if tokens > MAX_REFERENCES_TOKENS:
        raise SetupError(
            f"the references of the task have about {tokens:,} tokens, and at most {MAX_REFERENCES_TOKENS:,} are sent: use fewer, "
            "or copy files in with -f and variables with @name, for the code to read in its sandbox"
        )
    return pieces


def _resolve(reference: Reference, cells: Cells, namespace: Mapping[str, Any], links: Mapping[str, Path]) -> Piece:
    kind, name = reference
    if kind == "cell":
        return _resolve_cell(name, cells)
    if kind == "file":
        return _resolve_file(name, links.get(str(reference)))
    if kind == "schema":
        return _resolve_schema(name, namespace)
    where, error = cells.last_error()
    if not error:
        raise SetupError("@last_error in the task: no cell has failed in this kernel. Run the cell that fails first")
    short = error if estimate(error) <= PIECE_TOKENS else error[-PIECE_TOKENS * 2 :]
    return make_piece("error", f"the last error, of {where}", short, "task")


def _resolve_cell(name: str, cells: Cells) -> Piece:
    numbers = cells.numbers()
    if len(name) > 9 or int(name) not in numbers:
        known = ", ".join(f"@cell[{number}]" for number in numbers[-5:])
        raise SetupError(
            f"@cell[{name}] in the task: no cell of this number ran in this kernel, or it is an agent's. "
            + (f"The newest are: {known}" if known else "Run the cell first, and use the number beside it")
        )
    return make_piece("cell", f"cell [{int(name)}]", cells.source(int(name)), "task")


def _resolve_file(name: str, allowed: Path | None) -> Piece:
    given = f"@file:{name} in the task"
    path, target = _follow(name)
    if not Path(name).expanduser().is_absolute() and not path.is_relative_to(Path.cwd()):
        raise SetupError(f"{given}: it is outside the notebook's folder; if you mean it, give its absolute path")
    advice = f"; if you mean that, write @file:{visible(str(target.real))}"
    if fault := path_fault(path, target, Path.cwd(), advice, [allowed] if allowed else ()):
        raise SetupError(f"{given}: it is {fault}")
    try:
        data = _read(target.real)
    except OSError as error:
        raise SetupError(
            f"{given} cannot be read: {error.strerror or error}. Paths are relative to the notebook's folder, {Path.cwd()}"
        ) from None
    try:
        words = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SetupError(f"{given} is no text: copy it in with -f {name}, for the code to read") from None
    return make_piece("file", name, words, "task")


def _resolve_schema(name: str, namespace: Mapping[str, Any]) -> Piece:
    if name not in namespace:
        raise SetupError(
            f"@{name}.schema in the task: there is no variable {name!r} in this notebook. Run the cell that defines it first"
        )
    described = describe_schema(namespace[name])
    if not described:
        raise SetupError(
            f"@{name}.schema in the task: {name} is a {type(namespace[name]).__name__}, which has no columns. "
            f"Copy it in with @{name}"
        )
    return make_piece("schema", f"the columns of {name}", described, "task")


def _read(path: Path) -> bytes:
    """Return a file's bytes, by its real path. Only regular files, of bounded size.

    Raises:
        OSError: it is no file, too large, or cannot be read.
    """
    if not path.is_file():
        raise OSError(None, "there is no such file")
    with open_file(path) as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise OSError(None, f"it is larger than {MAX_FILE_BYTES // 1_000_000} MB")
    return data


# --- Variables, functions and servers of a notebook. Values are copied: the user's objects are never changed.


def gather(names: Iterable[str], mentioned: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to copy in.

    Args:
        names: names of ``--in``.
        mentioned: names of ``@name`` in the task.
        namespace: the notebook's variables.

    Raises:
        SetupError: a name is not defined in the notebook, or is that of a function.
    """
    places = {name: f"--in {name}" for name in names}
    for name in (*names, *mentioned):
        if name not in namespace:
            place, hint = places.get(name, f"@{name} in the task"), f" (for a plain at sign write \\@{name})"
            near = _suggestion(name, namespace) + ("" if name in places else hint)
            raise SetupError(f"{place}: there is no variable {name!r} in this notebook{near}")
    given = {name: namespace[name] for name in (*names, *mentioned)}
    for name, value in given.items():
        if isinstance(value, FunctionType | MethodType):
            raise SetupError(
                f"{name!r} is a function, which cannot be copied: let the agent call it in the notebook, with: -t {name}"
            )
    return given


def functions(names: Iterable[str], namespace: Mapping[str, Any]) -> list[Any]:
    """Return the notebook's functions or Tool objects of these names; smolcell's own tools for names that the notebook lacks.

    Raises:
        SetupError: a name is not defined, or cannot be called.
    """
    from smolcell.tools.builtin import DEFAULT_TOOLS
    from smolcell.tools.tool import Tool, as_tool

    found: list[Any] = []
    for name in names:
        if name not in namespace and name not in DEFAULT_TOOLS:
            near = _suggestion(name, {**namespace, **DEFAULT_TOOLS})
            raise SetupError(f"--tool {name}: there is no function {name!r} in this notebook{near}")
        value = namespace[name] if name in namespace else DEFAULT_TOOLS[name]()
        if not callable(value):
            raise SetupError(f"--tool {name}: {name!r} is a {type(value).__name__}, not a function")
        named = isinstance(value, Tool) or hasattr(value, "inputs")
        found.append(as_tool(value) if named else Tool(value, name=name))
    return found


def servers(specs: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return MCP servers by their words on the option line: the notebook's object of that name, else the word itself."""
    return {spec: namespace[spec] if spec.isidentifier() and spec in namespace else spec for spec in specs}


def _suggestion(name: str, namespace: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name, [known for known in namespace if not known.startswith("_")], n=1)
    return f"; did you mean {near[0]!r}?" if near else ". Run the cell that defines it first"


# --- AGENTS.md and .mcp.json of the project: used if SMOLCELL_TRUST names their folder.


@dataclass(frozen=True, slots=True)
class Project:
    """The trusted project files as pieces, and the MCP servers that they name, by their names in a session."""

    pieces: tuple[Piece, ...] = ()
    servers: Mapping[str, Any] = field(default_factory=dict)


def project() -> Project:
    """Return the ``AGENTS.md`` and ``.mcp.json`` of the current folder, or of a parent.

    Raises:
        SetupError: a trusted file cannot be used; the message says which.
    """
    pieces: list[Piece] = []
    servers: dict[str, Any] = {}
    for name in ("AGENTS.md", ".mcp.json"):
        path = projects_file(Path.cwd(), name)
        if path is None:
            continue
        shown = name if path.parent == Path.cwd() else str(path)
        about = Piece(kind="instructions" if name == "AGENTS.md" else "servers", name=shown, by="trust")
        target = follow(path, path.parent)
        if fault := path_fault(path, target, path.parent, ": copy that file into this folder to use it"):
            pieces.append(replace(about, by="", note=f"it is {fault}", used=False))
            continue
        try:
            data = _read(target.real)
        except OSError as error:
            raise SetupError(f"{path} cannot be read: {error.strerror or error}; correct or remove it") from None
        about = replace(about, size=len(data), sha256=_sha256(data))
        if not is_trusted(path):
            note = (
                f"the folder is not trusted. If you have read the file, start Jupyter with SMOLCELL_TRUST={path.parent}"
            )
            pieces.append(replace(about, by="", note=note, used=False))
        elif about.kind == "instructions":
            words = make_piece("instructions", about.name, data.decode("utf-8-sig", "replace"), "trust")
            pieces.append(replace(about, text=words.text, note=words.note))
        else:
            found = read_servers(path, data)
            servers |= {f"{server} of {path} ({about.sha256[:12]})": given for server, given in found.items()}
            pieces.append(replace(about, note=f"starts: {', '.join(map(_server, found.items())) or 'nothing'}"))
    return Project(tuple(pieces), servers)


def _server(named: tuple[str, Mapping[str, Any]]) -> str:
    name, given = named
    how = given["url"] if "url" in given else " ".join([str(given.get("command")), *map(str, given.get("args", ()))])
    return redact(f"{name} ({how})")


def read_servers(path: Path, data: bytes) -> dict[str, dict[str, Any]]:
    """Return the servers of a ``.mcp.json``, as ``MCPClient`` takes them. Fills in ``${NAME}`` and ``${NAME:-default}``.

    Raises:
        SetupError: the file is not JSON with a table ``mcpServers``.
    """
    try:
        content = json.loads(data)
        given = content["mcpServers"]
        return {str(name): _filled(dict(server)) | _place(server, path) for name, server in given.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SetupError(
            f'{path} names no MCP servers: its form is {{"mcpServers": {{"NAME": {{"command": …, "args": […]}}}}}}; correct or remove it'
        ) from None


def _place(server: Mapping[str, Any], path: Path) -> dict[str, Any]:
    if "url" in server:
        kind = server.get("type", server.get("transport", "http"))
        return {"transport": "streamable-http" if kind in ("http", "streamable-http", "streamable_http") else kind}
    return {"cwd": server.get("cwd", str(path.parent))}


_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


def _filled(value: Any) -> Any:
    if isinstance(value, str):
        return _VARIABLE.sub(lambda found: os.environ.get(found[1], found[2] or ""), value)
    if isinstance(value, dict):
        return {name: _filled(each) for name, each in value.items()}
    return [_filled(each) for each in value] if isinstance(value, list) else value


# --- The user's choice about the cells of a notebook.


class Consent:
    """The user's choice for one notebook. "Always" is stored in their state folder, by the notebook's path, not in the file.

    Args:
        notebook: its path; "" if it is not known: then nothing can be stored.

    Attributes:
        refused: whether the user refused in this kernel.
        left_out: SHA-256 of pieces that the user deselected.
    """

    def __init__(self, notebook: str) -> None:
        self.notebook = notebook
        self.refused = False
        self.left_out: set[str] = set()

    def always(self) -> bool:
        """Return whether the cells of this notebook are sent without asking."""
        kept = self._load().get(self.notebook) if self.notebook else None
        if not isinstance(kept, dict) or kept.get("context") != "cells":
            return False
        self.left_out |= {each for each in kept.get("left_out", ()) if isinstance(each, str)}
        return True

    def keep(self, always: bool) -> None:
        """Store "always" for this notebook, or delete it."""
        stored = self._load()
        if always:
            stored[self.notebook] = {"context": "cells", "left_out": sorted(self.left_out)}
        elif stored.pop(self.notebook, None) is None:
            return
        from smolcell.machine.state import private_folder

        try:
            folder = private_folder(_state_file().parent)
            new = folder / f".notebooks-{os.getpid()}.json"
            new.write_text(json.dumps(stored), encoding="utf-8")
            new.replace(folder / _state_file().name)
        except (OSError, SmolcellError) as error:  # the run goes on; the user is asked again
            log.warning("the choice for this notebook cannot be stored: %s", error)

    def _load(self) -> dict[str, Any]:
        try:
            kept = json.loads(_state_file().read_text(encoding="utf-8"))
        except (OSError, ValueError, SmolcellError):
            return {}
        return kept if isinstance(kept, dict) else {}


def _state_file() -> Path:
    from smolcell.machine.state import journals_folder

    return journals_folder().parent / "notebooks.json"


# --- The context of one task.


class NotebookContext:
    """The context of one task, and the question to the user before it is sent. Implements ``protocols.Context``.

    Args:
        given: references of the task and files of the project, which are sent without asking.
        cells: pieces of cells.
        consent: the user's earlier choice; also stores a new one.
        ask: whether to ask about the cells.
    """

    def __init__(self, given: Sequence[Piece], cells: Sequence[Piece], consent: Consent, *, ask: bool) -> None:
        self._always_sent, self._consent, self._ask = tuple(given), consent, ask
        self._cells = tuple(replace(cell, used=cell.sha256 not in consent.left_out) for cell in cells)
        self._always = False

    def question(self, run: str) -> Proposed | None:
        """Return the question about the cells, with one line for each; None if there is nothing to ask."""
        if not self._ask or not self._cells:
            return None
        sources = sum(piece.kind == "cell" for piece in self._cells)
        head = f"Send the sources of the {counted(sources, 'cell')} above to the model?"
        rows = "\n".join(map(line_of, self._cells))
        always = Offer(
            id="always",
            label="Always in this notebook",
            choice="edit",
            done="the cells of this notebook are sent from now on",
            act=self._chose_always,
        )
        return Proposed(
            run=run,
            step=0,
            kind="context",
            text=f"{head}\n{rows}",
            offers=(always,) if self._consent.notebook else (),
            pieces=self._cells,
        )

    def chosen(self, decision: Allowed | Refused | None) -> tuple[Piece, ...]:
        """Return the pieces to send: of the cells, those whose lines the decision allows."""
        if isinstance(decision, Refused):
            if decision.by == "person":
                self._consent.refused = True
                self._consent.keep(always=False)
            return self._always_sent
        if not self._ask:
            return (*self._always_sent, *map(_without_text, self._cells))
        self._consent.refused = False
        kept = set(decision.text.split("\n")) if decision is not None else set()
        cells = [replace(piece, used=line_of(piece) in kept) for piece in self._cells]
        self._consent.left_out -= {piece.sha256 for piece in cells if piece.used}
        self._consent.left_out |= {piece.sha256 for piece in cells if not piece.used}
        if self._always:
            self._consent.keep(always=True)
        return (*self._always_sent, *map(_without_text, cells))

    def _chose_always(self) -> None:
        self._always = True


def _without_text(piece: Piece) -> Piece:
    """Return the piece, without its text if the user left it out."""
    return piece if piece.used else replace(piece, text="", by="", note="left out by you")


def level(setting: str, consent: Consent, *, explicit: bool, answerable: bool) -> tuple[str, str]:
    """Return which parts of the cells to send, and who chose it: "ask" if the user must be asked.

    Args:
        setting: ``context``.
        consent: the user's earlier choice.
        explicit: the setting was given for this task, and overrides the user's choice for the notebook.
        answerable: whether a person can answer.
    """
    if setting != "ask":
        return setting, "setting"
    if not explicit:
        if consent.always():
            return "cells", "notebook"
        if consent.refused:
            return "none", "setting"
    return ("ask", "person") if answerable else ("none", "setting")
