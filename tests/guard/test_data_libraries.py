"""What numpy, pandas, matplotlib, pyarrow and Pillow do with names that a program hands them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from guarded import Unwalled, paragraphs

from smolcell.errors import InterpreterError

ESCAPES = paragraphs("""
## pandas.eval frames
print(pd.eval("self", level=@LEVEL, engine="python"))
## pandas.Scope frames
print("TAKEN" if "__builtins__" in pandas.core.computation.scope.Scope(@LEVEL).scope else 1 / 0)
## pandas.apply globals
print(pandas.core.apply.FrameApply._apply_str(None, pd.concat, "__globals__"))
## pandas.apply accessor
print(pd.DataFrame({"a": [1]}).apply("__getattribute__", args=("__dict__",)))
## pandas.apply dictionary of a class
pandas.core.apply.FrameApply._apply_str(None, type, "__dict__")["__subclasses__"](object)
## pandas.apply base of a class
pandas.core.apply.FrameApply._apply_str(None, type, "__base__")
## pandas.import_optional_dependency
pandas.compat._optional.import_optional_dependency("os").getcwd()
## pandas.set_module
from pandas.util._decorators import set_module
set_module("__main__")(pd.DataFrame)
## pandas.getattr
from pandas.core.apply import getattr as real
real(pd, "__dict__")
## pickle module
pd.read_pickle(io.BytesIO(b"cpandas.io.common\\nos\\n."))
## pickle worker
pd.read_pickle(io.BytesIO(b"csmolcell_worker.hook\\nHook\\n."))
## pickle foreign function
pd.read_pickle(io.BytesIO(b"cpandas.core.common\\npartial\\n."))
## pickle shut function
pd.read_pickle(io.BytesIO(b"cnumpy.testing\\nrunstring\\n."))
## pickle claims a class
class Claim:
    def __reduce_ex__(self, protocol):
        return (lambda: pd.Grouper, (), (None, {"__module__": "__main__"}))
copy.copy(Claim())
## numpy.set_module
from numpy._utils import set_module
set_module("__main__")(pd.DataFrame)
## numpy.as_strided
np.lib.stride_tricks.as_strided(np.zeros(4), shape=(100,), strides=(8,))
## numpy.as_strided by from
from numpy.lib.stride_tricks import as_strided
## numpy.DummyArray
np.lib._stride_tricks_impl.DummyArray
## numpy.ctypeslib
from numpy import ctypeslib
## numpy.makenamedict
from numpy.lib._utils_impl import _makenamedict
_makenamedict("os")
## matplotlib.setattr
from matplotlib.cbook import _setattr_cm
_setattr_cm(pd.DataFrame, to_csv=len).__enter__()
## matplotlib.backend
from matplotlib.backends.registry import backend_registry
backend_registry.load_backend_module("module://os")
## matplotlib.backend by name
import matplotlib.pyplot as plt
plt.switch_backend("module://os")
## pyarrow.foreign_buffer
import pyarrow
pyarrow.foreign_buffer(id(1), 8)
## pyarrow.import from C
import pyarrow
pyarrow.Array._import_from_c(1, 2)
## styler format
pd.DataFrame({"a": [display]}).style.format("{0.__globals__}").to_html()
## styler index format
pd.DataFrame({"a": [1]}, index=["x"]).style.format_index("{0.__class__}").to_html()
## styler template
open("x.tpl", "w").write("{{ cycler.__init__['__glo' ~ 'bals__'] }}")
from pandas.io.formats.style import Styler
Styler.from_custom_template(".", html_table="x.tpl")(pd.DataFrame({"a": [1]})).to_html()
## styler environment
env, got = pd.DataFrame({"a": [1]}).style.env, []
env.from_string("{{ f(x|attr(a ~ 'bals__')) }}").render(x=display, a="__glo", f=got.append)
## matplotlib format
from matplotlib.ticker import StrMethodFormatter
StrMethodFormatter("{x.__globals__}")(display)
## matplotlib formatter's fields
from matplotlib.ticker import _UnicodeMinusFormat
_UnicodeMinusFormat().get_field("0.__globals__", (display,), {})
## module from a path
import matplotlib.cbook
matplotlib.cbook.Path
## module from a constant
import numpy.testing
numpy.testing.NUMPY_ROOT
## module from a context
import numpy.testing
numpy.testing.clear_and_catch_warnings()._module
## module from an attribute
import pyarrow.pandas_compat
pyarrow.pandas_compat._pandas_api.pd
## module from a descriptor
import pyarrow.pandas_compat
shim = pyarrow.pandas_compat._pandas_api
type(shim).pd.__get__(shim)
## module from a function
pandas.core.common.random_state()
## module from a pattern
import numpy.testing
match numpy.testing.clear_and_catch_warnings():
    case object(_module=found): print(found)
## function of the standard library
from matplotlib.axes._base import attrgetter
attrgetter("__globals__")(display)
## text that runs
from numpy.f2py.crackfortran import myeval
myeval("os")
## text that runs a plot
import matplotlib.sphinxext.plot_directive
## interchange of memory
pd.api.interchange.from_dataframe
## interchange of memory by pyarrow
from pyarrow.interchange import from_dataframe
## memory by class
class Memory:
    __array_interface__ = {"version": 3, "typestr": "|u1", "shape": (64,), "data": (id(object), True)}
## memory by type
type("Memory", (), {"__array_struct__": None})
## memory by dtype
np.dtype("i8").__setstate__((3, "|", None, ("a",), {"a": (np.dtype("O"), 1000)}, 8, 1, 0))
## memory by a copied dtype
class State:
    def __reduce_ex__(self, protocol):
        return (lambda: np.dtype([("a", "i8")]), (), (3, "|", None, ("a",), {"a": (np.dtype("O"), 1000)}, 8, 1, 0))
copy.copy(State())
## format by numpy
np._core.multiarray._vec_string(np.array(["{0.__class__}"]), np.dtype("U99"), "format", (np.array([display], dtype=object),))
## functions of C
np.random.PCG64().ctypes
## functions of C by text
getattr(np.random.default_rng().bit_generator, "ctypes")
## text of a query
pd.eval("os", resolvers=[{"os": 1}], engine="python")
pd.eval("np.f2py", engine="python")
## scipy file in C
import scipy.io
scipy.io.mmwrite("/tmp/outside.mtx", np.eye(2))
## scipy import by name
from scipy._lib.deprecation import import_module
import_module("os")
## scipy module from a function
import scipy.differentiate
scipy.differentiate.array_namespace(np.eye(2))
## pillow.features
from PIL import features
features.modules["x"] = ("builtins", "getattr")
features.version_module("x")
## pillow.fonts
from PIL import ImageFont
ImageFont.core.getfont
""")
PROGRAMS = paragraphs("""
## query with names
lim = 2
def chosen(df):
    k = 1
    return df.query("a > @k and a < @lim + 5")
[len(chosen(pd.DataFrame({"a": [1, 2, 3]}))), pd.eval("lim + 1"), pd.DataFrame({"a": [1]}).eval("b = a * @lim").b.tolist()]
=> [2, 3, [2]]
## names of modules are names
class Host:
    __match_args__ = ("os", "parser")
    def __init__(self): self.os, self.parser, self.api = "linux", [1], 2
match Host():
    case Host(os="linux"): found = "kw"
match Host():
    case Host(os, parser): found = [found, os, parser]
[found, Host().os, getattr(Host(), "api"), pd.DataFrame({"os": [1, 2], "pd": [3, 4]}).query("os > 1 and pd == 4").os.tolist()]
=> [["kw", "linux", [1]], "linux", 2, [2]]
## formats
df = pd.DataFrame({"a": [1.5], "b": ["x"]})
from matplotlib.ticker import StrMethodFormatter
html = df.style.format({"a": "{:.2f}", "b": "<{}>"}).format_index("{:>2}").to_html()
["1.50" in html, StrMethodFormatter("{x:.1f}")(2.0), np.arange(3).ctypes.data > 0]
=> [True, "2.0", True]
## functions by name
df = pd.DataFrame({"a": [1, 3], "b": ["x", "x"]})
[df.a.agg("mean"), df.groupby("b").agg("count").a.tolist(), df.agg({"a": ["min", "max"]}).a.tolist(), df.a.apply("sum")]
=> [2.0, [2], [1, 3], 4]
## pickles of data
df = pd.DataFrame({"a": [1], "t": pd.to_datetime(["2020"]), "c": pd.Categorical(["u"])})
df.to_pickle("x.pkl")
np.save("o.npy", np.array([{"a": 1}], dtype=object))
[pd.read_pickle("x.pkl").equals(df), np.load("o.npy", allow_pickle=True)[0]]
=> [True, {"a": 1}]
## windows
np.lib.stride_tricks.sliding_window_view(np.arange(4), 2).tolist()
=> [[0, 1], [1, 2], [2, 3]]
## classes that libraries make for a program
from collections import namedtuple
from enum import Enum
from typing import NamedTuple
[each.__module__ for each in (namedtuple("P", "x"), Enum("E", "a"), NamedTuple("N", [("x", int)]))]
=> ["__main__", "__main__", "__main__"]
""")
NEEDED = {"matplotlib": "matplotlib", "PIL": "PIL", "pyarrow": "pyarrow", "scipy": "scipy", "style": "jinja2"}
BEGIN = "import copy, io, numpy as np, pandas, pandas as pd, pandas.core.computation.scope, pandas.compat._optional\n"


@pytest.fixture(scope="module")
def lab() -> Iterator[Unwalled]:
    pytest.importorskip("pandas")
    executor = Unwalled(["numpy.*", "pandas.*", "matplotlib.*", "pyarrow.*", "PIL.*", "scipy.*"], timeout=60)
    yield executor
    executor.close()


def needs(code: str) -> None:
    for module, name in NEEDED.items():
        if module in code:
            pytest.importorskip(name)


@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_a_library_does_not_reach_for_a_program(lab: Unwalled, code: str) -> None:
    needs(code)
    for level in range(12) if "@LEVEL" in code else (0,):
        with pytest.raises(InterpreterError) as caught:
            lab(BEGIN + code.replace("@LEVEL", str(level)))
        assert "TAKEN" not in caught.value.logs
        if "@LEVEL" not in code:
            assert re.search("orbidden|Cannot change|is not allowed", str(caught.value))


@pytest.mark.parametrize("case", PROGRAMS.values(), ids=PROGRAMS)
def test_what_data_scientists_do_by_name_works(lab: Unwalled, case: str) -> None:
    code, _, expected = case.partition("\n=> ")
    assert lab(BEGIN + code).output == lab(expected).output


def test_the_refusal_of_an_unbounded_view_names_a_bounded_one(lab: Unwalled) -> None:
    with pytest.raises(InterpreterError, match=r"Instead, use numpy\.lib.stride_tricks\.sliding_window_view"):
        lab("import numpy as np\nnp.lib.stride_tricks.as_strided")
