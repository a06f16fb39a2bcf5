"""Addresses that may be connected to: those of the public internet; others only if the user names them.

A page or a program may name an address of this machine, of its network, or of a cloud's metadata service. Invariants:

* The connected address is checked, never the name: a name may resolve to any address, and to another one later.
* An address embedded in another one (IPv4 in IPv6) is checked, too.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable, Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Sequence[str]]
"""Resolves a host and port to addresses."""

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_DENIED_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # RFC 6890, with Oracle's metadata service; older Pythons treat most of it as global
            "192.88.99.0/24",  # relays of 6to4, RFC 7526
            "168.63.129.16/32",  # Azure's service for its virtual machines
            "fec0::/10",  # site-local, RFC 3879
            "3fff::/20",  # for documentation, RFC 9637
        ),
    )
)
"""Networks that Python treats as global, though they contain no host of the public internet."""


def resolve(host: str, port: int) -> list[str]:
    """Return all addresses of a host, from the system's resolver; raises ``OSError`` if it has none."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in answers))


def networks(allowed: Iterable[str]) -> tuple[Network, ...]:
    """Parse private networks that are allowed: ``"127.0.0.1"``, ``"10.1.0.0/16"``; raises ``ValueError``."""
    return tuple(ipaddress.ip_network(text, strict=False) for text in allowed)


def check(address: str, allowed: Sequence[Network] = ()) -> str:
    """Return the address if it may be connected to.

    Raises:
        PermissionError: it is private, of this machine, or not usable for a host.
    """
    parsed = ipaddress.ip_address(address.partition("%")[0])
    inner = _embedded_address(parsed)
    if any(inner in network for network in allowed if network.version == inner.version):
        return address
    if any(inner in network for network in _DENIED_NETWORKS if network.version == inner.version):
        raise PermissionError(f"{address} is an address of this machine or of a private network")
    if not inner.is_global or inner.is_multicast or inner.is_reserved or inner.is_unspecified:
        raise PermissionError(f"{address} is an address of this machine or of a private network")
    return address


def _embedded_address(address: Address) -> Address:
    """Return the IPv4 address embedded in an IPv6 address, or the address itself."""
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
