"""The words after ``%agent``: reads them, and writes what it prints."""

from __future__ import annotations

import difflib
import io
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

from smolcell.approval.contract import FILE
from smolcell.core.findings import is_closed
from smolcell.core.history import names_in_sandbox
from smolcell.core.redaction import redact, redact_json
from smolcell.core.spec import NAMES, AgentSpec, read
from smolcell.core.text import clip, counted, visible
from smolcell.errors import SandboxError, SetupError
from smolcell.events import Asked, Boundary, Ended, File, History, Replied, Undone, to_json
from smolcell.executors import BaseExecutor, Checkpoint, completed
from smolcell.machine.config_files import users_file
from smolcell.notebook.context import Reference
from smolcell.notebook.session import Session
from smolcell.notebook.settings import check_installed
from smolcell.protocols import Executor
from smolcell.views.fold import undone_text

if TYPE_CHECKING:
    from smolcell.executors.packages import Plan

ABOUT_KEYS = (
    "smolcell: {model} needs a key, but {variable} holds no accepted key. Type it below: it stays in memory until the kernel "
    "ends, and is not written to disk. To set it permanently, set {variable} where Jupyter is started{login}.\n{variable} (hidden): "
)
LOGINS = {"HF_TOKEN": ", or log in once with: !hf auth login"}
AT_LIMIT = "Go on with: %agent resume, with --max-steps for more steps. With --best-effort what the model wrote last is the answer"
_OTHER = "with another model: %agent resume -m provider/model"
GO_ON = {"key": "with another key: %agent resume", **dict.fromkeys(("model", "context", "quota", "refusal"), _OTHER)}
"""The kind of a model's error → how to go on after it, if asking the same model again cannot help."""


class Command(NamedTuple):
    """A sub-command of ``%agent``: its arguments and its help text."""

    arguments: str
    help: str


COMMANDS = {
    "status": Command(
        "",
        "shows the settings, the sessions, the walls of their sandboxes, and where the journals are; %agent alone does the same",
    ),
    "config": Command(
        "[KEY=VALUE…]",
        "sets settings for later cells; KEY= resets one; without arguments it lists all settings and names your settings file",
    ),
    "stop": Command("[SESSION]", "stops the run of a session, or all runs of the notebook"),
    "reset": Command("[SESSION]", "ends a session, or all of the notebook, with its sandbox"),
    "log": Command("[SESSION]", "prints everything that a session did, as text"),
    "stats": Command("[SESSION]", "lists tokens, cost, approvals, errors and times of each run of a session"),
    "allow": Command(
        "NAME… [--session SESSION]",
        "lets the code of a session import modules, from now on; without names it lists those that you allowed",
    ),
    "install": Command(
        "NAME… [--session SESSION]",
        "installs packages in a session's sandbox, also while it runs; the notebook does not get them",
    ),
    "pull": Command("NAME… [--session SESSION]", "copies variables of a session's sandbox into the notebook"),
    "files": Command(
        "[keep NAME [TARGET]] [--session SESSION]",
        "lists the files in the sandbox's work folder; keep copies one of them beside the notebook",
    ),
    "resume": Command(
        "[SESSION] [options of %%agent]",
        "continues a run that ended by an error of the model, a stop or the step limit; -m continues with another model. After a "
        "restart of the kernel the conversation is restored from its journal",
    ),
    "undo": Command("[N] [--session SESSION]", "undoes the newest step, or the newest N"),
    "goto": Command(
        "STEP [--session SESSION]",
        "undoes all steps after STEP of the newest run; 0 is the start of the run, RUN:STEP is a step of another run",
    ),
    "retry": Command(
        "STEP [--say WORDS] [--session SESSION]", "undoes a step, and asks the model to do it in another way"
    ),
    "branch": Command(
        "[K] [options of %agent resume]",
        "continues the newest run: the model proposes K programs for the next step, from 2 to 9 (default: 3), and you choose one",
    ),
    "checkpoints": Command(
        "[SESSION]",
        "lists the steps that %agent goto can return to, whether from a copy of the sandbox or by running the steps again, and the "
        "memory of each copy",
    ),
    "fork": Command(
        "STEP [NAME] [--session SESSION]",
        "makes a session NAME with the conversation of the newest run up to that step",
    ),
    "export": Command(
        "[SESSION] [--as NAME] [--file NAME.py|NAME.ipynb] [--print]",
        "writes the approved steps of the newest run as ordinary cells below, or into a file; --print shows them; --as names the answer",
    ),
    "policy": Command(
        "[QUESTION]",
        "shows what the policy locks, and by which line; or answers a question: %agent policy import requests",
    ),
    "grants": Command(
        "[revoke N|all] [--session SESSION]",
        "lists what you allowed for longer than one step (grants); revoke withdraws one, or all",
    ),
    "contract": Command(
        "[options of %%agent] [--purpose TEXT] [--output FILE] [--agents-md]",
        "writes down what a task with these options may do; --agents-md also writes a section of AGENTS.md",
    ),
    "map": Command(
        "VARIABLE [--folder OUT] [--on ENGINE] [--task TEXT] [--job-budget LIMIT] [options of %%agent]",
        "runs the agent on every task of a variable (a list or a table); -o NAME stores the results",
    ),
    "approvals": Command("[FOLDER]", "shows the waiting proposals of a job, and continues the runs that you answer"),
    "sandboxes": Command(
        "", "lists the sandboxes of all kernels: activity, image, age, memory, processor time, owner, walls"
    ),
    "mcp": Command("[options of %%agent]", "lets another agent use a session over MCP, until you interrupt the cell"),
    "doctor": Command(
        "[options of %%agent]",
        "tries everything that a run needs, one after the other, and says what to type if something does not work",
    ),
}
"""The sub-commands of ``%agent``, for the reference and for ``%agent?``."""


def usage(name: str) -> str:
    """Return a sub-command's arguments and help text, for errors and help."""
    arguments, text = COMMANDS[name]
    return f"{f'%agent {name} {arguments}'.strip()}: {text}"


def status(settings: AgentSpec, sessions: Mapping[str, Session], model_from: str = "") -> str:
    """Return the state: the current settings of a cell, and every session with its sandbox. ``model_from`` says where the model is set."""
    head = (
        f"model {_model(settings, model_from)} · sandbox {settings.sandbox} · approve {settings.approve} · "
        f"{settings.max_steps} steps · {settings.timeout:g} s a step"
    )
    rows = [line for session in sessions.values() for line in _session(session)]
    return "\n".join([head, *(rows or ["no session yet; start one with: %%agent"])])


def _model(settings: AgentSpec, model_from: str) -> str:
    """Return the model that a cell would use now, and why."""
    from smolcell.models import chosen_model
    from smolcell.models.credentials import key_variables, lacks_key

    if settings.model:
        name, why = settings.model, f"set by {model_from}"
    else:
        try:
            name, why = chosen_model(api_base=settings.api_base)
        except SetupError as error:
            return f"none: {error}\n "
    lacking = lacks_key(name, settings.api_base)
    key = f"; {key_variables(name, settings.api_base)[0]} is not set: you are asked for it" if lacking else ""
    return f"{name} ({why}{key})"


def _session(session: Session) -> list[str]:
    agent = session.agent
    allowed = [f"  imports allowed for this session: {', '.join(session.allowed)}"] * bool(session.allowed)
    if agent is None:
        back = "its conversation is back from its journal; go on with it: %agent resume, or %%agent"
        return [f"session {session.name}: {back if session.events else 'not started'}", *allowed]
    state = "running" if session.running else "idle"
    boundary: Boundary = agent.executor.boundary()
    standing = [wall.name for wall in boundary.walls if wall.stands]
    missing = [wall for wall in boundary.walls if not wall.stands]
    opened = not isinstance(agent.executor, BaseExecutor) or bool(agent.executor.listed())
    lines = [
        f"session {session.name}: {state}, {counted(len(agent.memory.tasks), 'task')}, "
        f"{counted(len(agent.memory.steps), 'step')}",
        f"  code runs in {boundary.where}{', isolated' if boundary.isolated else ''}",
        *([f"  Python: {boundary.python}; {boundary.python_reason}"] if boundary.python else []),
        f"  stands: {', '.join(standing) or 'nothing'}",
    ]
    if opened:
        lines += [f"  missing: {wall.name}{': ' if wall.detail else ''}{wall.detail}" for wall in missing]
    elif missing:
        lines.append(f"  not tested yet: {', '.join(wall.name for wall in missing)}")
    return [*lines, *allowed, f"  journal: {agent.journal.path}"]


def config(settings: AgentSpec, configured: Mapping[str, Any]) -> str:
    """Return every setting with its value, those set by ``%agent config`` marked, and the path of the user's settings file."""
    width, file = max(map(len, NAMES)), users_file()
    lines = [
        f"{name:<{width}}  {_value(value)}{'   (set here)' if name in configured else ''}"
        for name, value in asdict(settings).items()
    ]
    if file is not None:
        lines.append(f"for all notebooks: {file}{'' if file.exists() else ' (does not exist yet)'}")
    return "\n".join(lines)


def _value(value: Any) -> str:
    return redact(", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value))


def split(line: str, command: str) -> list[str]:
    """Split the words after ``%agent`` and a command.

    Raises:
        SetupError: a quote is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError as error:
        raise SetupError(f"%agent {command} cannot be read: {error}. Close every quote") from None


def _of_session(given: list[str], session: str) -> tuple[list[str], str]:
    """Return the words without ``--session NAME``, and that name; ``session`` if it is missing."""
    if "--session" not in given[:-1]:
        return given, session
    at = given.index("--session")
    return given[:at] + given[at + 2 :], given[at + 1]


def read_config(line: str, configured: Mapping[str, Any]) -> dict[str, Any]:
    """Return the earlier settings with ``key=value …`` added; ``key=`` removes a setting.

    Raises:
        SetupError: a word is no ``key=value``, or the value is not valid. Nothing is changed then.
    """
    changed = dict(configured)
    parts = split(line, "config")
    for part in parts:
        key, equals, value = part.partition("=")
        name = key.strip().replace("-", "_")
        if name in ("key", "api_key"):
            raise SetupError("keys must not be in a notebook: set SMOLCELL_API_KEY, or the provider's own variable")
        if not equals:
            raise SetupError(f"%agent config takes key=value, not {part!r}; settings are: {', '.join(NAMES)}")
        if value:
            changed[name] = read(name, value, "%agent config")
        else:
            read(name, value, "%agent config") if name not in NAMES else changed.pop(name, None)
    return changed


def log(session: Session) -> str:
    """Return everything the session did, as plain text, and the path of its journal."""
    if session.agent is None or not session.agent.memory.events:
        return f"session {session.name}: nothing has happened yet"
    from smolcell.views.transcript import bundle

    events = session.agent.memory.events
    runs = dict.fromkeys(event.run for event in events)
    texts = [bundle(event for event in events if event.run == run)["text/plain"] for run in runs]
    return "\n\n".join([*texts, f"journal: {session.agent.journal.path}"])


def stats(session: Session) -> str:
    """Return a table with a row for each run of the session."""
    from smolcell.core.receipt import rows, table

    if session.agent is None or not session.agent.memory.events:
        return f"session {session.name}: nothing has happened yet"
    memory = session.agent.memory
    return redact(table(rows(memory.events, memory.times)))


# --- ``%agent allow``: authorises modules for a session.


def read_allow(line: str, settings: AgentSpec) -> tuple[tuple[str, ...], str]:
    """Return the modules named after ``%agent allow``, each with its submodules, and the session.

    Raises:
        SetupError: a word is no module's name, or the module is not installed, or can never be authorised.
    """
    given, session = _of_session(split(line, "allow"), settings.session)
    if any(word.startswith("-") for word in given):
        raise SetupError(f"%agent allow does not take {line.strip()!r}. {usage('allow')}")
    names = tuple(name if name.endswith("*") else f"{name}.*" for name in read("imports", given, "%agent allow"))
    if settings.sandbox == "local":
        check_installed(names)
    for name in names:
        if is_closed(name.removesuffix(".*")):
            raise SetupError(f"{name.removesuffix('.*')} cannot be allowed: it reaches beyond the work folder")
    return names, session


def describe_allowed(session: Session) -> str:
    """Return the authorised imports of a session, or why they do not matter in it."""
    line = f"smolcell: imports allowed for the session {session.name}: {', '.join(session.allowed) or 'none'}"
    if session.agent is not None and completed(session.agent.executor).python == "full":
        return f"{line}. Its level of Python is full: the code can import every installed package"
    return line


# --- ``%agent grants``: lists what a person allowed.


def read_grants(line: str, session: str) -> tuple[str | None, str]:
    """Return the number after ``revoke``, or "all"; None for the list; and the session.

    Raises:
        SetupError: the line has another form.
    """
    given, session = _of_session(split(line, "grants"), session)
    if not given:
        return None, session
    if (
        len(given) != 2
        or given[0] != "revoke"
        or not (given[1] == "all" or (given[1].isdecimal() and len(given[1]) < 9))
    ):
        raise SetupError(f"%agent grants does not take {line.strip()!r}. {usage('grants')}")
    return given[1], session


# --- ``%agent contract``: writes down what a task may do.


class AskedContract(NamedTuple):
    """A parsed ``%agent contract`` line; ``purpose`` and ``section`` are None if they are missing."""

    options: str
    purpose: str | None
    path: Path
    section: Path | None


def read_contract(line: str) -> AskedContract:
    """Read the words after ``%agent contract``; unknown ones are options of a task.

    Raises:
        SetupError: a value is missing.
    """
    given, options = split(line, "contract"), {"--purpose": "", "--output": ""}
    section = Path("AGENTS.md") if "--agents-md" in given else None
    given = [word for word in given if word != "--agents-md"]
    for name in options:
        if name in given:
            at = given.index(name)
            if not given[at + 1 : at + 2]:
                raise SetupError(f"{name} takes a value. {usage('contract')}")
            options[name], given = given[at + 1], given[:at] + given[at + 2 :]
    path = Path(options["--output"] or FILE).expanduser()
    return AskedContract(shlex.join(given), options["--purpose"] or None, path, section)


# --- ``%agent install``: packages for a session's sandbox.


def read_install(line: str, session: str) -> tuple[list[str], str]:
    """Return the requirements named after ``%agent install``, and the session.

    Raises:
        SetupError: there are no requirements.
    """
    given, session = _of_session(split(line, "install"), session)
    if not given:
        raise SetupError(f"%agent install takes the names of packages. {usage('install')}")
    return given, session


def describe_installed(session: Session, plan: Plan) -> str:
    """Return the installed packages, as a text for the person."""
    if not plan.found:
        return f"smolcell: {', '.join(plan.requirements)}: already installed, and not changed"
    return f"smolcell: installed for the session {session.name}, not for the notebook\n{plan}"


# --- ``%agent pull``: copies a sandbox's variables into the notebook. The panel lists the variables.


def read_pull(line: str, session: str) -> tuple[list[str], str]:
    """Return the names after ``%agent pull``, and the session.

    Raises:
        SetupError: there are no names, or a name is not valid.
    """
    given, session = _of_session(split(line, "pull"), session)
    if not given or not all(name.isidentifier() for name in given):
        raise SetupError(f"%agent pull does not take {line.strip()!r}. {usage('pull')}")
    return given, session


def variables(sessions: Mapping[str, Session], names: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the variables of each session's sandbox, redacted; ``taken``: the notebook has a variable of that name. Blocks."""
    listed: list[dict[str, Any]] = []
    for session in sessions.values():
        if session.agent is None:
            continue
        try:
            found = completed(session.agent.executor).variables()
        except SandboxError:  # the sandbox has ended
            found = []
        rows = None if found is None else [{**redact_json(one), "taken": one["name"] in names} for one in found]
        if rows != []:
            listed.append({"session": session.name, "variables": rows})
    return listed


# --- ``%agent resume`` and ``%agent fork``: a conversation from a journal or of another session.


_MAX_NAMES_CHARS = 1_000  # characters of lost names


class Fork(NamedTuple):
    """A parsed ``%agent fork`` line; ``name`` is "" if it names no session."""

    step: int
    name: str
    of: str


def read_fork(line: str, session: str) -> Fork:
    """Read the words after ``%agent fork``; ``session`` is the one that is forked by default.

    Raises:
        SetupError: the line has another form.
    """
    given, session = _of_session(split(line, "fork"), session)
    if not 1 <= len(given) <= 2 or not given[0].isdecimal() or len(given[0]) > 9:
        raise SetupError(f"%agent fork does not take {line.strip()!r}. {usage('fork')}")
    return Fork(int(given[0]), "".join(given[1:]), session)


def read_resume(line: str) -> tuple[str, str]:
    """Return the session's name after ``%agent resume``, quoted or not ("" for none), and the options after it.

    Raises:
        SetupError: a quote is not closed.
    """
    if line.startswith("-"):
        return "", line
    text = io.StringIO(line)  # read only the name
    words = shlex.shlex(text, posix=True)
    words.whitespace_split, words.commenters = True, ""
    try:
        return words.get_token() or "", text.read()
    except ValueError as error:
        raise SetupError(f"%agent resume cannot be read: {error}. Close every quote") from None


def describe_resumed(session: str, history: History) -> str:
    """Return the notice about a restored conversation: how it ended, and the lost names."""
    tasks = sum(1 for event in history if isinstance(event, Asked) and not event.resumes)
    steps = sum(1 for event in history if isinstance(event, Replied))
    ended = next((event for event in reversed(history) if isinstance(event, Ended)), None)
    how = "it was done" if ended is None or ended.state == "success" else visible(ended.error) or ended.state
    head = (
        f"smolcell: the conversation of the session {session} was restored from its journal: "
        f"{tasks} task{'s' * (tasks != 1)}, {steps} step{'s' * (steps != 1)}; it ended: {how}"
    )
    return f"{head}\n{describe_lost_names(history)}"


def describe_fork(fork: Fork, history: History) -> str:
    """Return the notice about a fork, with the next command."""
    name = shlex.quote(fork.name)
    return (
        f"smolcell: the session {fork.name} has the conversation of {fork.of} up to step {fork.step}. Go on: %agent resume {name}"
        f" · give it another task: %%agent --session {name}\n{describe_lost_names(history)}"
    )


def describe_lost_names(history: History) -> str:
    """Return the names that were lost with the sandbox, as a text for the person."""
    names = names_in_sandbox(history)
    if not names:
        return "smolcell: its sandbox had no variables and no files, so nothing is missing"
    listed = clip(visible(", ".join(names)), _MAX_NAMES_CHARS)
    return (
        f"smolcell: lost with its sandbox: {listed}. The model is told; copy notebook variables in again with -i NAME"
    )


# --- ``%agent undo``, ``goto``, ``branch`` and ``checkpoints``: undo steps, and do them in another way.


def read_undo(line: str, session: str) -> tuple[int, str]:
    """Return the number of steps after ``%agent undo``, and the session.

    Raises:
        SetupError: the line has another form.
    """
    given, session = _of_session(split(line, "undo"), session)
    if len(given) > 1 or not all(word.isdecimal() and 0 < len(word) < 9 and int(word) for word in given):
        raise SetupError(f"%agent undo does not take {line.strip()!r}. {usage('undo')}")
    return int(given[0]) if given else 1, session


def read_retry(line: str, session: str) -> tuple[str, str, str]:
    """Return the step, or RUN:STEP, the comment for the model, and the session.

    Raises:
        SetupError: the line has another form.
    """
    given, session = _of_session(split(line, "retry"), session)
    step, *more = given or [""]
    number = step.rpartition(":")[2]
    if not number.isdecimal() or len(number) > 8 or (more and (len(more) != 2 or more[0] != "--say")):
        raise SetupError(f"%agent retry does not take {line.strip()!r}. {usage('retry')}")
    return step, more[1] if more else "", session


def read_branch(line: str) -> tuple[int, str]:
    """Return the number of ideas, and the words for ``%agent resume``.

    Raises:
        SetupError: the number is not valid.
    """
    first, _, rest = line.strip().partition(" ")
    if not first.isdecimal():
        return 3, line
    if len(first) > 1 or not 2 <= int(first) <= 9:
        raise SetupError(f"%agent branch does not take {first!r}. {usage('branch')}")
    return int(first), rest


def read_goto(line: str, session: str) -> tuple[str, str]:
    """Return the step, or RUN:STEP, and the session.

    Raises:
        SetupError: the line has another form.
    """
    given, session = _of_session(split(line, "goto"), session)
    number = given[0].rpartition(":")[2] if len(given) == 1 else ""
    if not number.isdecimal() or len(number) > 8:
        raise SetupError(f"%agent goto does not take {line.strip()!r}. {usage('goto')}")
    return given[0], session


def describe_undone(undone: Undone, session: str) -> str:
    """Return the notice about undone steps, with the next commands."""
    name = shlex.quote(session)
    return f"smolcell: {visible(undone_text(to_json(undone)))} Go on: %agent resume {name} · or another task: %%agent --session {name}"


def describe_checkpoints(checkpoints: Sequence[Checkpoint]) -> str:
    """Return the steps that can be gone back to, as a text for the person."""
    if not checkpoints:
        return "smolcell: there is no step to go back to yet. Write a task below %%agent"
    rows = [
        f"{each.run}:{each.step}  {each.how}{f', {_size(each)}' if each.how == 'copy' else ''}"
        f"{f' ({visible(each.reason)})' if each.reason else ''}"
        for each in checkpoints
    ]
    return "\n".join([*rows, "go back to one with: %agent goto RUN:STEP"])


def _size(checkpoint: Checkpoint) -> str:
    return "memory not known in containers" if checkpoint.memory is None else f"{checkpoint.memory:,} MB"


# --- ``%agent files``: lists the files in a sandbox's work folder, and copies them out.


class AskedFiles(NamedTuple):
    """A parsed ``%agent files`` line; ``keep`` is None if it asks for the list."""

    session: str
    keep: str | None
    target: Path


def read_files(line: str, session: str) -> AskedFiles:
    """Read the words after ``%agent files``.

    Args:
        line: the words.
        session: the default session.

    Raises:
        SetupError: the line has another form.
    """
    given = split(line, "files")
    if "--session" in given:
        at = given.index("--session")
        session, given = " ".join(given[at + 1 : at + 2]), given[:at] + given[at + 2 :]
        if not session:
            raise SetupError(f"--session takes a name. {usage('files')}")
    if not given:
        return AskedFiles(session, None, Path())
    if given[0] != "keep" or not 2 <= len(given) <= 3:
        raise SetupError(f"%agent files does not take {line.strip()!r}. {usage('files')}")
    return AskedFiles(session, given[1], Path(given[2] if len(given) == 3 else Path(given[1]).name))


def list_files(executor: Executor | None) -> Sequence[File]:
    """Return the files in a session's sandbox."""
    return completed(executor).files() if executor is not None else ()


def file_table(files: Sequence[File], session: str) -> str:
    """Return the list of files, as a text for the person."""
    if not files:
        return f"smolcell: no files in the sandbox of session {session}. Copy some in with: %%agent -f PATH"
    width = max(len(f"{file.size:,}") for file in files)
    rows = [f"{file.size:>{width},} bytes  {file.name}" for file in files]
    return "\n".join([*rows, "keep one with: %agent files keep NAME [TARGET]"])


def keep(executor: Executor | None, name: str, target: Path) -> str:
    """Copy one file out of a session's sandbox. Returns a text that says where.

    Raises:
        SandboxError: the sandbox has no such file.
        SetupError: the target exists, or cannot be written.
    """
    if executor is None:
        raise SandboxError("this session's sandbox has no files to keep")
    target = target.expanduser()
    try:
        return str(completed(executor).keep_file(name, target))
    except FileExistsError:
        raise SetupError(
            f"{target} exists and is not overwritten; give another name: %agent files keep {shlex.quote(name)} TARGET"
        ) from None
    except OSError as error:
        raise SetupError(f"{target} cannot be written: {error.strerror}; name another TARGET") from None


# --- Notebook variables in, results out. Values are copied: the user's objects are never changed.


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


def gather(names: Iterable[str], mentioned: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to copy in.

    Args:
        names: names of ``--in``.
        mentioned: names of ``@name`` in the task.
        namespace: the notebook's variables.

    Raises:
        SetupError: a name is not defined in the notebook, or is that of a function.
    """
    for name in names:
        if name not in namespace:
            raise SetupError(
                f"--in {name}: there is no variable {name!r} in this notebook{_suggestion(name, namespace)}"
            )
    for name in mentioned:
        if name not in namespace:
            hint = f" (for a plain at sign write \\@{name})"
            raise SetupError(
                f"@{name} in the task: there is no variable {name!r} in this notebook{_suggestion(name, namespace)}{hint}"
            )
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
        if name not in namespace and name in DEFAULT_TOOLS:
            found.append(DEFAULT_TOOLS[name]())
            continue
        if name not in namespace:
            near = _suggestion(name, {**namespace, **DEFAULT_TOOLS})
            raise SetupError(f"--tool {name}: there is no function {name!r} in this notebook{near}")
        if not callable(namespace[name]):
            raise SetupError(f"--tool {name}: {name!r} is a {type(namespace[name]).__name__}, not a function")
        value = namespace[name]
        named = isinstance(value, Tool) or hasattr(value, "inputs")
        found.append(as_tool(value) if named else Tool(value, name=name))
    return found


def servers(specs: Iterable[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return MCP servers by their words on the option line: the notebook's object of that name, else the word itself."""
    return {spec: namespace[spec] if spec.isidentifier() and spec in namespace else spec for spec in specs}


def _suggestion(name: str, namespace: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name, [known for known in namespace if not known.startswith("_")], n=1)
    return f"; did you mean {near[0]!r}?" if near else ". Run the cell that defines it first"
