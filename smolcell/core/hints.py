"""The user's line of an error: the next command to type. The model does not read it. Pure.

Names in it come from the sandbox: only plain identifiers and relative paths are repeated.
"""

from __future__ import annotations

import re

from smolcell.core.packages import DISTRIBUTIONS
from smolcell.events import Boundary, Fault

_ALL = "; for all of Python, where the walls hold, in a new sandbox: --python full"
_IMPORT = re.compile(r"Import of ([A-Za-z_][\w.]{0,100}) is not allowed\. Authorized")
_NAME = re.compile(r"name '([A-Za-z]\w{0,100})' is not defined")
_MISSING = re.compile(r"No module named '([A-Za-z_]\w{0,100})(?:\.[\w.]{1,100})?'$")
_PATH = r"(\w[\w/-]{0,100}(?:\.[\w-]{1,30}){0,4}\.\w{1,10})"
_WORK = r"(?:/(?:[\w.-]{1,100}/){1,10}work/|/sandbox/)?"  # the guard opens files by their whole path
_FILE = re.compile(
    rf"\[Errno 2\] No such file or directory: '{_WORK}{_PATH}'$|Forbidden access to file: {_PATH} lies outside"
)


def hint(fault: Fault, boundary: Boundary) -> str:
    """Return the command that may help after this error; "" if there is none.

    Args:
        fault: why the step failed.
        boundary: of the sandbox that it ran in.
    """
    limits = boundary.limits
    if fault.kind == "limit" and fault.type == "MemoryError" and "memory, MB" in limits:
        return f"To give the code more memory, in a new sandbox: --memory {2 * int(limits['memory, MB'])}"
    if fault.kind == "limit" and fault.type == "TimeoutError" and "seconds a step" in limits:
        return f"To give a step more time: --timeout {2 * limits['seconds a step']:g}"
    if fault.kind == "forbidden" and (found := _IMPORT.match(fault.message)):
        name = found[1].partition(".")[0]
        return f"To allow the import: --imports {name}.*, or for this session: %agent allow {name}{_ALL}"
    if fault.type == "ModuleNotFoundError" and (found := _MISSING.match(fault.message)):
        name = DISTRIBUTIONS.get(found[1], "")
        return f"To install the package for this session: %agent install {name or 'DISTRIBUTION'}"
    if found := _FILE.match(fault.message):
        return f"To give the code a copy of the file: -f {found[1] or found[2]}"
    if fault.type == "NameError" and (found := _NAME.match(fault.message)):
        return f"If the notebook defines it: -t {found[1]} for a function, -i {found[1]} for a value"
    if fault.kind == "forbidden" and boundary.python == "guarded":
        return f"The level is guarded{_ALL}"
    return ""
