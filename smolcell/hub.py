"""Agents in folders and on the Hugging Face Hub: a manifest, the sources of tools, a card, a recording.

* Nothing of a folder runs before it was shown, and nothing of it runs in this process unless exactly these bytes were trusted.
* Every file is read once; the same bytes are hashed, shown and used.
* A manifest requests, it does not grant: sandbox, approval and policy are the receiver's.
"""

from __future__ import annotations

import ast
import json
import re
import tempfile
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from smolcell.agent import CodeAgent, MultiStepAgent, ToolCallingAgent
from smolcell.approval.policy import current
from smolcell.core.redaction import redact
from smolcell.core.text import sendable, visible
from smolcell.errors import AgentToolExecutionError, InterpreterError, SetupError
from smolcell.events import sha256
from smolcell.executors import create_executor
from smolcell.inside import packaging
from smolcell.machine.config_files import as_toml
from smolcell.machine.environment import importing
from smolcell.models import create_model, fits_provider, providers
from smolcell.models.capabilities import traits
from smolcell.models.generate import GenerateModel
from smolcell.models.recording import RecordingModel
from smolcell.tools.adapters import loaded
from smolcell.tools.builtin import DEFAULT_TOOLS, FinalAnswerTool
from smolcell.tools.tool import Tool, check_name
from smolcell.views.terminal_render import Drawing, TerminalLine, code

MANIFEST, THEIRS, CARD, RECORDING = "agent.toml", "agent.json", "README.md", "recording.jsonl"
FORMAT, VERSION = "smolcell-agent", 1
KINDS: dict[str, type[MultiStepAgent]] = {"CodeAgent": CodeAgent, "ToolCallingAgent": ToolCallingAgent}
MAX_FILE_CHARS = 200_000  # of one file; a recording may have fifty times as many
MAX_FILE_BYTES = 40_000_000  # of one file, before it is read
MAX_TOOLS, MAX_MANAGED, MAX_DEPTH = 50, 10, 3
_COMMIT = re.compile(r"[0-9a-f]{40}")
_LIMITS = ("timeout", "memory")

Read = Callable[[str], str]
"""Reads a file of the folder by its relative name, ``tools/price.py``."""


class Pushed(NamedTuple):
    """The place of an agent on the Hub: arguments of ``from_hub``."""

    repo: str
    revision: str
    trust: str


@dataclass
class Parts:
    """The parts of an agent, as read from a folder."""

    kind: str = "CodeAgent"
    model: str = ""
    model_class: str = ""
    instructions: str = ""
    tools: list[dict[str, Any]] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    walls: list[str] = field(default_factory=list)
    limits: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)  # of the constructor
    prompt_templates: dict[str, str] = field(default_factory=dict)
    managed: list[dict[str, str]] = field(default_factory=list)
    recording: dict[str, str] = field(default_factory=dict)


_OPTIONS = {
    "name": str,
    "description": str,
    "max_steps": int,
    "planning_interval": int,
    "max_print_outputs_length": int,
    "use_structured_outputs_internally": bool,
    "provide_run_summary": bool,
}
"""Arguments of the constructor that a manifest may have, with their types."""


# --- writing ----------------------------------------------------------------------------------------------------------


def save(agent: MultiStepAgent, folder: Any) -> str:
    """See ``MultiStepAgent.save``."""
    files = sendable(dict(_files(agent)))
    for name, text in files.items():
        if redact(text) != text:
            raise SetupError(
                f"{name} would have a text that looks like a secret: remove it from the agent, and save again"
            )
    try:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise SetupError(f"the agent cannot be saved to {folder}: {error.strerror or error}") from None
    return _Folder(files.__getitem__).digest


def _files(agent: MultiStepAgent, depth: int = 0) -> Iterator[tuple[str, str]]:
    parts = _parts(agent)
    for tool in agent.tools.values():
        if type(tool) is not FinalAnswerTool:
            entry, source = _tool_entry(tool)
            parts.tools.append(entry)
            if source:
                yield entry["file"], source
    for name, managed in agent.managed_agents.items():
        inner = dict(_files(managed, depth + 1))
        parts.managed.append({"name": name, "sha256": sha256(inner[MANIFEST])})
        yield from ((f"managed/{name}/{path}", text) for path, text in inner.items())
    if recording := _recording(agent):
        parts.recording = {"file": RECORDING, "sha256": sha256(recording)}
        yield RECORDING, recording
    yield MANIFEST, _toml(parts)
    if not depth:
        yield CARD, _card(agent, parts)


def _parts(agent: MultiStepAgent) -> Parts:
    model = model_name(agent.model)
    options = {name: getattr(agent, name, None) for name in _OPTIONS if name != "max_print_outputs_length"}
    options |= {
        "max_print_outputs_length": agent.sandbox.options.get("max_print_outputs_length", agent.sandbox.max_output),
        "use_structured_outputs_internally": agent.structured,
    }
    return Parts(
        kind=next(name for name, kind in KINDS.items() if isinstance(agent, kind)),
        model=model,
        model_class=""
        if model
        else type(agent.model.model if isinstance(agent.model, GenerateModel) else agent.model).__name__,
        instructions=agent.instructions,
        imports=list(agent.imports),
        walls=list(agent.expected_walls or ("files", "network")),
        limits={name: agent.sandbox.options[name] for name in _LIMITS if name in agent.sandbox.options},
        options={name: value for name, value in options.items() if value not in (None, False)},
        prompt_templates=agent.prompt_templates.replaced(),
    )


def model_name(model: Any) -> str:
    """Return ``provider/model`` if that is enough to make the model on another machine; else ""."""
    known = traits(model.inner if isinstance(model, RecordingModel) else model)
    name = known.name
    provider, _, rest = name.partition("/")
    is_default = known.server in (None, "https://api.openai.com/v1")
    return name if is_default and rest and provider in providers() and fits_provider(provider, rest) else ""


def _tool_entry(tool: Tool) -> tuple[dict[str, Any], str]:
    """Return the manifest entry of a tool, and its source; "" for a tool included in smolcell.

    Raises:
        SetupError: it has no source that works elsewhere.
    """
    if isinstance(tool, SandboxedTool):
        return tool.entry, tool.source
    if DEFAULT_TOOLS.get(tool.name) is type(tool):
        return {"name": tool.name, "builtin": tool.name}, ""
    try:
        spec = packaging.tool_specs([tool])[tool.name]
    except packaging.StaysError as error:
        raise SetupError(f"the tool {tool.name!r} cannot be saved: {error.why}") from None
    if "source" not in spec:
        raise SetupError(f"the tool {tool.name!r} cannot be saved: it is a class of {spec['module']}")
    source = f"from smolcell import Tool, tool\n\n\n{spec['source']}"
    entry = {
        "name": tool.name,
        "file": f"tools/{tool.name}.py",
        "sha256": sha256(source),
        "object": spec["object"],
        "description": tool.description,
        "inputs": json.dumps({name: dict(declared) for name, declared in tool.inputs.items()}),
        "output_type": tool.output_type,
    }
    return entry, source


def _recording(agent: MultiStepAgent) -> str:
    path = agent.model.path if isinstance(agent.model, RecordingModel) else agent.recording
    return Path(path).read_text(encoding="utf-8") if path and Path(path).is_file() else ""


def _toml(parts: Parts) -> str:
    given = {"format": FORMAT, "version": VERSION, **parts.options}
    names = ("kind", "model", "model_class", "instructions", "imports", "hosts", "walls")
    given |= {name: value for name in names if (value := getattr(parts, name)) != ""}
    tables = {name: getattr(parts, name) for name in ("limits", "prompt_templates", "recording")}
    tables |= {name: [dict(sorted(each.items())) for each in getattr(parts, name)] for name in ("tools", "managed")}
    given |= {name: table for name, table in tables.items() if table}
    return as_toml(given)


def _card(agent: MultiStepAgent, parts: Parts) -> str:
    tools = "\n".join(f"- `{tool.name}`: {tool.description.partition(chr(10))[0]}" for tool in agent.tools.values())
    model = parts.model or f"a {parts.model_class}, must be given: `model=…`"
    return (
        "---\ntags:\n- agent\n- smolcell\n---\n\n"
        f"# {agent.name or parts.kind}\n\n{agent.description or 'An agent of smolcell.'}\n\n"
        f"Model: {model}. Imports: {', '.join(parts.imports) or 'the standard list'}. "
        f"Hosts: {', '.join(parts.hosts) or 'none'}. Walls it expects: {', '.join(parts.walls)}.\n\n"
        f"{tools or 'It has no tools.'}\n\n"
        "```python\nfrom smolcell import CodeAgent\n\n"
        'agent = CodeAgent.from_hub("OWNER/NAME", revision="COMMIT")  # shows all of it; its tools run in sandboxes\n```\n'
    )


# --- reading ----------------------------------------------------------------------------------------------------------


class _Folder:
    """The files of an agent and of its managed agents, each read once. Not trusted until ``trust`` matches."""

    def __init__(self, read: Read, prefix: str = "", depth: int = 0) -> None:
        self._read, self._prefix = read, prefix
        self.files: dict[str, str] = {}
        self.parts = self._parts()
        if len(self.parts.managed) > MAX_MANAGED or (self.parts.managed and depth >= MAX_DEPTH):
            raise SetupError(f"more than {MAX_MANAGED} managed agents, or {MAX_DEPTH} levels of them, are not loaded")
        self.managed: dict[str, _Folder] = {}
        for entry in self.parts.managed:
            check_name(entry["name"])
            inner = _Folder(read, f"{prefix}{entry['folder']}/{entry['name']}/", depth + 1)
            _check_sum(entry, next(iter(inner.files.values())), f"managed agent {entry['name']}")
            self.managed[entry["name"]] = inner

    def _file(self, name: str, most: int = MAX_FILE_CHARS) -> str:
        text = self._read(self._prefix + name)
        if len(text) > most:
            raise SetupError(f"{name} has {len(text):,} characters; {most:,} can be reviewed")
        self.files[self._prefix + name] = text
        return text

    def all_files(self) -> dict[str, str]:
        """All files by name, including those of managed agents."""
        files = dict(self.files)
        for inner in self.managed.values():
            files |= inner.all_files()
        return files

    @property
    def digest(self) -> str:
        """SHA-256 over the names and digests of all files."""
        return sha256("".join(f"{sha256(text)}  {name}\n" for name, text in sorted(self.all_files().items())))

    def _parts(self) -> Parts:
        try:
            text = self._file(MANIFEST)
        except FileNotFoundError:
            return self._of_smolagents()
        try:
            given = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise SetupError(f"{MANIFEST} cannot be read: {error}") from None
        if (given.get("format"), given.get("version")) != (FORMAT, VERSION):
            raise SetupError(
                f"{MANIFEST} is not of format {FORMAT!r}, version {VERSION}: update smolcell, or save the agent again"
            )
        parts = Parts(options={name: given[name] for name, kind in _OPTIONS.items() if type(given.get(name)) is kind})
        for name in ("kind", "model", "model_class", "instructions"):
            setattr(parts, name, _typed(given, name, str) or getattr(parts, name))
        for name in ("imports", "hosts", "walls"):
            setattr(parts, name, [str(each) for each in _typed(given, name, list) or ()])
        limits = _typed(given, "limits", dict) or {}
        parts.limits = {name: limits[name] for name in _LIMITS if type(limits.get(name)) in (int, float)}
        templates = _typed(given, "prompt_templates", dict) or {}
        parts.prompt_templates = {str(name): str(text) for name, text in templates.items()}
        if any("{%" in text for text in parts.prompt_templates.values()):
            raise SetupError(
                f"{MANIFEST}: prompt_templates have Jinja statements, which are not run from a loaded agent"
            )
        parts.managed = [
            {"folder": "managed", **_texts(each, "name", "sha256")} for each in _typed(given, "managed", list) or ()
        ]
        parts.tools = [self._tool(each) for each in self._bounded(_typed(given, "tools", list) or [])]
        if recording := _typed(given, "recording", dict):
            _check_sum(_texts(recording, "sha256"), self._file(RECORDING, 50 * MAX_FILE_CHARS), RECORDING)
            parts.recording = {"file": RECORDING}
        return parts

    @staticmethod
    def _bounded(tools: list[Any]) -> list[Any]:
        if len(tools) > MAX_TOOLS:
            raise SetupError(f"{len(tools)} tools are too many: at most {MAX_TOOLS} are loaded")
        return tools

    def _tool(self, given: Any) -> dict[str, Any]:
        if isinstance(given, dict) and given.get("builtin") in DEFAULT_TOOLS:
            return {"name": given["builtin"], "builtin": given["builtin"]}
        entry: dict[str, Any] = _texts(given, "name", "sha256", "object", "description", "inputs", "output_type")
        check_name(entry["name"])
        check_name(entry["object"])
        entry |= {"file": f"tools/{entry['name']}.py"}
        _check_sum(entry, self._file(entry["file"]), entry["file"])
        return entry

    def source(self, entry: Mapping[str, Any]) -> str:
        """Return a tool's source."""
        return self.files[self._prefix + entry["file"]]

    # --- the format of smolagents' agent.save: agent.json, tools/NAME.py with one class each; prompts and app.py are not used

    def _of_smolagents(self) -> Parts:
        try:
            given = json.loads(self._file(THEIRS))
        except FileNotFoundError:
            raise SetupError(f"the folder has no {MANIFEST}, and no {THEIRS} of smolagents: it has no agent") from None
        except (ValueError, RecursionError) as error:
            raise SetupError(f"{THEIRS} cannot be read: {error}") from None
        if not isinstance(given, dict):
            raise SetupError(f"{THEIRS} has no agent")
        options = {name: given[name] for name, kind in _OPTIONS.items() if type(given.get(name)) is kind}
        model = given.get("model") if isinstance(given.get("model"), dict) else {}
        managed = given.get("managed_agents")
        parts = Parts(kind=_typed(given, "class", str) or "CodeAgent", options=options)
        parts.model_class = str((model or {}).get("class", ""))[:100] or "model"
        parts.imports = [str(each) for each in _typed(given, "authorized_imports", list) or ()]
        parts.managed = [{"name": str(name), "folder": "managed_agents"} for name in managed or ()]
        names = [name for name in _typed(given, "tools", list) or () if name != "final_answer"]
        parts.tools = [self._their_tool(name) for name in self._bounded(names)]
        return parts

    def _their_tool(self, name: Any) -> dict[str, Any]:
        """Read a tool's class without running it: its attributes must be literals."""
        check_name(str(name))
        source = self._file(f"tools/{name}.py")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise SetupError(f"tools/{name}.py cannot be read: {error}") from None
        for class_node in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            literals = dict(_literals(class_node))
            if {"name", "description", "inputs", "output_type"} <= literals.keys():
                entry = {"name": str(name), "object": class_node.name, "description": str(literals["description"])}
                entry |= {"file": f"tools/{name}.py", "output_type": str(literals["output_type"])}
                return {**entry, "inputs": json.dumps(literals["inputs"], default=str), "sha256": sha256(source)}
        raise SetupError(f"tools/{name}.py has no class with name, description, inputs and output_type: it is no tool")


def _literals(class_node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    for node in class_node.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name):
            try:
                yield target.id, ast.literal_eval(node.value)
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue


def _typed(given: Mapping[str, Any], name: str, kind: type) -> Any:
    value = given.get(name)
    if value is not None and type(value) is not kind:
        raise SetupError(f"{MANIFEST}: {name} must be a {kind.__name__}, not a {type(value).__name__}")
    return value


def _texts(given: Any, *names: str) -> dict[str, str]:
    if not isinstance(given, dict) or not all(isinstance(given.get(name), str) for name in names):
        raise SetupError(f"{MANIFEST}: an entry needs {', '.join(names)}, each as a text")
    return {name: given[name] for name in names}


def _check_sum(entry: Mapping[str, str], text: str, what: str) -> None:
    if entry.get("sha256", sha256(text)) != sha256(text):
        raise SetupError(f"{what} does not match {MANIFEST}: it was changed. Get the original again")


# --- loading ----------------------------------------------------------------------------------------------------------


def load(cls: type[Any], folder: Any, model: Any, trust: str | None, options: Mapping[str, Any]) -> Any:
    """See ``MultiStepAgent.load``."""
    root = Path(folder).resolve()

    def read(name: str) -> str:
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise SetupError(f"{name} points outside {folder} (a link or ..): copy the file into the folder")
        return _text(path, name)

    agent = _make(cls, read, str(folder), model, trust, options)
    agent.recording = str(root / RECORDING) if agent.recording else ""
    return agent


def _text(path: Path, name: str) -> str:
    try:
        if path.exists() and not path.is_file():
            raise SetupError(f"{name} is not a file")
        _check_size(name, path.stat().st_size)
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if name.rpartition("/")[2] in (MANIFEST, THEIRS):
            raise
        raise SetupError(f"{name} is missing") from None
    except (OSError, ValueError) as error:
        raise SetupError(f"{name} cannot be read: {error}") from None


def _check_size(name: str, size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise SetupError(f"{name} has {size:,} bytes; at most {MAX_FILE_BYTES:,} are read")


def _make(cls: type[Any], read: Read, where: str, model: Any, trust: str | None, options: Mapping[str, Any]) -> Any:
    folder = _Folder(read)
    if trust is not None and trust != folder.digest:
        raise SetupError(
            f"this is not the trusted agent: {where} was changed, its SHA-256 is {folder.digest}. Load it without trust= to read it"
        )
    _show(folder, where, trusted=trust is not None)
    kind = KINDS.get(folder.parts.kind)
    if kind is None or not issubclass(kind, cls):
        raise SetupError(
            f"the agent is a {folder.parts.kind}: write {folder.parts.kind}.load(…), one of {', '.join(KINDS)}"
        )
    agent = _agent(folder, model, trust is not None, dict(options))
    agent.recording = RECORDING if folder.parts.recording else ""
    return agent


def _agent(folder: _Folder, model: Any, trusted: bool, options: dict[str, Any]) -> MultiStepAgent:
    parts = folder.parts
    current().check("hosts", parts.hosts, "The host {} is not allowed")
    current().check("imports", parts.imports, "The import {} is not allowed")
    if model is None and not parts.model:
        raise SetupError(
            f"the agent was saved with a model of class {parts.model_class}, which has no name: load it with model=…"
        )
    managed = [_agent(inner, model, trusted, _inherited(options)) for inner in folder.managed.values()]
    model = create_model(_checked_name(parts.model)) if model is None else model
    given = {**parts.options, **options}
    walls = given.pop("expected_walls", parts.walls)
    limits = {**parts.limits, **dict(given.pop("executor_kwargs", None) or {})}
    sandbox = given.get("sandbox") or given.get("executor_type") or "local"
    tools = [_tool(folder, entry, trusted, sandbox, parts.imports) for entry in parts.tools]
    given.setdefault("additional_authorized_imports", parts.imports)
    given.setdefault("instructions", parts.instructions)
    given.setdefault("prompt_templates", parts.prompt_templates or None)
    agent = KINDS[parts.kind](
        [*tools, *given.pop("tools", ())], model, executor_kwargs=limits, managed_agents=managed, **given
    )
    agent.expected_walls = tuple(walls)
    return agent


def _checked_name(name: str) -> str:
    provider, _, rest = name.partition("/")
    if provider not in providers() or not fits_provider(provider, rest):
        raise SetupError(f"{name[:100]!r} names no model: load it with model=…")
    return name


def _inherited(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: options[name]
        for name in ("sandbox", "executor_type", "expected_walls")
        if isinstance(options.get(name), str | tuple)
    }


def _tool(folder: _Folder, entry: dict[str, Any], trusted: bool, sandbox: Any, imports: list[str]) -> Tool:
    if "builtin" in entry:
        return DEFAULT_TOOLS[entry["builtin"]]()
    if not trusted:
        return SandboxedTool(entry, folder.source(entry), sandbox if isinstance(sandbox, str) else "local", imports)
    tool = loaded(folder.source(entry), entry["file"], entry["name"], {})
    if not isinstance(tool, Tool):
        raise SetupError(f"{entry['file']} makes no tool")
    return tool


def _show(folder: _Folder, where: str, *, trusted: bool) -> None:
    """Show everything to review: the kind of agent, its requests, and its code."""
    drawing, parts = Drawing(), folder.parts

    def say(text: str, style: Any = "plain") -> None:
        for line in text.split("\n"):
            drawing.line(TerminalLine(visible(line), style))

    say(f"{parts.kind} of {where} (SHA-256 {folder.digest})", "head")
    say(f"model: {parts.model or f'{parts.model_class}, must be given'}")
    say(f"imports: {', '.join(parts.imports) or 'the standard list'}; hosts: {', '.join(parts.hosts) or 'none'}")
    requests = (
        ("options", parts.options),
        ("limits", parts.limits),
        ("prompt", parts.prompt_templates),
        ("instructions", parts.instructions),
    )
    for name, value in requests:
        if value:
            say(f"{name}: {value}")
    for entry in parts.tools:
        place = "in this process" if trusted else "in its own sandbox"
        if "builtin" in entry:
            say(f"tool {entry['name']}: is included in smolcell and runs in this process", "warn")
            continue
        say(f"tool {entry['name']}: {entry['file']} runs {place}", "warn" if trusted else "plain")
        say(f"description for the model: {entry['description']} {entry['inputs']} -> {entry['output_type']}", "dim")
        for line in code(folder.source(entry)):
            drawing.line(line)
    for name, inner in folder.managed.items():
        _show(inner, f"managed/{name}", trusted=trusted)


class SandboxedTool(Tool):
    """An untrusted tool: its source runs, and is called, in its own sandbox, which starts with the first call.

    Args:
        entry: the tool's entry in the manifest.
        source: the source that was shown.
        sandbox: the kind of sandbox.
        imports: modules that it may import.
    """

    takes_anything = True

    def __init__(self, entry: dict[str, Any], source: str, sandbox: str, imports: list[str]) -> None:
        self.name, self.description, self.output_type = entry["name"], entry["description"], entry["output_type"]
        try:
            inputs = json.loads(entry["inputs"])
        except (ValueError, RecursionError):
            inputs = None
        if not isinstance(inputs, dict) or not all(isinstance(each, dict) for each in inputs.values()):
            raise SetupError(f"the tool {self.name!r}: its inputs are no JSON object of objects")
        self.inputs, self.entry, self.source = inputs, entry, source
        try:
            self._program = definition(source, entry["object"])
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise SetupError(
                f"{entry['file']} cannot be read: {error}; check the file, or load another revision"
            ) from None
        self._sandbox, self._imports = sandbox, imports
        self._executor: Any = None
        self._lock = threading.Lock()

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the tool in its sandbox; values are copied.

        Raises:
            AgentToolExecutionError: its code failed, or a wall or the guard stopped it.
        """
        given = dict(self.signature.bind(*args, **kwargs).arguments)
        with self._lock:
            try:
                if self._executor is None:
                    self._executor = create_executor(self._sandbox, additional_authorized_imports=self._imports)
                    self._executor(self._program)
                self._executor.send_variables({"given": given})
                return self._executor("the_tool(**given)").output
            except InterpreterError as error:
                raise AgentToolExecutionError(f"{self.name}: {error}") from None

    def end_sandbox(self) -> None:
        """See ``Tool``."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.close()


_PREAMBLE = """class Tool:
    def __init__(self, *args, **kwargs):
        pass

    def setup(self):
        pass


def tool(function=None, **options):
    return function if function is not None else tool


"""


def definition(source: str, name: str) -> str:
    """Return a program that defines ``the_tool`` from this source, without smolcell or smolagents."""
    lines, tree = source.split("\n"), ast.parse(source)
    is_class = False
    for node in tree.body:
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if any(module.partition(".")[0] in ("smolagents", "smolcell") for module in modules):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
        is_class = is_class or (isinstance(node, ast.ClassDef) and node.name == name)
    last_lines = (
        f"the_tool = {name}()\nthe_tool.setup()\nthe_tool = the_tool.forward" if is_class else f"the_tool = {name}"
    )
    return f"{_PREAMBLE}{chr(10).join(lines)}\n\n\n{last_lines}\n"


# --- the Hub ----------------------------------------------------------------------------------------------------------


def push(agent: MultiStepAgent, repo: str, private: bool, token: str | None, endpoint: str | None) -> Pushed:
    """See ``MultiStepAgent.push_to_hub``."""
    with tempfile.TemporaryDirectory() as folder:
        digest = save(agent, folder)
        with importing():
            from huggingface_hub import HfApi
        api = HfApi(endpoint=endpoint, token=token)
        try:
            api.create_repo(repo, private=private, exist_ok=True)
            done = api.upload_folder(repo_id=repo, folder_path=folder, commit_message="Save the agent")
        except Exception as error:  # the Hub's library raises many kinds
            raise SetupError(f"the Hub refused {repo!r}: {redact(f'{type(error).__name__}: {error}')}") from None
    return Pushed(repo, str(done.oid), digest)


def fetch(
    cls: type[Any],
    repo: str,
    model: Any,
    revision: str,
    trust: str | None,
    token: str | None,
    endpoint: str | None,
    options: Mapping[str, Any],
) -> Any:
    """See ``MultiStepAgent.from_hub``."""
    with importing():
        from huggingface_hub import HfApi, get_hf_file_metadata, hf_hub_download, hf_hub_url
        from huggingface_hub.errors import EntryNotFoundError

    is_space = repo.startswith("spaces/")
    name, kind = repo.removeprefix("spaces/"), "space" if is_space else "model"
    where: dict[str, Any] = {"repo_type": kind, "token": token}
    if not _COMMIT.fullmatch(revision):
        raise SetupError(_which_commit(HfApi(endpoint=endpoint), repo, name, revision, where))
    paths: dict[str, str] = {}

    def read(file: str) -> str:
        try:
            url = hf_hub_url(name, file, repo_type=kind, revision=revision, endpoint=endpoint)
            _check_size(file, get_hf_file_metadata(url, token=token, endpoint=endpoint).size or 0)
            paths[file] = hf_hub_download(name, file, revision=revision, endpoint=endpoint, **where)
        except EntryNotFoundError:
            raise FileNotFoundError(file) from None
        except SetupError:
            raise
        except Exception as error:  # the Hub's library raises many kinds
            raise SetupError(
                f"{file} of {repo!r} cannot be fetched: {redact(f'{type(error).__name__}: {error}')}"
            ) from None
        return _text(Path(paths[file]), file)

    try:
        agent = _make(cls, read, f"{repo} at {revision}", model, trust, options)
    except FileNotFoundError as error:
        raise SetupError(f"{error} is missing in {repo!r}") from None
    agent.recording = paths.get(RECORDING, "")
    return agent


def _which_commit(api: Any, repo: str, name: str, revision: str, where: Mapping[str, Any]) -> str:
    """Return how to name a commit, for the error if none was named."""
    try:
        newest = str(api.repo_info(name, revision=revision or None, **where).sha)
    except Exception as error:  # the Hub's library raises many kinds
        return f"{repo!r} cannot be found on the Hub: {redact(f'{type(error).__name__}: {error}')}"
    return f"an agent is loaded from a fixed commit, so that it cannot change:  write CodeAgent.from_hub({repo!r}, revision={newest!r})"
