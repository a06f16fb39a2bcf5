"""Packages that are installed while a container runs: for the image's Python, read by the code, and never written."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import engines
import pytest
from indexes import TOOLS, configure, plots, wheel

from smolcell import CodeAgent
from smolcell.errors import InterpreterError
from smolcell.executors.packages import OtherSite, SessionPackages
from smolcell.testing import ScriptedModel

pytestmark = pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
Contained = Callable[..., engines.DockerInTests]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.slow
def test_a_running_container_has_what_was_installed_and_cannot_change_it(
    contained: Contained, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tool: str
) -> None:
    executor = contained(python="full")
    agent = CodeAgent([], ScriptedModel(), sandbox=executor)
    executor("kept = 1")
    python = str(executor.capabilities["python"]).split(".")[:2]
    tag = f"cp{''.join(python)}-cp{''.join(python)}-manylinux2014_{os.uname().machine}"
    other = wheel("native", "2", "native", "kind = 'another machine'", tag="cp39-cp39-win_amd64")
    native = wheel("native", "1", "native", "kind = 'this image'", tag=tag)
    with closing(plots()) as index, closing(agent.installs.packages):
        index.files.update([native, other])
        configure(monkeypatch, index, tmp_path, tool)
        plan = asyncio.run(agent.installs.install(["native", "tinyplots"]))
        assert [each.package.version for each in plan.found] == ["1", "1.0"]
        assert executor("import native, tinyplots_core; [kept, native.kind, tinyplots_core.draw()]").output == [
            1,
            "this image",
            "tiny",
        ]
        for name in ("native.py", "more.py"):
            with pytest.raises(InterpreterError, match="Permission denied"):
                executor(f"open('/packages/{name}', 'w')")
        assert executor.boundary().isolated
        again = contained(python="full")
        again.packages = agent.installs.packages
        assert again("import native; native.kind").output == "this image"


def test_what_an_image_says_of_itself_is_read_as_data() -> None:
    from smolcell.errors import CapabilityError

    for said in (
        b"",
        b"[]",
        b'{"python": "3.12"}',
        b'{"python":"3.1;x","machine":"x86_64","libc":"2.36","modules":[],"versions":{}}',
    ):
        with pytest.raises(CapabilityError):
            OtherSite(said)
    site = OtherSite(b'{"python":"3.12","machine":"x86_64","libc":"2.36","modules":["os"],"versions":{"A_b":"1"}}')
    assert (site.has_module("os"), site.has_module("seaborn"), site.versions) == (True, False, {"a-b": "1"})
    assert site.flags["uv"] == ("--python-version", "3.12", "--python-platform", "x86_64-manylinux_2_36")
    assert SessionPackages().installed == ()


def test_names_of_an_image_do_not_reach_the_installer_as_options(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = {"python": "3.12", "machine": os.uname().machine, "libc": "2.36", "modules": [], "versions": {}}
    with closing(plots()) as index, closing(plots()) as evil, closing(SessionPackages()) as packages:
        configure(monkeypatch, index, tmp_path)
        said["versions"] = {f"a==1\n--index-url {evil.url}\nb": "1", "numpy": "1\n--index-url x"}
        plan = asyncio.run(packages.look_up(["tinyplots"], OtherSite(json.dumps(said).encode())))
    assert [each.package.name for each in plan.found] == ["tinyplots"]
    assert evil.asked == []
