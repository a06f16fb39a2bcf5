"""The image of a container: found, pulled, built; what a person is told meanwhile, and what when it fails."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docker_stand_in import Engine, endless, stand_in

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.errors import SandboxError, SetupError
from smolcell.events import Delta, Event, Proposed
from smolcell.executors.docker import DockerExecutor, images
from smolcell.executors.docker.images import Choice, prepare
from smolcell.protocols import Answer
from smolcell.testing import ScriptedModel, allow_all

ID = "sha256:" + "1" * 64


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Engine]:
    """The stand-in; what is told is told at once."""
    monkeypatch.setattr(images, "_NEWS_SECONDS", 0.0)
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))  # nobody's log-ins and proxies
    monkeypatch.delenv(images.BASE, raising=False)
    monkeypatch.delenv(images.WHEELHOUSE, raising=False)
    with stand_in() as running:
        yield running


def get(
    engine: Engine, stop_at: str | None = None, hear: Callable[[str], object] = str, **choice: Any
) -> tuple[str, list[str]]:
    """The image's name, and what was said; it is stopped when these words are."""
    said, stop = list[str](), threading.Event()

    def tell(words: str) -> None:
        said.append(words)
        hear(words)
        if stop_at is not None and stop_at in words:
            stop.set()

    return prepare(engine.client, Choice(**choice), tell, stop), said


def refused(engine: Engine, **choice: Any) -> str:
    with pytest.raises(SandboxError) as caught:
        get(engine, **choice)
    return str(caught.value)


# --- pulled ------------------------------------------------------------------------------------------------------------


def test_an_image_that_is_there_is_used_as_it_is(engine: Engine) -> None:
    engine.images["python:3.13"] = ID
    assert get(engine, image="python:3.13") == ("python:3.13", [])
    assert engine.asked == []


def layer(name: str, status: str, *progress: int) -> dict[str, Any]:
    detail = dict(zip(("current", "total"), progress, strict=False))
    return {"status": status, "id": name, "progressDetail": detail}


def test_an_image_that_is_not_there_is_pulled_and_says_how_far_it_is(engine: Engine) -> None:
    def says() -> Iterator[dict[str, Any]]:
        yield {"status": "Pulling from library/python", "id": "3.13"}
        yield layer("a", "Pulling fs layer")
        yield layer("a", "Downloading", 10_000_000, 80_000_000)
        yield layer("b", "Downloading", 10_000_000, 20_000_000)
        yield layer("b", "Download complete")
        yield layer("b", "Extracting", 1_000_000, 20_000_000)
        yield layer("a", "Downloading", 80_000_000, 80_000_000)
        engine.images["python:3.13"] = ID
        yield {"status": "Status: Downloaded newer image for python:3.13"}

    engine.says = says
    parts = (" …", ": 12 % of 80 MB", ": 20 % of 100 MB", ": 30 % of 100 MB", ": 100 % of 100 MB")
    assert get(engine, image="python:3.13") == ("python:3.13", [f"pulling python:3.13{part}" for part in parts])
    assert engine.asked == [("images/create", {"tag": "3.13", "fromImage": "python"})]


@pytest.mark.parametrize(
    ("status", "reason", "advice"),
    [
        (404, "pull access denied for me/x, may require 'docker login'", "docker login; then: docker pull me/x"),
        (404, "manifest for me/x:latest not found: manifest unknown", "list images: docker image ls"),
        (500, 'Get "…/v2/": dial tcp: lookup registry.invalid: no such host', "docker load -i FILE; list images: docker image ls"),
        (500, "write /layer.tar: no space left on device", "docker system df"),
        (500, "toomanyrequests: You have reached your pull rate limit", "docker pull me/x"),
    ],
)  # fmt: skip
def test_a_pull_that_is_refused_says_why_and_what_to_do(engine: Engine, status: int, reason: str, advice: str) -> None:
    engine.refusal = status, reason
    said = refused(engine, image="me/x")
    assert f"'me/x' is missing on the engine and could not be pulled: {reason}; " in said and said.endswith(advice)


def hanging_up() -> Iterator[dict[str, Any]]:
    yield layer("a", "Downloading", 1, 2)
    raise ConnectionAbortedError  # the stand-in hangs up


@pytest.mark.parametrize(
    ("says", "told"),
    [
        (
            lambda: [layer("a", "Downloading", 1, 2), {"error": "unexpected EOF"}],
            "could not be pulled: unexpected EOF; ",
        ),
        (hanging_up, "the connection to the engine broke off"),
        (tuple, "'me/x' was pulled but is missing; try: docker pull me/x"),
    ],
    ids=["error", "hangs up", "no image"],
)
def test_a_pull_that_does_not_end_well_is_one_that_failed(engine: Engine, says: Any, told: str) -> None:
    engine.says = says
    assert told in refused(engine, image="me/x")


def test_what_a_registry_says_cannot_draw_on_the_screen(engine: Engine) -> None:
    engine.refusal = 500, "\x1b[31mdenied\x1b[0m \x1b]0;title\x07 \u202egnp.exe" + "x" * 10_000
    message = refused(engine, image="me/x")
    assert not set(message) & {"\x1b", "\x07", "\u202e"}
    assert len(message) < 4500


def test_a_pull_is_stopped_and_the_engine_is_told(engine: Engine) -> None:
    engine.says = endless
    with pytest.raises(SandboxError, match="stopped while pulling the image me/x"):
        get(engine, stop_at="1 % of", image="me/x")
    assert engine.hung_up.wait(60)


def test_words_that_come_too_fast_are_said_when_it_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    told = images.Pace(said.append)
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for words in ("step 1", "step 2", "step 3"):
        told(words)
    now[0] += 5
    told()
    told()
    assert said == ["step 1", "step 3"]


# --- built -------------------------------------------------------------------------------------------------------------


def wheelhouse(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(name.encode())
    return folder


def built(engine: Engine, *steps: str) -> Callable[[], Iterator[dict[str, Any]]]:
    """A build that ends well."""

    def says() -> Iterator[dict[str, Any]]:
        for number, step in enumerate(steps, start=1):
            yield {"stream": f"Step {number}/{len(steps)} : {step}\n"}
            yield {"stream": " ---> Running in 0123\n"}
        yield {"aux": {"ID": ID}}
        yield {"stream": "Successfully built 0123\n"}
        engine.images[engine.asked[-1][1]["t"]] = ID

    return says


def test_smolcells_own_image_is_built_once_and_without_a_network_from_a_wheelhouse(
    engine: Engine, tmp_path: Path
) -> None:
    house = wheelhouse(tmp_path / "house", "pip-1-py3-none-any.whl", "numpy-2-cp311.whl")
    (house / "notes.txt").write_text("not a wheel")
    engine.says = built(engine, "ARG BASE", "FROM ${BASE}", "RUN pip install")
    found, said = get(engine, base="my/base", wheelhouse=house)
    assert found == Choice(base="my/base", wheelhouse=house).own().tag() == engine.asked[0][1]["t"]
    assert said == ["building smolcell's image …", *(f"building smolcell's image: step {n}/3" for n in (1, 2, 3))]
    (what, asked), cleaned = engine.asked
    assert what == "build"
    assert cleaned == ("images/prune", {"filters": '{"dangling": ["true"], "label": ["dev.smolcell.image=build"]}'})
    assert asked["networkmode"] == "none"
    assert asked["buildargs"] == '{"BASE": "my/base"}'
    assert engine.context == {
        "Dockerfile": images.DOCKERFILE.read_bytes(),
        "wheelhouse/numpy-2-cp311.whl": b"numpy-2-cp311.whl",
        "wheelhouse/pip-1-py3-none-any.whl": b"pip-1-py3-none-any.whl",
    }
    assert get(engine, base="my/base", wheelhouse=house) == (found, [])
    assert len(engine.asked) == 2


def test_the_name_of_smolcells_own_image_says_all_that_goes_into_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = wheelhouse(tmp_path / "house", "pip-1-py3-none-any.whl")
    choice = Choice(base="my/base", wheelhouse=house)
    seen = [choice.own().tag(), Choice(base="my/base").own().tag(), Choice(base="other", wheelhouse=house).own().tag()]
    assert choice.own().tag() == seen[0]
    other = tmp_path / "Dockerfile"
    other.write_text("FROM scratch")
    for change in (
        lambda: (house / "pip-1-py3-none-any.whl").write_bytes(b"another"),
        lambda: (house / "more-1.whl").touch(),
        lambda: monkeypatch.setattr(images, "DOCKERFILE", other),
    ):
        change()
        seen.append(choice.own().tag())
    assert len(set(seen)) == len(seen)
    assert all(tag.startswith("smolcell-worker:") for tag in seen)


def test_the_base_is_the_official_python_unless_the_environment_or_the_person_names_another(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Choice().own() == images.Recipe(f"python:3.{sys.version_info[1]}-slim", None)
    house = wheelhouse(tmp_path / "house", "pip-1.whl")
    monkeypatch.setenv(images.BASE, "from/environment")
    monkeypatch.setenv(images.WHEELHOUSE, str(house))
    assert Choice().own() == images.Recipe("from/environment", house)
    assert Choice(base="mine", wheelhouse=tmp_path).own() == images.Recipe("mine", tmp_path)


def test_a_wheelhouse_without_pip_is_refused_with_the_command_that_fills_it(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"has no wheel of pip; fill it: pip download .* numpy pandas"):
        get(engine, wheelhouse=wheelhouse(tmp_path / "house", "numpy-2.whl"))
    assert engine.asked == []


def failing(*log: str, error: str) -> Callable[[], Iterator[dict[str, Any]]]:
    def says() -> Iterator[dict[str, Any]]:
        colored = (f"\x1b[91m{line}\n\x1b[0m" for line in log)
        for text in ("Step 1/2 : FROM base\n", " ---> 0123\n", "Step 2/2 : RUN make\n", *colored):
            yield {"stream": text}
        yield {"error": error, "errorDetail": {"code": 2, "message": error}}

    return says


def test_a_build_that_fails_shows_the_last_lines_of_its_log(engine: Engine) -> None:
    command = "The command '/bin/sh -c make " + "x" * 1000 + "' returned a non-zero code: 2"
    engine.says = failing(*(f"line {n}" for n in range(30)), error=command)
    shown = "".join(f"\n  line {n}" for n in range(18, 30))
    said = refused(engine)
    assert said.startswith(f"building smolcell's image failed at step 2/2: its command ended with code 2{shown}\n")
    assert "--sandbox docker:IMAGE" in said


@pytest.mark.parametrize(
    ("log", "error", "advice"),
    [
        (["Failed to establish a new connection: [Errno -3]"], "The command 'x' returned a non-zero code: 1", "docker:IMAGE"),
        ([], 'Get "https://registry.invalid/v2/": dial tcp: lookup registry.invalid: no such host', "docker:IMAGE"),
        ([], "write /x: no space left on device", "docker system df"),
    ],
)  # fmt: skip
def test_a_build_without_a_network_or_room_says_what_to_do(
    engine: Engine, log: list[str], error: str, advice: str
) -> None:
    engine.says = failing(*log, error=error)
    said = refused(engine)
    assert said.endswith(advice)
    assert ("'wheelhouse': 'FOLDER'" in said) is ("space" not in error)


def test_a_build_that_ends_without_an_image_is_an_error(engine: Engine) -> None:
    assert refused(engine).endswith("produced no image; to see why, run: docker build")


def test_a_dockerfile_of_ones_own_is_built_with_its_folder_as_context(engine: Engine, tmp_path: Path) -> None:
    files = {"Dockerfile": "FROM x\n", "data.txt": "1", "secret.key": "2", ".dockerignore": "*.key\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    engine.says = lambda: [{"stream": "Step 1/2 : FROM x\n"}, {"aux": {"ID": ID}}]
    found, said = get(engine, dockerfile=tmp_path)
    assert found == engine.asked[0][1]["t"] and found.startswith("smolcell-dockerfile:")
    assert said[1:] == [f"building {tmp_path / 'Dockerfile'}: step 1/2"]
    assert {"Dockerfile", "data.txt"} <= set(engine.context) and "secret.key" not in engine.context
    assert engine.asked[0][1]["dockerfile"] == "Dockerfile"


def test_a_dockerfile_can_be_given_as_text(engine: Engine) -> None:
    engine.says = lambda: [{"aux": {"ID": ID}}]
    found, said = get(engine, dockerfile="FROM python:3.13-slim\nRUN pip install scikit-learn\n")
    assert said == ["building your Dockerfile …"]
    assert engine.context == {"Dockerfile": b"FROM python:3.13-slim\nRUN pip install scikit-learn\n"}
    assert engine.asked == [("build", engine.asked[0][1] | {"t": found})]


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        ({"dockerfile": Path("/nowhere")}, r"there is no Dockerfile .*nowhere"),
        ({"image": "Big"}, r"'Big' is not a valid image name .*--sandbox docker:python"),
        ({"image": "x", "dockerfile": "y"}, "give one of them"),
        ({"image": "x", "base": "y"}, "leave out"),
        ({"dockerfile": "x", "wheelhouse": "y"}, "leave out"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused_before_anything_is_asked(
    engine: Engine, choice: dict[str, Any], why: str
) -> None:
    with pytest.raises(SetupError, match=why):
        get(engine, **choice)
    assert engine.asked == []


def test_two_that_want_smolcells_image_at_once_build_it_once(engine: Engine) -> None:
    begun, go = threading.Event(), threading.Event()
    inner = built(engine, "FROM x")

    def says() -> Iterator[dict[str, Any]]:
        begun.set()
        assert go.wait(60)
        yield from inner()

    def hear(words: str) -> None:
        if "another notebook" in words:
            go.set()

    engine.says = says
    ends: list[tuple[str, list[str]]] = []
    threads = [threading.Thread(target=lambda: ends.append(get(engine, hear=hear))) for _ in range(2)]
    threads[0].start()
    assert begun.wait(60)
    threads[1].start()
    for thread in threads:
        thread.join(60)
    first = ["building smolcell's image …", "building smolcell's image: step 1/1"]
    waited = ["another notebook is building smolcell's image; waiting for it"]
    tag = engine.asked[0][1]["t"]
    assert sorted(ends) == [(tag, waited), (tag, first)]
    assert [what for what, _ in engine.asked] == ["build", "images/prune"]


def test_who_waits_for_anothers_build_can_be_stopped(engine: Engine) -> None:
    turn = images._take_turn(Choice().own().tag(), print, threading.Event())
    with turn, pytest.raises(SandboxError, match="stopped while waiting for another notebook's build"):
        get(engine, stop_at="waiting for it")


# --- in a run ----------------------------------------------------------------------------------------------------------


def drive(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, during: Callable[[CodeAgent, Delta], None]
) -> tuple[RunResult, list[str]]:
    """A run whose sandbox pulls its image; what the person is told of that."""
    monkeypatch.setenv("DOCKER_HOST", engine.address)
    told: list[str] = []

    class View:
        def show(self, event: Event | Delta) -> None:
            if isinstance(event, Delta) and event.channel == "progress":
                told.append(event.text)
                during(agent, event)

        async def ask(self, proposal: Proposed) -> Answer:
            raise AssertionError("nothing can be asked before the sandbox is open")

    model = ScriptedModel("<code>\n1\n</code>")
    options = {"executor_type": "docker", "executor_kwargs": {"image": "me/x"}, "gate": allow_all}
    with CodeAgent(model=model, view=View(), **options) as agent:
        result = agent.run("Count.", return_full_result=True)
    return result, told


def test_who_waits_for_a_run_is_told_how_far_the_pull_is_and_why_it_failed(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def says() -> Iterator[dict[str, Any]]:
        yield layer("a", "Downloading", 43_000_000, 100_000_000)
        assert seen.wait(60)
        yield {"error": "toomanyrequests"}

    def during(agent: CodeAgent, delta: Delta) -> None:
        if "43 %" in delta.text:
            seen.set()

    seen, engine.says = threading.Event(), says
    result, told = drive(engine, monkeypatch, during)
    assert "pulling me/x: 43 % of 100 MB" in told and result.state == "error"
    assert "'me/x' is missing on the engine and could not be pulled: toomanyrequests; " in str(result.error)


def test_who_stops_a_run_stops_its_pull(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def during(agent: CodeAgent, delta: Delta) -> None:
        if "1 % of" in delta.text:
            agent.interrupt()

    engine.says = endless
    result, _ = drive(engine, monkeypatch, during)
    assert result.state == "stopped"
    assert engine.hung_up.wait(60)


def test_closing_a_sandbox_ends_the_build_that_it_waits_for(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", engine.address)
    executor = DockerExecutor()

    def says() -> Iterator[dict[str, Any]]:
        threading.Thread(target=executor.close).start()
        yield from endless()

    engine.says = says
    with pytest.raises(SandboxError, match="stopped while building smolcell's image"):
        executor("1")
    assert engine.hung_up.wait(60)
