"""A stand-in for ``kubectl`` and a cluster: a pod's first container is a process of this machine, attached to as by the real one.

``STATE`` is the folder of what there is; a file ``refuse`` in it is what the cluster says to the next ``create``.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from smolcell.worker.system import processes

STATE = Path(os.environ.get("KUBECTL_STAND_IN", "/nonexistent"))


def create() -> None:
    """Start a pod, as the manifest on stdin says."""
    manifest = json.load(sys.stdin)
    refused = STATE / "refuse"
    if refused.exists():
        sys.exit(f"Error from server (Forbidden): {refused.read_text()}")
    (STATE / f"{manifest['metadata']['name']}.json").write_text(json.dumps(manifest))
    subprocess.Popen(
        [sys.executable, __file__, "be-a-pod", manifest["metadata"]["name"]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def be_a_pod(name: str) -> None:
    """Run the container, with its stdin and stdout on a socket that is attached to once (``stdinOnce``)."""
    (STATE / f"{name}.pid").write_text(str(os.getpid()))
    (container,) = json.loads((STATE / f"{name}.json").read_text())["spec"]["containers"]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0{name}")  # no file: the path of one may not be long
    listener.listen()
    (STATE / f"{name}.ready").touch()
    environ = {each["name"]: each["value"] for each in container["env"]}
    python = [sys.executable, *container["command"][1:]]
    worker = subprocess.Popen(
        python, env={"PATH": os.defpath, **environ}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    attached, _ = listener.accept()
    threading.Thread(target=pump, args=(attached.recv, worker.stdin.write, worker.stdin.close), daemon=True).start()
    pump(lambda size: os.read(worker.stdout.fileno(), size), attached.sendall, attached.close)
    remove(name)


def pump(read: Any, write: Any, close: Any) -> None:
    """Carry bytes until one side ends."""
    try:
        while data := read(1 << 16):
            view = memoryview(data)
            while view:
                view = view[write(view) or len(view) :]
    except OSError:
        pass
    close()


def attach(name: str) -> None:
    """Be the container's stdin and stdout."""
    door = socket.socket(socket.AF_UNIX)
    door.connect(f"\0{name}")

    def end() -> None:
        door.shutdown(socket.SHUT_WR)

    threading.Thread(target=pump, args=(lambda size: os.read(0, size), door.sendall, end), daemon=True).start()
    pump(door.recv, lambda data: os.write(1, data), lambda: None)


def wait(name: str) -> None:
    """Until the pod is ready."""
    end = time.monotonic() + 60
    while not (STATE / f"{name}.ready").exists():
        if time.monotonic() > end:
            sys.exit(f"error: timed out waiting for the condition on pods/{name}")
        time.sleep(0.01)


def delete(name: str) -> None:
    """End the pod."""
    pid = STATE / f"{name}.pid"
    if pid.exists():
        processes.kill_tree(int(pid.read_text()))
    remove(name)


def remove(name: str) -> None:
    """Forget a pod, its folders first."""
    for folder in (f"/tmp/{name}", f"/tmp/{name}-cache"):
        shutil.rmtree(folder, ignore_errors=True)
    for file in (f"{name}.pid", f"{name}.ready", f"{name}.json"):
        (STATE / file).unlink(missing_ok=True)


def main(verb: str, *words: str) -> None:
    """One command of kubectl's, as the example types them."""
    names = [word.removeprefix("pod/") for word in words if "smolcell-" in word]
    if verb == "create":
        create()
    elif verb == "get":
        sys.stdout.write((STATE / f"{names[0]}.json").read_text())
    else:
        {"be-a-pod": be_a_pod, "attach": attach, "wait": wait, "delete": delete}[verb](*names)


if __name__ == "__main__":
    main(*sys.argv[1:])
