"""Output checks at the four boundaries of a run."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pydantic
import pytest
from persons import Person

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.errors import ApprovalError, SetupError
from smolcell.events import Checked, Observed, Proposed, to_json
from smolcell.gates import ask
from smolcell.output_checks import Checks, check, matches, max_size, personal_data, schema, secrets
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all
from smolcell.views.transcript import bundle

CODE = "<code>\nx = 1\n</code>"
KEY = "sk-proj-abcdefgh12345678"
MAIL = "jane.doe@example.com"


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path))
    yield


def answered(value: Any) -> Observed:
    return Observed(is_final_answer=True, output=value)


def agent(*does: Any, gate: Any = allow_all, model: Any = None, **options: Any) -> CodeAgent:
    model = model or ScriptedModel(*[CODE] * 4)
    return CodeAgent(model=model, sandbox=MemoryExecutor(*does), gate=gate, **options)


def run(*does: Any, **options: Any) -> RunResult:
    with agent(*does, **options) as made:
        result: RunResult = made.run("t", return_full_result=True)
        return result


def told(result: RunResult) -> list[tuple[str, str, dict[str, int], str]]:
    return [(e.at, e.check, dict(e.found), e.action) for e in result.events if isinstance(e, Checked)]


# --- the answer ---------------------------------------------------------------------------------------------------------


def test_an_answer_with_a_secret_is_redacted_if_no_question_is_asked(caplog: pytest.LogCaptureFixture) -> None:
    result = run(answered({"key": KEY, "n": 1}))
    assert (result.state, result.output) == ("success", {"key": "[redacted]", "n": 1})
    assert told(result) == [("answer", "secrets", {"secret": 1}, "redact")]
    assert "redacted, since no one was asked" in caplog.text
    assert KEY not in caplog.text + json.dumps(
        [to_json(event) for event in result.events if isinstance(event, Checked)]
    )


@pytest.mark.parametrize(
    ("said", "output", "action"),
    [
        ("approve", KEY, "pass"),
        (("approve", {"offer": "redact"}), "[redacted]", "redact"),
        ("nobody", "[redacted]", "redact"),
    ],
)
def test_a_person_decides_about_an_answer_with_a_secret(said: Any, output: str, action: str) -> None:
    person = Person("approve", said)
    result = run(answered(KEY), gate=ask(person))
    assert (result.output, told(result)) == (output, [("answer", "secrets", {"secret": 1}, action)])
    assert (person.asked[1].kind, KEY in person.asked[1].text) == ("output", False)


def test_a_person_s_refusal_of_an_answer_goes_back_to_the_model() -> None:
    person = Person("approve", ("refuse", {"comment": "without the key"}), "approve")
    result = run(answered(KEY), answered(1), gate=ask(person))
    assert result.output == 1
    assert "without the key" in str(result.steps[0].error)


def test_a_person_may_stop_the_run_at_an_answer() -> None:
    assert run(answered(KEY), gate=ask(Person("approve", "stop"))).state == "stopped"


def test_an_earlier_yes_to_the_rest_of_the_run_is_none_to_an_output_check() -> None:
    from smolcell.gates import remembered

    person = Person("approve_run")
    result = run(answered(KEY), gate=remembered(ask(person)))
    assert ([p.kind for p in person.asked], result.output) == (["code", "output"], "[redacted]")


def test_the_best_answer_at_the_step_limit_is_checked() -> None:
    result = run("nothing", model=ScriptedModel(CODE, f"it is {KEY}"), max_steps=1)
    assert (result.state, result.output) == ("max_steps_error", "it is [redacted]")


def test_only_refuse_rejects_an_answer() -> None:
    result = run(answered(MAIL), answered("none"), output_checks=[personal_data(action="refuse")])
    assert result.output == "none"
    assert "personal_data: e-mail address (1)" in str(result.steps[0].error)


def test_columns_of_a_table_are_redacted() -> None:
    frame = pd.DataFrame({"who": [MAIL] * 2000, "n": range(2000)})
    output = run(answered(frame), output_checks=[personal_data(action="redact")]).output
    assert set(output["who"]) == {"[redacted]"}
    assert list(output["n"]) == list(range(2000))
    assert set(frame["who"]) == {MAIL}


# --- text for the model -------------------------------------------------------------------------------------------------


def test_what_the_model_is_sent_is_checked_wherever_it_comes_from() -> None:
    model = ScriptedModel(CODE, CODE)
    with agent(f"{KEY} {MAIL}", answered(1), model=model, output_checks=[personal_data()]) as made:
        made.run(f"write to {MAIL}", additional_args={"card": "4111 1111 1111 1111"})
        sent = (
            str(model.calls)
            + str(made.write_memory_to_messages())
            + str(made.memory.get_full_steps()[-1]["model_input_messages"])
        )
    assert [piece in sent for piece in (KEY, MAIL, "4111 1111")] == [False, False, False]


def test_a_step_whose_output_is_refused_is_an_error_that_the_model_reads() -> None:
    model = ScriptedModel(CODE, CODE)
    result = run(MAIL, answered(1), model=model, output_checks=[personal_data(action="refuse")])
    assert (result.output, MAIL in str(model.calls)) == (1, False)
    assert "refused by personal_data: e-mail address (1)" in str(model.calls[-1])


def test_a_task_that_is_refused_ends_the_run() -> None:
    with (
        agent(output_checks=[personal_data(action="refuse")]) as made,
        pytest.raises(ApprovalError, match="personal_data"),
    ):
        made.run(f"write to {MAIL}")


def test_a_person_is_asked_once_about_text_for_the_model() -> None:
    person, model = Person("approve", "approve", "approve", "approve"), ScriptedModel(CODE, CODE, CODE)
    run(MAIL, MAIL, answered(1), gate=ask(person), model=model, output_checks=[personal_data(action="ask")])
    assert [proposed.kind for proposed in person.asked] == ["code", "output", "code", "code"]
    assert MAIL in str(model.calls[-1])


# --- what is saved ------------------------------------------------------------------------------------------------------


def test_journal_memory_file_and_notebook_record_are_without_what_is_found(tmp_path: Path) -> None:
    with agent(MAIL, answered(MAIL), output_checks=[personal_data()]) as made:
        result = made.run(f"write to {MAIL}", return_full_result=True)
        made.memory.save(tmp_path / "saved.jsonl")
        journal = made.journal.path.read_text()
    saved = json.dumps(bundle(result.events))
    assert [MAIL in text for text in (journal, saved, (tmp_path / "saved.jsonl").read_text())] == [False] * 3
    assert MAIL in str(result.events)  # as it happened


# --- tools --------------------------------------------------------------------------------------------------------------


def calling(*args: Any, **kwargs: Any) -> Any:
    """An executor whose one step calls ``send``."""

    class Calling(MemoryExecutor):
        async def run(self, permit: Any, on_output: Any, call_tool: Any) -> Observed:
            await super().run(permit, on_output, call_tool)
            try:
                await call_tool("send", args, kwargs)
            except Exception as error:
                return answered(f"{type(error).__name__}: {error}")
            return answered("sent")

    return Calling()


@pytest.mark.parametrize(
    ("action", "given", "output"),
    [
        ("pass", [MAIL], "sent"),
        ("redact", ["[redacted]"], "sent"),
        ("ask", ["[redacted]"], "sent"),
        ("refuse", [], "ApprovalError: what is passed to send was refused by personal_data: e-mail address (1)"),
    ],
)
def test_arguments_of_tools_are_checked(action: Any, given: list[str], output: str) -> None:
    sent: list[str] = []

    def send(to: str) -> None:
        """Send it.

        Args:
            to: whom.
        """
        sent.append(to)

    made = CodeAgent(
        [send],
        ScriptedModel(CODE),
        sandbox=calling(MAIL),
        gate=allow_all,
        output_checks=[personal_data(action=action, at="tools")],
    )
    with made:
        assert (made.run("t"), sent) == (output, given)


# --- typed answers ------------------------------------------------------------------------------------------------------


class Model(pydantic.BaseModel):
    name: str
    count: int


@dataclasses.dataclass
class Data:
    name: str
    count: int


class Typed(typing.TypedDict):
    name: str
    count: typing.NotRequired[int]


@pytest.mark.parametrize(
    ("kind", "right"), [(Model, Model(name="a", count=1)), (Data, Data("a", 1)), (Typed, {"name": "a", "count": 1})]
)
def test_a_mismatch_is_an_error_that_the_model_reads_and_mends(kind: Any, right: Any) -> None:
    model = ScriptedModel(CODE, CODE)
    result = run(answered({"count": "x"}), answered({"name": "a", "count": 1}), model=model, output_type=kind)
    assert result.output == right
    assert "not accepted by schema" in str(model.calls[-1])
    assert "must fit this schema" in str(model.calls[0])


def test_the_columns_and_dtypes_of_a_table_are_held() -> None:
    wrong = pd.DataFrame({"month": ["2026-01-01"], "sales": [1]})
    right = wrong.assign(month=pd.to_datetime(wrong["month"]).astype("datetime64[ns]"), sales=1.5)
    kind = {"month": "datetime64[ns]", "sales": "float64"}
    result = run(answered(wrong), answered(right), output_type=kind)
    assert result.output is right
    assert "'sales' has the dtype int64 and must have float64" in str(result.steps[0].error)
    annotated = schema(typing.Annotated[pd.DataFrame, kind])
    assert Checks([annotated]).read(right) == (right, [])


def test_no_type_is_a_setup_error() -> None:
    with pytest.raises(SetupError, match="dtype 'floot'"):
        agent(output_type={"a": "floot"})


# --- the other checks ---------------------------------------------------------------------------------------------------


def test_patterns_sizes_and_functions_of_one_s_own() -> None:
    def codename(text: str) -> list[str]:
        return ["Falcon"] if "Falcon" in text else []

    given = [matches(r"KD-\d+", action="redact"), check(codename, action="redact")]
    assert run(answered("KD-17 of Falcon"), output_checks=given).output == "[redacted] of [redacted]"
    assert run(answered("x" * 11), answered("x"), output_checks=[max_size(10)]).output == "x"
    assert run(answered("no"), answered("17"), output_checks=[matches(r"\d+", required=True)]).output == "17"
    assert run(answered("no"), answered("17"), output_checks=[lambda text: text != "no"]).output == "17"


def test_a_function_that_fails_lets_nothing_pass() -> None:
    def broken(text: str) -> None:
        raise ValueError(KEY)

    result = run(answered("a"), output_checks=[check(broken, at="answer")], max_steps=1)
    assert (result.output, KEY in str(result.steps)) == (None, False)


@pytest.mark.parametrize("given", [[3], [schema], [max_size]])
def test_what_is_no_check_is_a_setup_error(given: Any) -> None:
    with pytest.raises(SetupError, match="output_checks is a list"):
        Checks(given)


def test_options_that_are_not_known_are_setup_errors() -> None:
    for wrong in (
        lambda: secrets(action="no"),
        lambda: personal_data("names"),
        lambda: personal_data(at="disk"),
        lambda: max_size(0),
    ):  # type: ignore[arg-type]
        with pytest.raises(SetupError):
            wrong()


def test_a_question_is_told_to_no_model() -> None:
    result = run(KEY, answered(KEY), gate=ask(Person("approve", "approve", "approve")))
    assert any(isinstance(event, Proposed) and event.kind == "output" for event in result.events)
    from smolcell.agent.tool_calls import without_calls_of_code

    assert not any(isinstance(e, Proposed) and e.kind == "output" for e in without_calls_of_code(result.events))


def test_exported_cells_are_without_what_is_found() -> None:
    code = f"<code>\nto = '{MAIL}'\n</code>"
    with agent("", answered(1), model=ScriptedModel(code, CODE), output_checks=[personal_data()]) as made:
        made.run(f"write to {MAIL}")
        cells = str(made.export().cells)
    assert (MAIL in cells, "to = '[redacted]'" in cells) == (False, True)


def test_the_setting_is_the_union_of_all_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from smolcell.settings import read_line, resolve

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "none"))
    (tmp_path / "smolcell.toml").write_text('output_checks = ["personal_data"]\n')  # of a stranger: it narrows
    options = read_line("--check secrets").settings
    assert resolve(options).output_checks == ("personal_data", "secrets")
    with pytest.raises(SetupError, match="valid names are: secrets, personal_data"):
        resolve({"output_checks": "schema"})
