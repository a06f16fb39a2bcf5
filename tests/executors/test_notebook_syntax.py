"""Notebook syntax, ``IPython.display`` and charts in the local sandbox, with and without the guard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from local_parts import PROGRAMS, LocalInTests, observe

from smolcell.errors import InterpreterError
from smolcell.events import Delta
from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.runner import charts, notebook
from smolcell.worker.supervisor.meters import drop_overwritten_piece
from smolcell.worker.wire.bounds import CLEAR, PLACES


@pytest.fixture(scope="module", params=[False, True], ids=["full", "guarded"])
def executor(request: Any) -> Iterator[Any]:
    with LocalInTests(["*"], timeout=120, guard=request.param) as found:
        yield found


@pytest.fixture(scope="module")
def full() -> Iterator[Any]:
    with LocalInTests(["*"], timeout=120, guard=False) as found:
        yield found


def shown(result: Any) -> list[dict[str, str]]:
    return [dict(bundle.data) for bundle in result.outputs]


# --- shell lines ---


def test_a_shell_line_prints_what_the_command_prints(full: Any) -> None:
    result = full("word = 'two words'\nprint('one')\n!echo {word} $word {no_such_name}; exit 3\n")
    assert result.logs == "one\ntwo words two words {no_such_name}\n[exit status 3]\n"


def test_a_shell_line_on_the_right_side_gives_its_lines(full: Any) -> None:
    assert full("lines = !printf 'a\\nb\\n'\nlines").output == ["a", "b"]


def test_a_bash_cell_runs_whole_and_raises_if_it_fails(full: Any) -> None:
    assert full("%%bash\nfor i in 1 2; do\n  echo $i\ndone").logs == "1\n2\n"
    with pytest.raises(InterpreterError, match="CalledProcessError"):
        full("%%bash\nexit 4")


def test_a_shell_line_is_refused_in_guarded_with_the_next_step() -> None:
    with LocalPythonExecutor(["*"], timeout=120) as guarded, pytest.raises(InterpreterError) as refused:
        guarded("x = 1\n!ls")
    assert "line 2" in str(refused.value)
    assert "start a process" in str(refused.value)
    assert "--python full" in str(refused.value)


# --- magics ---


def test_magics_of_the_notebook_alone_are_ignored_with_a_note(executor: Any) -> None:
    result = executor("%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n%config A.b = 'c'\n1 + 1")
    assert (result.output, result.logs.count("is ignored")) == (2, 4)


def test_times_are_printed_and_values_are_kept(executor: Any) -> None:
    result = executor("%time kept = 3\nkept")
    assert (result.output, result.changed, "wall time" in result.logs) == (3, ("kept",), True)
    assert executor("%time kept + 1").output == 4
    result = executor("%%time\nkept = 5\nkept")
    assert (result.output, result.logs.count("wall time")) == (5, 1)
    assert executor("1").logs == ""
    assert "3 runs, 10 loops each" in executor("%timeit -n 10 -r 3 kept + 1").logs
    assert "2 runs, 5 loops each" in executor("%%timeit -n 5 -r 2\nif kept:\n    kept + 1").logs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%pip install nosuchpackage", "nosuchpackage is not installed: the program cannot install it"),
        ("!pip install -q 'nosuchpackage>=2'", "nosuchpackage>=2 is not installed: the program cannot install it"),
        ("%nosuch x", "%nosuch x is not available here"),
    ],
)
def test_an_install_and_an_unknown_magic_fail_in_one_line(executor: Any, text: str, message: str) -> None:
    with pytest.raises(InterpreterError, match="line 2: UsageError") as failed:
        executor(f"x = 1\n{text}")
    assert message in str(failed.value)


def test_a_traceback_shows_the_lines_that_were_approved(executor: Any) -> None:
    error = observe(executor, "%config a\ndef f():\n    return 1 / 0\n\n%time f()").error
    assert error is not None
    assert error.traceback == (
        "Traceback (most recent call last):\n"
        '  File "<step 1>", line 5, in <module>\n    %time f()\n'
        '  File "<step 1>", line 5, in <lambda>\n    %time f()\n'
        '  File "<step 1>", line 3, in f\n    return 1 / 0\n'
        "ZeroDivisionError: division by zero"
    )


# --- IPython.display ---


def test_the_classes_of_ipython_display_reach_the_card(executor: Any) -> None:
    result = executor(
        "from IPython.display import display, Markdown, HTML, Image, JSON, Latex, SVG, clear_output, publish_display_data\n"
        "from IPython import get_ipython\n"
        "import IPython\n"
        "display('gone')\nclear_output(wait=True)\n"
        "display(Markdown('**a**'), HTML('<b>x</b>'), JSON({'a': 1}))\n"
        "display(Latex('$x$'))\ndisplay(SVG('<svg></svg>'))\n"
        "IPython.display.display({'text/markdown': 'raw'}, raw=True)\n"
        "publish_display_data({'text/html': '<b>y</b>'}, {})\nprint(get_ipython())"
    )
    assert result.logs == "None\n"
    assert [next(iter(bundle.items())) for bundle in shown(result)] == [
        ("text/markdown", "**a**"),
        ("text/html", "<b>x</b>"),
        ("application/json", '{"a":1}'),
        ("text/latex", "$x$"),
        ("image/svg+xml", "<svg></svg>"),
        ("text/markdown", "raw"),
        ("text/html", "<b>y</b>"),
    ]


def test_what_only_the_real_ipython_has_is_found_in_full(full: Any) -> None:
    result = full(
        "from IPython.display import Code, IFrame, display_html\n"
        "from IPython.core.display_functions import display as of_core\n"
        "display_html('<b>raw</b>', raw=True)\nof_core(IFrame('https://example.org', 10, 10))\n"
        "display(1, display_id='x').display_id"
    )
    assert result.output == "x"
    assert ["text/html" in data for data in shown(result)][:2] == [True, True]
    with pytest.raises(InterpreterError, match="cannot import name 'NoSuch'"):
        full("from IPython.display import NoSuch")


def test_python_is_the_sandbox_s_own_for_shell_lines_and_children(full: Any) -> None:
    said = full(
        "import sys\n!python -c 'import sys, pandas; print(sys.executable)'\nprint(sys.executable)"
    ).logs.split()
    assert said[0] == said[1]
    assert full("import getpass; getpass.getuser()").output == "sandbox"
    assert "Return the number of items" in full("help(len)").logs


def test_an_image_is_shown_from_its_bytes_and_from_a_file(executor: Any) -> None:
    result = executor(
        "from IPython.display import Image\n"
        "data = b'\\x89PNG\\r\\n\\x1a\\n' + bytes(20)\n"
        "with open('a.png', 'wb') as file:\n    file.write(data)\n"
        "display(Image(data), Image('a.png'))"
    )
    assert [list(bundle) for bundle in shown(result)] == [["image/png", "text/plain"]] * 2


def test_display_objects_have_the_methods_that_ipythons_have(executor: Any) -> None:
    code = (
        "from IPython.display import HTML, Latex, Markdown, SVG\n"
        "final_answer([HTML('h')._repr_html_(), Latex('l')._repr_latex_(), Markdown('m')._repr_markdown_(), SVG('s')._repr_svg_()])"
    )
    assert executor(code).output == ["h", "l", "m", "s"]


def test_ipython_display_needs_no_grant_in_guarded() -> None:
    with LocalPythonExecutor([], timeout=120) as guarded:
        result = guarded("from IPython.display import display, Markdown\nMarkdown('# t')")
    assert shown(result) == [{"text/markdown": "# t", "text/plain": "# t"}]


# --- charts: what stands in for the libraries has their names and methods ---

PLOTLY = PROGRAMS["a figure like those of plotly"]


def test_a_plotly_figure_is_its_specification_with_a_table_and_a_short_description(full: Any) -> None:
    result = full(PLOTLY)
    (bundle,) = shown(result)
    assert json.loads(bundle[charts.PLOTLY])["layout"] == {"title": {"text": "T"}}
    assert bundle["text/plain"] == "plotly figure 'T': 1 trace (bar) (data: x, y)"
    assert "<tr><td>&lt;a&gt;</td><td>1</td></tr>" in bundle["text/html"]


@pytest.mark.slow
def test_the_real_libraries_give_their_mime_types(executor: Any) -> None:
    pytest.importorskip("plotly")
    pytest.importorskip("altair")
    pytest.importorskip("nbformat")
    result = executor("import plotly.express as px\nfig = px.bar(x=['a'], y=[1])\nfig.show()\ndisplay(fig)\nfig")
    assert [charts.PLOTLY in bundle for bundle in shown(result)] == [True] * 3
    code = "import altair as alt, pandas as pd\nalt.Chart(pd.DataFrame({'a': [1]})).mark_bar().encode(x='a')"
    (bundle,) = shown(executor(code))
    assert any(mime.startswith("application/vnd.vegalite.v") for mime in bundle)
    assert bundle["text/plain"] == "Vega chart: bar of x=a (data: a)"


@pytest.mark.slow
def test_bokeh_s_show_displays_text_and_a_table(executor: Any) -> None:
    pytest.importorskip("bokeh")
    made = "from bokeh.plotting import figure, output_notebook, show\np = figure(title='B')\np.line([1, 2], [3, 4])\n"
    for code in (f"{made}show(p)", "output_notebook()\nshow(p, notebook_handle=True)"):
        (bundle,) = shown(executor(code))
        assert bundle["text/plain"] == "bokeh figure 'B': Line (data: x, y)"
        assert "<td>3</td>" in bundle["text/html"]


WITHOUT = """
import importlib.machinery, sys
find = importlib.machinery.PathFinder.find_spec
missing = lambda name, *more: None if name.partition(".")[0] == "nbformat" else find(name, *more)
importlib.machinery.PathFinder.find_spec = missing
"""


@pytest.mark.slow
def test_plotly_s_show_needs_no_nbformat_and_others_do_not_find_one() -> None:
    pytest.importorskip("plotly")
    with LocalInTests(["*"], timeout=120, guard=False) as executor:
        executor(WITHOUT)
        with pytest.raises(InterpreterError, match="nbformat"):
            executor("import nbformat")
        (bundle,) = shown(executor("import plotly.express as px\npx.bar(x=['a'], y=[1]).show()"))
        assert charts.PLOTLY in bundle


@pytest.mark.slow
def test_an_animation_is_a_video_or_a_gif(executor: Any) -> None:
    pytest.importorskip("matplotlib")
    result = executor(
        "import matplotlib.pyplot as plt\nfrom matplotlib.animation import FuncAnimation\n"
        "figure, axes = plt.subplots(figsize=(1, 1))\n(line,) = axes.plot([0, 1], [0, 1])\n"
        "FuncAnimation(figure, lambda at: line.set_ydata([0, at]), frames=2)"
    )
    (bundle,) = shown(result)
    assert bundle.keys() & {"video/mp4", "image/gif"}
    assert bundle["text/plain"] == "matplotlib FuncAnimation"


def test_a_vega_specification_that_is_displayed_raw_is_described() -> None:
    spec = {"mark": "bar", "encoding": {"x": {"field": "a"}}, "data": {"values": [{"a": 1}]}}
    assert charts.describe_chart("application/vnd.vegalite.v5+json", spec) == {
        "text/plain": "Vega chart: bar of x=a (data: a)",
        "text/html": "<p>Vega chart: bar of x=a</p><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
    }


def test_html_with_an_embedded_video_is_the_video() -> None:
    text = '<video controls><source type="video/mp4" src="data:video/mp4;base64,AAAA\nBBBB"></video>'
    assert charts.video_of(text) == {"video/mp4": "AAAABBBB", "text/plain": "a video"}


def test_an_install_has_one_place() -> None:
    with pytest.raises(notebook.UsageError, match="the program cannot install it, and the user did not"):
        notebook.install("nosuchpackage")


# --- while a step runs ---


LIVE = PROGRAMS["a step that displays while it runs"]


def test_a_running_step_tells_what_changes_now_and_then_and_a_progress_bar_is_one_line(executor: Any) -> None:
    deltas: list[Delta] = []
    observed = observe(executor, LIVE, show=deltas.append)
    assert (observed.error, shown(observed)) == (None, [{"text/plain": "'b29'"}, {"text/plain": "'y'"}])
    assert observed.stdout == f"29%{'#' * 900}\n"
    most = 20 * observed.duration + 5
    told = [json.loads(delta.text) for delta in deltas if delta.channel == "display"]
    assert {each["count"] for each in told} <= {1, 2}
    first = [each["data"]["text/plain"] for each in told if each["at"] == 0]
    assert 2 <= len(first) <= most
    assert first[-1].startswith("'b")
    pieces = [delta.text for delta in deltas if delta.channel == "output"]
    assert 2 <= len(pieces) <= most  # of them 30 were printed, more than a step may print
    assert all(piece.startswith("\r") for piece in pieces[1:-1])


@pytest.mark.parametrize(
    ("code", "printed", "displayed"),
    [
        ("print('a')\ndisplay('b')\nclear_output()", "", []),
        ("print('a')\ndisplay('b')\nclear_output()\nprint('c')", "c\n", []),
        ("print('a')\ndisplay('b')\nclear_output(wait=True)", "a\n", ["'b'"]),
        ("print('a')\ndisplay('b')\nclear_output(wait=True)\nprint('c')", "c\n", []),
        ("print('a')\ndisplay('b')\nclear_output(wait=True)\nprint('c', file=sys.stderr)", "c\n", []),
        ("print('a')\ndisplay('b', clear=True)", "", ["'b'"]),
        ("print('a')\nclear_output(wait=True)\nclear_output()\nprint('b')", "b\n", []),
        ("for i in range(3):\n    clear_output(wait=True)\n    print(i)\n    display(i)", "2\n", ["2"]),
        ("print('a' * 100_000)\nclear_output()\nprint('b')", "b\n", []),
    ],
)
def test_clear_output_clears_printed_text_too(executor: Any, code: str, printed: str, displayed: list[str]) -> None:
    deltas: list[Delta] = []
    result = observe(executor, f"import sys\nfrom IPython.display import clear_output\n{code}", show=deltas.append)
    assert (result.error, result.stdout, result.dropped) == (None, printed, 0)
    assert [bundle["text/plain"] for bundle in shown(result)] == displayed
    streamed = ""
    for delta in deltas:
        streamed = drop_overwritten_piece(streamed + delta.text * (delta.channel == "output"))
    assert streamed.removeprefix(CLEAR) == printed
    assert executor("print('next')").logs == "next\n"


@pytest.mark.parametrize(
    ("code", "printed", "places"),
    [
        ("print('a')\ndisplay(1)\nprint('b')\ndisplay(2)\nprint('c')", "a\nb\nc\n", (1, 2)),
        ("display(1)\nprint('a')", "a\n", (0,)),
        ("print('a')\ndisplay(1)", "a\n", ()),
        ("print('a', end='')\ndisplay(1)\nprint('b')\nprint('c')", "ab\nc\n", (1,)),
        ("import sys\nprint('a', file=sys.stderr)\ndisplay(1)\nprint('b')\n2", "a\nb\n", (1,)),
        ("print('a')\ndisplay(1)\nclear_output()\ndisplay(2)\nprint('b')", "b\n", (0,)),
        ("print('a\\r', end='')\ndisplay(1)\nprint('b\\r', end='')\ndisplay(2)\nprint('\\nc')", "b\r\nc\n", (0, 1)),
        ("display(1)\nprint('a' * 100_000)\ndisplay(2)\nprint('b')", None, (0, 3)),
        ("print('\\ufdd1')\ndisplay(1)\nprint('b')\ndisplay(2)\nprint('c')", "\nb\nc\n", (1, 2)),
        ("display(1)\nprint('\\ufdd0' * 9)", "\n", (0,)),
    ],
)
def test_what_is_displayed_has_its_place_in_the_printed_text(
    executor: Any, code: str, printed: str | None, places: tuple[int, ...]
) -> None:
    deltas: list[Delta] = []
    result = observe(executor, f"from IPython.display import clear_output\n{code}", show=deltas.append)
    assert (result.error, result.places) == (None, places)
    assert printed in (result.stdout, None)
    assert not set(PLACES) & set(result.stdout + "".join(delta.text for delta in deltas))


def test_a_display_writes_into_no_file_of_the_program(full: Any) -> None:
    code = (
        "import os, sys\nfile = open('out.txt', 'w+')\nkept = os.dup(1)\nos.dup2(file.fileno(), 1)\nprint('a')\ndisplay(1)\n"
        "os.dup2(kept, 1)\nprint(open('out.txt').read())\nprint('b')"
    )
    result = observe(full, code)
    assert (result.stdout, result.places) == ("a\n\nb\n", (0,))


def test_clear_output_leaves_text_that_the_program_prints_elsewhere(executor: Any) -> None:
    code = "with redirect_stdout(StringIO()) as file:\n    print('a')\n    clear_output(wait=True)\n    print('b')\nfile.getvalue()"
    result = executor(
        f"from contextlib import redirect_stdout\nfrom io import StringIO\nfrom IPython.display import clear_output\n{code}"
    )
    assert (result.logs, result.output) == ("", "a\nb\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "displayed"),
    [
        ("plt.plot([1, 2]); plt.show(); plt.close()", ["picture"]),
        ("for i in range(3): plt.plot([i, 1]); plt.show()", ["picture"] * 3),
        ("fig, ax = plt.subplots(); ax.plot([1]); fig.show(); plt.close(fig)", ["picture"]),
        ("plt.plot([1]); plt.show(); display('x'); plt.plot([2]); plt.show()", ["picture", "'x'", "picture"]),
        ("plt.plot([1]); display('x')", ["'x'", "picture"]),
        ("plt.plot([1]); plt.close()", []),
        ("fig, ax = plt.subplots(); display(fig)", ["picture"]),
        ("fig, ax = plt.subplots(); display(fig); ax.plot([1]); print(plt.gcf() is fig)", ["picture"] * 2),
        ("fig, ax = plt.subplots(); fig", ["picture"]),
        ("plt.subplots(); plt.subplots()", ["picture"] * 2),
        ("plt.figure(); plt.show()", ["<Figure size 640x480 with 0 Axes>"]),
        ("matplotlib.use('Agg'); plt.plot([1]); plt.show(); plt.close()", ["picture"]),
        ("from pylab import *; plot([1]); show(block=False); plot([2]); show()", ["picture"] * 2),
        ("plt.title('$\\frac$'); plt.show(); plt.plot([1])", ["picture"]),
        ("plt.plot([1]); plt.show(); clear_output()", []),
        ("fig, ax = plt.subplots(); display('x', fig); clear_output(wait=True)", ["picture"]),
        ("from PIL import Image; Image.new('RGB', (2, 2)).show()", ["picture"]),
    ],
)
def test_pictures_are_displayed_when_they_are_shown_as_in_jupyter(
    executor: Any, code: str, displayed: list[str]
) -> None:
    pytest.importorskip("matplotlib")
    begin = "import matplotlib, matplotlib.pyplot as plt\nfrom IPython.display import clear_output\n"
    result = observe(executor, begin + code)
    seen = ["picture" if "image/png" in bundle else bundle["text/plain"] for bundle in shown(result)]
    assert (result.error, seen) == (None, displayed)
    assert executor("len(plt.get_fignums())").output == 0


def test_what_is_displayed_with_an_id_of_an_earlier_step_is_displayed_below(executor: Any) -> None:
    executor("display('one', display_id='id')")
    result = executor("from IPython.display import update_display\nupdate_display('two', display_id='id')")
    assert shown(result) == [{"text/plain": "'two'"}]
    cleared = executor("from IPython.display import clear_output\ndisplay('one')\nclear_output()\ndisplay('two')")
    assert shown(cleared) == [{"text/plain": "'two'"}]
