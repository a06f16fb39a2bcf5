"""Output checks at the four boundaries of a run."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pydantic
import pytest
from persons import CODE, Person, fetching, of, scripted

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.agent.tool_calls import without_calls_of_code
from smolcell.approval.gates import ask, remembered
from smolcell.errors import ApprovalError, SetupError
from smolcell.events import Bundle, Checked, Fault, File, Observed, Proposed, to_json
from smolcell.notebook.settings import read_line, resolve
from smolcell.output_checks import Checks, check, matches, max_size, personal_data, schema, secrets
from smolcell.testing import MemoryExecutor, ScriptedModel
from smolcell.views.transcript import bundle
from smolcell.worker.wire.values import Row

KEY = "sk-proj-abcdefgh12345678"
MAIL, HIDDEN = "jane.doe@example.com", "[redacted]"


REFUSE = [personal_data(action="refuse")]


def answered(value: Any) -> Observed:
    return Observed(is_final_answer=True, output=value)


def agent(*does: Any, **options: Any) -> CodeAgent:
    return scripted(*[CODE] * 4, does=does, **options)


def run(*does: Any, **options: Any) -> RunResult:
    with agent(*does, **options) as made:
        result: RunResult = made.run("t", return_full_result=True)
        return result


def told(result: RunResult) -> list[tuple[str, str, dict[str, int], str]]:
    return [(event.at, event.check, dict(event.found), event.action) for event in of(result.events, Checked)]


def test_an_answer_with_a_secret_is_redacted_if_no_question_is_asked(caplog: pytest.LogCaptureFixture) -> None:
    result = run(answered({"key": KEY, "n": 1}))
    assert (result.state, result.output) == ("success", {"key": "[redacted]", "n": 1})
    assert told(result) == [("answer", "secrets", {"secret": 1}, "redact")]
    assert "redacted, since no one was asked" in caplog.text
    assert KEY not in caplog.text + str([to_json(event) for event in of(result.events, Checked)])


@pytest.mark.parametrize(
    ("said", "output", "action"),
    [("approve", KEY, "pass"), (("approve", {"offer": "redact"}), HIDDEN, "redact"), ("nobody", HIDDEN, "redact")],
)
def test_a_person_decides_about_an_answer_with_a_secret(said: Any, output: str, action: str) -> None:
    person = Person("approve", said)
    result = run(answered(KEY), gate=ask(person))
    assert (result.output, told(result)) == (output, [("answer", "secrets", {"secret": 1}, action)])
    assert (person.asked[1].kind, KEY in person.asked[1].text) == ("output", False)


def test_a_person_s_refusal_of_an_answer_goes_back_to_the_model_and_a_stop_ends_the_run() -> None:
    person = Person("approve", ("refuse", {"comment": "without the key"}), "approve")
    result = run(answered(KEY), answered(1), gate=ask(person))
    assert result.output == 1
    assert "without the key" in str(result.steps[0].error)
    assert run(answered(KEY), gate=ask(Person("approve", "stop"))).state == "stopped"


def test_an_earlier_yes_to_the_rest_of_the_run_is_none_to_an_output_check() -> None:
    person = Person("approve_run")
    result = run(answered(KEY), gate=remembered(ask(person)))
    assert ([p.kind for p in person.asked], result.output) == (["code", "output"], "[redacted]")


def test_the_best_answer_at_the_step_limit_is_checked() -> None:
    result = run("nothing", model=ScriptedModel(CODE, f"it is {KEY}"), max_steps=1)
    assert (result.state, result.output) == ("max_steps_error", "it is [redacted]")


def test_only_refuse_rejects_an_answer() -> None:
    result = run(answered(MAIL), answered("none"), output_checks=REFUSE)
    assert result.output == "none"
    assert "personal_data: e-mail address (1)" in str(result.steps[0].error)


def test_columns_of_a_table_are_redacted() -> None:
    frame = pd.DataFrame({"who": [MAIL] * 200, "n": range(200)})
    output = run(answered(frame), output_checks=[personal_data(action="redact")]).output
    assert set(output["who"]) == {"[redacted]"}
    assert list(output["n"]) == list(range(200))
    assert set(frame["who"]) == {MAIL}


def test_rows_with_names_are_redacted_with_their_names() -> None:
    row = Row("P", ["a", KEY], [KEY, 1])
    assert run(answered([row])).output == [Row("P", ["a", "[redacted]"], ["[redacted]", 1])]
    (changed,) = run(answered([row])).output
    assert (changed._fields, changed["a"]) == (("a", "[redacted]"), "[redacted]")
    kept = Row("P", ["a"], [5])
    assert run(answered({"key": KEY, "row": kept})).output["row"].a == 5


@pytest.mark.parametrize("at", [lambda n: n, lambda n: {"n": n}, lambda n: [n], lambda n: {n: n}, lambda n: {(n,): 1}])
def test_numbers_of_any_length_are_answers(at: Any) -> None:
    number = 10**5000
    assert run(answered(at(number))).output == at(number)
    assert run(answered([KEY, at(number)])).output == ["[redacted]", at(number)]


def test_what_is_a_part_of_a_secret_in_one_place_is_ordinary_text_in_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "customers-4711")
    monkeypatch.setenv("KEY_VAULT_URL", "https://kv-sales.vault.azure.net/")
    told = "customers of https://a.org/x, short for https://..."
    result = run(answered([told, "customers...", pd.DataFrame({"who": ["customers", "customers..."]})]))
    assert result.output[:2] == [told, "[redacted]..."]
    assert list(result.output[2]["who"]) == ["customers", "[redacted]..."]


@dataclasses.dataclass
class Header:
    authorization: str


def test_a_secret_that_only_its_name_tells_is_redacted() -> None:
    result = run(answered({"x-api-key": "abcdefghijk", "n": Header("Basic dXNlcjpwYXNz"), "x": "abcdefghijk"}))
    assert result.output == {"x-api-key": HIDDEN, "n": Header(f"Basic {HIDDEN}"), "x": HIDDEN}


def test_what_the_model_is_sent_is_checked_wherever_it_comes_from() -> None:
    model = ScriptedModel(CODE, "<code>\nfinal_answer(len(card))\n</code>")
    with agent(f"{KEY} {MAIL}", answered(1), model=model, output_checks=[personal_data()]) as made:
        made.run(f"write to {MAIL}", additional_args={"card": "4111 1111 1111 1111"})
        remembered_steps = made.memory.get_full_steps()
        sent = str([made.model.calls, made.write_memory_to_messages(), remembered_steps[-1]["model_input_messages"]])
    assert [piece in sent for piece in (KEY, MAIL, "4111 1111")] == [False, False, False]


def test_a_step_whose_output_is_refused_is_an_error_that_the_model_reads() -> None:
    model = ScriptedModel(CODE, CODE)
    result = run(MAIL, answered(1), model=model, output_checks=REFUSE)
    assert (result.output, MAIL in str(model.calls)) == (1, False)
    assert "refused by personal_data: e-mail address (1)" in str(model.calls[-1])


def leaving(place: str, value: str) -> dict[str, Any]:
    """What a step leaves with this value in one place."""
    return {
        "result": {"result": value},
        "stdout": {"stdout": f"it is {value}"},
        "outputs": {"outputs": (Bundle(data={"text/plain": value, "text/html": f"<b>{value}</b>"}),)},
        "files": {"files": (File(name=f"{value}/a.csv", size=1),)},
        "error": {"error": Fault(kind="python", type="ValueError", message=value, traceback=f"ValueError: {value}")},
    }[place]


@pytest.mark.parametrize("place", ["result", "stdout", "outputs", "files", "error"])
@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize(
    ("value", "checks"),
    [
        (KEY, [secrets(action="refuse")]),
        (MAIL, REFUSE),
        ("KD-17", [matches(r"KD-\d+", action="refuse")]),
        ("Falcon", [lambda text: "Falcon" not in text]),
    ],
)
def test_what_is_refused_leaves_the_step_and_the_session_goes_on(
    value: str, checks: list[Any], answer: bool, place: str
) -> None:
    model = ScriptedModel(*[CODE] * 4)
    step = Observed(is_final_answer=answer, output=value if answer else None, **leaving(place, value))
    with agent(step, answered(1), answered(2), model=model, output_checks=checks) as made:
        first = made.run("t", return_full_result=True)
        second = made.run("u", reset=False, return_full_result=True)
    assert (first.output, second.output) == (1, 2)
    assert (value in str(first.events), value in str(model.calls)) == (False, False)
    what = "the answer" if answer and place == "result" else "the output of this step"
    assert f"{what} was refused by" in str(model.calls[1])


def test_an_answer_that_a_check_of_one_s_own_refuses_is_gone_too_if_it_holds_what_is_refused() -> None:
    def no(answer: Any, *_: Any, **__: Any) -> bool:
        return answer == 1

    model = ScriptedModel(*[CODE] * 2)
    checks = {"output_checks": [secrets(action="refuse")], "final_answer_checks": [no]}
    result = run(Observed(is_final_answer=True, output=KEY, result=KEY), answered(1), model=model, **checks)
    assert (result.output, KEY in str(result.events), KEY in str(model.calls)) == (1, False, False)


def test_an_answer_that_is_refused_as_an_answer_only_stays_for_the_model() -> None:
    model = ScriptedModel(*[CODE] * 2)
    long = replace(answered("x" * 11), result="x" * 11)
    assert run(long, answered("x"), model=model, output_checks=[max_size(10)]).output == "x"
    assert "x" * 11 in str(model.calls[-1])


def test_a_refused_task_is_hidden_from_later_runs_of_the_session() -> None:
    model = ScriptedModel(*[CODE] * 2)
    with agent(answered(1), model=model, output_checks=REFUSE) as made:
        with pytest.raises(ApprovalError, match="take it out of the task"):
            made.run(f"write to {MAIL}")
        assert made.run("write to nobody", reset=False) == 1
    assert (MAIL in str(model.calls), "write to [redacted]" in str(model.calls)) == (False, True)


def test_a_comment_with_what_is_refused_is_hidden_and_the_run_goes_on() -> None:
    model = ScriptedModel(*[CODE] * 2)
    person = Person(("refuse", {"comment": f"ask {MAIL} first"}), "approve")
    assert run(answered(1), gate=ask(person), model=model, output_checks=REFUSE).output == 1
    assert "ask [redacted] first" in str(model.calls[-1])


@pytest.mark.parametrize("option", ["task", "instructions", "additional_args"])
def test_what_the_user_gives_ends_the_run_if_it_is_refused(option: str) -> None:
    given: dict[str, Any] = {"additional_args": {"who": MAIL}} if option == "additional_args" else {}
    made = {"instructions": f"Write to {MAIL}."} if option == "instructions" else {}
    with agent(output_checks=REFUSE, **made) as one, pytest.raises(ApprovalError, match="take it out of the task"):
        one.run(f"write to {MAIL}" if option == "task" else "t", **given)


def test_a_task_that_is_refused_ends_the_run() -> None:
    with agent(output_checks=REFUSE) as made, pytest.raises(ApprovalError, match="personal_data"):
        made.run(f"write to {MAIL}")


def test_a_person_is_asked_once_about_text_for_the_model() -> None:
    person, model = Person(*["approve"] * 4), ScriptedModel(CODE, CODE, CODE)
    run(MAIL, MAIL, answered(1), gate=ask(person), model=model, output_checks=[personal_data(action="ask")])
    assert [proposed.kind for proposed in person.asked] == ["code", "output", "code", "code"]
    assert MAIL in str(model.calls[-1])


def test_journal_memory_file_and_notebook_record_are_without_what_is_found(tmp_path: Path) -> None:
    with agent(MAIL, answered(MAIL), output_checks=[personal_data()]) as made:
        result = made.run(f"write to {MAIL}", return_full_result=True)
        made.memory.save(tmp_path / "saved.jsonl")
        journal = made.journal.path.read_text()
    saved = json.dumps(bundle(result.events))
    assert [MAIL in text for text in (journal, saved, (tmp_path / "saved.jsonl").read_text())] == [False] * 3
    assert MAIL in str(result.events)  # as it happened


class Sending(MemoryExecutor):
    """Its one step calls ``fetch``; how that went is the answer."""

    async def run(self, permit: Any, on_output: Any, call_tool: Any) -> Observed:
        await super().run(permit, on_output, call_tool)
        try:
            await call_tool("fetch", (MAIL,), {})
        except Exception as error:
            return answered(f"{type(error).__name__}: {error}")
        return answered("sent")


@pytest.mark.parametrize(
    ("action", "given", "output"),
    [
        ("pass", [MAIL], "sent"),
        ("redact", ["[redacted]"], "sent"),
        ("ask", ["[redacted]"], "sent"),
        ("refuse", [], "ApprovalError: what is passed to fetch was refused by personal_data: e-mail address (1)"),
    ],
)
def test_arguments_of_tools_are_checked(action: Any, given: list[str], output: str) -> None:
    fetch, sent = fetching()
    checks = [personal_data(action=action, at="tools")]
    assert (run(tools=[fetch], sandbox=Sending(), output_checks=checks).output, sent) == (output, given)


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


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: secrets(action="no"),  # type: ignore[arg-type]
        lambda: personal_data("names"),
        lambda: personal_data(at="disk"),
        lambda: max_size(0),
        lambda: Checks([3]),  # type: ignore[list-item]
        lambda: Checks([schema]),
        lambda: Checks([max_size]),
    ],
)
def test_what_is_no_check_is_a_setup_error(wrong: Callable[[], object]) -> None:
    with pytest.raises(SetupError):
        wrong()


def test_a_question_is_told_to_no_model() -> None:
    result = run(KEY, answered(KEY), gate=ask(Person("approve", "approve", "approve")))
    told_model = without_calls_of_code(result.events)
    assert [
        any(event.kind == "output" for event in of(events, Proposed)) for events in (result.events, told_model)
    ] == [True, False]


def test_exported_cells_are_without_what_is_found() -> None:
    code = f"<code>\nto = '{MAIL}'\n</code>"
    with agent("", answered(1), model=ScriptedModel(code, CODE), output_checks=[personal_data()]) as made:
        made.run(f"write to {MAIL}")
        cells = str(made.export().cells)
    assert (MAIL in cells, "to = '[redacted]'" in cells) == (False, True)


def test_the_setting_is_the_union_of_all_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "none"))
    (tmp_path / "smolcell.toml").write_text('output_checks = ["personal_data"]\n')  # of a stranger: it narrows
    options = read_line("--check secrets").settings
    assert resolve(options).output_checks == ("personal_data", "secrets")
    with pytest.raises(SetupError, match="valid names are: secrets, personal_data"):
        resolve({"output_checks": "schema"})
