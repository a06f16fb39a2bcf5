"""Which addresses may be connected to: those of the public internet, and no others unless the user names them.

A page or a program may name an address of this machine, of its network, or of a cloud's metadata service. The rules this file exists
to keep:

* Judged is the address that is connected to, never the name: a name may lead anywhere, and elsewhere the next time.
* An address within another one (IPv4 in IPv6) is judged by what it leads to.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable, Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Sequence[str]]
"""A host and a port to its addresses."""

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_SHUT = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # RFC 6890, with the metadata service of Oracle's cloud; older Pythons find most of it global
            "192.88.99.0/24",  # relays of 6to4, RFC 7526
            "168.63.129.16/32",  # Azure's own service, which answers its machines alone
            "fec0::/10",  # site-local, RFC 3879
            "3fff::/20",  # for documentation, RFC 9637
        ),
    )
)
"""Networks that Python finds global, and that lead to no host of the public internet."""


def resolve(host: str, port: int) -> list[str]:
    """Return all addresses of a host, by the system's own resolver; raises ``OSError`` where there is none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def networks(allowed: Iterable[str]) -> tuple[Network, ...]:
    """Networks that are allowed although they are private: ``"127.0.0.1"``, ``"10.1.0.0/16"``; raises ``ValueError``."""
    return tuple(ipaddress.ip_network(text, strict=False) for text in allowed)


def check(address: str, allowed: Sequence[Network] = ()) -> str:
    """Return the address, if it may be connected to.

    Raises:
        PermissionError: it is private, of this machine, or of no host.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = _inner(found)
    if any(inner in network for network in allowed if network.version == inner.version):
        return address
    if any(inner in network for network in _SHUT if network.version == inner.version):
        raise PermissionError(f"{address} is an address of this machine or of a private network")
    if not inner.is_global or inner.is_multicast or inner.is_reserved or inner.is_unspecified:
        raise PermissionError(f"{address} is an address of this machine or of a private network")
    return address


def _inner(address: Address) -> Address:
    """Return the IPv4 address within an IPv6 address, or the address itself."""
    if not isinstance(address, ipaddress.IPv6Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
