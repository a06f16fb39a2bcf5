"""Sandboxes of others: registered by an installed package, and the one of the documentation, over a stand-in for its cluster."""

from __future__ import annotations

import importlib
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import eventually

from smolcell import CodeAgent, run_inside
from smolcell.approval.gates import allow_all
from smolcell.errors import SandboxError, SetupError
from smolcell.executors import create_executor, executor_names
from smolcell.models.scripted import ScriptedModel
from smolcell.testing import check_executor

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "executors.md").read_text(encoding="utf-8")
SOME = (
    "last_expression", "tool_arguments", "permit_is_spent", "boundary", "closing_while_running", "nothing_is_left", "host_dies",
)  # fmt: skip
"""Of the conformance list, what the example's own lines could break."""
MAJOR = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def install(folder: Path, name: str, entries: str) -> None:
    """Lay out an installed distribution, as pip leaves one."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entries)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages that this process finds."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.fixture
def cluster(tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The page's package, installed, and a cluster for it."""
    files = dict(MAJOR.findall(PAGE))
    (group,) = tomllib.loads(files["entry_points.txt"])["project"]["entry-points"].items()
    entries = "".join(f"{name} = {path}\n" for name, path in group[1].items())
    install(site, "smolcell_kubernetes", f"[{group[0]}]\n{entries}")
    (site / "smolcell_kubernetes.py").write_text(files["smolcell_kubernetes.py"], encoding="utf-8")
    state, programs = tmp_path / "cluster", tmp_path / "bin"
    state.mkdir()
    programs.mkdir()
    stand_in = Path(__file__).with_name("kubectl_stand_in.py")
    (programs / "kubectl").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{stand_in}" "$@"\n')
    (programs / "kubectl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("KUBECTL_STAND_IN", str(state))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(site)]))  # for kubectl, the reaper, and who dies
    monkeypatch.delitem(sys.modules, "smolcell_kubernetes", raising=False)
    yield state
    sys.modules.pop("smolcell_kubernetes", None)
    assert eventually(lambda: pods(state) == set(), 60)


def pods(state: Path) -> set[str]:
    return {path.stem for path in state.glob("*.json")}


def test_it_is_found_by_its_name_and_not_imported_before(cluster: Path) -> None:
    assert "kubernetes" in executor_names()
    assert "smolcell_kubernetes" not in sys.modules
    executor = create_executor("kubernetes:python:3.13-slim", timeout=7)
    found = (type(executor).__module__, executor.image, executor.timeout)
    assert found == ("smolcell_kubernetes", "python:3.13-slim", 7.0)
    assert executor.boundary().where == "a pod of python:3.13-slim (not started)"


def test_an_agent_works_in_it(cluster: Path) -> None:
    model = ScriptedModel("```python\nx = shout('a')\n```", "```python\nfinal_answer(x * 2)\n```")

    def shout(text: str) -> str:
        """Shout."""
        return text.upper()

    with CodeAgent([shout], model, executor_type="kubernetes", gate=allow_all) as agent:
        assert agent.run("Do it.") == "AA"
        (name,) = pods(cluster)
        boundary = agent.executor.boundary()
        assert (boundary.where, boundary.isolated) == (f"a pod of python:3.12-slim ({name})", False)
        assert {wall.name: wall.stands for wall in boundary.walls} == {"files": True, "network": False}
    assert eventually(lambda: pods(cluster) == set(), 60)


@pytest.mark.slow
def test_the_whole_agent_works_in_it(cluster: Path) -> None:
    model = ScriptedModel("```python\nfinal_answer(6 * 7)\n```")
    assert run_inside("kubernetes", "Do it.", model=model, gate=allow_all) == 42


@pytest.mark.slow
def test_it_keeps_what_every_sandbox_promises(cluster: Path) -> None:
    kind = importlib.import_module("smolcell_kubernetes").KubernetesExecutor
    report = check_executor(kind, *SOME, alive=lambda: pods(cluster), patience=60)
    assert set(report.states().values()) == {"passed"}, str(report)


def test_a_refusal_of_the_cluster_and_no_kubectl_are_reported(cluster: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cluster / "refuse").write_text("exceeded quota: pods=0")
    with pytest.raises(SandboxError, match=r"kubectl create failed: .*exceeded quota: pods=0"):
        create_executor("kubernetes")("1 + 1")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SandboxError, match="kubectl is not installed; see: command -v kubectl"):
        create_executor("kubernetes")("1 + 1")


# --- packages that are wrong -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (
            "no_such_module:Executor",
            r"the package some-sandbox cannot be loaded \(ModuleNotFoundError: .*no_such_module",
        ),
        ("collections:OrderedDict", r"is a OrderedDict, which is not an executor: it lacks open"),
    ],
)
def test_a_package_that_holds_no_executor_is_named(site: Path, entry: str, why: str) -> None:
    install(site, "some-sandbox", f"[smolcell.executors]\nsome = {entry}\nlocal = {entry}\n")
    with pytest.raises(SetupError, match=f"the sandbox 'some' .*{why}"):
        create_executor("some")
    assert create_executor("local").name == "local"  # smolcell's own names cannot be taken


def test_an_unknown_name_lists_what_there_is(site: Path) -> None:
    install(site, "known", "[smolcell.executors]\nthird = a:B\n")
    with pytest.raises(SetupError, match=r"there is no sandbox named 'nosuch'; use one of: .*local.*third"):
        create_executor("nosuch")


def test_the_example_is_about_as_long_as_it_says() -> None:
    lines = dict(MAJOR.findall(PAGE))["smolcell_kubernetes.py"].splitlines()
    assert len([line for line in lines if line.strip()]) <= 72
