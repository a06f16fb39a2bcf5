"""The policy says what a person should know about a program; what it did not understand has a warning."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.findings import findings
from smolcell.events import Finding
from smolcell.worker.guard.magics import to_python


def plain(found: Iterable[Finding]) -> bool:
    """Whether there is no warning."""
    return all(finding.risk == "none" for finding in found)


def found(text: str, *authorized: str, tools: tuple[str, ...] = ()) -> set[tuple[str, str, str]]:
    return {(f.kind, f.text, f.risk) for f in findings(text, authorized, tools) if f.kind != "name"}


HARMLESS = {
    "sums": "total = sum(x * 2 for x in [1, 2, 3])\nprint(f'{total:>10}')\nfinal_answer(total)",
    "a class": "class A:\n    def __init__(self):\n        self.x = 1\n\n    def __len__(self):\n        return 3",
    "control flow": "for i in range(3):\n    try:\n        assert i\n    except AssertionError as e:\n        raise ValueError(i) from e",
    "a pattern": "match x:\n    case [1, *rest]:\n        y = rest\n    case {'a': b}:\n        y = b\n    case str(real=z):\n        pass",
    "awaiting": "await f()",
    "a table": "df.groupby('a')['b'].sum().plot()",
    "a figure": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('a')\nplt.show()",
    "dates": "import datetime\nprint(datetime.date.today().isoformat())",
    "a text with braces": "print('{} and {0.real} and {name}'.format(1, 2, name=3))",
    "nothing": "",
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_plain_programs_have_no_warning(text: str) -> None:
    assert plain(findings(text))


GIVEN = ("sales.csv", "data/")
READS_GIVEN = {
    "open('sales.csv').read()": "sales.csv",
    "with open('./sales.csv', 'rb', encoding=None) as file: pass": "./sales.csv",
    "pd.read_csv('sales.csv', sep=';')": "sales.csv",
    "pd.read_csv(filepath_or_buffer='data/a/b.csv')": "data/a/b.csv",
    "np.loadtxt('data/x.txt')": "data/x.txt",
    "open(mode='rt', file='data/x')": "data/x",
}
READS_ANOTHER = [
    "open('sales.csv', 'w')",
    "open('sales.csv', mode)",
    "open('sales.csv', **how)",
    "open(*['sales.csv'])",
    "open('sales.csv', opener=f)",
    "open('data/../secret.csv')",
    "open('/data/a')",
    "open('data')",
    "open('~/data/a')",
    "open('sales.csv.key')",
    "open(b'sales.csv')",
    "open(name)",
    "pd.read_csv('secret.csv', io='sales.csv')",
    "pd.read_csv('data/x://y')",
    "pd.read_pickle('sales.csv')",
    "pd.read_sql('sales.csv', c)",
    "x = open",
    "open = f\nopen('sales.csv')",
    "zipfile.open('sales.csv')",
]


@pytest.mark.parametrize(("text", "path"), READS_GIVEN.items())
def test_reading_a_given_file_is_said_and_no_more(text: str, path: str) -> None:
    told = findings(text, files=GIVEN)
    assert ("file", f"reads a file: {path}, which was given", "low") in {(f.kind, f.text, f.risk) for f in told}
    assert "high" not in {f.risk for f in told}
    assert "high" in {f.risk for f in findings(text)}


@pytest.mark.parametrize("text", READS_ANOTHER)
def test_reading_anything_else_is_a_high_risk(text: str) -> None:
    assert "high" in {f.risk for f in findings(text, files=GIVEN) if f.kind == "file"}


TABLES = {
    "grouping": "df.groupby(['a', 'b'], as_index=False).agg({'c': 'sum', 'd': ['min', 'max']}).reset_index()",
    "converting": "pd.to_datetime(df['a']).dt.to_period('M'); df.to_dict(); df['b'].to_list(); pd.to_numeric(df.c); x.to_numpy().tolist()",
    "as text": "print(df.to_string())\nprint(df.to_string(index=False))",
    "a plain query": "df.query('a > 1 and (b == \\'x\\' or c in [1, 2])')",
    "applying": "df['a'].apply(lambda x: x * 2).map({1: 2}).pipe(len)",
    "a column that is named like a verb": "df['open'] + df['to'] + df['save']\nd = {'load': 1, 'read': 2}",
    "a model": "from sklearn.linear_model import LinearRegression\nfrom sklearn.model_selection import train_test_split\n"
    "m = LinearRegression().fit(a, b)\nm.predict(a).mean(), m.coef_",
    "a plot": "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nax.set_title('a')\nplt.tight_layout()",
    "json": "import json\njson.loads(json.dumps({'a': 1}))",
    "numpy": "import numpy as np\nnp.random.default_rng(1).normal(size=3).sum()\nnp.linalg.norm(a)\nnp.frombuffer(b)",
    "asyncio": "import asyncio\nasync def f():\n    await asyncio.sleep(1)\nawait asyncio.gather(f(), f())",
    "scipy": "from scipy import stats, optimize\nstats.ttest_ind(a, b)\noptimize.minimize(f, 0)",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_plain_programs_on_data_have_no_warning(text: str) -> None:
    assert plain(findings(text))


UNCLEAR = """
pd.io.common.get_handle(chr(47) + 'etc')
pd.io.common.urlopen(chr(104))
pd.io
pd.core.common
np.savez_compressed(p)
df.to_xml(p)
df.to_latex(p)
df.to_markdown(p)
df.to_orc(p)
df.to_stata(p)
df.to_clipboard()
df.to_string(p)
df.to_string(buf=p)
df.to_string(**p)
df.to_string
pd.ExcelWriter(p)
pd.ExcelFile(p)
pd.HDFStore(p)
pd.show_versions(as_json=p)
scipy.io.savemat(p)
from scipy.io import loadmat
from scipy import io
from scipy.io.wavfile import write
import scipy.datasets
scipy.datasets.face()
np.fromregex(p)
np.lib.npyio
np.testing.rundocs(p)
np.f2py.compile(p)
np.DataSource(p)
np.test()
pa.OSFile(p)
pa.input_stream(p)
pa.output_stream(p)
pa.memory_map(p)
pa.create_memory_map(p)
pa.fs.LocalFileSystem()
pa.csv
import pyarrow.dataset as ds
import pyarrow.parquet
from pyarrow import fs
from pandas.io.common import get_handle
import pandas.io.common as c
from numpy.lib import npyio
from sklearn.datasets import clear_data_home
clear_data_home = sklearn.datasets.clear_data_home
matplotlib.rc_file(p)
plt.style.use(p)
from matplotlib import image
import matplotlib.image as i
sns.load_dataset(p)
sns.get_dataset_names()
Image.open(p)
from PIL import ImageGrab, ImageShow
ImageFont.truetype(p)
zoneinfo.ZoneInfo.from_file(f)
zoneinfo.reset_tzpath([p])
df.agg('to_csv', path_or_buf=p)
df.apply('to_pickle')
df.query(text)
df.query('a.to_csv(@p)')
df.query('a and to_csv(p)')
df.query('@pd.read_csv (@p)')
df.eval('a')
x.export_graphviz(p)
x.dump(p)
x.loadtxt(p)
x.writelines(p)
asyncio.get_running_loop()
asyncio.Runner()
from asyncio import get_running_loop as g
l.subprocess_shell(P, 'id')
l.create_connection(P, 'a', 1)
t.get_loop()
q._loop
""".strip().split("\n")  # fmt: skip


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_may_reach_a_file_the_network_or_a_process_has_a_warning(text: str) -> None:
    assert not plain(findings(text))


REFUSED = ", which is not authorised: the guard will refuse it"
WARNED = {
    "a module that is not authorised": ("import turtle", ("import", "turtle" + REFUSED, "high")),
    "a relative import": ("from . import a", ("import", "." + REFUSED, "high")),
    "a star import": ("from math import *", ("import", "* (hides what is imported)", "low")),
    "a network module": ("import urllib.request as r", ("network", "import urllib.request" + REFUSED, "high")),
    "from a network module": ("from socket import socket", ("network", "import socket" + REFUSED, "high")),
    "a process module": ("import os.path", ("process", "import os.path" + REFUSED, "high")),
    "a file module": ("from pathlib import Path", ("file", "import pathlib" + REFUSED, "high")),
    "a module of code": ("import importlib", ("process", "import importlib" + REFUSED, "high")),
    "import by text": ("__import__('os')", ("dunder", "__import__", "high")),
    "open": ("open('a.txt')", ("file", "reads a file: a.txt", "high")),
    "reading a table": ("df = pd.read_csv('a.csv')", ("file", "reads a file: a.csv", "high")),
    "writing a table": ("df.to_parquet('a')", ("file", "writes a file: a", "high")),
    "opening to write": ("open('a.txt', mode='w')", ("file", "writes a file: a.txt", "high")),
    "opening in a mode that is computed": ("open('a.txt', m)", ("file", "reads or writes a file: a.txt", "high")),
    "opening a name that is computed": ("open(name, 'w')", ("file", "open", "high")),
    "a path's method": ("Path('a.txt').write_text('b')", ("file", "writes a file: a.txt", "high")),
    "a path's open": ("Path('a.txt').open('w')", ("file", "writes a file: a.txt", "high")),
    "the open of a path that is computed": ("path.open('rb')", ("file", "open", "high")),
    "deleting": ("shutil.rmtree('data')", ("file", "deletes a file: data", "high")),
    "a table from the network": ("pd.read_csv('https://example.org/a')", ("network", "example.org", "high")),
    "a shell line": ("!ls -la", ("process", "starts a process: ls -la", "high")),
    "a rare reader": ("pd.read_fwf('a')", ("file", "read_fwf", "low")),
    "a data set from the network": ("d.fetch_openml('a')", ("file", "fetch_openml", "low")),
    "a reader taken along": ("r = pd.read_csv", ("file", "read_csv", "high")),
    "a reader under another name": ("from pandas import read_csv as r", ("file", "read_csv", "high")),
    "a path": ("p = '/etc/passwd'", ("file", "/etc/passwd", "low")),
    "an address": ("u = 'https://example.org/a?b'", ("network", "example.org", "high")),
    "an address in a format": ("u = f'http://{host}/a'", ("network", "http:// and what follows", "high")),
    "a process function": ("x.system('ls')", ("process", "system", "high")),
    "a process function of an authorised module": (
        "from asyncio import create_subprocess_shell as f",
        ("process", "create_subprocess_shell", "high"),
    ),
    "a dunder": ("().__class__", ("dunder", "__class__", "high")),
    "a dunder in a format": ("f'{x.__class__}'", ("dunder", "__class__", "high")),
    "a dunder in a pattern": ("match x:\n    case object(__class__=c):\n        pass", ("dunder", "__class__", "high")),
    "a dunder in a text for format": (
        "'{0.__class__}'.format(x)",
        ("dunder", "text with which format() could read attributes: {0.__class__}", "low"),
    ),
    "a frame": ("g.gi_frame", ("dunder", "gi_frame", "high")),
    "a private attribute": ("x._hidden", ("dunder", "private attribute _hidden", "low")),
    "a dunder name": ("__builtins__", ("dunder", "__builtins__", "high")),
    "a name by text": ("getattr(x, 'sys' + 'tem')", ("process", "getattr reaches names by text", "high")),
    "a name by text, taken along": ("g = getattr", ("process", "getattr reaches names by text", "high")),
    "evaluation": ("df.eval('a + b')", ("process", "eval reaches names by text", "high")),
    "a name by text from operator": ("from operator import attrgetter", ("process", "attrgetter reaches names by text", "high")),
    "letters that Python reads as others": ("x.__ｃlass__", ("dunder", "__class__", "high")),
    "a hidden character": ("x = 'a\u202eb'", ("hidden", "invisible or control character: RIGHT-TO-LEFT OVERRIDE", "high")),
    "an escape sequence": ("x = '\x1b[2J'", ("hidden", "invisible or control character: U+001B", "high")),
    "a long line": ("x = '" + "a" * 300 + "'", ("long-line", "line of 306 characters", "low")),
    "what does not parse": ("x = (", ("syntax", "does not parse: line 1: '(' was never closed", "low")),
    "a lone surrogate": ("x = '\ud800'", ("hidden", "invisible or control character: U+D800", "high")),
    "a NUL": ("x = 1\x00", ("hidden", "invisible or control character: U+0000", "high")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "finding"), WARNED.values(), ids=WARNED)
def test_what_a_person_should_know_is_found(text: str, finding: tuple[str, str, str]) -> None:
    assert finding in found(text)
    assert not plain(findings(text))


def test_a_tool_of_the_host_is_named_and_its_use_has_a_warning() -> None:
    assert found("send(1)\nf = send", tools=("send",)) == {("tool", "send", "low")}
    assert found("other(1)", tools=("send",)) == set()


def test_what_is_authorised_is_a_plain_fact() -> None:
    assert found("import turtle", "turtle") == {("import", "turtle", "none")}
    assert found("import a.b", "a.*") == {("import", "a.b", "none")}
    assert found("import a", "a.*") == {("import", "a", "none")}
    assert found("import ab", "a.*") == {("import", "ab" + REFUSED, "high")}
    assert found("import anything", "*") == {("import", "anything", "none")}
    assert found("import os", "os") == {("process", "import os", "high")}  # authorised, and still worth saying


def test_the_names_that_a_program_writes_are_listed() -> None:
    text = "b = 1\nfor a in x:\n    (c := a)\ndef f(p): ...\nclass K: ..."
    assert findings(text) == (Finding(kind="name", text="K, a, b, c, f"),)


WRITTEN = {
    "what loops, blocks and expressions bind": ("for a in x:\n with y as b, z as (c, *d): e += 1\n(f := 1)", "a, b, c, d, e, f"),
    "not the targets of a comprehension": ("a = [b for b in c if b]\nd = {e: f for e, f in g}\n{h for h in i}", "a, d"),
    "not those of a comprehension in another": ("a = [[b for b in c] for c in (d for d in e)]", "a"),
    "an assignment in a comprehension": ("a = [(b := c) for c in d if (e := c)]", "a, b, e"),
    "not what a function or class keeps to itself": ("def a(b=(c := 1)):\n d = 1\nclass e:\n f = 1\n def g(h): i = 1", "a, c, e"),
    "not what a lambda assigns": ("a = lambda b: (c := b)", "a"),
    "what a function assigns outside of itself": ("def a():\n global b\n b = 1\n c = 1", "a, b"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "names"), WRITTEN.values(), ids=WRITTEN)
def test_only_names_that_stay_after_the_step_are_listed(text: str, names: str) -> None:
    assert [finding.text for finding in findings(text) if finding.kind == "name"] == [names]


def test_the_most_serious_comes_first_and_each_thing_once_where_it_is_first() -> None:
    assert findings("import math\nx._a\nx._a\nos.system('a')\nos.system('b')\nimport math") == (
        Finding(kind="process", text="system", line=4, risk="high"),
        Finding(kind="dunder", text="private attribute _a", line=2, risk="low"),
        Finding(kind="import", text="math", line=1),
    )


def test_a_node_that_was_not_reviewed_is_a_high_risk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.core.findings._KNOWN", frozenset({"Module", "Assign", "Name", "Constant"}))
    assert found("x = 1") == set()
    assert found("x = [1]") == {("syntax", "List has not been reviewed", "high")}


def test_a_program_full_of_findings_is_told_briefly() -> None:
    told = findings("\n".join(f"x.__a{number}__\nx._b{number}" for number in range(4_000)))
    assert len(told) == 201
    assert told[0].risk == "high"
    assert told[-1] == Finding(kind="syntax", text="7800 more findings", risk="high")
    long = findings(f"x.__{'a' * 90_000}__")
    assert max(len(finding.text) for finding in long) == 200
    assert len(findings("\u200b" * 90_000)) == 3


# --- for any text --------------------------------------------------------------------------------------------------------


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_is_read(text: str) -> None:
    told = findings(text)
    parses = _parses(text)
    assert all(isinstance(finding, Finding) for finding in told)
    assert parses or not plain(told)


def _parses(text: str) -> bool:
    try:
        ast.parse(to_python(text))
    except (SyntaxError, ValueError):
        return False
    return True


STATEMENTS = [
    "import math", "import os", "from asyncio import create_subprocess_exec as local1", "local1 = local2", "local2 = getattr",
    "local1 = pd.read_csv", "local1('a')", "with open('a') as local3:\n    pass", "local3 = ().__class__", "local1._x = 3",
    "for local1 in range(3):\n    local2 = local1", "def local3(local1):\n    return local1.system", "print('/etc/passwd')",
    "local1 = lambda local2: local2.__dict__", "[local2.gi_frame for local2 in local1]", "u = 'https://example.org'",
    "match local1:\n    case object(__class__=local2):\n        pass", "import math as local3", "send(local1)", "local1 = send",
]  # fmt: skip
NAMES = [*(f"name_{n}" for n in range(5)), "data", "é", "print_", "result"]
assert not {*NAMES} & {*keyword.kwlist, *dir(builtins)}


@given(
    st.lists(st.sampled_from(STATEMENTS), max_size=8),
    st.lists(st.sampled_from(NAMES), min_size=3, max_size=3, unique=True),
)
def test_renaming_locals_does_not_lower_a_finding(statements: list[str], names: list[str]) -> None:
    text = renamed = "\n".join(statements)
    for number, name in enumerate(names, 1):
        renamed = renamed.replace(f"local{number}", name)
    assert found(renamed, tools=("send",)) == found(text, tools=("send",))
    assert plain(findings(renamed)) == plain(findings(text))


@given(st.lists(st.sampled_from(STATEMENTS), max_size=6), st.sampled_from(STATEMENTS))
def test_more_code_never_lowers_a_finding(statements: list[str], more: str) -> None:
    assert found("\n".join(statements)) <= found("\n".join([*statements, more]))


@given(st.lists(st.sampled_from(STATEMENTS), max_size=6))
def test_nothing_but_names_and_imports_is_plain(statements: list[str]) -> None:
    told = findings("\n".join(statements), tools=("send",))
    assert plain(told) == all(finding.kind in ("name", "import") for finding in told)
