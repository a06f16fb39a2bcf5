"""Pages of the web read in a process of their own.

HTML is a stranger's words, and no parser of this language is made for the worst of it: a hundred thousand unclosed tags keep one busy
for hours, inside a single call that no thread and no interrupt gets past. A process can be ended.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import NamedTuple

SECONDS = 20.0  # for one page
_MEMORY = 2_000_000_000  # bytes
_PROGRAM = """
import json, sys
limits, paths = json.loads(sys.stdin.buffer.readline())
sys.path[:] = paths
try:
    import resource
    for name, most in limits.items():
        resource.setrlimit(getattr(resource, name), (most, most))
except (ImportError, AttributeError, ValueError, OSError):
    pass  # whoever started this ends it, too
from smolcell.tools.markdown import markdown, title
html = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
sys.stdout.buffer.write(json.dumps([title(html), markdown(html)]).encode("ascii"))
"""


class Read(NamedTuple):
    """A page as Markdown, and its title."""

    title: str
    text: str


def read(html: str) -> Read:
    """The page as Markdown.

    Raises:
        TimeoutError: it takes longer than any page of good will.
        ValueError: it cannot be read.
    """
    limits = {"RLIMIT_CPU": int(SECONDS) + 1, "RLIMIT_AS": _MEMORY}
    given = json.dumps([limits, sys.path]).encode("ascii") + b"\n" + html.encode("utf-8", "surrogatepass")
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _PROGRAM],
            input=given,
            capture_output=True,
            timeout=SECONDS,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"the page's HTML could not be read within {SECONDS:g} s") from None
    if done.returncode != 0:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValueError(f"the page's HTML cannot be read: {last[:200] or f'its reader ended with {done.returncode}'}")
    return Read(*json.loads(done.stdout))
