"""What every test gets, and the rule about skips.

* Every test has state, settings and Jupyter folders of its own: nothing is read from or written to the person's.
* No test sees the person's keys: a test that reaches a provider by accident must fail, not cost money.
* With ``SMOLCELL_CI=1`` a skip that is not expected there fails the session: a gap in CI must not look green.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from smolcell.machine import environment

# jsonschema would import it to check IRIs, which no test has, and it compiles forty grammars for that: two seconds a process
sys.modules.setdefault("rfc3987_syntax", ModuleType("rfc3987_syntax"))

ROOT = Path(__file__).resolve().parent.parent

EXPECTED_SKIPS = (
    "macOS only",
    "Windows only",
    "needs an account at ",
    "needs root: ",
    "no control groups are lent here: ",
    "PyTorch is tested by itself",
)
"""How the reason of a skip may start in CI. A new entry is a decision about what CI does not hold; say why here.

No provider can be reached from CI, and CI is Linux. PyTorch is large, so CI has a part of its own for it, with an environment of its
own, in which nothing of the kind is skipped. Where CI is an ordinary user it cannot become another one: the sandbox's walls
are tried there as that user, with and without namespaces. Control groups are lent by few systems; elsewhere the sandbox says why
it has none, and that is tested everywhere.
"""

# No test is about the seconds that one example takes, or making it, and machines differ. CI's quick suite always tries the same
# examples, so that no change is held up by what another one brought; .ci/full and everyone else try new ones.
settings.register_profile(
    "new", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow], derandomize=False
)
settings.register_profile("same", settings.get_profile("new"), derandomize=True, database=None)
settings.load_profile("same" if os.environ.get("SMOLCELL_CI") == "1" else "new")

_KEPT_SETTINGS = frozenset(
    {
        "SMOLCELL_CACHE_DIR",
        "SMOLCELL_CI",
        "SMOLCELL_CHROMIUM",
        "SMOLCELL_DOCKER_BASE",
        "SMOLCELL_DOCKER_WHEELHOUSE",
        "SMOLCELL_TEST_IMAGE",
    }
)
_numbers = itertools.count()
_KEY_ENDINGS = ("_API_KEY", "_API_TOKEN", "_TOKEN", "_SECRET", "_ACCESS_KEY")


@pytest.fixture(autouse=True)
def state_dir(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of this test's own, not made yet; its processes inherit it through ``SMOLCELL_STATE_DIR``."""
    if "tmp_path" in request.fixturenames:
        folder: Path = request.getfixturevalue("tmp_path") / "smolcell-state"
    else:  # making a folder for each of thousands of tests takes longer than most of them
        base = request.getfixturevalue("tmp_path_factory").getbasetemp()
        folder = base / f"state-{next(_numbers)}"
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(folder))
    return folder


@pytest.fixture(autouse=True)
def _journals_are_closed() -> Iterator[None]:
    """An agent that a test leaves open fails that test, and not a later one in which its journal is garbage."""
    before = _open_journals()
    yield
    assert _open_journals() <= before, "close the agent, or use it in a with statement"


def _open_journals() -> set[Path]:
    journal = sys.modules.get("smolcell.journal")
    return set() if journal is None else set(journal.open_journals())


@pytest.fixture(autouse=True, scope="session")
def _own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Jupyter, IPython and settings of this session's own; no keys."""
    base = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if (name.startswith("SMOLCELL_") and name not in _KEPT_SETTINGS) or name.endswith(_KEY_ENDINGS):
                patch.delenv(name)
        for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
            folder = base / name.lower()
            folder.mkdir()
            patch.setenv(name, str(folder))
        # Tests are one process, but each stands for one that starts; tests/notebook/test_hostile_folder.py has real starts.
        patch.setattr(environment, "_started", os.environ)
        patch.setattr(environment, "read", lambda: None)
        patch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or its import reaches for the network
        yield


@pytest.fixture(autouse=True, scope="session")
def _can_be_interrupted() -> None:
    """A shell starts background commands with SIGINT ignored, and what the tests start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the source checkout."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser to drive: ``SMOLCELL_CHROMIUM``, else the machine's own; the test is skipped if there is none."""
    found = os.environ.get("SMOLCELL_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no Chromium: install one and name it in SMOLCELL_CHROMIUM")
    return found


class _Skips:
    """Collects skips and, in CI, fails the session over those that nobody expects."""

    def __init__(self) -> None:
        self.unexpected: list[str] = []

    def note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if not report.skipped or hasattr(report, "wasxfail"):
            return
        # pytest gives a skip as (file, line, "Skipped: reason")
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        if not reason.startswith(EXPECTED_SKIPS):
            self.unexpected.append(f"{report.nodeid}: {reason}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.note(report)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.unexpected:
            terminalreporter.section("skips that CI does not expect", red=True, bold=True)
            for line in self.unexpected:
                terminalreporter.line(line)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.unexpected and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("SMOLCELL_CI") == "1":
        config.pluginmanager.register(_Skips(), "smolcell-skips")
