"""Everyday programs of an agent that works on data; each one's last line is its result, compared with plain CPython's."""

from __future__ import annotations

# Programs of the standard library, one a block.
STANDARD = """
import statistics
data = [3, 1, 4, 1, 5, 9, 2, 6]
print(statistics.mean(data), statistics.median(data), statistics.mode(data))
round(statistics.stdev(data), 6), statistics.quantiles(data, n=4)
---
import re
text = "Ada <ada@a.org>, Bob <bob@b.net>; 2024-05-06"
print(re.sub(r"(\\w+)@", lambda m: m.group(1).upper() + " at ", text))
re.findall(r"<([^>]+)>", text), re.search(r"(?P<y>\\d{4})-(?P<m>\\d\\d)", text).groupdict(), re.split(r"[,;]\\s*", text)
---
from datetime import date, datetime, timedelta, timezone
start = datetime(2024, 2, 28, 12, tzinfo=timezone.utc)
days = [start + timedelta(days=n) for n in range(3)]
[f"{d:%Y-%m-%d %a}" for d in days], datetime.strptime("03/04/2021", "%d/%m/%Y").isoformat(), (date(2024, 12, 25) - date(2024, 1, 1)).days
---
from zoneinfo import ZoneInfo
from datetime import datetime
datetime(2024, 7, 1, 12, tzinfo=ZoneInfo("UTC")).isoformat()
---
import json
text = json.dumps({"b": [1, 2.5, None, True], "a": {"x": "é"}}, sort_keys=True, indent=1)
print(text)
json.loads(text)["a"]["x"], json.loads("[1, 2]", parse_int=float)
---
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple, ChainMap
groups = defaultdict(list)
for word in "the cat and the dog and the bird".split():
    groups[len(word)].append(word)
queue = deque([1, 2, 3], maxlen=3)
queue.append(4); queue.rotate(1)
City = namedtuple("City", "name size", defaults=[0])
dict(groups), Counter("banana").most_common(2), list(queue), City("Oslo")._replace(size=3), dict(ChainMap({"a": 1}, {"a": 2, "b": 3}))
---
import itertools
pairs = list(itertools.combinations("abc", 2))
runs = [(key, len(list(group))) for key, group in itertools.groupby("aaabbc")]
pairs, runs, list(itertools.chain.from_iterable([[1], [2, 3]])), list(itertools.product([0, 1], repeat=2)), list(itertools.pairwise([1, 2, 3]))
---
from dataclasses import dataclass, field, asdict, replace
@dataclass(frozen=True, order=True)
class Item:
    name: str
    price: float = 1.0
    tags: tuple = field(default=(), compare=False)
    @property
    def gross(self):
        return round(self.price * 1.25, 2)
a = Item("pen", 2.0)
try:
    a.price = 3
except Exception as error:
    print(type(error).__name__, error)
asdict(a), replace(a, price=4.0).gross, sorted([Item("b"), Item("a")])[0].name, repr(a)
---
from enum import Enum, IntFlag, auto
class Color(Enum):
    RED = 1
    GREEN = auto()
    def shout(self):
        return self.name + "!"
class Right(IntFlag):
    READ = 1
    WRITE = 2
Color(2).shout(), [c.name for c in Color], Color["RED"] is Color.RED, int(Right.READ | Right.WRITE)
---
from typing import Generic, NamedTuple, Optional, Protocol, TypeVar, TypedDict
T = TypeVar("T")
class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value
class Point(NamedTuple):
    x: int
    y: int = 2
class Film(TypedDict, total=False):
    title: str
def first(values: list[T], default: Optional[T] = None) -> Optional[T]:
    return values[0] if values else default
Box[int](3).value, Point(1), Film(title="a"), first([]), first([7])
---
import asyncio
async def fetch(n):
    await asyncio.sleep(0)
    return n * 2
results = await asyncio.gather(*(fetch(n) for n in range(4)))
async with asyncio.timeout(5):
    one = await asyncio.create_task(fetch(21))
results, one
---
from contextlib import contextmanager, suppress, ExitStack, nullcontext
@contextmanager
def noted(name):
    print("in", name)
    try:
        yield name.upper()
    finally:
        print("out", name)
with ExitStack() as stack:
    names = [stack.enter_context(noted(n)) for n in "ab"]
with suppress(ZeroDivisionError):
    1 / 0
names
---
import functools
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
@functools.singledispatch
def kind(value):
    return "object"
@kind.register
def _(value: int):
    return "int"
@functools.total_ordering
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
fib(80), kind(1), kind("a"), V(2) >= V(1), functools.partial(pow, 2)(5), functools.reduce(lambda a, b: a * b, range(1, 6))
---
import heapq, bisect
heap = [5, 1, 4]
heapq.heapify(heap)
heapq.heappush(heap, 0)
ordered = [1, 3, 5]
bisect.insort(ordered, 4)
heapq.heappop(heap), heapq.nlargest(2, [4, 9, 2], key=lambda n: -n), ordered, bisect.bisect_left(ordered, 3)
---
from decimal import Decimal, ROUND_HALF_UP, getcontext, localcontext
from fractions import Fraction
with localcontext() as context:
    context.prec = 5
    short = Decimal(1) / Decimal(7)
str(short), Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_UP), Fraction(3, 4) + Fraction("0.1"), Fraction(0.5).limit_denominator(10)
---
import random
generator = random.Random(42)
random.seed(1)
[generator.randint(1, 6) for _ in range(3)], random.choice("abc"), random.sample(range(9), 3), round(random.gauss(0, 1), 6)
---
import textwrap, string
print(textwrap.fill("the quick brown fox jumps over the lazy dog", 20))
textwrap.dedent("   a\\n     b"), string.Template("$who has ${n}").substitute(who="Ada", n=3), string.ascii_lowercase[:3], textwrap.shorten("a b c d e", 7)
---
import hashlib, base64, uuid, hmac, binascii
hashlib.sha256(b"a").hexdigest()[:12], base64.b64encode(b"hi").decode(), str(uuid.uuid5(uuid.NAMESPACE_DNS, "a.b")), hmac.new(b"k", b"m", "sha256").hexdigest()[:8]
---
import operator
rows = [{"a": 2, "b": 1}, {"a": 1, "b": 2}]
sorted(rows, key=operator.itemgetter("a")), list(map(operator.methodcaller("upper"), "ab")), operator.attrgetter("real", "imag")(2 + 3j)
---
import pprint, copy
data = {"k": [list(range(5)), {"x": (1, 2)}]}
deep, flat = copy.deepcopy(data), copy.copy(data)
deep["k"][0].append(9)
pprint.pprint(data, width=20)
data["k"][0], flat["k"] is data["k"], pprint.pformat(deep)
---
import time
start = time.perf_counter()
total = sum(range(1000))
elapsed = time.perf_counter() - start
total, 0 <= elapsed < 60, time.strftime("%Y", time.gmtime(0))
---
import math, cmath
math.comb(5, 2), math.isclose(0.1 + 0.2, 0.3), round(math.dist((0, 0), (3, 4)), 3), math.prod([2, 3]), cmath.sqrt(-1), math.isqrt(17), math.inf > 1
---
import calendar, difflib, graphlib, colorsys, unicodedata
calendar.monthrange(2024, 2), difflib.get_close_matches("appel", ["apple", "pear"]), list(graphlib.TopologicalSorter({"b": {"a"}}).static_order()), unicodedata.name("é")
---
class Stack:
    def __init__(self, *items): self._items = list(items)
    def __len__(self): return len(self._items)
    def __iter__(self): return iter(self._items)
    def __getitem__(self, i): return self._items[i]
    def __contains__(self, x): return x in self._items
    def __repr__(self): return f"Stack({', '.join(map(repr, self))})"
    def __enter__(self): return self
    def __exit__(self, *e): self._items.clear()
with Stack(1, 2) as s:
    shown = repr(s), len(s), 2 in s, s[-1]
shown, list(s)
---
def parse(tokens):
    stack = []
    for token in tokens.split():
        match token:
            case "+" | "*" as sign:
                b, a = stack.pop(), stack.pop()
                stack.append(a + b if sign == "+" else a * b)
            case number if number.isdigit():
                stack.append(int(number))
            case other:
                raise ValueError(f"bad token {other!r}")
    return stack.pop()
parse("2 3 + 4 *")
---
def chunks(values, size):
    for start in range(0, len(values), size):
        yield values[start : start + size]
def averaged():
    total = count = 0
    average = None
    while True:
        total += yield average
        count += 1
        average = total / count
running = averaged()
next(running)
list(chunks(list(range(5)), 2)), [running.send(n) for n in (2, 4, 9)]
---
try:
    {}["missing"]
except KeyError as error:
    print("no", error)
else:
    print("never")
finally:
    print("done")
int("x7")
---
values = [1, 2, 3]
values[7]
---
def outer():
    def inner(n):
        return 1 / n
    return inner(0)
outer()
---
undefined_name + 1
---
x = (1,
2
---
raise ExceptionGroup("many", [ValueError(1), TypeError("two")])
"""  # noqa: E501

# The same with data libraries.
DATA = """
import pandas as pd
df = pd.DataFrame({"city": ["a", "b", "a"], "n": [1, 2, 3], "day": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-02-01"])})
monthly = df.set_index("day").resample("MS")["n"].sum()
df.groupby("city")["n"].agg(["sum", "mean"]).to_dict(), monthly.tolist(), df.pivot_table(index="city", values="n", aggfunc="max").n.to_dict()
---
import pandas as pd
left = pd.DataFrame({"k": [1, 2], "a": ["x", "y"]})
right = pd.DataFrame({"k": [2, 3], "b": [0.5, 1.5]})
merged = left.merge(right, on="k", how="outer", indicator=True)
print(merged.to_string())
merged["_merge"].astype(str).tolist(), merged.isna().sum().to_dict()
---
import pandas as pd
df = pd.DataFrame({"a": range(6)})
df["b"] = df["a"].apply(lambda v: v**2)
df["c"] = df.apply(lambda row: row["a"] + row["b"], axis=1)
df.query("a > 2")["c"].tolist(), df.describe().loc["mean"].round(3).to_dict(), df.rolling(2)["a"].mean().dropna().tolist(), df.eval("a + b").sum()
---
import pandas as pd
s = pd.Series(["Ada L", "Bob M", None])
s.str.split(" ").str[0].tolist()[:2], s.str.contains("B", na=False).tolist(), s.fillna("-").value_counts().to_dict(), pd.cut([1, 5, 9], [0, 4, 10], labels=["lo", "hi"]).tolist()
---
import pandas as pd
df = pd.DataFrame({"id": [1, 2], "x": [3, 4], "y": [5, 6]})
long = df.melt(id_vars="id")
df.to_csv("t.csv", index=False)
long.shape, long.pivot(index="id", columns="variable", values="value").to_dict(), pd.read_csv("t.csv").equals(df)
---
import numpy as np
a = np.arange(12).reshape(3, 4)
rng = np.random.default_rng(0)
a.sum(axis=0).tolist(), np.linalg.det(np.eye(2) * 2), a[a % 2 == 0].tolist(), rng.integers(0, 9, 3).tolist(), np.where(a > 5, 1, 0).sum().item()
---
import numpy as np
x = np.linspace(0, 1, 5)
fit = np.polyfit(x, 2 * x + 1, 1)
np.round(fit, 6).tolist(), np.percentile(x, 50), np.unique([1, 1, 2], return_counts=True)[1].tolist(), np.einsum("i,i", x, x), str(x.dtype)
---
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
line, = ax.plot([1, 2], [3, 4], label="l")
ax.set_title("t"); ax.legend()
shown = ax.get_title(), line.get_label(), len(ax.lines)
plt.close(fig)
shown
---
import pandas as pd
pd.DataFrame({"a": [1]})["missing"]
"""  # noqa: E501


def blocks(text: str) -> list[str]:
    """The programs of a table."""
    return [block.strip("\n") for block in text.split("---\n")]
