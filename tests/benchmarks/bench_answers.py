"""How many questions about tables an agent answers right, with a model of your own, beside smolagents with the same model.

``python tests/benchmarks/bench_answers.py FOLDER --agent smolcell --server http://127.0.0.1:8080/v1 --model NAME --out ROWS.jsonl``

FOLDER holds ``questions.jsonl`` and ``tables/``, as of InfiAgent-DABench (X. Hu et al., 2024, arXiv 2401.05507): a question a line, with
``id, question, constraints, format, file_name, level, answers``. The table goes in as the DataFrame ``df``. ``simple_tasks`` beside this
file has twenty tasks of a newcomer: only the question is asked, and ``variables`` go in, too. For ``--agent smolagents`` call
this file with the Python of an environment that has smolagents, pandas, scipy and scikit-learn, and nothing of smolcell.

A question is one row of ``--out``; those that stand there are not asked again. Beside it are the transcripts (``.transcripts.jsonl``) and a
page with both (``.html``). They hold texts of the questions, so ``--out`` is outside the repository.

An answer is right in form if it gives each name of ``answers`` as ``@name[value]``, with numbers within 1e-6 and texts without case; right
if the values stand in it in any form. An answer that was given at the step limit is wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import sys
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

MAX_TOKENS = 1024  # of a reply, for either agent
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")
OF_EXAMPLES = ("warmth", "warmest", "366 * 24", "leap year")  # words of smolcell's examples
EXAMPLE_TURNS = 7  # messages with them, the system prompt included
REPOSITORY = Path(__file__).resolve().parents[2]


def task_of(question: dict[str, Any]) -> str:
    if "constraints" not in question:
        return str(question["question"])
    return (
        f"{question['question']}\nConstraints: {question['constraints']}\nThe table is the pandas DataFrame df. "
        f"Call final_answer with one string, filled in like this: {question['format']}"
    )


# --- Whether an answer is right.


def number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def plain(text: str) -> str:
    return re.sub(r"\s*,\s*", ",", " ".join(text.strip().strip("\"'").casefold().split()))


def same(given: str, expected: str) -> bool:
    """Whether two values are equal: as numbers, or as texts without case."""
    one, other = number(given.strip()), number(expected.strip())
    if one is not None and other is not None:
        return math.isclose(one, other, rel_tol=0, abs_tol=1e-6)
    return plain(given) == plain(expected)


def right_in_form(answer: str, answers: list[list[str]]) -> bool:
    return all(any(same(given, value) for given in marked(answer, name)) for name, value in answers)


def marked(answer: str, name: str) -> Iterator[str]:
    """What stands in brackets behind ``@name``; brackets within it count."""
    for mark in re.finditer(rf"@{re.escape(name)}\s*\[", answer):
        depth = 1
        for place in range(mark.end(), len(answer)):
            depth += {"[": 1, "]": -1}.get(answer[place], 0)
            if not depth:
                yield answer[mark.end() : place]
                break


def right(answer: str, answers: list[list[str]]) -> bool:
    return right_in_form(answer, answers) or all(stands_in(answer, value) for _, value in answers)


def stands_in(answer: str, value: str) -> bool:
    wanted = number(value.strip())
    if wanted is not None:
        found = (number(each) for each in NUMBER.findall(answer))
        return any(each is not None and math.isclose(each, wanted, rel_tol=0, abs_tol=1e-6) for each in found)
    return re.search(rf"(?<!\w){re.escape(plain(value))}(?!\w)", plain(answer)) is not None


# --- The agents. Each gives back a row's numbers, the answer as a text, and the conversation.


def ask_smolcell(
    args: argparse.Namespace, task: str, given: dict[str, Any]
) -> tuple[dict[str, Any], str, list[tuple[str, str]]]:
    from smolcell import CodeAgent
    from smolcell.events import Unparsed
    from smolcell.models.openai import OpenAIModel
    from smolcell.testing import allow_all

    model = OpenAIModel(
        args.model,
        api_base=args.server,
        api_key="",
        temperature=0,
        max_tokens=MAX_TOKENS,
        timeout=600,
        timings_per_token=True,
    )
    said: list[tuple[str, str]] = []
    reply = model.reply

    async def recorded(messages: Any, *given: Any, **options: Any) -> Any:
        said[:] = [(message.role, message.text) for message in messages]
        text = ""
        async for item in reply(messages, *given, **options):
            text = getattr(item, "text", text) if type(item).__name__ == "Replied" else text
            yield item
        said.append(("assistant", text))

    model.reply = recorded  # type: ignore[method-assign]
    with CodeAgent(model=model, gate=allow_all, max_steps=args.max_steps, **args.options) as agent:
        result = agent.run(task, additional_args=given, return_full_result=True)
    usage = result.usage
    numbers = {
        "state": result.state,
        "computed": getattr(result, "computed", None),
        "steps": len(result.steps),
        "unparsed": sum(isinstance(event, Unparsed) for event in result.events),
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
    }
    return numbers, str(result.output), said


def ask_smolagents(
    args: argparse.Namespace, task: str, given: dict[str, Any]
) -> tuple[dict[str, Any], str, list[tuple[str, str]]]:
    from smolagents import AgentParsingError, CodeAgent, OpenAIModel

    model = OpenAIModel(
        args.model,
        api_base=args.server,
        api_key="none",
        temperature=0,
        max_tokens=MAX_TOKENS,
        client_kwargs={"timeout": 600},
    )
    agent = CodeAgent(
        tools=[], model=model, additional_authorized_imports=["*"], max_steps=args.max_steps, verbosity_level=0
    )
    result = agent.run(task, additional_args=given, return_full_result=True)
    steps = [step for step in agent.memory.steps if hasattr(step, "step_number")]
    said = [
        (str(getattr(each.role, "value", each.role)), text(each.content)) for each in agent.write_memory_to_messages()
    ]
    numbers = {
        "state": result.state,
        "computed": None,
        "steps": len(steps),
        "unparsed": sum(isinstance(step.error, AgentParsingError) for step in steps),
        "input_tokens": result.token_usage.input_tokens if result.token_usage else None,
        "output_tokens": result.token_usage.output_tokens if result.token_usage else None,
    }
    return numbers, str(result.output), said


def text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content or [])


AGENTS = {"smolcell": ask_smolcell, "smolagents": ask_smolagents}


def ask(args: argparse.Namespace, question: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ask one question. Returns its row, and its transcript."""
    import pandas as pd

    given = dict(question.get("variables", {}))
    if "file_name" in question:
        given["df"] = pd.read_csv(Path(args.folder) / "tables" / question["file_name"])
    begun = time.monotonic()
    said: list[tuple[str, str]] = []
    try:
        numbers, answer, said = AGENTS[args.agent](args, task_of(question), given)
    except Exception as error:  # of the agent: a row like any other
        numbers, answer = {"state": type(error).__name__, "computed": None}, f"{type(error).__name__}: {error}"
    counts = numbers["state"] == "success"
    row = {"id": question["id"], "agent": args.agent, "model": args.model, "state": numbers["state"]}
    row |= {"right": counts and right(answer, question["answers"])}
    row |= {"right_in_form": counts and right_in_form(answer, question["answers"])}
    for name in ("computed", "steps", "unparsed", "input_tokens", "output_tokens"):
        row[name] = numbers.get(name)
    row["seconds"] = round(time.monotonic() - begun, 1)
    transcript = {"id": question["id"], "answer": answer, "expected": question["answers"], "said": said}
    return row, transcript


# --- The summary, and the page.


def rows_of(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]  # the last one may be half


def summary(rows: list[dict[str, Any]], levels: dict[int, str]) -> str:
    def line(name: str, of: list[dict[str, Any]]) -> str:
        tokens = [row["input_tokens"] for row in of if row["input_tokens"] is not None]
        limit = sum(row["state"] == "max_steps_error" for row in of)
        wrong = sum(row["state"] == "success" and not row["right"] for row in of)
        return (
            f"{name:8} {sum(row['right'] for row in of):3} of {len(of):3} right, {sum(row['right_in_form'] for row in of):3} in form, "
            f"{wrong:3} wrong, {limit:3} at the limit, {sum(row['computed'] is False for row in of):3} not computed, "
            f"{sum(row['steps'] or 0 for row in of):4} steps, {sum(row['unparsed'] or 0 for row in of):3} without a program; "
            f"input tokens: median {statistics.median(tokens or [0]):,.0f}; {sum(row['seconds'] for row in of) / 60:.1f} min"
        )

    parts = {level: [row for row in rows if levels.get(row["id"]) == level] for level in ("easy", "medium", "hard")}
    return "\n".join([line("all", rows), *(line(level, of) for level, of in parts.items() if of)])


def page(rows: list[dict[str, Any]], transcripts: list[dict[str, Any]], head: str) -> str:
    by_id = {transcript["id"]: transcript for transcript in transcripts}
    parts = [f"<!doctype html><meta charset=utf-8><title>Answers</title><pre>{escape(head)}</pre>"]
    for row in rows:
        given = by_id.get(row["id"], {"answer": "", "expected": "", "said": []})
        mark = "right" if row["right"] else "wrong"
        parts.append(
            f"<details><summary>{row['id']}: {mark}, {row['state']}, {escape(given['answer'][:200])}</summary>"
        )
        parts.append(f"<pre>{escape(json.dumps(row))}\nexpected: {escape(str(given['expected']))}</pre>")
        parts += [f"<h4>{escape(role)}</h4><pre>{escape(said)}</pre>" for role, said in given["said"]]
        parts.append("</details>")
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--agent", choices=AGENTS, required=True)
    parser.add_argument("--server", required=True, help="URL up to /v1 of a server of OpenAI's protocol")
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--ids", help="numbers of questions, with commas")
    parser.add_argument("--level", choices=("easy", "medium", "hard"))
    parser.add_argument("--max-steps", type=int, default=5)
    parser.add_argument(
        "--options", type=json.loads, default={}, help="further arguments of smolcell's CodeAgent, as JSON"
    )
    args = parser.parse_args()
    out = args.out.resolve()
    if REPOSITORY in out.parents:
        sys.exit(f"--out must be outside of {REPOSITORY}: beside it are texts of the questions")
    questions = rows_of(Path(args.folder) / "questions.jsonl")
    levels = {question["id"]: question["level"] for question in questions}
    ids = {int(each) for each in args.ids.split(",")} if args.ids else set(levels)
    done = {row["id"] for row in rows_of(out) if (row["agent"], row["model"]) == (args.agent, args.model)}
    beside = out.with_suffix(".transcripts.jsonl")
    for question in questions:
        if question["id"] not in ids - done or (args.level and question["level"] != args.level):
            continue
        row, transcript = ask(args, question)
        for path, line in ((beside, transcript), (out, row)):
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        print(json.dumps(row), flush=True)
    rows = [row for row in rows_of(out) if (row["agent"], row["model"]) == (args.agent, args.model)]
    head = summary(rows, levels)
    said = [text for each in rows_of(beside) for role, text in each["said"][EXAMPLE_TURNS:] if role == "assistant"]
    copied = sum(any(word in text for word in OF_EXAMPLES) for text in said)
    head += f"\n{copied} of {len(said)} replies with words of the prompt's examples"
    out.with_suffix(".html").write_text(page(rows, rows_of(beside), head), "utf-8")
    print(head)


if __name__ == "__main__":
    main()
