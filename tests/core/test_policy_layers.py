"""The effective policy is never wider than a layer, and what a file says wrong is named with its line."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.approval import policy
from smolcell.approval.policy import (
    FIELDS,
    Layer,
    Order,
    Policy,
    ToolPattern,
    check_file,
    current,
    explain,
    policy_of_run,
    read_layer,
)
from smolcell.core.spec import AgentSpec
from smolcell.errors import SetupError
from smolcell.notebook.settings import effective_settings, read_line, resolve

NAMES = ["a", "a.b", "ab", "abc.d", "x-y", "docker", "docker:py", "local", "openai/m", "*"]
NAMES += ["example.org", "www.example.org"]
GLOBS = st.sampled_from(
    ["*", "a*", "a", "a.*", "?b", "docker", "docker:*", "*.org", "*.example.org", "openai/*", "x_y", "[ab]"]
)


def values(name: str) -> st.SearchStrategy[Any]:
    known = FIELDS[name]
    if name == "tools":
        pattern = st.sampled_from(["*", "fetch", "send(to=*@a)", "send", "fetch(url=https://*)", "s*"]).map(
            ToolPattern.read
        )
        return st.lists(st.tuples(pattern, st.sampled_from(known.words)), max_size=4).map(tuple)
    return {
        Order.ALLOWED: st.lists(GLOBS, max_size=3).map(tuple),
        Order.LEAST: st.integers(1, 100),
        Order.STRICTEST: st.sampled_from(known.words or ("",)),
        Order.UNION: st.lists(st.sampled_from(known.words or ("",)), max_size=2, unique=True).map(tuple),
        Order.ADMINISTRATOR: st.sampled_from([True, False] if name == "telemetry_content" else ["1d", "30d"]),
    }[known.order]


bodies = st.fixed_dictionaries({}, optional={name: values(name) for name in FIELDS})
some_layers = st.tuples(bodies, bodies, bodies).map(
    lambda each: tuple(
        Layer(who, f"/{who}.toml", body) for who, body in zip(("administrator", "user", "project"), each, strict=True)
    )
)


@given(some_layers, st.sampled_from(NAMES))
def test_a_name_is_allowed_only_if_every_layer_allows_it(layers: tuple[Layer, ...], name: str) -> None:
    for field, known in FIELDS.items():
        if known.order is Order.ALLOWED:
            each = [Policy((layer,)).allows(field, name) for layer in layers]
            assert Policy(layers).allows(field, name) == all(each)


@given(some_layers, st.integers(1, 200))
def test_no_value_is_wider_than_that_of_any_layer(layers: tuple[Layer, ...], number: int) -> None:
    together = Policy(layers)
    for field, known in FIELDS.items():
        said = [layer.values[field] for layer in layers if field in layer.values]
        lock = together.lock(field)
        if known.order is Order.LEAST:
            assert together.least(field, number) == min([number, *said])
        elif known.order is Order.UNION and lock is not None:
            assert set(lock.value) == {word for each in said for word in each}
        elif known.order is Order.STRICTEST and field != "tools" and said:
            assert lock is not None
            assert all(known.words.index(lock.value) >= known.words.index(each) for each in said)
            for word in known.words:
                narrowed = together.narrow(known.setting, word)[0]
                assert known.words.index(narrowed) == max(known.words.index(word), known.words.index(lock.value))
    if any("imports" in layer.values for layer in layers):
        assert together.narrow("python", "full")[0] == together.narrow("python", "auto")[0] == "guarded"


@given(some_layers)
def test_only_the_administrator_and_else_the_user_sets_retention_and_telemetry(layers: tuple[Layer, ...]) -> None:
    for field in ("retention", "telemetry_content"):
        lock, said = Policy(layers).lock(field), [layer.values.get(field) for layer in layers[:2]]
        assert (None if lock is None else lock.value) == (said[0] if said[0] is not None else said[1])


CALLS = st.tuples(
    st.sampled_from(["fetch", "send", "other"]),
    st.dictionaries(st.sampled_from(["to", "url"]), st.sampled_from(["x@a", "https://b", "", 3, ["x@a"]]), max_size=2),
)


@given(some_layers, CALLS)
def test_a_call_is_approved_as_strictly_as_the_strictest_layer_wants(
    layers: tuple[Layer, ...], call: tuple[str, dict[str, Any]]
) -> None:
    words = FIELDS["tools"].words
    each = [Policy((layer,)).tool_approval(*call) for layer in layers]
    found = Policy(layers).tool_approval(*call)
    strictest = max(words.index(lock.value if lock else "auto") for lock in each)
    assert words.index(found.value if found else "auto") == strictest


@given(st.text("ab.*", min_size=1, max_size=8), st.text("ab.", min_size=1, max_size=8))
def test_a_module_is_below_a_pattern_only_if_one_of_its_packages_matches(pattern: str, name: str) -> None:
    bare = pattern.removesuffix(".*")
    packages = [".".join(name.split(".")[:n]) for n in range(1, name.count(".") + 2)]
    if FIELDS["imports"].matches(name, pattern):
        assert pattern == "*" or any(fnmatchcase(package, bare) for package in packages)


def test_everything_is_only_allowed_by_everything() -> None:
    limited = Policy((Layer("user", "/p", {"imports": ("?", "a*"), "hosts": ("*.org", "?")}),))
    assert (limited.allows("imports", "*"), limited.allows("hosts", "*")) == (False, False)
    assert limited.allows("imports", "abc.d.*")


GOOD = """
[policy]
sandboxes = ["local", "docker:*"]
level = "guarded"
approval = "ask"   # every step
output_checks = ["secrets"]
retention = "30d"
telemetry_content = false

[policy.limits]
memory = 1024
timeout = 30

[policy.tools]
"fetch(url=https://example.org/*)" = "auto"
"fetch" = "ask"
"""


def test_every_lock_names_its_file_and_line() -> None:
    layer = read_layer(GOOD, "/etc/smolcell/policy.toml", "administrator")
    at = "locked by /etc/smolcell/policy.toml"
    assert Policy((layer,)).locks() == [
        f"sandboxes local, docker:*: {at}:3",
        f"level guarded: {at}:4",
        f"approval ask: {at}:5",
        f"tools fetch(url=https://example.org/*): auto, fetch: ask: {at}:14",
        f"limits.timeout 30.0: {at}:12",
        f"limits.memory 1024: {at}:11",
        f"output_checks secrets: {at}:6",
        f"telemetry_content false: {at}:8",
        f"retention 30d: {at}:7",
    ]
    lock = Policy((layer,)).tool_approval("fetch", {"url": "https://elsewhere"})
    assert lock == ("ask", "/etc/smolcell/policy.toml:16")
    assert Policy((layer,)).tool_approval("fetch", {"url": "https://example.org/x"}) is None


@pytest.mark.parametrize(("text", "fault"), cases(__file__, "faults"))
def test_what_is_wrong_with_a_file_is_named_with_its_line(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "p.toml").write_text(text)
    said, faults = check_file(tmp_path / "p.toml")
    assert (said, faults) == ([], [f"{tmp_path / 'p.toml'}{fault}"])


# --- files


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """``etc.toml`` is the administrator's, ``own/smolcell.toml`` the user's, ``smolcell.toml`` the project's."""
    for name in ("MODEL", "SANDBOX", "APPROVE", "IMPORTS", "MAX_STEPS", "TRUST", "PYTHON", "POLICY"):
        monkeypatch.delenv(f"SMOLCELL_{name}", raising=False)
    (tmp_path / "own").mkdir()
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "own"))
    monkeypatch.setattr(policy, "ADMINISTRATORS_FILE", tmp_path / "etc.toml")
    monkeypatch.setattr(policy, "not_only_roots", lambda path: "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_layers_are_read_and_read_again_if_a_file_changes(places: Path) -> None:
    assert current() == Policy()
    (places / "etc.toml").write_text("limits = { memory = 1000 }\n")
    (places / "own" / "smolcell.toml").write_text("max_steps = 7\n[policy.limits]\nmemory = 500\n")
    (places / "smolcell.toml").write_text("[policy]\nlimits.memory = 800\napproval = 'deny'\n")
    assert [(layer.who, layer.values) for layer in current().layers] == [
        ("administrator", {"limits.memory": 1000}),
        ("user", {"limits.memory": 500}),
        ("project", {"limits.memory": 800, "approval": "deny"}),
    ]
    assert current().lock("limits.memory") == (500, "~/own/smolcell.toml:3")
    assert resolve({}) == AgentSpec(max_steps=7, memory=500, approve="deny")
    (places / "own" / "smolcell.toml").write_text("[policy.limits]\nmemory = 50\n")
    assert current().lock("limits.memory") == (50, "~/own/smolcell.toml:2")


def test_a_run_keeps_the_policy_of_its_beginning(places: Path) -> None:
    def memory() -> Any:
        return current().lock("limits.memory")

    file = places / "etc.toml"
    file.write_text("limits.memory = 1000\n")
    contract, other = (Layer("contract", f"/{most}.toml", {"limits.memory": most}) for most in (300, 700))
    with policy_of_run():
        file.write_text("limits.memory = 50\n")
        assert memory() == (1000, "~/etc.toml:1")
        with policy_of_run(contract):
            assert memory() == (300, "/300.toml")
            with policy_of_run():  # of a managed agent
                assert memory() == (300, "/300.toml")
            with policy_of_run(other):  # in place of the first contract
                assert memory() == (700, "/700.toml")
        assert memory() == (1000, "~/etc.toml:1")
    assert memory() == (50, "~/etc.toml:1")


def test_defaults_are_narrowed_and_what_is_asked_for_beyond_the_policy_is_an_error(places: Path) -> None:
    (places / "etc.toml").write_text(
        'approval = "ask"\nlevel = "guarded"\nimports = ["numpy"]\nsandboxes = ["local"]\nmodels = ["ollama/*"]\n'
        "[limits]\nmax_steps = 5\n"
    )
    found = resolve({"python": "auto", "max_steps": "3"})
    assert (found.python, found.max_steps, found.memory) == ("guarded", 3, 2048)
    for option, place in {
        "--approve auto": "approve in the cell is auto, and the policy allows ask at most: locked by ~/etc.toml:1",
        "--max-steps 9": "max-steps in the cell is 9, and the policy allows 5 at most: locked by ~/etc.toml:7",
        "--python full": "python in the cell is full, and the policy allows guarded at most: locked by ~/etc.toml:2",
        "--imports pandas": "imports pandas is not allowed: locked by ~/etc.toml:3, which allows: numpy",
        "-s docker": "sandbox docker is not allowed: locked by ~/etc.toml:4, which allows: local",
        "-m openai/gpt-4.1": "model openai/gpt-4.1 is not allowed: locked by ~/etc.toml:5, which allows: ollama/*",
    }.items():
        with pytest.raises(SetupError) as raised:
            effective_settings(read_line(option))
        assert str(raised.value).startswith(f"--{place}")
    assert effective_settings(read_line("--imports numpy -m ollama/q")).imports == ("numpy.*", "numpy")


@pytest.mark.parametrize("owner", ["etc.toml", "own/smolcell.toml", "smolcell.toml"])
def test_a_policy_that_is_not_valid_allows_nothing(places: Path, owner: str) -> None:
    (places / owner).write_text("[policy]\nlevl = 'full'\n")
    with pytest.raises(SetupError, match=r"nothing is allowed until it is: .*:2: there is no field 'levl'"):
        current()


def test_a_policy_that_the_server_names_must_be_there_and_counts_besides(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "startup_value", {"SMOLCELL_POLICY": str(places / "hub.toml")}.get)
    with pytest.raises(SetupError, match=r"hub\.toml does not exist. Ask your administrator"):
        current()
    (places / "hub.toml").write_text('approval = "ask"\n')
    (places / "etc.toml").write_text("[limits]\nmemory = 100\n")
    assert (resolve({}).memory, [layer.who for layer in current().layers]) == (100, ["administrator"] * 2)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs root: to make a file root's")
def test_a_file_counts_only_if_root_alone_can_change_it(tmp_path: Path) -> None:
    folder = tmp_path / "policy"
    folder.mkdir(mode=0o755)
    file = folder / "policy.toml"
    file.write_text("")
    file.chmod(0o644)
    assert policy.not_only_roots(file) == ""
    file.chmod(0o664)
    assert policy.not_only_roots(file) == f"{file} can be changed by other users"
    file.chmod(0o644)
    folder.chmod(0o777)
    assert policy.not_only_roots(file) == f"{folder} can be changed by other users"
    folder.chmod(0o755)
    link = folder / "link.toml"
    (folder / "theirs").write_text("")
    os.chown(folder / "theirs", 4711, 4711)
    link.symlink_to(folder / "theirs")
    assert policy.not_only_roots(link) == f"{folder / 'theirs'} does not belong to root"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs root: to make a file root's")
def test_an_administrators_file_that_others_can_change_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(policy, "ADMINISTRATORS_FILE", tmp_path / "etc.toml")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "etc.toml").write_text('approval = "deny"\n')
    (tmp_path / "etc.toml").chmod(0o666)
    with pytest.warns(UserWarning, match=r"etc\.toml is not used as a policy: .* can be changed by other users"):
        assert current().layers == ()
    assert "can be changed by other users" in str(current())


@pytest.mark.parametrize(("question", "answer"), cases(__file__, "explained"))
def test_explain_says_what_is_allowed_and_by_which_line(question: str, answer: str) -> None:
    text = "[policy]\nimports = ['numpy']\napproval = 'ask'\n[policy.tools]\nfetch = 'deny'\n"
    assert explain(question, Policy((read_layer(text, "/p", "administrator"),))) == answer


def test_a_question_that_is_none_says_what_can_be_asked() -> None:
    with pytest.raises(SetupError, match=r"is not a question about a policy\. Ask for example"):
        explain("what is allowed?", Policy())
