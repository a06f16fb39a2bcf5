"""A program of the tests: an executor without its guard, in one of the situations a person may be in.

``python situation.py NAME HOME`` reads one JSON object a line ({"code": …, "timeout": …}) and answers each with what came
of it; ``python situation.py NAME HOME CHECK …`` holds the executor, with its guard, to these checks of the conformance list and
prints each one's name and state.

* ``root``: as root, with all that it may do.
* ``user``: as an ordinary user, who may make user namespaces.
* ``refused``: as an ordinary user whom every namespace is refused, as inside a container.
* ``docker``: as root without namespaces and mounts, as inside Docker.

The one who starts it is root, or an ordinary user (then the first and the last cannot be had).
"""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

ORDINARY = 64_321
REFUSED = "unshare setns mount umount2 pivot_root mount_setattr".split()


def main() -> None:
    """Become the situation, then serve."""
    name, home = sys.argv[1:3]
    if os.geteuid() == 0 and name != "root":
        let_others_read([sys.base_prefix, sys.prefix, *filter(None, sys.path)])
    Path(home).mkdir(exist_ok=True)  # after that, which may cover the folder that it lies in
    if name in ("refused", "docker"):
        refuse_namespaces()
    if os.geteuid() == 0 and name in ("user", "refused"):
        os.chown(home, ORDINARY, ORDINARY)
        os.setgroups([])
        os.setresgid(ORDINARY, ORDINARY, ORDINARY)
        os.setresuid(ORDINARY, ORDINARY, ORDINARY)
    os.environ.update(HOME=home, SMOLCELL_STATE_DIR=home)
    if sys.argv[3:]:
        conform(sys.argv[3:])
    else:
        serve()


def let_others_read(paths: list[str]) -> None:
    """In mounts of its own, open the way to what lies in folders that only root may enter."""
    from smolcell.worker.system import confine, jail, linux

    closed = {path for path in paths for parent in Path(path).resolve().parents if not parent.stat().st_mode & 1}
    if not closed:
        return
    tops = {Path(path).resolve().parts[1] for path in closed}
    found = {Path(path).resolve() for path in paths if Path(path).is_dir()}
    wanted = jail.plan_mounts(str(path) for path in found if path.parts[1:2] and path.parts[1] in tops)
    linux.call("unshare", confine.NEW_MOUNTS)
    confine._mount(None, "/", None, confine._PRIVATE | confine._RECURSIVE)
    descriptors = {path: os.open(path, os.O_PATH) for path in wanted}
    for top in {f"/{name}" for name in tops}:
        mode = stat.S_IMODE(Path(top).stat().st_mode) | 0o755  # /tmp stays a folder that everyone may write to
        confine._mount("tmpfs", top, "tmpfs", 0, f"mode={mode:o}")
    for path, descriptor in descriptors.items():
        Path(path).mkdir(parents=True)
        confine._mount(f"/proc/self/fd/{descriptor}", path, None, confine._BIND | confine._RECURSIVE)
        os.close(descriptor)


def refuse_namespaces() -> None:
    """What default Docker does."""
    from smolcell.worker.system import jail, linux

    namespaces = jail.build_rules(jail.ActiveWalls(counted=True)).checked["clone"]
    refused = dict.fromkeys(REFUSED, linux.error(1))
    linux.set_no_new_privileges()
    linux.install_filter(linux.build_filter(linux.Rules(refused, {"clone": namespaces}), linux.machine()))


def conform(only: list[str]) -> None:
    """Print what the conformance list finds here, as JSON."""
    from smolcell.executors.local import LocalPythonExecutor
    from smolcell.testing import ConformanceError, check_executor

    with LocalPythonExecutor() as executor:
        executor("1")
        boundary = executor.boundary()
    try:
        report = check_executor(LocalPythonExecutor, *only)
    except ConformanceError as error:
        report = error.report
    found = {
        "identity": os.getuid(),
        "isolated": boundary.isolated,
        "namespaces": executor.capabilities["walls"]["namespaces"],
        "states": report.states(),
        "failed": [str(outcome) for outcome in report.failed],
    }
    print(json.dumps(found))


def serve() -> None:
    """Answer requests until stdin ends."""
    from local_parts import LocalInTests

    executors: list[Any] = []
    for line in sys.stdin:
        request = json.loads(line)
        if not executors or request.get("fresh"):
            for executor in executors:
                executor.close()
            limits = {"memory": request.get("memory", 512), "disk": request.get("disk", 64)}
            executors[:] = [LocalInTests(guard=False, without=request.get("without", []), **limits)]
        executors[0].timeout = float(request.get("timeout", 60))
        print(json.dumps(outcome(executors[0], request["code"])), flush=True)
    for executor in executors:
        executor.close()


def outcome(executor: Any, code: str) -> dict[str, Any]:
    """What came of a step, as JSON."""
    from local_parts import observe

    observed = observe(executor, code)
    boundary = executor.boundary()
    error = observed.error
    return {
        "error": None if error is None else {"kind": error.kind, "type": error.type, "message": error.message},
        "stdout": observed.stdout,
        "output": observed.output,
        "state_lost": observed.state_lost,
        "isolated": boundary.isolated,
        "walls": {wall.name: wall.stands for wall in boundary.walls},
        "report": executor.capabilities["walls"],
        "folder": str(executor._channel.folder.path),
        "pid": executor._channel.pid,
        "processes": executor.capabilities["processes"],
    }


if __name__ == "__main__":
    main()
