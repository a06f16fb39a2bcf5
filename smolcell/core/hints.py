"""The line that an error shows the user: the next command to type. The model does not read it. Pure.

Names in it come from the sandbox: only plain identifiers and relative paths are repeated.
"""

from __future__ import annotations

import re

from smolcell.core.packages import DISTRIBUTIONS
from smolcell.events import Boundary, Fault

_ALL = "; for all of Python, if the walls hold, in a new sandbox: --python full"
_IMPORT = re.compile(r"Import of ([A-Za-z_][\w.]{0,100}) is not allowed; authorized")
_NAME = re.compile(r"name '([A-Za-z]\w{0,100})' is not defined")
_MISSING = re.compile(r"No module named '([A-Za-z_]\w{0,100})(?:\.[\w.]{1,100})?'$")
_HOST = re.compile(r"Only the user can allow it: --allow-host ([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)(?![\w.:-])")
_PATH = r"(\w[\w/-]{0,100}(?:\.[\w-]{1,30}){0,4}\.\w{1,10})"
_WORK = r"(?:/(?:[\w.-]{1,100}/){1,10}work/|/sandbox/)?"  # the guard opens files by their absolute path
_FILE = re.compile(
    rf"\[Errno 2\] No such file or directory: '{_WORK}{_PATH}'$|Forbidden access to file: {_PATH} lies outside"
)


def hint(fault: Fault, boundary: Boundary) -> str:
    """Return the command that may help after this error; "" if there is none.

    Args:
        fault: why the step failed.
        boundary: the boundary of the sandbox that it ran in.
    """
    limits = boundary.limits
    if fault.kind == "limit" and fault.type == "MemoryError" and "memory, MB" in limits:
        return f"To give the code more memory, in a new sandbox: --memory {2 * int(limits['memory, MB'])}"
    if fault.kind == "limit" and fault.type == "TimeoutError" and "seconds a step" in limits:
        return f"To give a step more time: --timeout {2 * limits['seconds a step']:g}"
    if fault.kind == "forbidden" and (match := _IMPORT.match(fault.message)):
        name = match[1].partition(".")[0]
        return f"To allow the import: --imports {name}.*, or for this session: %agent allow {name}{_ALL}"
    if fault.type == "ModuleNotFoundError" and (match := _MISSING.match(fault.message)):
        name = DISTRIBUTIONS.get(match[1], "")
        return f"To install the package for this session: %agent install {name or 'DISTRIBUTION'}"
    if match := _FILE.match(fault.message):
        return f"To give the code a copy of the file: -f {match[1] or match[2]}"
    if fault.type == "NameError" and (match := _NAME.match(fault.message)):
        return f"If the notebook defines it: -t {match[1]} for a function, -i {match[1]} for a value"
    if match := _HOST.search(fault.message):
        return f"To let the code connect to it, which lets it send data there: --allow-host {match[1]}"
    return f"The level is guarded{_ALL}" if fault.kind == "forbidden" and boundary.python == "guarded" else ""
