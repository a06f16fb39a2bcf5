"""Hosts that code may connect to, and credentials that are inserted outside of its sandbox."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping

from smolcell.core.hosts import VARIABLE, Credential, Host, Hosts, read_credentials, read_host
from smolcell.core.redaction import register
from smolcell.core.text import visible
from smolcell.errors import SetupError

__all__ = ["Credential", "Host", "Hosts", "Keyring", "read_credentials"]


class Keyring:
    """The credentials of one sandbox by their names in it, with their placeholders.

    Args:
        credentials: variable in the sandbox -> credential.

    Raises:
        SetupError: a name is invalid.
    """

    def __init__(self, credentials: Mapping[str, Credential] | None = None) -> None:
        self._credentials = dict(credentials or {})
        for name, each in self._credentials.items():
            if not VARIABLE.fullmatch(name) or not isinstance(each, Credential):
                raise SetupError(
                    f"credentials= maps names of variables to Credential objects, not {visible(name[:100])!r}: "
                    'credentials={"WB_KEY": Credential(env="WB_KEY", hosts=["api.worldbank.org"])}'
                )
        self.placeholders = {name: f"smolcell-credential-{name}-{secrets.token_hex(16)}" for name in self._credentials}

    def __bool__(self) -> bool:
        return bool(self._credentials)

    def __getitem__(self, name: str) -> Credential:
        return self._credentials[name]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of all credentials, with ports."""
        return tuple(
            dict.fromkeys(str(read_host(host, 443)) for each in self._credentials.values() for host in each.hosts)
        )

    def check(self) -> None:
        """Check that every credential has a value, and register the values for redaction.

        Raises:
            SetupError: a variable is not set.
        """
        for name in self._credentials:
            self.value(name)

    def value(self, name: str) -> str:
        """Return the secret; raises SetupError if the variable is not set."""
        variable = self._credentials[name].env
        value = os.environ.get(variable, "")
        if not value or not value.isascii() or not value.isprintable() or value != value.strip():
            raise SetupError(
                f"the credential {name} has no value, or one that a header cannot contain. Type: export {variable}=…"
            )
        register(value)
        return value

    def values(self) -> tuple[bytes, ...]:
        """Return all secrets that are set."""
        values = (os.environ.get(each.env, "") for each in self._credentials.values())
        return tuple(value.encode("ascii", "ignore") for value in values if value)
