"""What the policy leaves of an agent's description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from smolcell.approval.policy import current
from smolcell.core.redaction import redact
from smolcell.core.spec import NAMES, AgentSpec, flag_of
from smolcell.errors import SetupError
from smolcell.machine.environment import is_installed
from smolcell.worker.guard.tables import DATA_IMPORTS


def within_policy(settings: AgentSpec, chosen: Mapping[str, str]) -> AgentSpec:
    """Return the settings, narrowed to the policy. ``chosen``: the place of each setting that a person asked for now.

    Raises:
        SetupError: one of these exceeds the policy.
    """
    policy, narrowed = current(), {}
    for name in NAMES:
        value = getattr(settings, name)
        allowed, lock = policy.narrow(name, value)
        if lock is None:
            continue
        if name in chosen and value not in (None, "auto" if name == "python" else None) and name != "output_checks":
            raise SetupError(
                f"{flag_of(name)} in {chosen[name]} is {redact(str(value))}, and the policy allows {allowed} at most: {lock}. "
                "See: %agent policy"
            )
        narrowed[name] = allowed
    return replace(settings, **narrowed)


def check_allowed(settings: AgentSpec) -> None:
    """Check the sandbox, the model and the imports of a task against the policy.

    Raises:
        SetupError: one is not allowed; the message names the file and line of the policy.
    """
    policy = current()
    policy.check("sandboxes", [settings.sandbox], "--sandbox {} is not allowed")
    models = [name.strip() for name in (settings.model or "").split(",") if name.strip()]
    policy.check("models", models, "--model {} is not allowed")
    policy.check("imports", settings.imports, "--imports {} is not allowed")
    policy.check("hosts", settings.allow_hosts, "--allow-host {} is not allowed")


def level_and_imports(settings: AgentSpec) -> dict[str, Any]:
    """Return the level of Python and the imports of these settings. Installed data libraries are added to the imports."""
    allows = current().allows
    installed = (name for name in DATA_IMPORTS if is_installed(name.removesuffix(".*")) and allows("imports", name))
    level = "guarded" if settings.imports and settings.python == "auto" else settings.python
    return {"imports": tuple(dict.fromkeys([*installed, *settings.imports])), "python": level}


def as_allowed(settings: AgentSpec) -> AgentSpec:
    """Return the settings, narrowed to the policy, for code that runs elsewhere.

    Raises:
        SetupError: the policy does not allow their model, sandbox or imports.
    """
    check_allowed(settings)
    return within_policy(settings, {})
