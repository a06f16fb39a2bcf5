"""Grants: permissions that a person gives for one use, a run, a session, or a notebook, and can revoke.

* A grant is given by a person's click or command, never by a file that comes with a notebook: grants for a notebook are stored in the
  user's state folder, by the notebook's path.
* The policy is checked when a grant is given and each time it is used.
* Every grant and every revocation becomes an event of the run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from glob import escape
from inspect import isawaitable
from pathlib import Path
from typing import Any, get_args

from smolcell.approval.policy import ToolPattern, current
from smolcell.core.text import visible
from smolcell.errors import SetupError
from smolcell.events import Grant, Granted, GrantKind, GrantScope, Offer
from smolcell.machine.state import is_own_file, journals_folder, open_no_link, private_folder, replace_file

KINDS, SCOPES = get_args(GrantKind), get_args(GrantScope)
SAID: Mapping[str, str] = {
    "once": "once",
    "run": "this run",
    "session": "this session",
    "notebook": "this notebook",
}
_FIELDS = {"module": "imports", "host": "hosts", "package": "packages"}  # kind → the field of the policy
_MAX_FILE_BYTES, _MAX_GRANTS, _MAX_NAME = 1 << 20, 1000, 1000


@dataclass(slots=True)
class HeldGrant:
    """A grant, and when it was given.

    Args:
        grant: the permission.
        since: the date, as YYYY-MM-DD.
    """

    grant: Grant
    since: str


class Grants:
    """The grants of one session.

    Args:
        place: the notebook, by whose path its grants are stored; without a notebook there is no scope "notebook".

    Attributes:
        undo: kind → function that is called with the name of a revoked grant.
    """

    def __init__(self, place: str = "") -> None:
        self._place = place if place.endswith(".ipynb") else ""
        self._held: list[HeldGrant] = []
        self.undo: dict[GrantKind, Callable[[str], object]] = {}
        self._news: list[Granted] = []

    @property
    def scopes(self) -> tuple[GrantScope, ...]:
        """The possible scopes of a grant here."""
        return SCOPES if self._place else SCOPES[:-1]

    # --- giving and using ---------------------------------------------------------------------------------------------

    def give(self, kind: GrantKind, name: str, scope: GrantScope, *, undo: Callable[[], object] | None = None) -> Grant:
        """Store a grant that a person has just given.

        Args:
            name: the module (``pkg.*``), host, file, pattern of calls, ``package==version``, or ``credential@host``.

        Raises:
            SetupError: the policy does not allow it, or there is no notebook for it.
        """
        if scope not in self.scopes or len(name) > _MAX_NAME:
            raise SetupError(f"this cannot be granted for {SAID.get(scope, scope)}: {visible(name[:_MAX_NAME])}")
        if kind in _FIELDS:
            current().check(_FIELDS[kind], [name], f"The {kind} {{}} is not allowed")
        grant = Grant(kind=kind, name=name, scope=scope)
        known = [held.grant for held in self.held()]
        if grant not in known:
            if scope == "notebook":
                self._write([*self._stored(), HeldGrant(grant, _today())])
            else:
                self._held.append(HeldGrant(grant, _today()))
            self._news.append(Granted(run="", step=0, grants=(grant,)))
        return grant

    def held(self) -> list[HeldGrant]:
        """Return the grants in force, the notebook's first, without those that the policy does not allow any more."""
        return [held for held in (*self._stored(), *self._held) if _allowed(held.grant)]

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that were authorised for longer than one run."""
        return self.names("module", "session", "notebook")

    def names(self, kind: GrantKind, *scopes: GrantScope) -> tuple[str, ...]:
        """Return the names of the grants of a kind; of any scope if none is given."""
        held_grants = (held.grant for held in self.held())
        return tuple(
            dict.fromkeys(
                each.name for each in held_grants if each.kind == kind and (each.scope in scopes or not scopes)
            )
        )

    def use(self, kind: GrantKind, name: str) -> Grant | None:
        """Return the grant that covers this; a grant for one use is used up."""
        return self._used(held for held in self.held() if (held.grant.kind, held.grant.name) == (kind, name))

    def covers_call(self, tool: str, arguments: Mapping[str, Any]) -> Grant | None:
        """Return the grant that covers a call. A grant with arguments covers calls with exactly these arguments."""
        return self._used(
            held for held in self.held() if held.grant.kind == "tool" and _covers(held.grant.name, tool, arguments)
        )

    def _used(self, covering: Iterable[HeldGrant]) -> Grant | None:
        held = next(iter(covering), None)
        if held is not None and held.grant.scope == "once":
            self._held.remove(held)
        return None if held is None else held.grant

    def revoke(self, grant: Grant) -> None:
        """Revoke a grant, at once."""
        if grant.scope == "notebook":
            self._write([held for held in self._stored() if held.grant != grant])
        else:
            self._held = [held for held in self._held if held.grant != grant]
        if grant.kind in self.undo and grant.name not in self.names(grant.kind):
            self.undo[grant.kind](grant.name)
        self._news.append(Granted(run="", step=0, grants=(grant,), revoked=True))

    def end_run(self) -> None:
        """End the grants for the run that has ended."""
        self._held = [held for held in self._held if held.grant.scope not in ("once", "run")]

    def news(self, run: str, step: int) -> list[Granted]:
        """Return grants and revocations since the last call, as events of this step."""
        news, self._news = self._news, []
        return [replace(event, run=run, step=step) for event in news]

    # --- for a card ---------------------------------------------------------------------------------------------------

    def offers(
        self,
        kind: GrantKind,
        names: tuple[str, ...],
        label: str,
        *,
        scopes: tuple[GrantScope, ...] = SCOPES,
        act: Callable[[GrantScope], object] | None = None,
        asks: bool = False,
    ) -> tuple[Offer, ...]:
        """Return offers for a proposal: approve, and grant this, one for each possible scope.

        Args:
            names: the names to grant, each separately.
            label: the same as text: "requests", "the host example.org".
            act: called when an offer is chosen, before the grant is stored; may be a coroutine function.
            asks: ask a person even if code was approved before.
        """
        policy = current()
        if kind in _FIELDS and not all(policy.allows(_FIELDS[kind], name) for name in names):
            return ()

        def choose(scope: GrantScope) -> Callable[[], object]:
            async def give() -> None:
                done = act(scope) if act is not None else None
                if isawaitable(done):
                    await done
                for name in names:
                    self.give(kind, name, scope)

            return give

        return tuple(
            Offer(
                id=f"{scope} {label}"[:300],
                label=f"Approve and allow {label} ({SAID[scope]})",
                act=choose(scope),
                done=f"{label} allowed {'once' if scope == 'once' else f'for {SAID[scope]}'}",
                asks=asks,
            )
            for scope in scopes
            if scope in self.scopes
        )

    # --- the notebook's -----------------------------------------------------------------------------------------------

    def _file(self) -> Path:
        name = hashlib.sha256(self._place.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return private_folder(journals_folder().parent / "grants") / f"{name}.json"

    def _stored(self) -> list[HeldGrant]:
        """Return the grants stored for the notebook; none if the file is damaged or belongs to another user."""
        if not self._place:
            return []
        try:
            number = open_no_link(self._file(), os.O_RDONLY)
        except OSError:
            return []
        with os.fdopen(number, "rb") as file:
            data = file.read(_MAX_FILE_BYTES + 1) if is_own_file(os.fstat(number)) else b""
        try:
            stored = json.loads(data)
            return [_read(each) for each in stored["grants"][:_MAX_GRANTS]] if stored["notebook"] == self._place else []
        except (ValueError, TypeError, KeyError, RecursionError):
            return []

    def _write(self, kept: list[HeldGrant]) -> None:
        path = self._file()
        grants = [{"kind": each.grant.kind, "name": each.grant.name, "since": each.since} for each in kept]
        try:
            replace_file(path, json.dumps({"notebook": self._place, "grants": grants}, indent=1))
        except OSError as error:
            raise SetupError(f"the grant cannot be stored in {path.parent}: {error.strerror}") from None


def _covers(name: str, tool: str, arguments: Mapping[str, Any]) -> bool:
    pattern = ToolPattern.read(name)
    named = {argument for argument, _ in pattern.arguments}
    return pattern.matches(tool, arguments) and (not named or named >= set(arguments))


def _read(stored: Any) -> HeldGrant:
    kind, name, since = stored["kind"], stored["name"], stored["since"]
    if kind not in KINDS or not isinstance(name, str) or not isinstance(since, str) or len(name) > _MAX_NAME:
        raise ValueError("not a grant")
    if kind == "tool":
        ToolPattern.read(name)
    return HeldGrant(Grant(kind=kind, name=name, scope="notebook"), since[:10])


def _allowed(grant: Grant) -> bool:
    return grant.kind not in _FIELDS or current().allows(_FIELDS[grant.kind], grant.name)


def _today() -> str:
    return datetime.now(UTC).astimezone().date().isoformat()


def exact_call(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the pattern of exactly this call; "" if no pattern can express it."""
    plain = {name: value for name, value in arguments.items() if type(value) in (str, int, float, bool)}
    pattern = ToolPattern(tool, tuple((name, escape(str(value))) for name, value in plain.items()))
    try:
        same = len(plain) == len(arguments) and plain and ToolPattern.read(str(pattern)) == pattern
    except ValueError:
        return ""
    return str(pattern) if same and len(str(pattern)) <= _MAX_NAME else ""


def describe_grants(grants: Grants, session: str) -> str:
    """Return the list of grants as text, numbered as for ``%agent grants revoke``."""
    rows = [
        f"{number:>3}  {held.grant.kind:<10} {visible(held.grant.name)}  ({SAID[held.grant.scope]}, since {visible(held.since)})"
        for number, held in enumerate(grants.held(), 1)
    ]
    if not rows:
        return f"smolcell: nothing is granted for the session {session}"
    return "\n".join([*rows, "revoke one with: %agent grants revoke NUMBER, or all"])


def describe_reopened(grants: Grants) -> str:
    """Return a notice about the notebook's earlier grants; "" if it has none."""
    grants_held = [held for held in grants.held() if held.grant.scope == "notebook"]
    if not grants_held:
        return ""
    names = ", ".join(
        f"{held.grant.kind} {visible(held.grant.name)} (since {visible(held.since)})" for held in grants_held[:10]
    )
    more = f" and {len(grants_held) - 10} more" if len(grants_held) > 10 else ""
    return f"smolcell: granted earlier for this notebook: {names}{more}. To list and revoke them: %agent grants"
