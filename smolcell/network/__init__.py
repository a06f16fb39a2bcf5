"""Hosts that code may connect to, and credentials that are inserted outside of its sandbox."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smolcell.core.redaction import register
from smolcell.core.text import visible
from smolcell.errors import SetupError
from smolcell.network.names import Host, Hosts, read_host

__all__ = ["Credential", "Host", "Hosts", "Keyring", "read_credentials"]

_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
_NEVER = {"host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A secret in an environment variable that is sent to some hosts, in one header, and that code never sees.

    Args:
        env: the environment variable.
        hosts: hosts that receive it, over TLS only; ``NAME:PORT`` for another port than 443.
        header: the header in which the proxy replaces the placeholder by the secret.

    Raises:
        SetupError: a name is invalid.
    """

    env: str
    hosts: Sequence[str]
    header: str = "Authorization"

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.env):
            raise SetupError(f"{visible(self.env[:100])!r} is not a valid name of an environment variable")
        if not _HEADER.fullmatch(self.header) or self.header.lower() in _NEVER:
            raise SetupError(f"a credential cannot be sent in the header {visible(self.header[:100])!r}")
        hosts = (self.hosts,) if isinstance(self.hosts, str) else tuple(self.hosts)
        if not hosts or any("*" in host for host in hosts):
            raise SetupError(f"name the hosts that {self.env} is sent to, without wildcards: Credential(hosts=[…])")
        Hosts(hosts)
        object.__setattr__(self, "hosts", hosts)

    def is_for(self, host: Host) -> bool:
        """Return whether it may be sent to a host."""
        return any(read_host(each, 443) == host for each in self.hosts)


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
            if not _NAME.fullmatch(name) or not isinstance(each, Credential):
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


def read_credentials(given: Sequence[str]) -> dict[str, Credential]:
    """Parse credentials of the command line, ``NAME@HOST``; a name with several hosts is one credential.

    Raises:
        SetupError: one has another form.
    """
    hosts: dict[str, list[str]] = {}
    for text in given:
        name, at, host = text.partition("@")
        if not at or not host:
            raise SetupError(
                f"--credential takes NAME@HOST, as in WB_KEY@api.worldbank.org, not {visible(text[:200])!r}"
            )
        hosts.setdefault(name, []).append(host)
    return {name: Credential(env=name, hosts=allowed) for name, allowed in hosts.items()}
