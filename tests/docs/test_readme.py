"""The examples of the README and of docs/python.md run, and the README's commands are where CI looks for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from smolcell.testing import ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", README + PAGE, re.MULTILINE | re.DOTALL)
FIBONACCI = """I add from the start.
<code>
a, b = 0, 1
for _ in range(100):
    a, b = b, a + b
final_answer(a)
</code>"""


def run(example: str) -> None:
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(example, "an example", "exec"), names)


@pytest.mark.parametrize("example", [*EXAMPLES[:2], EXAMPLES[-1]], ids=["README", "agent", "agent inside"])
def test_the_agent_answers(example: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The example with a scripted model, ``SMOLCELL_APPROVE=auto`` for the person, and the sandbox that is there everywhere."""
    monkeypatch.setattr("smolcell.InferenceClientModel", lambda: ScriptedModel(FIBONACCI))
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    run(example.replace('"docker"', '"local"'))
    assert capsys.readouterr().out.splitlines()[-1] == "354224848179261915075"


@pytest.mark.parametrize("example", EXAMPLES[2:-1], ids=["tool", "managed agent", "executor"])
def test_the_examples_that_need_no_key_run_as_they_stand(example: str) -> None:
    run(example)


@pytest.mark.parametrize(
    ("mark", "command"),
    [
        ("demo", "python3 -m venv .venv && .venv/bin/pip install -e '.[lab,data]' && .venv/bin/smolcell demo"),
        (
            "tests",
            "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/python -m pytest -n 4 --dist loadfile",
        ),
    ],
)
def test_the_two_commands_are_where_ci_looks_for_them(mark: str, command: str) -> None:
    assert re.findall(rf"^<!-- ci: {mark} -->\n```bash\n(.*?)\n```$", README, re.MULTILINE | re.DOTALL) == [command]


def test_the_readme_is_short() -> None:
    assert len(README.encode()) < 6_000
