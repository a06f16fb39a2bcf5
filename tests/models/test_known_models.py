"""Models for this machine: ``smolcell models``, ``smolcell models get``, and which model ``local`` is. A stand-in is the Hub."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from commands import smolcell_here
from dialects import items
from hub import COMMIT, Hub, hub
from processes import PATIENCE
from stand_in_log import Log

from smolcell.errors import SetupError
from smolcell.models import create_model
from smolcell.models.llamacpp import LlamaCppModel
from smolcell.models.local import KNOWN, Gguf, free_memory

LARGE, SMALL = b"GGUF\n" + b"Hello.\n" * 200_000, b"GGUF\nHi.\n<end>\n"
TERABYTE = 2**40


def gguf(name: str, data: bytes) -> Gguf:
    return Gguf(name, f"owner/{name}-GGUF", f"{name}-q4.gguf", hashlib.sha256(data).hexdigest(), len(data))


FILES = (gguf("coder-large", LARGE), gguf("coder-small", SMALL))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """The Hub has two known files; the cache is empty, and no other server answers on this machine."""
    monkeypatch.setattr("smolcell.models.local.KNOWN", FILES)
    monkeypatch.setattr("smolcell.cli.models.KNOWN", FILES)
    monkeypatch.setattr("smolcell.cli.models.local_models", dict)
    monkeypatch.setattr("smolcell.cli.models.is_installed", lambda name: True)
    monkeypatch.setattr("smolcell.models.local.first_local_model", str)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", "/nowhere")
    with hub({FILES[0].file: LARGE, FILES[1].file: SMALL}) as server:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", server.url)
        address = server.url + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", address)
        yield server


def get(name: str) -> tuple[int, str, str]:
    done = smolcell_here("models", "get", name)
    return done.returncode, done.stdout, done.stderr


def test_the_known_files_are_the_measured_ones_the_largest_first() -> None:
    sizes = [(known.name, known.size, known.sha256[:8]) for known in KNOWN]
    assert sizes == [("qwen2.5-coder-1.5b", 1_117_320_768, "cc324af0"), ("qwen2.5-coder-0.5b", 491_400_064, "1d961463")]
    assert KNOWN[0].model == ("llamacpp/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF:qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")


# --- smolcell models -----------------------------------------------------------------------------------------------------


def test_what_can_be_fetched_is_listed_and_then_what_is_here(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    assert smolcell_here("models").stdout.splitlines() == [
        "On this machine:",
        "  none",
        "Can be fetched:",
        "  coder-large              0.0 GB  smolcell models get coder-large",
        "  coder-small              0.0 GB  smolcell models get coder-small",
    ]
    get("coder-small")
    monkeypatch.setattr("smolcell.cli.models.local_models", lambda: {"ollama": ["a", "b"]})
    assert smolcell_here("models").stdout.splitlines() == [
        "On this machine:",
        "  coder-small              0.0 GB  -m local, or -m llamacpp/owner/coder-small-GGUF:coder-small-q4.gguf",
        "  ollama/a                 served  -m ollama/a",
        "  ollama/b                 served  -m ollama/b",
        "Can be fetched:",
        "  coder-large              0.0 GB  smolcell models get coder-large",
    ]
    get("coder-large")
    assert "Can be fetched:" not in smolcell_here("models").stdout


# --- smolcell models get -------------------------------------------------------------------------------------------------


def test_a_model_is_fetched_with_its_progress_shown(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TQDM_POSITION", "-1")  # as at a terminal
    status, said, shown = get("Coder-Large")
    assert (status, FILES[0].path) == (
        0,
        tmp_path / "models--owner--coder-large-GGUF/snapshots" / COMMIT / FILES[0].file,
    )
    assert FILES[0].path.read_bytes() == LARGE
    assert said.splitlines() == [
        f"coder-large (0.0 GB) is in {FILES[0].path.parent}",
        'next: smolcell run -m local "How many primes are there below 100?"',
    ]
    assert "100%" in shown and "1.40M/1.40M" in shown


def test_a_model_that_is_here_is_not_fetched_again(server: Hub) -> None:
    first = get("coder-small")
    assert (get("coder-small"), server.fetched) == (first, [FILES[1].file])


def test_after_a_lost_connection_the_fetch_goes_on_where_it_was(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", 65536)  # 10 MB otherwise
    server.cuts = [1_000_000]
    assert get("coder-large")[0] == 0
    assert FILES[0].path is not None
    assert FILES[0].path.read_bytes() == LARGE
    assert len(server.begins) == 2 and 0 < server.begins[1] <= 1_000_000


COMMAND = """
import sys
from smolcell.cli import main, models
from smolcell.models import local

name, sha256, size = sys.argv[1:]
local.KNOWN = models.KNOWN = (local.Gguf(name, f"owner/{name}-GGUF", f"{name}-q4.gguf", sha256, int(size)),)
sys.exit(main(["models", "get", name]))
"""


def test_a_part_that_was_fetched_before_is_gone_on_with(server: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "models--owner--coder-small-GGUF" / "blobs"
    folder.mkdir(parents=True)
    (folder / f"{FILES[1].sha256}.part").write_bytes(SMALL[:5])
    assert get("coder-small")[0] == 0
    assert FILES[1].path is not None
    assert (FILES[1].path.read_bytes(), server.begins) == (SMALL, [5])


@pytest.mark.slow
def test_run_again_after_an_interrupt_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    """As its help says."""
    data = b"GGUF\n" * 6_000_000  # 30 MB: the Hub's library writes each 10 MB
    known = gguf("coder", data)
    command = [sys.executable, "-c", COMMAND, known.name, known.sha256, str(known.size)]
    with hub({known.file: data}) as server:
        env = {**os.environ, "HF_ENDPOINT": server.url, "HF_HOME": str(tmp_path), "HF_HUB_DISABLE_XET": "1"}
        server.cuts = [25_000_000]
        server.stalled.clear()
        with subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL) as getting:
            assert server.stalled.wait(PATIENCE)
            time.sleep(0.3)  # what was sent is read
            getting.send_signal(signal.SIGINT)
        assert getting.returncode == 130
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert "smolcell run -m local" in done.stdout
    assert len(server.begins) == 2 and server.begins[1] >= 10_000_000


def test_another_file_is_an_error_and_is_not_kept(server: Hub, tmp_path: Path) -> None:
    server.files[FILES[1].file] = SMALL.replace(b"Hi", b"Ha")
    status, said, shown = get("coder-small")
    assert (status, said) == (1, "")
    assert "coder-small-q4.gguf of owner/coder-small-GGUF is not the known file (SHA-256 " in shown
    assert FILES[1].path is None
    assert [
        path.name for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes() == server.files[FILES[1].file]
    ] == []
    server.files[FILES[1].file] = SMALL
    assert get("coder-small")[0] == 0


@pytest.mark.parametrize(("name", "near"), [("coder-larg", "coder-large"), ("qwen", "coder-large, coder-small")])
def test_an_unknown_name_is_answered_with_the_known_ones(server: Hub, name: str, near: str) -> None:
    status, said, shown = get(name)
    assert (status, said, server.fetched) == (2, "", [])
    assert f"'{name}' is not known" in shown and near in shown


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [(404, "RepoNotFound", "was not found on the Hub"), (403, "GatedRepo", "hf auth login")],
)
def test_what_the_hub_refuses_is_an_error_with_advice(server: Hub, status: int, code: str, message: str) -> None:
    server.status, server.code = status, code
    failed = get("coder-small")
    assert (failed[:2], message in failed[2]) == ((1, ""), True)
    assert failed[2].splitlines()[-1].startswith("smolcell: coder-small ")


def test_a_full_disk_is_named_and_nothing_is_taken_for_the_file(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("huggingface_hub.file_download.http_get", full)
        status, said, shown = get("coder-large")
    assert (status, said, FILES[0].path) == (1, "", None)
    assert "No space left on device" in shown
    assert "broke off in the middle of its reply" not in shown
    assert get("coder-large")[0] == 0


# --- local -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("here", "free", "chosen"),
    [
        (("coder-large", "coder-small"), TERABYTE, 0),
        (("coder-large", "coder-small"), None, 0),
        (("coder-small",), TERABYTE, 1),
        (("coder-large", "coder-small"), len(LARGE), 1),
    ],
    ids=["the largest", "memory unknown", "the one that is here", "the largest that fits"],
)
def test_local_is_the_largest_known_file_that_fits_in_memory(
    server: Hub, here: tuple[str, ...], free: int | None, chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in here:
        get(name)
    monkeypatch.setattr("smolcell.models.local.free_memory", lambda: free)
    model = create_model("local")
    assert (type(model), model.name) == (LlamaCppModel, FILES[chosen].model)


def test_half_a_file_is_none(server: Hub) -> None:
    get("coder-small")
    assert FILES[1].path is not None
    FILES[1].path.resolve().write_bytes(SMALL[:-1])
    with pytest.raises(SetupError, match="there is no model on this machine yet"):
        create_model("local")


def test_without_a_file_local_is_a_server_on_this_machine(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.models.local.first_local_model", lambda: "ollama/qwen")
    assert create_model("local").name == "ollama/qwen"
    get("coder-small")
    monkeypatch.setattr("smolcell.models.local.free_memory", lambda: len(SMALL))
    assert create_model("local").name == "ollama/qwen"  # the file does not fit


def test_without_either_the_next_command_is_named(server: Hub) -> None:
    with pytest.raises(SetupError, match=r"^there is no model on this machine yet.*: smolcell models get coder-large$"):
        create_model("local")
    done = smolcell_here("run", "Go.", "-m", "local", "-a", "auto")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.rstrip().endswith("smolcell models get coder-large")


def test_local_runs_the_file_that_was_checked_also_when_the_hub_has_another_by_now(server: Hub, log: Log) -> None:
    get("coder-small")
    server.files[FILES[1].file], server.commit = SMALL.replace(b"Hi", b"Ha"), "f" * 40
    server.fetched.clear()
    model = create_model("local")
    assert isinstance(model, LlamaCppModel)
    with closing(model):
        assert (items(model)[-1].text, server.fetched) == ("Hi.", [])


def test_the_policy_sees_the_model_that_local_stands_for(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    get("coder-small")
    seen: list[str] = []
    monkeypatch.setattr("smolcell.models.check_allowed", seen.append)
    create_model("local")
    assert seen == [FILES[1].model]


def test_the_memory_that_is_free_is_less_than_all_of_it() -> None:
    free = free_memory()
    assert free is not None and 0 < free < TERABYTE
