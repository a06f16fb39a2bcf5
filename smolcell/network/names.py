"""Names of hosts: one spelling for each, and lists of those that code may connect to.

* Two spellings of one host compare equal, and what is no plain name or address is an error: no other form is guessed at.
* A wildcard stands for one whole label. No list allows every host.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from smolcell.errors import SetupError
from smolcell.network.addresses import Network
from smolcell.text import visible

WEB = (80, 443)
"""The ports that a name opens if none is said."""
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_MAX_NAME, _MAX_HOSTS = 253, 1000


class Host(NamedTuple):
    """A host's name or address as it is compared, and a port; 0 if none was said."""

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
    """Return the one spelling of a host: lower case, punycode, without the dot of the root; addresses as Python writes them.

    Raises:
        ValueError: it is neither a name nor an address in its usual form.
    """
    if name.startswith("[") and name.endswith("]"):
        address = ipaddress.IPv6Address(name[1:-1])
        if address.scope_id:
            raise ValueError("an address with a zone")
        return str(address.ipv4_mapped or address)
    if not name.isascii():
        name = name.encode("idna").decode("ascii")  # UnicodeError is a ValueError
    name = name.lower()
    name = name[:-1] if name.endswith(".") else name
    labels = name.split(".")
    if len(name) > _MAX_NAME or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError("no name of a host")
    if _NUMBER.fullmatch(labels[-1]):  # 127.1, 0x7f000001 and the like are addresses to some programs
        return str(ipaddress.IPv4Address(name))
    return name


def read_host(text: str, port: int = 0) -> Host:
    """Return a host and its port out of ``NAME``, ``NAME:PORT`` or ``[ADDRESS]:PORT``.

    Args:
        port: if the text says none.

    Raises:
        ValueError: it is nothing of that.
    """
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:@/?#\\\s]+)(?::(\d{1,5}))?", text)
    if found is None:
        raise ValueError("no host")
    port = int(found[2]) if found[2] else port
    if port > 65535 or (found[2] and not port):
        raise ValueError("no port")
    return Host(canonical(found[1]), port)


def _read_rule(text: str) -> Host:
    """Return a host of a list, whose name may have wildcards."""
    try:
        if "*" not in text:
            return read_host(f"[{text}]" if text.count(":") > 1 and "[" not in text else text)
        name, colon, port = text.partition(":")
        labels = name.split(".")
        if not all(label == "*" or "*" not in label for label in labels) or len(labels) - labels.count("*") < 2:
            raise ValueError("a wildcard stands for one whole label, before at least two others")
        parts = read_host(".".join("x" if label == "*" else label for label in labels) + colon + port)
        named = iter(parts.name.split("."))
        return Host(
            ".".join(label if label == "*" else part for label, part in zip(labels, named, strict=True)), parts.port
        )
    except ValueError as error:
        every = " All hosts together are network=." if text.strip() == "*" else ""
        raise SetupError(
            f"{visible(text[:200])!r} is no host ({error}).{every} "
            "Name one as in: --allow-host api.worldbank.org, '*.data.gov', localhost:8080 or 10.0.0.5"
        ) from None


class Hosts:
    """The hosts that code may connect to.

    Args:
        named: as a user writes them: ``api.worldbank.org`` (ports 80 and 443), ``api.example.org:8443``, ``*.data.gov`` (one label),
            ``localhost`` or an address (every port). An address allows names that lead to it, too, if it is a private one.

    Raises:
        SetupError: one is no host.
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
        """The hosts as they are compared."""
        return tuple(map(str, self.rules))

    def allow(self, host: Host) -> bool:
        """Return whether code may connect to a host."""
        return any(_fits(rule, host) for rule in self.rules)

    def private(self) -> tuple[Network, ...]:
        """Return the addresses that were named, which may be private ones."""
        return tuple(ipaddress.ip_network(rule.name) for rule in self.rules if is_address(rule.name))


def _fits(rule: Host, host: Host) -> bool:
    wanted, found = rule.name.split("."), host.name.split(".")
    if len(wanted) != len(found) or not all(each in ("*", other) for each, other in zip(wanted, found, strict=True)):
        return False
    if "*" in wanted and is_address(host.name):
        return False
    if rule.port:
        return host.port == rule.port
    return rule.name == "localhost" or is_address(rule.name) or host.port in WEB


def not_allowed(host: Host) -> str:
    """Why code may not connect to a host that is on no list, and the way to allow it."""
    named = host if host.port not in (80, 443) else host.name
    return f"{host.name} is not allowed. Only the user can allow it: --allow-host {named}"


def no_network(hosts: Iterable[str]) -> str:
    """Why code without any open host cannot connect, and the way to allow these.

    Args:
        hosts: as a program names them; what is no host is left out.
    """
    found = []
    for each in hosts:
        with suppress(ValueError):
            found.append(str(read_host(each)))
    return f"The sandbox has no network. Only the user can allow it: --allow-host {','.join(found[:3]) or 'NAME'}"


@dataclass(slots=True, kw_only=True)
class Connection:
    """The outcome of one connection, or of one attempt."""

    host: str = ""
    port: int = 0
    sent: int = 0  # bytes from the code
    received: int = 0
    seconds: float = 0.0
    refused: str = ""  # why it was; "" if it was not
    credentials: tuple[str, ...] = ()  # names of those that were filled in
