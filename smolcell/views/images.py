"""Which images of a sandbox are shown and saved: those that are what they claim to be, and not too large to be unpacked.

A small file may unpack to billions of pixels, so the size is read off the header. The twin of ``labextension/src/image.ts``, which
names the sources; ``tests/contract/images.json`` is read on both sides.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable

IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
MOST_IMAGE = 7_000_000  # characters of base64, about 5 MB
MOST_PIXELS = 40_000_000
HEADER = 400_000  # characters of base64 in which the size must stand; a JPEG may have a profile before it

_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+", re.ASCII)


def is_shown(mime: str, data: str) -> bool:
    """Whether an image may be shown; ``data`` is base64, which may have white space."""
    return image_fault(mime, data) == ""


def image_fault(mime: str, data: str) -> str:
    """Why an image is not shown, in words; "" where it is."""
    if len(data) > MOST_IMAGE:
        return "larger than 5 MB"
    if not data or not _BASE64.fullmatch(data):
        return "not base64"
    size = image_size(mime, data)
    if size is None:
        return f"not what it claims to be, {mime}"
    return f"{size[0]} by {size[1]} pixels" if size[0] * size[1] > MOST_PIXELS else ""


def image_size(mime: str, data: str) -> tuple[int, int] | None:
    """Width and height in pixels as the header has them; None where it is no such image."""
    start = re.sub(r"\s", "", data[:HEADER])
    try:
        header = base64.b64decode(start[: len(start) - len(start) % 4], validate=True)
    except (binascii.Error, ValueError):
        return None
    size = _READERS[mime](header) if mime in _READERS else None
    return size if size is not None and min(size) > 0 else None


def _png(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif(data: bytes) -> tuple[int, int] | None:
    if len(data) < 10 or data[:6] not in (b"GIF87a", b"GIF89a"):
        return None
    return _little(data, 6), _little(data, 8)


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Every frame header but those of Huffman tables, of extensions and of arithmetic coding has the size."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        else:
            at += 2 + max(int.from_bytes(data[at + 2 : at + 4], "big"), 2)
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30 or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    if data[12:16] == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return _little(data, 26) & 0x3FFF, _little(data, 28) & 0x3FFF
    if data[12:16] == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None


def _little(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


_READERS: dict[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _gif,
    "image/webp": _webp,
}
