"""``smolcell demo``: one command from nothing to a notebook that answers, and nothing left behind."""

from __future__ import annotations

import signal
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from demos import Demo
from examples import quick
from leftovers import alive, command
from processes import eventually

from smolcell.cli import main
from smolcell.cli import serve as demo_module
from smolcell.cli.serve import FIRST, TOUR, Lab, ended_by_signals, free_port, open_browser, parts, prepare
from smolcell.errors import SetupError
from smolcell.worker.system.processes import find_tree

needs_lab = pytest.mark.skipif(find_spec("jupyterlab") is None, reason="needs JupyterLab: pip install 'smolcell[lab]'")


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    begun = Demo(tmp_path)
    yield begun
    if begun.process.poll() is None:
        begun.end(signal.SIGTERM)


@needs_lab
@pytest.mark.kernels
@pytest.mark.parametrize("number", quick([signal.SIGTERM, signal.SIGINT, signal.SIGHUP], signal.SIGINT))
def test_the_demo_serves_its_notebook_and_leaves_nothing(demo: Demo, tmp_path: Path, number: int) -> None:
    assert urlsplit(demo.address).path == f"/lab/tree/{FIRST}"
    with urllib.request.urlopen(demo.address, timeout=60) as answer:
        assert (answer.status, b"jupyter-config-data" in answer.read()) == (200, True)
    with pytest.raises(urllib.error.HTTPError) as refused:  # without the token
        urllib.request.urlopen(f"http://{urlsplit(demo.address).netloc}/api/contents", timeout=60)
    refused.value.close()
    assert refused.value.code == 403
    served = demo.get(f"/api/contents/{FIRST}?type=file&format=text")["content"]
    assert served == parts()[FIRST].read_text(encoding="utf-8")
    kernel = demo.get("/api/kernels", {"name": "python3"})
    assert demo.get(f"/api/kernels/{kernel['id']}")["id"] == kernel["id"]
    processes = {demo.process.pid, *find_tree(demo.process.pid)}
    assert len(processes) >= 3  # the command, the server, the kernel
    assert not [pid for pid in processes if any(demo.token in word for word in command(pid))]

    assert demo.end(number) == 0
    assert eventually(lambda: not any(map(alive, processes)))
    assert f"The notebook, its table and its recorded model are in {tmp_path / 'smolcell-demo'}" in demo.said
    assert list(tmp_path.glob("smolcell-demo*")) == [tmp_path / "smolcell-demo"]


# --- the folder --------------------------------------------------------------------------------------------------------


def test_an_unchanged_folder_is_used_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = prepare(parts(), tmp_path / "d")
    assert prepare(parts(), tmp_path / "d") == first == tmp_path / "d"
    copied = {path.relative_to(first).as_posix(): path.read_bytes() for path in first.rglob("*") if path.is_file()}
    assert copied == {name: path.read_bytes() for name, path in parts().items()}
    assert {FIRST, TOUR, "docs/img/first-cell.png"} <= copied.keys()
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"{first} (from before, unchanged)")


def test_a_changed_file_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in ("", "-2"):
        (prepare(parts(), tmp_path / "d").with_name(f"d{number}") / FIRST).write_text("mine")
    assert prepare(parts(), tmp_path / "d") == tmp_path / "d-3"
    assert [(tmp_path / name / FIRST).read_text() for name in ("d", "d-2")] == ["mine", "mine"]
    assert f"{tmp_path / 'd'} has files that you changed; they are kept." in capsys.readouterr().out


def test_a_missing_file_is_put_back(tmp_path: Path) -> None:
    folder = prepare(parts(), tmp_path / "d")
    (folder / FIRST).unlink()
    assert prepare(parts(), tmp_path / "d") == folder
    assert (folder / FIRST).read_bytes() == parts()[FIRST].read_bytes()


def test_a_file_in_the_place_of_the_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "d").write_text("mine")
    assert prepare(parts(), tmp_path / "d") == tmp_path / "d-2"
    assert (tmp_path / "d").read_text() == "mine"


def test_a_place_where_no_folder_can_be_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SetupError, match=r"cannot be written: .*; name another with: smolcell demo --folder PATH"):
        prepare(parts(), tmp_path / "file" / "below" / "d")
    monkeypatch.setattr(demo_module, "_differs", lambda ours, theirs: True)
    with pytest.raises(SetupError, match=r"it and 99 numbered ones beside it have changed files; name another"):
        prepare(parts(), tmp_path / "d")


# --- what can be wrong -------------------------------------------------------------------------------------------------


def test_a_missing_library_ends_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo_module, "NEEDED", ("json", "no_such_library"))
    assert main(["demo", "--no-browser"]) == 1
    assert capsys.readouterr().err == (
        "smolcell: the demo needs no_such_library, which this environment lacks; "
        f"install with: {sys.executable} -m pip install 'smolcell[lab,data]'\n"
    )


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SetupError, match=f"port {port} cannot be used: .*; leave --port out for a free one"):
            free_port(port)


@pytest.mark.parametrize("port", ["x", "-1", "65536"])
def test_a_port_that_is_none_is_named(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["demo", f"--port={port}"])
    assert ended.value.code == 2
    assert f"a port is a number from 0 (any free one) to 65535, not '{port}'" in capsys.readouterr().err


def test_a_server_that_ends_at_once_shows_the_end_of_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lab, "_command", lambda lab: [sys.executable, "-c", "print('no room'); raise SystemExit(3)"])
    with Lab(tmp_path, tmp_path) as lab, pytest.raises(SetupError, match=r"exit status 3\).*\n    no room"):
        lab.start()


@pytest.mark.slow
def test_a_server_that_does_not_end_is_killed_with_all_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smolcell.cli.serve.END_SECONDS", 0.5)
    monkeypatch.setattr(Lab, "_answers", lambda lab: (tmp_path / "ready").exists())
    code = (
        "import pathlib, signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True);"
        f"pathlib.Path({str(tmp_path / 'ready')!r}).touch(); time.sleep(60)"
    )
    monkeypatch.setattr(Lab, "_command", lambda lab: [sys.executable, "-c", code])
    lab = Lab(tmp_path, tmp_path)
    lab.start()
    assert lab._process is not None
    processes = find_tree(lab._process.pid)
    assert len(processes) == 2
    lab.close()
    lab.close()
    assert eventually(lambda: not any(map(alive, processes)))


def test_signals_end_the_block_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)
    cleaned = False
    with pytest.raises(KeyboardInterrupt), ended_by_signals():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
            cleaned = True
    assert (cleaned, signal.getsignal(signal.SIGTERM)) == (True, before)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_no_browser_takes_the_terminal_over(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert open_browser("http://127.0.0.1:1/") is False
