"""A trained model that stayed in the sandbox, used from the next cell of a real kernel."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from cells import AgentKernel

if find_spec("sklearn") is None:  # the kernel imports it, and not this process
    pytest.skip("needs scikit-learn", allow_module_level=True)
pytestmark = pytest.mark.kernels

TRAIN = (
    "from sklearn.linear_model import LinearRegression\n"
    "model = LinearRegression().fit(df[['x']], df['y'])\nfinal_answer(model)"
)
PATIENCE = 180.0  # seconds: importing scikit-learn takes long on a busy machine


def calls(kernel: AgentKernel) -> list[dict[str, Any]]:
    """What the user's own calls left in the journal."""
    said = kernel.run("from smolcell.journal import journals_folder\nprint(journals_folder())")
    (path,) = Path(said.strip()).glob("*.jsonl")
    events = [json.loads(line)["event"] for line in path.read_text().splitlines()]
    return [event for event in events if event["run"] == "call"]


@pytest.mark.slow
def test_a_model_is_used_in_the_next_cell_and_probes_call_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path / "state"))
    with AgentKernel(sys.executable, tmp_path) as kernel:
        kernel.run("import pandas\ndf = pandas.DataFrame({'x': [0.0, 1, 2], 'y': [1.0, 3, 5]})")
        cell = kernel.agent(TRAIN, line="--approve auto --timeout 150 -i df -o model")
        assert kernel.reply(cell, PATIENCE).content["status"] == "ok", kernel.printed(cell)
        assert calls(kernel) == []
        for request, content in (
            ("execute_request", {"code": "model", "silent": False, "user_expressions": {}}),
            ("complete_request", {"code": "model.pre", "cursor_pos": 9}),
            ("inspect_request", {"code": "model", "cursor_pos": 5, "detail_level": 1}),
        ):
            reply = kernel.reply(kernel.request(request, content), PATIENCE)
            assert reply.content["status"] == "ok", reply.content
            if request == "complete_request":
                assert any("predict" in match for match in reply.content["matches"])
        kernel.run("import copy\nassert copy.deepcopy(model) is model and not hasattr(model, '_repr_html_')")
        assert calls(kernel) == []

        printed = kernel.run("print([round(y, 6) for y in model.predict(df[['x']] + 3).tolist()])", PATIENCE)
        assert printed == "[7.0, 9.0, 11.0]\n"
        assert (
            kernel.run("print(model.coef_.round(6), type(model.fit(df[['x']], -df['y'])).__name__)") == "[2.] Handle\n"
        )
        assert kernel.run("print(model.coef_.round(6))") == "[-2.]\n"
        found = calls(kernel)
        assert [event["by"] for event in found if event["event"] == "Allowed"] == ["caller"] * 4
        assert [event["thought"] for event in found if event["event"] == "Proposed"] == [
            f"LinearRegression.{name}" for name in ("predict", "coef_", "fit", "coef_")
        ]

        kernel.run("%agent reset")
        gone = kernel.reply(kernel.execute("model.predict(df)"), PATIENCE).content
        assert gone["ename"] == "SandboxDiedError"
        assert gone["evalue"].endswith("Run the cell that created it again: %%agent -o NAME")
