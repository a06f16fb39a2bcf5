"""What a run does about the mistakes that small models make: it neither repeats them nor takes their inventions for answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smolcell import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.approval.gates import permit, remembered
from smolcell.core import text as describe
from smolcell.core.findings import replaced
from smolcell.events import Answered, Delta, Event, Proposed, Replied, Unparsed
from smolcell.protocols import Message, warmer
from smolcell.testing import ScriptedModel, allow_all

FRAME = pd.DataFrame({" Wins ": [1, 2, 6], "Losses": [3, 4, 5]})


def code(text: str) -> str:
    return f"I try.\n<code>\n{text}\n</code>"


def run(*replies: str, **options: Any) -> tuple[RunResult, ScriptedModel]:
    model = ScriptedModel(*replies)
    with CodeAgent(model=model, gate=allow_all, **options) as agent:
        return agent.run("How many wins?", additional_args={"df": FRAME}, return_full_result=True), model


def events(result: RunResult, kind: type[Event]) -> list[Any]:
    return [event for event in result.events if isinstance(event, kind)]


def last_message(model: ScriptedModel) -> str:
    return model.calls[-1][-1].text


def test_the_examples_are_turns_that_end_in_an_answer() -> None:
    _, model = run(code("final_answer(9)"))
    system, *turns = model.calls[0]
    roles = [message.role for message in turns]
    assert (system.role, roles) == ("system", ["user", "assistant", "user", "assistant", "user", "assistant", "user"])
    assert [turn.text.count("final_answer(") for turn in turns[1::2]] == [1, 0, 1]
    assert turns[4].text.startswith("Observation of step 1:")
    assert turns[-1].text.endswith("Use as they are, without loading or defining them: df")


def test_a_given_variable_is_not_replaced_unseen() -> None:
    fake = code("import pandas as pd\ndf = pd.DataFrame({' Wins ': [1]})\nfinal_answer(df[' Wins '].sum())")
    result, model = run(fake, code("final_answer(df[' Wins '].sum())"))
    assert (result.output, len(events(result, Proposed))) == (9, 1)
    assert "replaces the given variable df" in last_message(model)
    assert "[1]" not in str(model.calls[-1])  # the model does not read that statement again
    assert "<code>\nimport pandas as pd\nfinal_answer(df[' Wins '].sum())\n</code>" in last_message(model)


@pytest.mark.parametrize("program", ["df = 1; print(df)", "df = 1", "if True:\n    df = 1\nelse:\n    df = 2"])
def test_a_program_is_not_offered_without_what_replaces_a_variable_if_nothing_whole_is_left(program: str) -> None:
    _, model = run(code(program), code("final_answer(9)"))
    assert last_message(model).endswith("without loading or defining df.")


@pytest.mark.parametrize(("answer", "filled"), [("f'{{wins}} won'", "{wins}"), ("'@wins[wins]'", "[{wins}]")])
def test_an_answer_that_names_a_value_is_asked_for_again(answer: str, filled: str) -> None:
    result, model = run(code(f"wins = df[' Wins '].sum()\nfinal_answer({answer})"), code("final_answer(9)"))
    assert f"fill it in, as in f'{filled}'" in last_message(model)
    assert result.output == 9


def test_a_model_that_insists_replaces_it_with_a_finding() -> None:
    fake = code("df = {' Wins ': 8}\nprint(df)")
    result, _ = run(fake, fake, code("final_answer(df[' Wins '])"))
    assert [(f.kind, f.text) for f in events(result, Proposed)[0].findings if f.risk != "none"] == [
        ("input", "replaces the given variable df")
    ]


@pytest.mark.parametrize("program", ["df = df.dropna()", "x = df\ndf = x.dropna()", "df['new'] = 1", "df2 = 1"])
def test_a_variable_that_is_read_first_may_be_assigned(program: str) -> None:
    result, _ = run(code(f"{program}\nfinal_answer(len(df))"))
    assert (result.output, events(result, Unparsed)) == (3, [])


def test_a_missing_file_names_the_variables() -> None:
    _, model = run(code("open('path_to_your_file.csv')"), code("final_answer(9)"), code("final_answer(9)"))
    assert "The task's data is in the variables that are given, not in a file: df." in model.calls[1][-1].text


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "df['Wins'].sum()",
            "The names of df's columns have blanks around them. First write: df.columns = df.columns.str.strip()",
        ),
        ("df['wins'].sum()", "Did you mean df[' Wins ']?"),
        ("df[['Losses', 'Draws']]", "The columns of df are: ' Wins ', 'Losses'"),
        ("df.losses", "Did you mean df['Losses']?"),
        ("def wins(table):\n    return table['WINS']\nwins(df)", "Did you mean table[' Wins ']?"),
        ("missing = df.isna().sum()\nmissing['Wins']", "Did you mean missing[' Wins ']?"),
        ("found = {'mean wins': 3.0}\nfinal_answer(found['mean_wins'])", "Did you mean found['mean wins']?"),
        ("np.mean([1])", "First write: import numpy as np"),
        (
            "m = 1\nfinal_answer(f\"{'@mean[{m:.2f}]', '@std[{m}]}\")",
            'Did you mean this line?\nfinal_answer(f"@mean[{m:.2f}], @std[{m}]")',
        ),
    ],
)
def test_an_error_says_what_was_meant(program: str, said: str) -> None:
    _, model = run(code(program), code("final_answer(df.shape)"))
    assert said in last_message(model)


def test_a_reply_without_a_program_is_shown_the_last_value_as_an_answer() -> None:
    result, model = run(code("print(df[' Wins '].sum())"), "There are 9 wins.", "final_answer(9)")
    assert "<code>\nfinal_answer(9)\n</code>" in last_message(model)
    assert (result.output, result.computed) == (9, True)


class Warmth(ScriptedModel):
    """Notes for each reply whether it is sampled with a higher temperature."""

    def __init__(self, *replies: Any) -> None:
        super().__init__(*replies)
        self.warm: list[bool] = []

    async def reply(self, messages: Sequence[Message], *args: Any, **options: Any) -> AsyncIterator[Delta | Replied]:
        self.warm.append(warmer.get())
        async for item in super().reply(messages, *args, **options):
            yield item


@pytest.mark.parametrize("program", ["print(len(df))", "df['none']"])
def test_a_program_with_the_same_outcome_is_told_and_not_shown_again(program: str) -> None:
    model = Warmth(code(program), code(program), code("final_answer(len(df))"))
    with CodeAgent(model=model, gate=allow_all) as agent:
        assert agent.run("How many?", additional_args={"df": FRAME}) == 3
    assert model.warm == [False, False, True]
    assert [message.text.count(program) for message in model.calls[-1] if message.role == "assistant"][-1] == 1
    assert "This is the program of step 1 again" in last_message(model)


def test_the_model_is_told_of_its_last_step_and_then_asked_for_a_last_program() -> None:
    look = [code(f"print({number})") for number in range(3)]
    result, model = run(*look, code("final_answer(len(df))"), max_steps=3)
    assert "One step is left" in model.calls[2][-1].text
    assert "No step is left" in last_message(model)
    assert (result.output, result.state, result.computed) == (3, "success", True)


def test_prose_at_the_limit_is_no_success() -> None:
    result, _ = run(code("print(len(df))"), "It is about 578.55.", max_steps=1)
    assert (result.output, result.state, result.computed) == ("It is about 578.55.", "max_steps_error", False)


def test_an_invented_answer_is_marked() -> None:
    result, model = run(code("final_answer(578.55)"))
    assert (result.output, result.computed, len(model.calls)) == (578.55, False, 1)
    assert [event.uncomputed for event in events(result, Answered)] == [True]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("m = df['Losses'].mean()\nfinal_answer('mean: {m:.2f}')", "the answer holds '{m:.2f}'"),
        ("final_answer(f\"mean: {float('nan')}\")", "the answer holds nan"),
        ("final_answer(float('nan'))", "the answer holds nan"),
    ],
)
def test_an_answer_that_is_hardly_meant_is_questioned_once(program: str, said: str) -> None:
    result, model = run(code(program), code("final_answer(df['Losses'].mean())"))
    assert said in last_message(model)
    assert result.output == 4
    again, _ = run(code(program), code(program))
    assert again.state == "success"


def test_an_agent_without_a_list_of_imports_runs_ordinary_python() -> None:
    result, _ = run(code("import os, pandas as pd\nfinal_answer(pd.DataFrame({'a': [1]}).shape[0])"))
    assert result.output == 1


@pytest.mark.parametrize(
    ("program", "hint"),
    [
        ("total = 1\nprint(totl)", "Did you mean total?"),
        ("open('Sale.csv')", "Did you mean sales.csv?"),
        ("open('nothing_like_it.txt')", "FileNotFoundError"),
        ("import pandas\npandas.read_csv('sales.cvs')", "Did you mean sales.csv?"),
    ],
)
def test_near_names_of_variables_and_files_are_offered(program: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("month,amount\nJan,3\n")
    model = ScriptedModel(code(program), code("final_answer(1)"))
    with CodeAgent(model=model, gate=allow_all) as agent:
        agent.run("Try.", files=[tmp_path / "sales.csv"])
    assert hint in last_message(model)


def test_a_file_is_named_with_its_first_lines(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("month,amount\nJan,3\n" + "Feb,4\n" * 100)
    (tmp_path / "b.bin").write_bytes(b"\0\1")
    (tmp_path / ".npmrc").write_text("//registry/:_authToken=abc")
    model = ScriptedModel(code("final_answer(1)"))
    with CodeAgent(model=model, gate=allow_all) as agent:
        agent.run("Try.", files=[tmp_path / name for name in ("s.csv", "b.bin", ".npmrc")])
    assert (
        "- s.csv (619 bytes), which begins:\n  month,amount\n  Jan,3\n  Feb,4\n  Feb,4\n- b.bin (2 bytes)\n- .npmrc (26 bytes)\n"
    ) in last_message(model)


def test_in_level_guarded_the_libraries_of_what_is_passed_in_may_be_imported() -> None:
    program = code("import pandas as pd\nimport numpy as np\nfinal_answer(int(np.sum(df[' Wins '])))")
    result, model = run(program, python="guarded")
    assert (result.output, "pandas" in model.calls[0][0].text) == (9, True)


def test_without_a_list_of_imports_the_level_is_full_and_with_one_it_is_guarded() -> None:
    program = code("import sys\nfinal_answer(sys.version_info.major)")
    result, _ = run(program)
    assert result.output == 3
    result, model = run(program, code("final_answer(1)"), additional_authorized_imports=["json"])
    assert (result.output, "Import of sys is not allowed" in last_message(model)) == (1, True)


def test_a_text_at_the_step_limit_is_returned_with_a_warning() -> None:
    model = ScriptedModel(code("print(1)"), "It is 578.55.")
    at_limit = pytest.warns(UserWarning, match="what is returned is the model's last text, not an answer")
    with CodeAgent(model=model, gate=allow_all, max_steps=1) as agent, at_limit:
        assert agent.run("How many?") == "It is 578.55."


@pytest.mark.parametrize(
    "program",
    [
        "try:\n    df = 1\n    print(df)\nexcept Exception: pass",
        "if True:\n    df = 1\n    print(df)",
        "import json as df",
        "def df(): pass",
        "with open('x', 'w') as df: pass",
        "for df in [1]: print(df)",
        "df: int = 1",
        "df, x = 1, 2",
    ],
)
def test_a_given_variable_is_not_replaced_in_any_statement(program: str) -> None:
    assert replaced(program, {"df"}) == "df"


@pytest.mark.parametrize(
    "program",
    [
        "def f():\n    df = 1",
        "def f():\n    return df\ndf = f()",
        "x = [df for df in [1]]",
        "lambda df: df",
        "if len(df):\n    df = df.dropna()",
        "for row in df.index: pass\ndf = 1",
        "df.x = 1",
        "df['x'] = 1",
    ],
)
def test_what_does_not_replace_a_given_variable(program: str) -> None:
    assert replaced(program, {"df"}) == ""


def test_a_program_that_ran_twice_is_asked_about_although_the_rest_was_approved() -> None:
    asked: list[Proposed] = []

    async def person(proposed: Proposed) -> Any:
        asked.append(proposed)
        return permit(proposed, by="person", scope="run")

    again = code("print(len(df))")
    model = ScriptedModel(again, again, again, code("final_answer(len(df))"))
    with CodeAgent(model=model, gate=remembered(person)) as agent:
        agent.run("How many?", additional_args={"df": FRAME})
    assert [proposed.step for proposed in asked] == [1, 3]
    assert [finding.text for finding in asked[1].findings if finding.kind == "repeat"] == [
        "ran twice already, with the same outcome"
    ]


def test_at_the_limit_nothing_is_questioned_or_sent_back() -> None:
    answer = "df = {'x': float('nan')}\nfinal_answer(df)"
    result, _ = run(code("print(1)"), code(answer), max_steps=1)
    assert (result.state, str(result.output)) == ("success", "{'x': nan}")
    result, _ = run(code("print(1)"), "I think.\n" + code("1 / 0"), max_steps=1)
    assert (result.state, result.output, result.computed) == ("max_steps_error", None, False)


def test_reading_the_prompt_in_mid_run_takes_no_import_back() -> None:
    model = ScriptedModel(code("print(1)"), code("import pandas\nfinal_answer(len(df))"))
    with CodeAgent(
        model=model, gate=allow_all, python="guarded", step_callbacks=[lambda step, agent: agent.system_prompt]
    ) as agent:
        assert agent.run("How many?", additional_args={"df": FRAME}) == 3


def test_what_is_printed_in_several_lines_is_no_answer() -> None:
    _, model = run(code("print(df[' Wins '])"), "Here it is.", code("final_answer(len(df))"))
    assert "final_answer(result)" in last_message(model)


def test_an_index_is_described_and_missing_values_are_no_texts() -> None:
    days = pd.DataFrame({"x": pd.Series([None, "a"], dtype=object)})
    days.index = pd.Index(pd.to_datetime(["2024-01-01", "2024-01-02"]), name="day")
    assert describe.text(days).replace("[ns]", "").replace("[us]", "").replace("[s]", "") == (
        "2 rows, 1 columns, with types and first values:\nindex 'day' (datetime64): 2024-01-01 00:00:00, 2024-01-02 00:00:00\n"
        "'x' (object): None, 'a'"
    )


def test_a_variable_whose_data_the_model_sees_may_be_written_again() -> None:
    model = ScriptedModel(code("limit = 3\nfinal_answer(limit + rows[0])"))
    with CodeAgent(model=model, gate=allow_all) as agent:
        result = agent.run("Mend it.", additional_args={"limit": 3, "rows": [1, 0]}, return_full_result=True)
    assert (result.output, [f.text for f in events(result, Proposed)[0].findings if f.kind == "input"]) == (
        4,
        ["replaces the given variable limit"],
    )
