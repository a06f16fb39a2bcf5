"""What numpy, pandas, matplotlib, pyarrow and Pillow do with names that a program hands them."""

from __future__ import annotations

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
NEEDED = {"matplotlib": "matplotlib", "PIL": "PIL", "pyarrow": "pyarrow"}
BEGIN = "import copy, io, numpy as np, pandas, pandas as pd, pandas.core.computation.scope, pandas.compat._optional\n"


@pytest.fixture(scope="module")
def lab() -> Iterator[Unwalled]:
    pytest.importorskip("pandas")
    executor = Unwalled(["numpy.*", "pandas.*", "matplotlib.*", "pyarrow.*", "PIL.*"], timeout=60)
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
            assert "orbidden" in str(caught.value) or "Cannot change" in str(caught.value)


@pytest.mark.parametrize("case", PROGRAMS.values(), ids=PROGRAMS)
def test_what_data_scientists_do_by_name_works(lab: Unwalled, case: str) -> None:
    code, _, expected = case.partition("\n=> ")
    assert lab(BEGIN + code).output == lab(expected).output


def test_the_refusal_of_an_unbounded_view_names_a_bounded_one(lab: Unwalled) -> None:
    with pytest.raises(InterpreterError, match=r"Instead, use numpy\.lib.stride_tricks\.sliding_window_view"):
        lab("import numpy as np\nnp.lib.stride_tricks.as_strided")
