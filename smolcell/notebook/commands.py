"""The sub-commands of ``%agent``: each is a function of the magics and of the words after the command; the table at the end lists them.

A function returns the text to print, or None. It reads its words with a ``WordParser``, so that every error ends with the usage.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from smolcell.approval.contract import FILE
from smolcell.approval.contract import keep as keep_contract
from smolcell.approval.grants import describe_grants
from smolcell.approval.policy import current, explain
from smolcell.approval.spec import check_allowed
from smolcell.core.findings import is_closed
from smolcell.core.history import done, names_in_sandbox, resumable
from smolcell.core.redaction import redact
from smolcell.core.spec import NAMES, OF_SANDBOX, AgentSpec, read
from smolcell.core.text import clip, counted, visible
from smolcell.errors import SandboxError, SetupError
from smolcell.events import Asked, Boundary, Ended, File, History, Replied, Undone, to_json
from smolcell.executors import BaseExecutor, completed
from smolcell.machine.config_files import users_file
from smolcell.models import with_local_model
from smolcell.notebook.context import functions, gather, project, references, servers
from smolcell.notebook.session import Session
from smolcell.notebook.settings import check_installed, effective_settings, read_line, resolve, where_set
from smolcell.notebook.wait import supported
from smolcell.protocols import FrontEnd
from smolcell.views.fold import undone_text

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.notebook.magic import AgentMagics

_MAX_NAMES_CHARS = 1_000  # characters of lost names


class SubCommand(NamedTuple):
    """A sub-command of ``%agent``: its arguments, its help text, and its function, or ``module:name`` to import it when it is called."""

    arguments: str
    help: str
    function: Callable[[AgentMagics, str], str | None] | str


def usage(name: str) -> str:
    """Return a sub-command's arguments and help text, for errors and help."""
    command = COMMANDS[name]
    return f"{f'%agent {name} {command.arguments}'.strip()}: {command.help}"


# --- Reads the words after a command.


def split(line: str, command: str) -> list[str]:
    """Split the words after ``%agent`` and a command.

    Raises:
        SetupError: a quote is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError as error:
        raise SetupError(f"%agent {command} cannot be read: {error}. Close every quote") from None


class WordParser(argparse.ArgumentParser):
    """Reads the words after a command. Each error is a ``SetupError`` that ends with the command's usage.

    Args:
        command: the sub-command of ``%agent``.
        line: the words after it.
        session: the session if there is no ``--session NAME``; None: the command has no such option.
    """

    def __init__(self, command: str, line: str, session: str | None = None) -> None:
        super().__init__(add_help=False, allow_abbrev=False)
        self.command, self.line = command, line.strip()
        if session is not None:
            self.add_argument("--session", default=session)

    def read(self) -> tuple[argparse.Namespace, list[str]]:
        """Return the values of the options, and the other words."""
        return self.parse_known_args(split(self.line, self.command))

    def check(self, fits: bool) -> None:
        """Raise ``SetupError`` if the words have another form."""
        if not fits:
            self.error("")

    def error(self, message: str) -> NoReturn:
        why = message.removeprefix("argument ").replace(": expected one argument", " takes a value")
        raise SetupError(
            f"%agent {self.command} does not take {self.line!r}{f': {why}' if why else ''}. {usage(self.command)}"
        )


def read_words(magics: AgentMagics, command: str, line: str) -> tuple[WordParser, str, list[str]]:
    """Return the parser of a command that has no other option than ``--session``, the session's name, and the other words."""
    parser = WordParser(command, line, magics.session_name)
    given, words = parser.read()
    return parser, given.session, words


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 9


def _is_step(word: str) -> bool:
    """Return whether a word is STEP or RUN:STEP."""
    return _is_number(word.rpartition(":")[2])


# --- The settings, and the sessions.


def show_status(magics: AgentMagics, line: str) -> str:
    text = status(resolve({}, magics.config), magics.sessions.all(), where_set("model", magics.config))
    locks = [f"  {visible(lock)}" for lock in current().locks()]
    return "\n".join([text, *(["policy:", *locks] if locks else [])])


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


def configure(magics: AgentMagics, line: str) -> str | None:
    """Set settings for later cells, or list all. Nothing is changed if a word is not valid."""
    if not line:
        return _config(resolve({}, magics.config), magics.config)
    before, changed = magics.config, _read_config(line, magics.config)
    check_allowed(with_local_model(resolve({}, changed)))
    magics.config = changed
    differs = {name for name in NAMES if before.get(name) != changed.get(name)}
    for session in magics.sessions.all().values():
        if differs & {"model", "api_base"}:
            session.models.chosen = None
        for name in differs.intersection(OF_SANDBOX):
            session.options.pop(name, None)
    return None


def _read_config(line: str, configured: Mapping[str, Any]) -> dict[str, Any]:
    """Return the earlier settings with ``key=value …`` added; ``key=`` removes a setting."""
    changed = dict(configured)
    for part in split(line, "config"):
        key, equals, value = part.partition("=")
        name = key.strip().replace("-", "_")
        if name in ("key", "api_key"):
            raise SetupError("keys must not be in a notebook: set SMOLCELL_API_KEY, or the provider's own variable")
        if not equals:
            raise SetupError(f"%agent config takes key=value, not {part!r}; settings are: {', '.join(NAMES)}")
        if value or name not in NAMES:  # an unknown name is an error
            changed[name] = read(name, value, "%agent config")
        else:
            changed.pop(name, None)
    return changed


def _config(settings: AgentSpec, configured: Mapping[str, Any]) -> str:
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


def stop(magics: AgentMagics, name: str) -> str:
    chosen = [magics.sessions.known(name)] if name else magics.sessions.running()
    stopped = [session.name for session in chosen if session.stop()]
    return f"smolcell: stopping {', '.join(stopped)}" if stopped else "smolcell: nothing is running"


def reset(magics: AgentMagics, name: str) -> str:
    names = [magics.sessions.known(name).name] if name else list(magics.sessions.all())
    for each in names:
        magics.sessions.reset(each)
    return f"smolcell: ended {', '.join(names) or 'nothing: there was no session'}"


def show_log(magics: AgentMagics, name: str) -> str:
    """Return everything the session did, as plain text, and the path of its journal."""
    session = magics.sessions.known(name or "default")
    if session.agent is None or not session.agent.memory.events:
        return f"session {session.name}: nothing has happened yet"
    from smolcell.views.transcript import bundle

    events = session.agent.memory.events
    runs = dict.fromkeys(event.run for event in events)
    texts = [bundle(event for event in events if event.run == run)["text/plain"] for run in runs]
    return "\n\n".join([*texts, f"journal: {session.agent.journal.path}"])


def show_stats(magics: AgentMagics, name: str) -> str:
    """Return a table with a row for each run of the session."""
    session = magics.sessions.known(name or magics.session_name)
    if session.agent is None or not session.agent.memory.events:
        return f"session {session.name}: nothing has happened yet"
    from smolcell.core.receipt import rows, table

    memory = session.agent.memory
    return redact(table(rows(memory.events, memory.times)))


# --- What is allowed.


def allow(magics: AgentMagics, line: str) -> str:
    """Authorise modules for a session, each with its submodules; without names, list them."""
    settings = resolve({}, magics.config)
    parser = WordParser("allow", line, settings.session)
    given, words = parser.read()
    parser.check(not any(word.startswith("-") for word in words))
    names = tuple(name if name.endswith("*") else f"{name}.*" for name in read("imports", words, "%agent allow"))
    if settings.sandbox == "local":
        check_installed(names)
    for name in names:
        if is_closed(name.removesuffix(".*")):
            raise SetupError(f"{name.removesuffix('.*')} cannot be allowed: it reaches beyond the work folder")
    session = magics.sessions.brought_back(given.session) or magics.sessions.get(given.session)
    if names:
        session.allow(names)
        magics.sessions.keep(session)
    text = f"smolcell: imports allowed for the session {session.name}: {', '.join(session.allowed) or 'none'}"
    if session.agent is not None and completed(session.agent.executor).python == "full":
        return f"{text}. Its level of Python is full: the code can import every installed package"
    return text


def show_policy(magics: AgentMagics, line: str) -> str:
    """Return what is locked, and by which line; or what the policy says about something."""
    question = line.removeprefix("explain ").strip().strip("\"'")
    return visible(explain(question, current()) if question else str(current()))


def manage_grants(magics: AgentMagics, line: str) -> str:
    """List what a person allowed, or revoke it."""
    parser, of, words = read_words(magics, "grants", line)
    grants = magics.sessions.get(of).grants
    if not words:
        return describe_grants(grants, of)
    parser.check(len(words) == 2 and words[0] == "revoke" and (words[1] == "all" or _is_number(words[1])))
    number, held = words[1], grants.held()
    chosen = held if number == "all" else held[int(number) - 1 : int(number)] if int(number) else []
    if not chosen and number != "all":
        raise SetupError(f"there is no grant {number} for the session {of}; list them with: %agent grants")
    for each in chosen:
        grants.revoke(each.grant)
    listed = ", ".join(f"{each.grant.kind} {visible(each.grant.name)}" for each in chosen)
    return f"smolcell: revoked: {listed or 'nothing: nothing was granted'}"


def write_contract(magics: AgentMagics, line: str) -> str:
    """Write down what a task with these options may do; what the line does not name is as in the session's last task."""
    parser = WordParser("contract", line)
    parser.add_argument("--purpose")
    parser.add_argument("--output", default="")
    parser.add_argument("--agents-md", action="store_const", const=Path("AGENTS.md"))
    options, words = parser.read()
    given = read_line(shlex.join(words))
    session = magics.sessions.get(resolve(given.settings, magics.config).session)
    last = magics.last_options.get(session.name, given)
    measured = session.contract(
        magics.settings(session, given),
        magics.front,
        files=given.files or last.files,
        tools=functions(given.tools or last.tools, magics.shell.user_ns),
        mcp={**servers(given.mcp or last.mcp, magics.shell.user_ns), **project().servers},
        replay=given.replay,
    )
    magics.sessions.keep(session)
    path = Path(options.output or FILE).expanduser()
    return keep_contract(measured, path, options.purpose or None, options.agents_md)


# --- The sandboxes: packages, variables and files.


def install(magics: AgentMagics, line: str) -> str:
    """Install packages for a session's sandbox."""
    parser, of, words = read_words(magics, "install", line)
    parser.check(bool(words))
    session = magics.sessions.brought_back(of) or magics.sessions.get(of)
    plan = magics.wait(session.install(magics.settings(session), words))
    magics.sessions.keep(session)
    if not plan.found:
        return f"smolcell: {', '.join(plan.requirements)}: already installed, and not changed"
    return f"smolcell: installed for the session {session.name}, not for the notebook\n{plan}"


def pull(magics: AgentMagics, line: str) -> str:
    """Copy a sandbox's variables into the notebook."""
    parser, of, names = read_words(magics, "pull", line)
    parser.check(bool(names) and all(name.isidentifier() for name in names))
    session = magics.sessions.known(of)
    if session.agent is None:
        raise SetupError(f"nothing has run yet in the session {session.name!r}: its sandbox holds no variables")
    magics.shell.push(magics.wait(session.agent.pull(names)))
    return f"smolcell: copied from the sandbox: {', '.join(names)}"


def keep_files(magics: AgentMagics, line: str) -> str:
    """List the files in a sandbox's work folder, or copy one out of it."""
    parser, of, words = read_words(magics, "files", line)
    parser.check(not words or (words[0] == "keep" and 2 <= len(words) <= 3))
    agent = magics.sessions.known(of).agent
    if not words:
        return _file_table(completed(agent.executor).files() if agent is not None else (), of)
    if agent is None:
        raise SandboxError("this session's sandbox has no files to keep")
    name, target = words[1], Path(words[-1] if len(words) == 3 else Path(words[1]).name).expanduser()
    try:
        return f"smolcell: kept as {completed(agent.executor).keep_file(name, target)}"
    except FileExistsError:
        raise SetupError(
            f"{target} exists and is not overwritten; give another name: %agent files keep {shlex.quote(name)} TARGET"
        ) from None
    except OSError as error:
        raise SetupError(f"{target} cannot be written: {error.strerror}; name another TARGET") from None


def _file_table(files: Sequence[File], session: str) -> str:
    if not files:
        return f"smolcell: no files in the sandbox of session {session}. Copy some in with: %%agent -f PATH"
    width = max(len(f"{file.size:,}") for file in files)
    rows = [f"{file.size:>{width},} bytes  {file.name}" for file in files]
    return "\n".join([*rows, "keep one with: %agent files keep NAME [TARGET]"])


def list_sandboxes(magics: AgentMagics, line: str) -> str:
    """List the sandboxes of all kernels."""
    from smolcell.executors import inventory
    from smolcell.notebook import activity

    if line:
        raise SetupError("%agent sandboxes takes no words; to end those of dead kernels: !smolcell sandboxes --clean")
    sandboxes, remarks = inventory.find()
    return inventory.table(activity.with_states(sandboxes), remarks)


# --- Goes on with a conversation: from a journal, of another session, or from an earlier step.


def resume(magics: AgentMagics, line: str, **how: Any) -> None:
    """Continue a session's newest run, which ended without an answer."""
    words = split(line, "resume")
    name = words.pop(0) if words and not words[0].startswith("-") else ""
    given = read_line(shlex.join(words))
    name = name or given.settings.get("session", magics.session_name)
    back = magics.sessions.brought_back(name)
    if back is not None:
        magics.sessions.keep(back)
        magics.say(_describe_resumed(name, back.events))
    session = magics.sessions.get(name)
    if back is not None and done(session.events):
        magics.say(f"smolcell: its last run was done. Give the next task with: %%agent --session {shlex.quote(name)}")
        return
    asked = resumable(session.events, name)
    options = session.with_own(given.after(magics.last_options.get(name)))
    options.settings["session"] = name
    how["additional_args"] = gather(options.variables, (), magics.shell.user_ns)
    how |= {"files": options.files, "read_only": options.read_only, "resume": True}
    magics.begin(session, options, effective_settings(options, magics.config), asked.task, **how)


def _describe_resumed(session: str, history: History) -> str:
    """Return the notice about a restored conversation: how it ended, and the lost names."""
    tasks = sum(1 for event in history if isinstance(event, Asked) and not event.resumes)
    steps = sum(1 for event in history if isinstance(event, Replied))
    ended = next((event for event in reversed(history) if isinstance(event, Ended)), None)
    how = "it was done" if ended is None or ended.state == "success" else visible(ended.error) or ended.state
    return (
        f"smolcell: the conversation of the session {session} was restored from its journal: "
        f"{counted(tasks, 'task')}, {counted(steps, 'step')}; it ended: {how}\n{_describe_lost_names(history)}"
    )


def _describe_lost_names(history: History) -> str:
    """Return the names that were lost with the sandbox, as a text for the person."""
    names = names_in_sandbox(history)
    if not names:
        return "smolcell: its sandbox had no variables and no files, so nothing is missing"
    listed = clip(visible(", ".join(names)), _MAX_NAMES_CHARS)
    return (
        f"smolcell: lost with its sandbox: {listed}. The model is told; copy notebook variables in again with -i NAME"
    )


def fork(magics: AgentMagics, line: str) -> str:
    """Make a session with another's conversation up to a step."""
    parser, of, words = read_words(magics, "fork", line)
    parser.check(1 <= len(words) <= 2 and words[0].isdecimal() and len(words[0]) < 10)
    session = magics.sessions.brought_back(of) or magics.sessions.known(of)
    name = words[1] if len(words) > 1 and words[1] else magics.sessions.free(f"{of}-fork")
    if name in magics.sessions.all():
        raise SetupError(f"there is a session {name!r} already: name another one. {usage('fork')}")
    twin = session.fork(int(words[0]), name)
    magics.sessions.keep(twin)
    if of in magics.last_options:
        magics.last_options[name] = magics.last_options[of]
    quoted = shlex.quote(name)
    return (
        f"smolcell: the session {name} has the conversation of {of} up to step {int(words[0])}. Go on: %agent resume {quoted}"
        f" · give it another task: %%agent --session {quoted}\n{_describe_lost_names(twin.events)}"
    )


def undo(magics: AgentMagics, line: str) -> str:
    """Undo the newest steps."""
    parser, of, words = read_words(magics, "undo", line)
    parser.check(not words or (len(words) == 1 and _is_number(words[0]) and int(words[0]) > 0))
    session, agent, front = to_go_back(magics, of)
    return describe_undone(agent.undo(int(words[0]) if words else 1, front=front), session.name)


def go_to(magics: AgentMagics, line: str) -> str:
    """Undo all steps after one."""
    parser, of, words = read_words(magics, "goto", line)
    parser.check(len(words) == 1 and _is_step(words[0]))
    session, agent, front = to_go_back(magics, of)
    return describe_undone(agent.goto(words[0], front=front), session.name)


def retry(magics: AgentMagics, line: str) -> None:
    """Undo a step, and go on in another way."""
    parser = WordParser("retry", line, magics.session_name)
    parser.add_argument("--say", default="")
    given, words = parser.read()
    parser.check(len(words) == 1 and _is_step(words[0]))
    session, agent, front = to_go_back(magics, given.session)
    task, more = agent.before_retry(words[0], given.say, front=front)
    last = magics.last_options.get(session.name) or read_line("")
    options = replace(last, settings={**last.settings, "session": session.name}, new=False, background=False)
    if not more["resume"]:
        more["additional_args"] = gather(options.variables, references(task), magics.shell.user_ns)
    magics.begin(session, options, effective_settings(options, magics.config), task, **more)


def branch(magics: AgentMagics, line: str) -> None:
    """Continue with several ideas for the next step: 3, or as many as the first word says; the others are options of ``resume``."""
    first, _, rest = line.partition(" ")
    if first.isdecimal():
        WordParser("branch", first).check(len(first) == 1 and 2 <= int(first) <= 9)
        line = rest
    resume(magics, line, branch=int(first) if first.isdecimal() else 3)


def list_checkpoints(magics: AgentMagics, name: str) -> str:
    """List the steps that can be gone back to."""
    session = magics.sessions.known(name or magics.session_name)
    if session.agent is None or not session.agent.checkpoints:
        return "smolcell: there is no step to go back to yet. Write a task below %%agent"
    rows = []
    for each in session.agent.checkpoints:
        memory = "memory not known in containers" if each.memory is None else f"{each.memory:,} MB"
        why = f" ({visible(each.reason)})" if each.reason else ""
        rows.append(f"{each.run}:{each.step}  {each.how}{f', {memory}' if each.how == 'copy' else ''}{why}")
    return "\n".join([*rows, "go back to one with: %agent goto RUN:STEP"])


def to_go_back(magics: AgentMagics, name: str) -> tuple[Session, CodeAgent, FrontEnd]:
    """Return a session whose steps can be undone, its agent and its front end.

    Raises:
        SetupError: nothing ran in it, or a run is active.
    """
    session = magics.sessions.known(name)
    if session.agent is None:
        raise SetupError(f"nothing has run yet in the session {name!r}: there is no step to undo")
    if session.running:
        raise SetupError(f"the session {name!r} has an active run: stop it with: %agent stop, then go back")
    return session, session.agent, session.front(magics.settings(session), magics.front)


def describe_undone(undone: Undone, session: str) -> str:
    """Return the notice about undone steps, with the next commands."""
    name = shlex.quote(session)
    return f"smolcell: {visible(undone_text(to_json(undone)))} Go on: %agent resume {name} · or another task: %%agent --session {name}"


# --- The set-up.


def check_setup(magics: AgentMagics, line: str) -> None:
    """Check a new set-up."""
    from smolcell.notebook.doctor import Doctor, diagnose

    options, shell = read_line(line), magics.shell
    doctor = Doctor(
        effective_settings(options, magics.config),
        front=magics.front,
        ask_key=magics.ask_key,
        page=None if getattr(shell, "kernel", None) is None else supported(shell) or "",
        replay=options.replay,
        contract=options.contract,
        tools=functions(options.tools, shell.user_ns),
        mcp=servers(options.mcp, shell.user_ns),
        files=options.files,
        again=f"%agent doctor {line}".strip(),
    )
    diagnose(doctor, magics.say)


COMMANDS = {
    "status": SubCommand(
        "",
        "shows the settings, the sessions, the walls of their sandboxes, and where the journals are; %agent alone does the same",
        show_status,
    ),
    "config": SubCommand(
        "[KEY=VALUE…]",
        "sets settings for later cells; KEY= resets one; without arguments it lists all settings and names your settings file",
        configure,
    ),
    "stop": SubCommand("[SESSION]", "stops the run of a session, or all runs of the notebook", stop),
    "reset": SubCommand("[SESSION]", "ends a session, or all of the notebook, with its sandbox", reset),
    "log": SubCommand("[SESSION]", "prints everything that a session did, as text", show_log),
    "stats": SubCommand(
        "[SESSION]", "lists tokens, cost, approvals, errors and times of each run of a session", show_stats
    ),
    "allow": SubCommand(
        "NAME… [--session SESSION]",
        "lets the code of a session import modules, from now on; without names it lists those that you allowed",
        allow,
    ),
    "install": SubCommand(
        "NAME… [--session SESSION]",
        "installs packages in a session's sandbox, also while it runs; the notebook does not get them",
        install,
    ),
    "pull": SubCommand("NAME… [--session SESSION]", "copies variables of a session's sandbox into the notebook", pull),
    "files": SubCommand(
        "[keep NAME [TARGET]] [--session SESSION]",
        "lists the files in the sandbox's work folder; keep copies one of them beside the notebook",
        keep_files,
    ),
    "resume": SubCommand(
        "[SESSION] [options of %%agent]",
        "continues a run that ended by an error of the model, a stop or the step limit; -m continues with another model. After a "
        "restart of the kernel the conversation is restored from its journal",
        resume,
    ),
    "undo": SubCommand("[N] [--session SESSION]", "undoes the newest step, or the newest N", undo),
    "goto": SubCommand(
        "STEP [--session SESSION]",
        "undoes all steps after STEP of the newest run; 0 is the start of the run, RUN:STEP is a step of another run",
        go_to,
    ),
    "retry": SubCommand(
        "STEP [--say WORDS] [--session SESSION]", "undoes a step, and asks the model to do it in another way", retry
    ),
    "branch": SubCommand(
        "[K] [options of %agent resume]",
        "continues the newest run: the model proposes K programs for the next step, from 2 to 9 (default: 3), and you choose one",
        branch,
    ),
    "checkpoints": SubCommand(
        "[SESSION]",
        "lists the steps that %agent goto can return to, whether from a copy of the sandbox or by running the steps again, and the "
        "memory of each copy",
        list_checkpoints,
    ),
    "fork": SubCommand(
        "STEP [NAME] [--session SESSION]",
        "makes a session NAME with the conversation of the newest run up to that step",
        fork,
    ),
    "export": SubCommand(
        "[SESSION] [--as NAME] [--file NAME.py|NAME.ipynb] [--print]",
        "writes the approved steps of the newest run as ordinary cells below, or into a file; --print shows them; --as names the answer",
        "smolcell.notebook.export:write_export",
    ),
    "policy": SubCommand(
        "[QUESTION]",
        "shows what the policy locks, and by which line; or answers a question: %agent policy import requests",
        show_policy,
    ),
    "grants": SubCommand(
        "[revoke N|all] [--session SESSION]",
        "lists what you allowed for longer than one step (grants); revoke withdraws one, or all",
        manage_grants,
    ),
    "contract": SubCommand(
        "[options of %%agent] [--purpose TEXT] [--output FILE] [--agents-md]",
        "writes down what a task with these options may do; --agents-md also writes a section of AGENTS.md",
        write_contract,
    ),
    "map": SubCommand(
        "VARIABLE [--folder OUT] [--on ENGINE] [--task TEXT] [--job-budget LIMIT] [options of %%agent]",
        "runs the agent on every task of a variable (a list or a table); -o NAME stores the results",
        "smolcell.notebook.many:do_map",
    ),
    "approvals": SubCommand(
        "[FOLDER]",
        "shows the waiting proposals of a job, and continues the runs that you answer",
        "smolcell.notebook.many:answer_approvals",
    ),
    "sandboxes": SubCommand(
        "",
        "lists the sandboxes of all kernels: activity, image, age, memory, processor time, owner, walls",
        list_sandboxes,
    ),
    "mcp": SubCommand(
        "[options of %%agent]",
        "lets another agent use a session over MCP, until you interrupt the cell",
        "smolcell.notebook.many:serve_mcp",
    ),
    "doctor": SubCommand(
        "[options of %%agent]",
        "tries everything that a run needs, one after the other, and says what to type if something does not work",
        check_setup,
    ),
}
"""The sub-commands of ``%agent``, for the magic, its help and the reference. A new one is a row."""
