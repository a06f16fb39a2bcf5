"""Write the reference pages that are made of the code's own tables: ``python scripts/write_reference.py``.

Needed after a change of an option, a setting, a sub-command of ``%agent``, a command of ``smolcell`` or a limit; a test compares the pages.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from smolcell import cli
from smolcell.agent import ideas
from smolcell.core import findings, spec
from smolcell.executors import base, files
from smolcell.machine.environment import DECIDING
from smolcell.network import proxy
from smolcell.notebook import commands, completion, context, session, settings
from smolcell.scale import tasks, work
from smolcell.views import outputs
from smolcell.worker.runner import display
from smolcell.worker.supervisor import checkpoints
from smolcell.worker.supervisor.limits import MAX_FILES
from smolcell.worker.system import processes
from smolcell.worker.wire import bounds, values

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
WRITTEN = "<!-- Written by scripts/write_reference.py: change the code, then run it. -->"
_DEFAULT = re.compile(r" \(default: ([^()]*)\)$")
_NO_VALUE = "\u2013"

SEE = {
    "--context": "../notebook.md#what-the-model-is-sent",
    "--rollback": "../notebook.md#taking-steps-back",
    "--record": "../notebook.md#recordings",
    "--model": "../models.md",
    "--sandbox": "../sandboxes.md",
    "--approve": "../approval.md",
    "--file": "../sandboxes.md#files-and-folders",
    "--python": "../sandboxes.md#levels-of-python",
    "--imports": "../policy.md#presets-of-imports",
    "--in": "../values.md",
    "--allow-host": "../network.md",
    "--credential": "../network.md#credentials",
    "--installs": "../sandboxes.md#packages",
    "--check": "../output-checks.md",
    "--tool": "../how-to/tools-and-mcp.md",
    "--budget": "../models.md#cost",
    "--contract": "../contract.md",
    "allow": "../how-to/packages.md",
    "install": "../sandboxes.md#packages",
    "pull": "../values.md",
    "resume": "../how-to/resume-and-undo.md",
    "undo": "../notebook.md#taking-steps-back",
    "branch": "../notebook.md#several-ideas",
    "export": "../how-to/export.md",
    "policy": "../policy.md",
    "grants": "../policy.md#grants",
    "contract": "../contract.md",
    "map": "../many-runs.md",
    "approvals": "../many-runs.md#approval",
    "sandboxes": "../sandboxes.md#what-a-sandbox-does",
    "mcp": "../interoperability.md",
    "work_folder=": "../policy.md#a-read-only-work-folder",
    "structured=": "../models.md#structured-replies",
    "otel=": "../observability.md",
    "log=": "../observability.md",
}
"""Option, sub-command, or setting with ``=`` → the page that explains it."""

VARIABLES = {
    "SMOLCELL_API_KEY": "the key of the server that `--api-base` or `SMOLCELL_API_BASE` names",
    "SMOLCELL_CONFIG_DIR": "the folder of your `smolcell.toml`",
    "SMOLCELL_STATE_DIR": "the folder of journals, grants and logs",
    "SMOLCELL_CACHE_DIR": "the folder of what the sandbox `wasm` needs",
    "SMOLCELL_TRUST": "folders whose `smolcell.toml`, `AGENTS.md` and `.mcp.json` count in full; separated as in `PATH`",
    "SMOLCELL_POLICY": "a [policy](../policy.md#for-administrators) that counts besides `/etc/smolcell/policy.toml`",
    "SMOLCELL_LOG_FILE": "the file that `log` writes to, in place of standard error or the kernel's log",
    "SMOLCELL_MCP_TOKEN": "the token of `smolcell mcp --http`",
    "SMOLCELL_DOCKER_BASE": "the image that smolcell's own Docker image is built upon",
    "SMOLCELL_DOCKER_WHEELHOUSE": "a folder of wheels from which that image is built without a network",
}
"""What smolcell reads of the environment besides the settings."""

FOLDERS = [
    (
        "your settings",
        "~/.config/smolcell/smolcell.toml",
        "~/Library/Application Support/smolcell/smolcell.toml",
        r"%LOCALAPPDATA%\smolcell\smolcell.toml",
    ),
    (
        "journals",
        "~/.local/state/smolcell/journals",
        "~/Library/Application Support/smolcell/journals",
        r"%LOCALAPPDATA%\smolcell\journals",
    ),
    ("Pyodide, for `wasm`", "~/.cache/smolcell", "~/Library/Caches/smolcell", r"%LOCALAPPDATA%\smolcell\Cache"),
]
"""What is in the file or folder, and its path on Linux, macOS and Windows."""


def pages() -> dict[str, str]:
    """The pages' texts by their names."""
    return {
        "magics.md": page("Magics", _magics()),
        "settings.md": page("Settings", _settings()),
        "command-line.md": page("Command line", _command_line()),
        "limits.md": page("Limits", _limits()),
    }


def page(title: str, parts: Iterable[str]) -> str:
    """A page of these paragraphs, tables and headings."""
    return "\n\n".join([f"# {title}", WRITTEN, *parts]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown; ``|`` in a cell is escaped."""
    lines = [" | ".join(cell.replace("|", r"\|") for cell in row) for row in (head, *rows)]
    first, *others = (f"| {line} |" for line in lines)
    return "\n".join([first, "|---" * len(head) + "|", *others])


def plain(text: str, see: str = "") -> str:
    """A help text as Markdown, with a link to the page that explains more."""
    text = text.replace("%%", "%").replace("*", r"\*").replace("<", r"\<").replace("\n", " ")
    if see not in SEE:
        return text
    name = (SEE[see].partition("#")[2] or Path(SEE[see]).stem).replace("-", " ").replace("python", "Python")
    return f"{text} ([{name}]({SEE[see]}))"


# --- magics: ``%%agent`` and ``%agent``.


def _magics() -> Iterator[str]:
    yield "`%load_ext smolcell` brings both. [In a notebook](../notebook.md) explains them; `%%agent?` and `%agent?` list the same there."
    yield "## The cell magic: %%agent"
    actions = settings.parser()._actions
    repeated = [action.option_strings[-1] for action in actions if isinstance(action, argparse._AppendAction)]
    yield (
        f"`%%agent [options]`, and below it the task. Tab completes the options. {_names(repeated)} can be repeated; all of these but "
        "`--file` and `--mcp` take several names with commas, too."
    )
    yield _option_table(actions)
    yield "## The line magic: %agent"
    yield (
        "`%agent COMMAND`. `SESSION` and `OF` are names of sessions; without one it is the session of the setting `session`. `N` and `K` "
        "are whole numbers."
    )
    yield table(
        ["command", "what it does"],
        (
            [f"`{f'%agent {name} {words}'.strip()}`", plain(text, name)]
            for name, (words, text, _) in commands.COMMANDS.items()
        ),
    )


def _option_table(actions: Iterable[argparse.Action]) -> str:
    return table(["option", "meaning"], ([_flags(action), _meaning(action)] for action in actions))


def _flags(action: argparse.Action) -> str:
    """How an option or an argument is written."""
    value = str(action.metavar or action.dest) if action.nargs != 0 else ""
    if isinstance(action.choices, Sequence):
        value = "|".join(action.choices)
    value = {"?": f"[{value}]", "*": f"[{value}…]", "+": f"{value}…"}.get(str(action.nargs), value)
    return f"`{' '.join(filter(None, [', '.join(action.option_strings), value]))}`"


def _meaning(action: argparse.Action) -> str:
    return plain(action.help or "", action.option_strings[-1] if action.option_strings else "")


# --- settings.


def _settings() -> Iterator[str]:
    yield (
        "A setting is given as an option, by `%agent config NAME=VALUE`, as an environment variable, or as `NAME = VALUE` in a file "
        "`smolcell.toml`. `%agent config` lists all with their values."
    )
    yield "## Which place counts"
    yield "The first of these that says something:"
    yield "\n".join(
        [
            "1. the option of the cell or of the command; those for the sandbox [hold for later cells of the session](../notebook.md),",
            "2. `%agent config NAME=VALUE`, until the kernel ends,",
            "3. the environment variable,",
            "4. `smolcell.toml` of the project: in the current folder or one above it, up to your home folder or a folder of another user,",
            "5. your own `smolcell.toml`,",
            "6. the default.",
        ]
    )
    yield (
        "Of `output_checks` those of all places hold. An `api_base` goes with its model: a nearer place that names another model drops it, "
        "unless that is `openai/…`. A [policy](../policy.md) bounds the result. A file with a name or a value that is not valid is an "
        "error; a project's file above the current folder is then left out with a warning. Keys are kept in no file."
    )
    yield "## All settings"
    yield "Each has its name, which files and `%agent config` take, its environment variable, and its option if it has one."
    yield table(["setting", "default", "meaning"], map(_setting, spec.NAMES))
    yield _EXAMPLE
    yield "## A project's file"
    project = [name for name in spec.NAMES if name == "model" or spec.SETTINGS[name].may_narrow]
    free = [name for name in project if spec.SETTINGS[name].may_narrow is spec.any_value]
    bounded = [name for name in project if name not in ("model", *free)]
    yield (
        "A project's `smolcell.toml` may be a stranger's. Unless `SMOLCELL_TRUST` names its folder, it may set "
        f"{_names(free)}; `model`, but only to one of a provider; and {_names(bounded)}, but only to a "
        "stricter value. The rest is left out with a warning. Its table `[policy]` [narrows what is allowed](../policy.md)."
    )
    yield "## Where the files are"
    yield table(
        ["", "Linux", "macOS", "Windows"], ([what, *(f"`{path}`" for path in paths)] for what, *paths in FOLDERS)
    )
    yield (
        "On Linux `XDG_CONFIG_HOME`, `XDG_STATE_HOME` and `XDG_CACHE_HOME` move them; the variables below do so everywhere. "
        "`%agent config` names your settings file, `%agent status` the journals. The administrator's policy is `/etc/smolcell/policy.toml`."
    )
    yield "## Other environment variables"
    yield table(["variable", "meaning"], ([f"`{name}`", text] for name, text in VARIABLES.items()))
    yield (
        "Keys of providers have [variables of their own](../models.md#keys), those of sandboxes [too](../sandboxes.md). "
        "`OTEL_EXPORTER_OTLP_ENDPOINT` switches [traces](../observability.md) on."
    )
    yield "## When variables are read"
    yield (
        f"{_names(sorted(DECIDING))} are read once, when smolcell is loaded: in a script, set them before `import smolcell`. In a "
        "notebook a later change counts if a cell assigns the variable by its name: `%env SMOLCELL_APPROVE=risky`. The others are read "
        "when they are needed. smolcell reads no `.env` file."
    )


_EXAMPLE = """```toml
# smolcell.toml
model = "ollama/qwen2.5-coder"
max_steps = 12
imports = ["seaborn", "scipy.*"]
```"""


def _setting(name: str) -> list[str]:
    row = spec.SETTINGS[name]
    default = _value(getattr(spec.AgentSpec(), name))
    text = row.meaning or row.help
    said = _DEFAULT.search(text)
    if said and said[1].startswith(default.strip("`")):  # its column says it
        text = text.removesuffix(said[0])
    names = [name, f"SMOLCELL_{name.upper()}", *([f"{row.flags[-1]} {row.value}"] if row.flags else [])]
    see = row.flags[-1] if row.flags else f"{name}="
    return ["<br>".join(f"`{each}`" for each in names), default, plain(text, see)]


def _value(value: Any) -> str:
    if value in (None, "", ()):
        return _NO_VALUE
    return f"`{str(value).lower() if isinstance(value, bool) else f'{value:g}' if isinstance(value, float) else value}`"


def _names(names: Iterable[str]) -> str:
    *first, last = (f"`{name}`" for name in names)
    return f"{', '.join(first)} and {last}"


# --- the command line.


def _command_line() -> Iterator[str]:
    parser = cli.parser()
    yield f"{plain(parser.description or '')} [At the terminal](../terminal.md) is the guide. `smolcell COMMAND --help` shows the same."
    yield plain(parser.epilog or "")
    yield "## Options of a task"
    yield "Several commands take these. [Settings](settings.md) says what counts if an option is left out."
    shared = argparse.ArgumentParser(add_help=False)
    settings.add_options(shared)
    yield _option_table(shared._actions)
    known = {(flag, action.help) for action in shared._actions for flag in action.option_strings}
    for name, command in _commands(parser):
        yield f"## smolcell {name}"
        yield plain(command.description or "")
        yield f"```bash\n{_form(name, command, known)}\n```"
        own = [action for action in _own(command) if not _is_shared(action, known)]
        if own:
            yield _option_table(own)


def _commands(parser: argparse.ArgumentParser, above: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The commands of a parser, and theirs."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"{above}{name}", command
                yield from _commands(command, f"{above}{name} ")


def _own(command: argparse.ArgumentParser) -> list[argparse.Action]:
    unlisted = (argparse._HelpAction, argparse._SubParsersAction)
    return [action for action in command._actions if not isinstance(action, unlisted)]


def _is_shared(action: argparse.Action, known: set[tuple[str, str | None]]) -> bool:
    """Whether an option is one of a task, with the same meaning."""
    return any((flag, action.help) in known for flag in action.option_strings)


def _form(name: str, command: argparse.ArgumentParser, known: set[tuple[str, str | None]]) -> str:
    actions = _own(command)
    required = [_flags(action).strip("`") for action in actions if action.option_strings and action.required]
    arguments = [_flags(action).strip("`") for action in actions if not action.option_strings]
    words = [*arguments, *(flag.replace(", ", "|") for flag in required)]
    own = any(action.option_strings and not action.required and not _is_shared(action, known) for action in actions)
    tasks_ = any(_is_shared(action, known) for action in actions)
    return " ".join([f"smolcell {name}", *words, *["[options]"] * own, *["[options of a task]"] * tasks_])


# --- limits.


def _limits() -> Iterator[str]:
    default, executor = spec.AgentSpec(), inspect.signature(base.WorkerExecutor).parameters
    yield "What is bounded, and by how much. [What does not work, and what was tried](../limits.md) is a page of its own."
    yield "## Limits that you can set"
    yield table(
        ["limit", "default", "setting"],
        [
            ["steps of a run", f"{default.max_steps}", "`max_steps`"],
            ["seconds a step", f"{default.timeout:g}", "`timeout`"],
            ["memory of the sandbox", f"{default.memory:,} MB", "`memory`"],
            ["characters of output kept of a step", f"{default.max_output:,}", "`max_output`"],
            ["the same error again", "no limit", "`stop_after`"],
            ["dollars or tokens of a run", "no limit", "`budget`"],
            ["calls of tools in a step", f"{executor['max_tool_calls'].default:,}", "`max_tool_calls=` of an executor"],
            ["seconds of a tool's call", f"{executor['tool_timeout'].default:g}", "`tool_timeout=` of an executor"],
            ["disk: the work folder, and each file", f"{processes.MAX_DISK_MB:,} MB", "`disk=` of `DockerExecutor`"],
            [
                "steps that can be taken back by a copy",
                f"{session.CHECKPOINTS}",
                "`checkpoints=` of an executor; 0 outside of notebooks",
            ],
            ["requests at a time for one model, of all jobs", f"{work.MAX_REQUESTS}", "`--per-model`"],
        ],
    )
    yield "## Limits of a sandbox"
    few, many, share = (
        processes.MAX_PROCESSES_WITHOUT_NAMESPACE,
        processes.MAX_PROCESSES,
        processes.LEFTOVER_SHARE,
    )
    yield table(
        ["limit", "value"],
        [
            ["processes and threads of the code", f"{many}; {few} without a process namespace"],
            ["processes that a step may leave", f"{many // share}; {few // share} without a process namespace"],
            ["files in the work folder", f"{MAX_FILES:,}"],
            ["files that are copied in, together", f"{files.MAX_FILES:,}, {_size(files.MAX_BYTES)}"],
            ["a file that a card offers to copy in", _size(files.MAX_OFFERED)],
            ["a work folder that can be taken back", f"{checkpoints.MAX_FILES:,} files, {_size(checkpoints.MAX_FOLDER_BYTES)}; "
             f"{_size(checkpoints.MOST_IN_MEMORY)} in a container"],
            ["connections to allowed hosts", f"{proxy.MAX_CONNECTIONS} at once, {proxy.MAX_TOTAL:,} a step"],
            ["bytes to and from allowed hosts", f"{_size(proxy.MAX_BYTES)} a step"],
        ],
    )  # fmt: skip
    yield "## Limits of values and outputs"
    yield table(
        ["limit", "value"],
        [
            [
                "a value that comes out",
                f"{_size(values.RETURNED.bytes)}, {values.RETURNED.nodes:,} JSON parts, {values.MAX_DEPTH} levels",
            ],
            [
                "a value that goes in",
                f"{_size(values.TRUSTED.bytes)}, {values.TRUSTED.nodes:,} JSON parts, {values.MAX_DEPTH} levels",
            ],
            ["images of an answer, together", f"{bounds.MAX_PIXELS // 1_000_000} million pixels"],
            [
                "outputs of a step",
                f"{display.MAX_BUNDLES}, {_size(display.MAX_OUTPUT_BYTES)} each, {_size(display.MAX_OUTPUTS_BYTES)} together",
            ],
            ["pictures in a saved run", f"{outputs.MAX_PICTURES_CHARS:,} characters of base64"],
            ["other content of a saved run", f"{outputs.MAX_SAVED_TEXT_CHARS:,} characters"],
            ["a chart's specification", f"{outputs.MAX_CHART_CHARS:,} characters"],
            ["a program that is analyzed for findings", f"{findings.MAX_ANALYZED_CHARS:,} characters"],
        ],
    )
    yield "## Limits of the conversation"
    yield table(
        ["limit", "value"],
        [
            [
                "cells that the model is sent",
                f"{context.CELLS_TOKENS:,} tokens together, a quarter of its window at the most",
            ],
            [
                "a piece that a task names",
                f"{context.PIECE_TOKENS:,} tokens; all of a task {context.MAX_REFERENCES_TOKENS:,}",
            ],
            ["a file that a task names", f"{context.MAX_FILE_BYTES // 1_000_000} MB"],
            ["ideas for a step", f"{ideas.MAX_IDEAS}"],
            ["a session's name", f"{spec.MAX_SESSION_NAME_CHARS} characters"],
            ["tasks of a job", f"{tasks.MAX_TASKS:,}"],
            ["files that Tab lists after `@file:`", f"{completion.MAX_FILES}"],
        ],
    )


def _size(count: int) -> str:
    gigabytes, rest = divmod(count, 1 << 30)
    return f"{gigabytes} GB" if gigabytes and not rest else f"{count >> 20:,} MB"


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
