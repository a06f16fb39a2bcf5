"""Host names in canonical form, lists of hosts that code may connect to, and which of them get a credential.

* Spellings of the same host compare equal; anything that is not a plain name or address is an error.
* A wildcard matches one whole label. No list allows all hosts.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from smolcell.core.text import visible
from smolcell.errors import SetupError

WEB = (80, 443)
"""Ports that a name without a port allows."""
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_MAX_NAME, _MAX_HOSTS = 253, 1000
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
_NEVER = {"host", "content-length", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect"}


class Host(NamedTuple):
    """A host's canonical name or address, and a port; 0 if none was given."""

    name: str
    port: int = 0

    def __str__(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return f"{name}:{self.port}" if self.port else name


def is_address(name: str) -> bool:
    """Return whether a canonical name is an address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def canonical(name: str) -> str:
    """Return the canonical form of a host: lower case, punycode, without a final dot; addresses as Python writes them.

    Raises:
        ValueError: it is neither a name nor an address in its usual form.
    """
    if name.startswith("[") and name.endswith("]"):
        address = ipaddress.IPv6Address(name[1:-1])
        if address.scope_id:
            raise ValueError("an address with a zone is not supported")
        return str(address.ipv4_mapped or address)
    if not name.isascii():
        name = name.encode("idna").decode("ascii")  # UnicodeError is a ValueError
    name = name.lower()
    name = name[:-1] if name.endswith(".") else name
    labels = name.split(".")
    if len(name) > _MAX_NAME or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError("a host name has letters, digits and hyphens, such as api.example.com")
    if _NUMBER.fullmatch(labels[-1]):  # some programs take 127.1, 0x7f000001 and the like for addresses
        return str(ipaddress.IPv4Address(name))
    return name


def read_host(text: str, port: int = 0) -> Host:
    """Parse ``NAME``, ``NAME:PORT`` or ``[ADDRESS]:PORT``.

    Args:
        port: default port.

    Raises:
        ValueError: the text has another form.
    """
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:@/?#\\\s]+)(?::(\d{1,5}))?", text)
    if match is None:
        raise ValueError("not a host")
    port = int(match[2]) if match[2] else port
    if port > 65535 or (match[2] and not port):
        raise ValueError("not a port")
    return Host(canonical(match[1]), port)


def _read_rule(text: str) -> Host:
    """Parse a host of a list, whose name may have wildcards."""
    try:
        if "*" not in text:
            return read_host(f"[{text}]" if text.count(":") > 1 and "[" not in text else text)
        name, colon, port = text.partition(":")
        labels = name.split(".")
        if not all(label == "*" or "*" not in label for label in labels) or len(labels) - labels.count("*") < 2:
            raise ValueError("a wildcard must be a whole label, before at least two others")
        parts = read_host(".".join("x" if label == "*" else label for label in labels) + colon + port)
        named = iter(parts.name.split("."))
        return Host(
            ".".join(label if label == "*" else part for label, part in zip(labels, named, strict=True)), parts.port
        )
    except ValueError as error:
        every = " To allow all hosts, use network=." if text.strip() == "*" else ""
        raise SetupError(
            f"{visible(text[:200])!r} is not a host ({error}).{every} "
            "Name one as in: --allow-host api.worldbank.org, '*.data.gov', localhost:8080 or 10.0.0.5"
        ) from None


class Hosts:
    """List of hosts that code may connect to.

    Args:
        named: as written by users: ``api.worldbank.org`` (ports 80 and 443), ``api.example.org:8443``, ``*.data.gov`` (one label),
            ``localhost`` or an address (every port). A private address also allows names that resolve to it.

    Raises:
        SetupError: one is not a host.
    """

    def __init__(self, named: Iterable[str] = ()) -> None:
        given = [named] if isinstance(named, str) else list(named)
        if len(given) > _MAX_HOSTS or not all(isinstance(each, str) for each in given):
            raise SetupError(f"allow_hosts is a list of at most {_MAX_HOSTS} names")
        self.rules = tuple(dict.fromkeys(_read_rule(each.strip()) for each in given))

    def __bool__(self) -> bool:
        return bool(self.rules)

    def __str__(self) -> str:
        return ", ".join(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The hosts in canonical form."""
        return tuple(map(str, self.rules))

    def allow(self, host: Host) -> bool:
        """Return whether code may connect to a host."""
        return any(_fits(rule, host) for rule in self.rules)

    def private(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        """Return the named addresses, which may be private."""
        return tuple(ipaddress.ip_network(rule.name) for rule in self.rules if is_address(rule.name))


def _fits(rule: Host, host: Host) -> bool:
    wanted, labels = rule.name.split("."), host.name.split(".")
    if len(wanted) != len(labels) or not all(each in ("*", other) for each, other in zip(wanted, labels, strict=True)):
        return False
    if "*" in wanted and is_address(host.name):
        return False
    if rule.port:
        return host.port == rule.port
    return rule.name == "localhost" or is_address(rule.name) or host.port in WEB


def not_allowed(host: Host) -> str:
    """Return the message for a host that is not on the list, with the way to allow it."""
    named = host if host.port not in (80, 443) else host.name
    # core/hints.py matches this text
    return f"{host.name} is not allowed. Only the user can allow it: --allow-host {named}"


def no_network(hosts: Iterable[str]) -> str:
    """Return the message for code in a sandbox without a network, with the way to allow these hosts.

    Args:
        hosts: as named in a program; invalid ones are left out.
    """
    found = []
    for each in hosts:
        with suppress(ValueError):
            found.append(str(read_host(each)))
    # core/hints.py matches this text
    return f"The sandbox has no network. Only the user can allow it: --allow-host {','.join(found[:3]) or 'NAME'}"


@dataclass(slots=True, kw_only=True)
class ConnectionAttempt:
    """A connection of the code to a host, or an attempt at one that was refused."""

    host: str = ""
    port: int = 0
    sent: int = 0  # bytes from the code
    received: int = 0
    seconds: float = 0.0
    refused: str = ""  # reason; "" if it was allowed
    credentials: tuple[str, ...] = ()  # names of those that were inserted


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
        if not VARIABLE.fullmatch(self.env):
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
