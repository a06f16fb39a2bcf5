"""Packages for one agent's sandbox: missing packages of a step are offered, looked up and installed.

* The index is contacted only after a person chose to look up, typed ``%agent install``, or set ``installs=auto``.
* Only packages that were looked up, and shown if a person is asked, are installed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from smolcell.approval.grants import SAID, Grants
from smolcell.core import packages as core
from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.events import Allowed, GrantScope, Installed, Offer, Proposed, Refused, sha256
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.packages import Plan, SessionPackages, Site

_NO_DISTRIBUTION = (
    "{} is not installed. If a package provides it, write %pip install DISTRIBUTION, with the name it has in the package index, on a "
    "line of its own; the user decides. Otherwise do it without"
)
_FAILURES = (SetupError, SandboxError, OSError)
_DECLINED = "{} is not installed, and will not be: do it without"


class Owner(Protocol):
    """The agent whose sandbox gets the packages."""

    @property
    def executor(self) -> Any: ...

    @property
    def given_files(self) -> set[str]: ...

    @property
    def grants(self) -> Grants: ...

    def authorize_imports(self, names: Iterable[str]) -> None: ...


class Installs:
    """The packages of an agent's session.

    Args:
        owner: the agent.

    Attributes:
        packages: the installed ones, and their folder.
        mode: "ask", "auto" or "never".
        say: called with progress texts, on the event loop.
    """

    def __init__(self, owner: Owner) -> None:
        self.packages = SessionPackages()
        self.mode = "ask"
        self.say: Callable[[str], object] = lambda said: None
        self._owner = owner
        self._news: list[Installed] = []

    def take_over(self, other: Installs) -> None:
        """Take the packages of an agent whose sandbox is of the same kind. That agent has none afterwards."""
        self.packages, other.packages = other.packages, self.packages
        self._news += other._news
        executor: Any = self._owner.executor
        executor.packages = self.packages

    def news(self, run: str, step: int) -> list[Installed]:
        """Return the installs since the last call, as events of this step."""
        news, self._news = self._news, []
        return [replace(event, run=run, step=step) for event in news]

    async def install(self, words: Sequence[str]) -> Plan:
        """Look packages up and install them, also in a running sandbox. Returns the installed packages.

        Args:
            words: requirements, such as ``"seaborn>=0.13"``. Packages that the sandbox already has are not changed.

        Raises:
            SetupError: a requirement has no plain form, or a package cannot be found or installed.
            CapabilityError: no packages can be installed in this sandbox.
        """
        try:
            requirements = core.requirements(words)
        except core.RequirementError as error:
            raise SetupError(str(error)) from None
        executor = self._owner.executor
        if not isinstance(executor, WorkerExecutor):
            raise CapabilityError(f"the sandbox {executor.name!r} takes no packages")
        if executor.name != "local":
            await executor.open()
        site = await asyncio.to_thread(executor.site)
        plan = await self._look_up(requirements, site)
        await self._add(plan, site)
        return plan

    async def _look_up(self, wanted: Sequence[str], site: Site) -> Plan:
        self.say(f"looking up {', '.join(wanted)} …")
        return await self.packages.look_up(wanted, site)

    async def _add(self, plan: Plan, site: Site) -> None:
        if not plan.found:
            return
        self.say(f"installing {', '.join(package.name for package in plan.packages)} …")
        modules = await self.packages.install(plan, site)
        executor: Any = self._owner.executor
        await asyncio.to_thread(executor.take_packages)
        if executor.python == "guarded":
            self._owner.authorize_imports([f"{name}.*" for name in modules])
            for name in modules:
                self._owner.grants.give("module", f"{name}.*", "session")
        self._news.append(Installed(run="", step=0, packages=plan.packages, index=plan.index))

    # --- missing packages --------------------------------------------------------------------------------------------

    def _find_missing(self, text: str) -> tuple[core.Needs, Site | None]:
        """Return the imports of a program that are neither in the sandbox nor in its work folder. Blocks."""
        executor = self._owner.executor
        if self.mode == "never" or not isinstance(executor, WorkerExecutor):
            return core.Needs(), None
        if core.needs(text, sys.stdlib_module_names.__contains__, lambda name: False) == core.Needs():
            return core.Needs(), None  # the sandbox decides by itself
        try:
            site = executor.site()
        except (CapabilityError, SandboxError):
            return core.Needs(), None
        files: list[str] = []

        def is_file(name: str) -> bool:
            if not files:
                files.extend(("", *self._owner.given_files, *(file.name for file in executor.files())))
            return any(file == f"{name}.py" or file.startswith(f"{name}/") for file in files)

        lacking = core.needs(
            text,
            lambda name: site.has_module(name) or self.packages.has_module(name) or is_file(name),
            lambda name: self.packages.has_distribution(name) or name in site.versions,
        )
        return lacking, site

    def offers(
        self, proposed: Proposed, others: tuple[Offer, ...], after: Callable[[], tuple[Offer, ...]]
    ) -> tuple[Offer, ...]:
        """Offer to look up the packages that a program needs, and then to install them. Blocks.

        Args:
            proposed: the program.
            others: the other offers.
            after: returns the offers after the installation; without any, the program runs then.
        """
        lacking, site = self._find_missing(proposed.text)
        if lacking.why or lacking.unknown:
            packages = lacking.why or _NO_DISTRIBUTION.format(", ".join(lacking.unknown))
            return (Offer(id="send back", label="Send back with hint", choice="refuse", comment=packages),)
        if site is None or not lacking.requirements or self.mode == "auto" or self._pin(lacking.requirements):
            return ()
        requirements, packages = lacking.requirements, ", ".join(lacking.requirements)
        back = Offer(
            id="no install",
            label="Send back: do without",
            choice="refuse",
            comment=_DECLINED.format(packages),
        )

        def failed(error: Exception) -> Proposed:
            return replace(proposed, why=f"{packages} cannot be installed: {error}", offers=(back, *others))

        async def look_up() -> Proposed:
            try:
                plan = await self._look_up(requirements, site)
            except _FAILURES as error:
                return failed(error)
            names = ", ".join(f"{package.name} {package.version}" for package in plan.packages)
            label = f"Approve and install {names if len(names) < 100 else f'{len(plan.found)} packages'}"
            chosen = (
                Offer(
                    id=f"install{' notebook' * (scope == 'notebook')} {sha256(str(plan.packages))}",
                    label=label if scope == "session" else f"{label} (always in {SAID[scope]})",
                    act=partial(install, plan, scope),
                    done=f"{names} installed",
                )
                for scope in self._owner.grants.scopes[2:]
            )
            return replace(proposed, why=str(plan), offers=(*chosen, back, *others))

        async def install(plan: Plan, scope: GrantScope) -> Proposed | None:
            try:
                await self._add(plan, site)
                for package in plan.packages:
                    self._owner.grants.give("package", f"{package.name}=={package.version}", scope)
            except _FAILURES as error:
                return failed(error)
            left = await asyncio.to_thread(after)
            return replace(proposed, offers=left) if left else None

        look = Offer(
            id=f"look up {packages}"[:300], label=f"Look up {packages}", choice="refuse", act=look_up, asks=True
        )
        return look, back

    def _granted_versions(self) -> dict[str, str]:
        """Return the packages granted for this notebook: canonical name → ``name==version``."""
        return {core.name_of(each): each for each in self._owner.grants.names("package", "notebook")}

    def _pin(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """Return these requirements at the granted versions; empty if one was not granted."""
        versions = self._granted_versions()
        pinned = [versions.get(core.name_of(each), "") for each in requirements]
        return tuple(pinned) if all(pinned) and self.mode != "never" else ()

    def _check_granted(self, plan: Plan) -> None:
        """Raise ``SetupError`` if the plan has a package that was not granted."""
        found = set(self._granted_versions().values())
        other = [each for each in plan.packages if f"{each.name}=={each.version}" not in found]
        if other:
            versions = ", ".join(f"{each.name} {each.version}" for each in other)
            names = " ".join(each.name for each in other)
            raise SetupError(
                f"it also needs {versions}, which the user has not allowed; the user types: %agent install {names}"
            )

    async def before_run(self, decision: Allowed) -> Allowed | Refused:
        """Install the missing packages of an approved program, if ``installs=auto`` or they were granted for the notebook.

        If that fails, the model reads the reason instead.
        """
        if decision.kind != "code" or not (self.mode == "auto" or self._granted_versions()):
            return decision
        lacking, site = await asyncio.to_thread(self._find_missing, decision.text)
        requirements = lacking.requirements if self.mode == "auto" else self._pin(lacking.requirements)
        try:
            if lacking.why and self.mode == "auto":
                raise SetupError(lacking.why)
            if site is not None and requirements:
                plan = await self._look_up(requirements, site)
                if self.mode != "auto":
                    self._check_granted(plan)
                await self._add(plan, site)
        except _FAILURES as error:
            problem = f"{', '.join(lacking.requirements)} cannot be installed: {error}".removeprefix(" ")
            return Refused(run=decision.run, step=decision.step, reason=problem, by="policy", then="continue")
        return decision
