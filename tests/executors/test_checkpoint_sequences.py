"""Random sequences of steps, errors, kills, interrupts and returns, against a plain model of the variables and the folder.

Tries 2 sequences, 50 as a slow test, 500 with ``SMOLCELL_FULL=1``.
"""

from __future__ import annotations

import ast
import copy
from typing import Any, NamedTuple

import pytest
from checkpoint_bench import Bench
from examples import few_or_many
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from local_parts import LocalInTests

from smolcell.errors import CapabilityError

KEPT = 10
NAMES = st.sampled_from("abc")
FILES = st.sampled_from(["one", "two", "d/three"])
LOOK = (
    "import os\n"
    "print([{n: globals()[n] for n in 'abc' if n in globals()}, "
    "{os.path.relpath(os.path.join(at, f), '.'): open(os.path.join(at, f)).read() for at, _, fs in os.walk('.') for f in fs}])"
)


class State(NamedTuple):
    variables: dict[str, list[int]]
    files: dict[str, str]


class Sequences(RuleBasedStateMachine):
    """Each rule runs one step, or goes back; each is checked by a further step."""

    without: list[str] = []

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench(LocalInTests(["*"], python="full", checkpoints=KEPT, without=self.without))
        self.now = State({}, {})
        self.before: list[State] = []  # each step that counts
        self.ring: list[int] = []  # the steps whose checkpoints are kept

    def teardown(self) -> None:
        self.bench.close()

    def note(self) -> None:
        self.before.append(copy.deepcopy(self.now))
        self.ring = [*self.ring, len(self.before)][-KEPT:]

    def step(self, code: str, expected: str = "", timeout: float = 30.0, interrupts: bool = False) -> None:
        self.bench.steps = len(self.before)
        self.note()
        on_output = (lambda *_: self.bench.executor.interrupt()) if interrupts else (lambda *_: None)
        observed = self.bench.run(code, timeout, on_output)
        assert (observed.error.type if observed.error else "") == expected, observed.error
        assert not observed.state_lost

    def look(self) -> None:
        self.bench.steps = len(self.before)
        self.note()
        observed = self.bench.run(LOOK)
        assert observed.error is None
        assert State(*ast.literal_eval(observed.stdout)) == self.now

    @rule(name=NAMES, value=st.integers(0, 9))
    def assign(self, name: str, value: int) -> None:
        self.step(f"{name} = [{value}]")
        self.now.variables[name] = [value]
        self.look()

    @rule(name=NAMES, value=st.integers(0, 9))
    def hand_in(self, name: str, value: int) -> None:
        self.bench.executor.send_variables({name: [value]})
        self.now.variables[name] = [value]

    @rule(name=NAMES)
    def fail_halfway(self, name: str) -> None:
        self.step(f"{name} = globals().get('{name}', [])\n{name}.append(1)\n1 / 0", "ZeroDivisionError")
        self.now.variables.setdefault(name, []).append(1)
        self.look()

    @rule(name=FILES, text=st.text("xyz", max_size=3))
    def write(self, name: str, text: str) -> None:
        self.step(f"import os\nos.makedirs('d', exist_ok=True)\nwith open({name!r}, 'w') as f: f.write({text!r})")
        self.now.files[name] = text
        self.look()

    @rule(name=FILES)
    def remove(self, name: str) -> None:
        self.step(f"import os\nif os.path.exists({name!r}): os.remove({name!r})")
        self.now.files.pop(name, None)
        self.look()

    @rule(name=NAMES, how=st.sampled_from(["os._exit(3)", "os.kill(os.getpid(), 9)"]))
    def end_the_process(self, name: str, how: str) -> None:
        self.step(f"import os\n{name} = None\nwith open('one', 'w') as f: f.write('k')\n{how}", "SandboxDied")
        self.now.files["one"] = "k"  # variables are as before it, files are left as they are
        self.look()

    @rule(name=NAMES)
    def reach_the_time_limit(self, name: str) -> None:
        self.step(f"{name} = [7]\nwhile True: pass", "TimeoutError", timeout=0.3)
        self.now.variables[name] = [7]
        self.look()

    @rule(name=NAMES)
    def be_interrupted(self, name: str) -> None:
        self.step(f"{name} = [8]\nprint('on')\nwhile True: pass", "KeyboardInterrupt", interrupts=True)
        self.now.variables[name] = [8]
        self.look()

    @precondition(lambda self: self.before)
    @rule(steps=st.integers(1, KEPT + 2), keep=st.booleans())
    def go_back(self, steps: int, keep: bool) -> None:
        step = max(1, len(self.before) - steps + 1)
        try:
            uncovered = self.bench.back(step, keep)
        except CapabilityError as error:
            if str(error) == "the copy does not answer":  # within a second: this machine is too busy
                self.teardown()
                self.__init__()  # type: ignore[misc]
                return
            assert step not in self.ring[2:], error
            return
        assert uncovered == ""
        self.now = copy.deepcopy(self.before[step - 1])
        del self.before[step if keep else step - 1 :]
        at = len(self.ring) - self.ring[::-1].index(step)
        del self.ring[at if keep else at - 1 :]
        self.look()


class ReducedSequences(Sequences):
    without = ["namespaces"]


@pytest.mark.parametrize(
    "machine", [Sequences, pytest.param(ReducedSequences, marks=pytest.mark.slow)], ids=["full", "reduced"]
)
@few_or_many(2, 50)
def test_random_step_sequences_match_the_reference_model(count: int, machine: Any) -> None:
    every = settings(max_examples=count, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(machine, settings=every)
