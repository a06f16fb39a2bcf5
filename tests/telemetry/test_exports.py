"""Metrics, logs, the receipt, and what a failing exporter may cost."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from http_server import Handler, Server, served
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from persons import of, scripted

from smolcell import telemetry
from smolcell.cli import main
from smolcell.core.receipt import Approval
from smolcell.errors import SetupError
from smolcell.events import Allowed, Asked, Ended, Fault, Observed, Replied, Usage
from smolcell.journal import read
from smolcell.telemetry.measures import HISTOGRAMS, METRICS, Measures
from smolcell.testing import MemoryExecutor

CODE = "<code>\nimport numpy as np, json\nx = 1\n</code>"
SECRET = "hf_" + "a1B2" * 8
ANSWER = Observed(is_final_answer=True, output=42, duration=0.25)
FAILED = Observed(error=Fault(kind="forbidden", type=SECRET, message=SECRET))
LIMITED = Observed(error=Fault(kind="limit", type="LimitError", message="60 s"))

PROGRAM = """
from smolcell import CodeAgent
from smolcell.events import Observed
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all
sandbox = MemoryExecutor(Observed(is_final_answer=True, output=1))
agent = CodeAgent(model=ScriptedModel("<code>\\n1\\n</code>"), gate=allow_all, sandbox=sandbox)
"""


@pytest.fixture
def alone(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Runs a program in a process with an environment of its own; returns what it wrote to stdout and stderr."""

    def run(program: str, **environment: str) -> tuple[str, str]:
        about = {"SMOLCELL_STATE_DIR": str(tmp_path), "PATH": "", "HOME": str(tmp_path), **environment}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=about, capture_output=True, text=True, check=True)
        return done.stdout, done.stderr

    return run


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(telemetry, "_exporter", None)
    monkeypatch.setattr(telemetry, "_log", None)
    yield
    if telemetry._log is not None:
        telemetry._log.close()


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[dict[str, Any]]]:
    """Switches the log on; returns a function that reads its lines."""
    path = tmp_path / "smolcell.log"
    monkeypatch.setenv("SMOLCELL_LOG", "json")
    monkeypatch.setenv("SMOLCELL_LOG_FILE", str(path))
    return lambda: [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def reader() -> InMemoryMetricReader:
    return InMemoryMetricReader()


agent = partial(scripted, does=(ANSWER,))


def replied(text: str = CODE) -> Replied:
    return Replied(text=text, usage=Usage(input_tokens=3, output_tokens=4, cost=0.5))


def points(reader: InMemoryMetricReader) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    data = reader.get_metrics_data()
    for resource in data.resource_metrics if data is not None else ():
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                for point in metric.data.data_points:
                    labels = ",".join(map(str, dict(point.attributes or {}).values()))
                    value: Any = point.sum if hasattr(point, "sum") else point.value
                    found[metric.name, labels] = value
    return found


def test_metrics_count_with_bounded_labels(reader: InMemoryMetricReader) -> None:
    telemetry.instrument(TracerProvider(), MeterProvider([reader]))
    with agent(replied(), replied(), replied(), replied(), does=(FAILED, LIMITED, ANSWER, ANSWER)) as made:
        made.run(f"Use {SECRET}.")
        made.run("Again.")  # in the same sandbox
    found = points(reader)
    expected = {
        ("gen_ai.client.token.usage", "chat,other,input"): 12,
        ("gen_ai.client.token.usage", "chat,other,output"): 16,
        ("smolcell_runs", "success"): 2,
        ("smolcell_steps", "success"): 2,
        ("smolcell_steps", "forbidden"): 1,
        ("smolcell_steps", "limit"): 1,
        ("smolcell_guard_refusals", ""): 1,
        ("smolcell_limits", "step"): 1,
        ("smolcell_errors", "other"): 1,
        ("smolcell_errors", "LimitError"): 1,
        ("smolcell_cost_usd", ""): 2.0,
        ("smolcell_sandbox_starts", ""): 1,
    }
    assert {key: found.get(key) for key in expected} == expected
    assert {name for name, _ in found} <= {*METRICS, "smolcell_sandboxes"}
    assert SECRET not in str(found)


@pytest.mark.parametrize(
    ("model", "label"),
    [("mistral/large", "mistral_ai"), ("ollama/qwen", "ollama"), (f"{SECRET}/x", "other"), ("of-mine/x", "other")],
)
def test_the_provider_is_a_label_only_if_it_is_a_known_one(model: str, label: str) -> None:
    measures = Measures()
    events = (Asked(run="r", task="t", model=model), Replied(run="r", step=1, text="x", model="of-mine"))
    labels = [labels for event in events for _, _, labels in measures.add(event, 1.0)]
    assert {each["gen_ai.provider.name"] for each in labels} == {label}


def test_counters_are_there_before_any_run_and_histograms_have_the_buckets(reader: InMemoryMetricReader) -> None:
    telemetry.instrument(TracerProvider(), MeterProvider([reader]))
    found = points(reader)
    assert set(METRICS) - {name for name, _ in found} == set(HISTOGRAMS)
    assert set(found.values()) == {0}
    with agent(replied()) as made:
        made.run("Answer.")
    data: Any = reader.get_metrics_data()
    metrics = {metric.name: metric for metric in data.resource_metrics[0].scope_metrics[0].metrics}
    assert {name: metrics[name].data.data_points[0].explicit_bounds for name in HISTOGRAMS} == HISTOGRAMS
    assert HISTOGRAMS["gen_ai.client.operation.duration"][:3] == (0.01, 0.02, 0.04)
    assert HISTOGRAMS["gen_ai.client.token.usage"][-1] == 67108864


def test_a_provider_that_the_process_has_set_is_used(alone: Any) -> None:
    program = (
        "from opentelemetry import trace\nfrom opentelemetry.sdk.trace import TracerProvider\n"
        "from opentelemetry.sdk.trace.export import SimpleSpanProcessor\n"
        "from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter\n"
        "kept, provider = InMemorySpanExporter(), TracerProvider()\n"
        "provider.add_span_processor(SimpleSpanProcessor(kept))\ntrace.set_tracer_provider(provider)\n"
        f"import smolcell\nsmolcell.telemetry.instrument()\n{PROGRAM}"
        "agent.run('x'); agent.cleanup()\nprint([span.name for span in kept.get_finished_spans()])\n"
    )
    assert alone(program)[0] == "['chat scripted', 'smolcell.approval', 'smolcell.step', 'invoke_agent']\n"


def test_a_result_says_what_the_run_did_and_used() -> None:
    broken = Observed(error=Fault(kind="python", type="ValueError", message="no"), duration=0.5)
    with agent(replied(), "Hm.", replied(), does=(broken, ANSWER)) as made:
        result = made.run("Answer.", return_full_result=True)
    assert result.errors_by_type == {"ValueError": 1, "AgentParsingError": 1}
    assert (result.imports, result.packages) == (("json", "numpy"), ("numpy",))
    assert (result.hosts, result.files, result.tools_called, result.cost) == ((), (), {}, result.usage.cost)
    assert [replace(approval, seconds=0.0) for approval in result.approvals] == [
        Approval(step=step, call=0, kind="code", allowed=True, by="auto", edited=False, seconds=0.0) for step in (1, 3)
    ]
    assert result.timings["code"] == 0.75
    assert result.timings["waiting"] == pytest.approx(sum(approval.seconds for approval in result.approvals))
    assert set(result.timings) == {"model", "waiting", "code", "total"}
    (ended,) = of(result.events, Ended)
    assert set(ended.receipt) == {"errors_by_type", "imports", "packages", "timings", "record"}
    assert (ended.receipt["errors_by_type"], ended.receipt["imports"]) == (result.errors_by_type, ["json", "numpy"])
    assert ended.receipt["timings"]["code"] == 0.75


def test_a_log_has_one_json_object_a_line_without_content(log: Any) -> None:
    telemetry.instrument(TracerProvider())
    with agent(replied(), replied(), does=(FAILED, ANSWER)) as made:
        made.run(f"Use {SECRET} of mine.")
    lines = log()
    assert [(line["event"], line["step"]) for line in lines] == [
        *(("Asked", 0), ("Checked", 1)),  # the secret in the task
        *(("Replied", 1), ("Proposed", 1), ("Opened", 0), ("Allowed", 1), ("Observed", 1)),
        *(("Replied", 2), ("Proposed", 2), ("Allowed", 2), ("Observed", 2), ("Answered", 2), ("Ended", 0)),
    ]
    assert [line["event"] for line in lines if line["level"] == "warning"] == ["Observed"]
    assert {"time", "level", "event", "run", "step", "trace_id", "span_id"} <= set(lines[0])
    assert len({line["trace_id"] for line in lines}) == 1
    said = str(lines)
    assert (SECRET in said, "mine" in said, "numpy" in said) == (False, False, False)


def test_a_log_goes_to_standard_error_and_needs_no_opentelemetry(alone: Any) -> None:
    loaded = "[name for name in sys.modules if name.startswith('opentelemetry')]"
    program = f"import sys\n{PROGRAM}agent.run('x'); agent.cleanup()\nprint({loaded})\n"
    out, err = alone(program, SMOLCELL_LOG="json")
    assert out == "[]\n"
    assert json.loads(err.splitlines()[-1])["event"] == "Ended"


def test_warnings_are_in_the_log_without_secrets(log: Any) -> None:
    assert telemetry.observer() is not None
    logging.getLogger("smolcell").warning("a view failed: %s", SECRET)
    (said,) = log()
    del said["time"]
    message = "a view failed: [redacted]"
    assert said == {"level": "warning", "event": "Log", "run": "", "step": 0, "message": message}


def test_planted_secrets_are_in_no_export_and_code_sees_no_trace(
    log: Any, reader: InMemoryMetricReader, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    of_environment, of_header = "planted-in-environment-1", "planted-in-header-2"
    monkeypatch.setenv("PLANTED_API_KEY", of_environment)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"authorization=Bearer {of_header}")
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    monkeypatch.setenv("TRACEPARENT", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry.instrument(provider, MeterProvider([reader]))
    secrets = f"{SECRET} {of_environment} Bearer {of_header}"
    seen = "<code>\nimport os\nprint('of the environment:', sorted(os.environ.items()))\n</code>"
    code = f"<code>\nprint('{secrets}')\nraise ValueError('{secrets}')\n</code>"
    replies = (seen, code, f"{secrets}: no program", "<code>\nfinal_answer('done')\n</code>")
    with agent(*replies, sandbox="local", additional_authorized_imports=["os"]) as made:
        result = made.run(f"Use {secrets} of mine.", return_full_result=True)
    assert result.output == "done"
    printed = of(result.events, Observed)[0].stdout
    assert "of the environment" in printed
    assert "trace" not in printed.lower()
    spans = "".join(span.to_json() for span in exporter.get_finished_spans())
    logged = str(log())
    assert ("of mine" in spans, "of mine" in logged) == (True, False)
    everything = spans + logged + str(reader.get_metrics_data()) + "".join(capfd.readouterr())
    assert [secret for secret in (SECRET, of_environment, of_header) if secret in everything] == []


class Hanging(SpanExporter):
    """Answers when it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def export(self, spans: Any) -> SpanExportResult:
        self.let_go.wait(60)
        return SpanExportResult.SUCCESS


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A new thread for exports, which is waited for shortly."""
    made = telemetry._Worker()
    monkeypatch.setattr(telemetry, "FLUSH_SECONDS", 0.05)
    monkeypatch.setattr(telemetry, "_worker", made)
    return made


def test_an_exporter_that_hangs_holds_up_no_step_and_not_the_end(worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    exporter, provider = Hanging(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry.instrument(provider)
    with agent(CODE, CODE, does=(ANSWER, ANSWER)) as made:
        assert made.run("Answer.") == 42  # returns although the exporter does not
        assert worker.late
        monkeypatch.setattr(telemetry, "FLUSH_SECONDS", 300)
        assert made.run("Answer.") == 42  # does not wait again
        assert not exporter.let_go.is_set()
    exporter.let_go.set()


def test_an_export_that_is_late_is_not_waited_for_at_exit(worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    worker.put(lambda: None)
    worker.awaited = threading.Event()
    monkeypatch.setattr(worker, "put", lambda call: pytest.fail("it is waited for"))
    telemetry._flush_at_exit()


def test_a_server_that_hangs_holds_up_no_log(log: Any, worker: Any) -> None:
    hanging, provider = Hanging(), TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(hanging))
    telemetry.instrument(provider)
    assert telemetry._exporter is not None
    telemetry._exporter.own.append(provider)  # as smolcell's own is
    with agent(CODE, CODE, does=(ANSWER, ANSWER)) as made:
        made.run("Answer.")
        made.run("Answer.")
    end = time.monotonic() + 60
    while (ended := sum(line["event"] == "Ended" for line in log())) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    assert ended == 2
    hanging.let_go.set()
    provider.shutdown()


@pytest.mark.parametrize(
    "hinders",
    [
        "class No:\n    def find_spec(self, name, *_):\n        if name.startswith('opentelemetry.exporter'):"
        "\n            raise ModuleNotFoundError(name)\nsys.meta_path.insert(0, No())\n",
        "import opentelemetry.sdk.trace\ndef fails(*_, **__): raise ValueError('a variable')\n"
        "opentelemetry.sdk.trace.TracerProvider = fails\n",
    ],
    ids=["a part of OpenTelemetry is not installed", "OpenTelemetry fails"],
)
def test_telemetry_that_cannot_begin_breaks_no_run(alone: Any, hinders: str) -> None:
    program = f"import sys\n{hinders}{PROGRAM}print(agent.run('x'))\nagent.cleanup()\n"
    out, err = alone(program, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert out == "1\n"
    assert err.startswith("telemetry is off: ")


@pytest.mark.slow
def test_a_server_that_is_not_there_is_told_once(alone: Any) -> None:
    program = f"{PROGRAM}print(agent.run('x'))\nagent.cleanup()\n"
    out, err = alone(program, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert out == "1\n"
    assert [line.partition(": ")[0] for line in err.splitlines()] == [
        "an export failed",
        "the exporter of traces did not answer within 2 s; runs end without it",
    ]


def test_instrument_twice_makes_one_provider(collector: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector)
    telemetry.instrument()
    first = telemetry._exporter
    telemetry.instrument()
    assert first is not None
    assert telemetry._exporter is first
    for provider in first.own:
        provider.shutdown()


class Failing(SpanExporter):
    def export(self, spans: Any) -> SpanExportResult:
        raise RuntimeError("no")


class Raising(SpanProcessor):
    def on_end(self, span: Any) -> None:
        raise RuntimeError("no")


@pytest.mark.parametrize("processor", [SimpleSpanProcessor(Failing()), Raising()], ids=["exporter", "processor"])
def test_an_exporter_that_fails_breaks_nothing(processor: Any, log: Any, reader: InMemoryMetricReader) -> None:
    provider = TracerProvider()
    provider.add_span_processor(processor)
    telemetry.instrument(provider, MeterProvider([reader]))
    with agent(CODE) as made:
        assert made.run("Answer.") == 42
    assert points(reader)["smolcell_runs", "success"] == 1
    events = [line["event"] for line in log()]
    assert [events.count(name) for name in ("Replied", "Observed", "Ended")] == [1, 1, 1]


def test_a_full_queue_is_not_waited_for(worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    block = threading.Event()
    worker._calls.maxsize = 1
    worker.put(block.wait)
    monkeypatch.setattr(telemetry, "FLUSH_SECONDS", 300)
    telemetry.instrument(TracerProvider())
    with agent(CODE) as made:
        assert made.run("Answer.") == 42
    assert not worker.late
    block.set()


def test_settings_switch_it_on_and_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert telemetry.observer() is None
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("SMOLCELL_OTEL", "off")
    assert telemetry.observer() is None
    monkeypatch.setenv("SMOLCELL_OTEL", "")
    made: list[bool] = []
    monkeypatch.setattr(telemetry, "instrument", lambda: made.append(True))
    telemetry.observer()
    assert made == [True]
    monkeypatch.setenv("SMOLCELL_LOG", "loud")
    with pytest.raises(SetupError, match="valid values are: json, text, off"):
        telemetry.observer()


def journalled() -> Path:
    with agent(replied()) as made:
        made.run("Answer.")
        return made.journal.path


def test_stats_of_journals_as_table_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    path = journalled()
    assert main(["stats", str(path), "--format", "json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    about = [row[name] for name in ("state", "model", "steps", "input_tokens", "cost", "approvals", "errors")]
    assert about == ["success", "scripted", 1, 3, 0.5, 1, 0]
    assert main(["stats", str(path), str(path), "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == ",".join(row)
    assert main(["stats"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert (head.split()[:3], line.split()[1:3]) == (["run", "state", "model"], ["success", "scripted"])


def test_old_journals_are_deleted_but_none_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    old, new = journalled(), journalled()
    with agent(CODE) as made:
        made.run("Answer.")
        used = made.journal.path
        for path in (old, used):
            os.utime(path, (1.0, 1.0))
        assert main(["journals"]) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith("3 journals in ")
        assert main(["journals", "--delete", "30d"]) == 0
        assert capsys.readouterr().out.startswith("deleted 1 journals older than 30 d; 2 are left in ")
        assert (old.exists(), new.exists(), used.exists()) == (False, True, True)
    assert main(["journals", "--delete", "soon"]) == 1


def test_the_runs_of_a_fork_are_those_that_it_made_itself(collector: str, capsys: pytest.CaptureFixture[str]) -> None:
    with agent(replied(), replied(), replied(), does=(Observed(), ANSWER)) as made:
        made.run("Answer.")
        forked = made.fork(1, sandbox=MemoryExecutor(ANSWER))
        with forked:
            forked.resume()
            path, original = forked.journal.path, made.journal.path
    assert main(["stats", str(path), str(original), "--format", "json"]) == 0
    runs = [row["run"] for row in json.loads(capsys.readouterr().out)]
    assert len(runs) == len(set(runs)) == 2
    assert main(["trace", str(path), "--otlp", collector]) == 0
    [found] = received()
    about = [{value.key: value.value.string_value for value in span.attributes} for span in found]
    assert {each["smolcell.run"] for each in about} == {runs[0]}
    assert {each["smolcell.resumes"] for each in about if "smolcell.resumes" in each} == {runs[1]}
    assert [len(span.links) for span in found if span.name == "invoke_agent"] == [1]


class Collector(Handler):
    bodies: list[tuple[str, bytes]] = []

    def do_POST(self) -> None:
        self.bodies.append((self.path, self.body()))
        self.answer(kind="application/x-protobuf")


@pytest.fixture
def collector() -> Iterator[str]:
    """The address of an OTLP server."""
    Collector.bodies = []
    with served(Server(Collector)) as server:
        yield server.url


def received() -> list[list[Any]]:
    """The spans of each request."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    requests = [ExportTraceServiceRequest.FromString(body) for path, body in Collector.bodies if path == "/v1/traces"]
    return [list(request.resource_spans[0].scope_spans[0].spans) for request in requests]


def test_a_past_journal_is_sent_to_a_server(collector: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = journalled()
    assert main(["trace", str(path), "--otlp", collector]) == 0
    assert main(["trace", str(path), "--otlp", collector]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"sent 4 spans of {path} to {collector}"
    first, second = received()
    kinds = [span.name.partition(" ")[0] for span in first]
    assert sorted(kinds) == ["chat", "invoke_agent", "smolcell.approval", "smolcell.step"]
    assert first == second  # the same ids
    assert main(["trace", str(path), "--otlp", "nowhere"]) == 1


KILLED = """
from smolcell import CodeAgent
from smolcell.testing import ScriptedModel, allow_all

def look(place: str) -> str:
    'Look.'
    return place

steps = ("<code>\\nlook('there')\\n</code>", "<code>\\nwhile True:\\n    pass\\n</code>")
agent = CodeAgent([look], ScriptedModel("1. Look.", *steps), gate=allow_all, sandbox="local", planning_interval=9)
agent.run("Look there.")
"""


def test_the_journal_of_a_process_that_was_killed_gives_a_whole_trace(collector: str, tmp_path: Path) -> None:
    environment = {**os.environ, "SMOLCELL_STATE_DIR": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", KILLED], env=environment)
    try:
        end = time.monotonic() + 120
        while not (found := [*tmp_path.glob("journals/*.jsonl")]) or len(of(read(found[0]), Allowed)) < 3:
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    assert main(["trace", str(found[0]), "--otlp", collector]) == 0
    [sent] = received()
    names = {span.span_id: span.name for span in sent}
    by_start = sorted(sent, key=lambda span: (span.start_time_unix_nano, -span.end_time_unix_nano))
    step = [("chat scripted", "invoke_agent", ""), ("smolcell.approval", "invoke_agent", "")]
    assert [(span.name, names.get(span.parent_span_id), span.status.message) for span in by_start] == [
        ("invoke_agent", None, "unfinished"),
        *(("chat scripted", "invoke_agent", ""), ("plan", "invoke_agent", ""), ("smolcell.approval", "plan", "")),
        *(*step, ("smolcell.step", "invoke_agent", ""), ("execute_tool look", "smolcell.step", "")),
        *(*step, ("smolcell.step", "invoke_agent", "unfinished")),
    ]
    assert len({span.trace_id for span in sent}) == 1
    assert max(span.end_time_unix_nano for span in sent) == by_start[0].end_time_unix_nano


def test_a_live_export_has_the_ids_and_times_of_its_journal(collector: str, alone: Any) -> None:
    program = f"{PROGRAM}agent.run('x'); print(agent.journal.path); agent.cleanup()\n"
    path, _ = alone(program, OTEL_EXPORTER_OTLP_ENDPOINT=collector)
    assert {at for at, _ in Collector.bodies} == {"/v1/traces", "/v1/metrics"}
    assert main(["trace", path.strip(), "--otlp", collector]) == 0
    live, past = (sorted(map(str, spans)) for spans in received())
    assert live == past
