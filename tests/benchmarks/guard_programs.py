"""What ``bench_guard.py`` measures: ten programs as an agent would write them, and single operations the guard looks at.

``SIZE`` in a program is replaced: by the first number of its sizes for the comparison with plain CPython (a tenth to half
a second of work there), by the second where a tree walker has to finish, too. The last line is the program's result.
"""

from __future__ import annotations

from typing import NamedTuple


class Program(NamedTuple):
    """One program.

    Attributes:
        source: its text.
        sizes: what ``SIZE`` becomes, for compiled code and for a tree walker.
        walked: whether the budget of ``FASTER`` against a tree walker holds for it.
    """

    source: str
    sizes: tuple[int, int]
    walked: bool = True

    def text(self, size: int) -> str:
        """The program for one size."""
        return self.source.replace("SIZE", str(size)).strip("\n")


LOOPS = """
total = 0
matrix = [[(row * 31 + column * 17) % 10 for column in range(50)] for row in range(50)]
for turn in range(SIZE):
    for row in range(50):
        for column in range(50):
            value = matrix[row][column]
            if value % 2 == 0:
                total += value * turn
            else:
                total -= value
    if total > 1_000_000:
        total = total % 999_983
count = 0
number = 27
while count < SIZE * 100:
    number = number // 2 if number % 2 == 0 else 3 * number + 1
    if number == 1:
        number = count + 28
    count += 1
total, count, number
"""

RECURSION = """
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)

def hanoi(n, source, target, spare, moves):
    if n == 0:
        return moves
    moves = hanoi(n - 1, source, spare, target, moves)
    return hanoi(n - 1, spare, target, source, moves + 1)

def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))

fibonacci(SIZE), hanoi(SIZE - 10, "A", "C", "B", 0), ackermann(2, SIZE)
"""

SIEVE = """
def primes_up_to(limit):
    sieve = [True] * (limit + 1)
    sieve[0] = sieve[1] = False
    number = 2
    while number * number <= limit:
        if sieve[number]:
            for multiple in range(number * number, limit + 1, number):
                sieve[multiple] = False
        number += 1
    return [number for number, is_prime in enumerate(sieve) if is_prime]

primes = primes_up_to(SIZE)
twins = 0
for index in range(1, len(primes)):
    if primes[index] - primes[index - 1] == 2:
        twins += 1
len(primes), primes[-1], twins
"""

DICTS = """
words = "the quick brown fox jumps over the lazy dog and runs away from the angry bear".split()
counts = {}
lengths = {}
lines = []
for turn in range(SIZE):
    word = words[turn % len(words)]
    key = f"{word}-{turn % 97}"
    counts[key] = counts.get(key, 0) + 1
    lengths.setdefault(len(word), []).append(turn)
    text = word.upper().replace("E", "e").strip()
    if text.startswith("T") and "h" not in text:
        lines.append(text + ":" + str(turn))
    elif word in counts:
        del counts[word]
summary = {length: sum(turns) % 1000 for length, turns in lengths.items()}
most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5]
report = "; ".join("{} x{:>4}".format(word, count) for word, count in most)
len(lines), summary, report
"""

COMPREHENSIONS = """
numbers = list(range(SIZE))
squares = [n * n for n in numbers if n % 3]
by_digit = {digit: [n for n in squares if n % 10 == digit] for digit in range(10)}
pairs = {(a % 100, b % 100) for a in numbers[:500] for b in squares[:400] if (a + b) % 7 == 0}
flat = [value for row in ([x, x + 1, x + 2] for x in numbers) for value in row if value % 2]
total = sum(a * b for a, b in zip(squares, flat))
names = {f"n{n}": str(n)[::-1] for n in numbers if any(digit in str(n) for digit in "37")}
len(squares), {digit: len(found) for digit, found in by_digit.items()}, len(pairs), sum(flat), total, len(names)
"""

CLASSES = """
class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def scaled(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def length(self):
        return (self.x * self.x + self.y * self.y) ** 0.5

class Account:
    interest = 0.01

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        self.balance += amount
        self.history.append(("deposit", amount))
        return self

    def year(self):
        self.deposit(self.balance * self.interest)

class Savings(Account):
    interest = 0.03

    def year(self):
        Account.year(self)
        if len(self.history) > 100:
            self.history = self.history[-10:]

position = Vector(0, 0)
speed = Vector(1, 2)
travelled = 0.0
accounts = [Account("a", 10), Savings("b", 20), Savings("c", 30)]
for turn in range(SIZE):
    position = position + speed.scaled(0.5)
    travelled += position.length()
    account = accounts[turn % 3]
    account.deposit(turn % 7)
    if account.balance > 1_000_000:
        account.balance = 0
    if turn % 50 == 0:
        account.year()
round(travelled, 3), [round(account.balance, 3) for account in accounts], position.x
"""

NUMPY = """
import numpy as np

generator = np.random.default_rng(42)
prices = generator.normal(100, 15, size=(SIZE, 20))
means = prices.mean(axis=0)
scaled = (prices - means) / prices.std(axis=0)
clipped = np.clip(scaled, -3, 3)
order = np.argsort(clipped, axis=0)
correlation = np.corrcoef(clipped[:, 0], clipped[:, 1])[0, 1]
walk = np.cumsum(clipped, axis=0)
peaks = np.where(walk[1:-1] > np.maximum(walk[:-2], walk[2:]), 1, 0).sum(axis=0)
windows = []
for start in range(0, SIZE, 100):
    part = clipped[start : start + 100]
    windows.append(float(np.sqrt(np.mean(part**2)) + np.abs(part).max()))
round(float(correlation), 9), int(peaks.sum()), int(order[0].sum()), round(sum(windows), 6)
"""

PANDAS = """
import pandas as pd
import numpy as np

generator = np.random.default_rng(7)
orders = pd.DataFrame({
    "day": pd.date_range("2024-01-01", periods=SIZE, freq="h"),
    "city": generator.choice(["Paris", "Rome", "Oslo", "Bonn"], SIZE),
    "amount": generator.gamma(2.0, 50.0, SIZE),
    "items": generator.integers(1, 9, SIZE),
})
orders["price"] = orders["amount"] / orders["items"]
orders["month"] = orders["day"].dt.to_period("M").astype(str)
monthly = orders.groupby(["month", "city"]).agg(total=("amount", "sum"), mean=("price", "mean"), n=("items", "size"))
wide = monthly.reset_index().pivot_table(index="month", columns="city", values="total", aggfunc="sum").fillna(0)
best = orders.sort_values("amount", ascending=False).head(100)
cities = pd.DataFrame({"city": ["Paris", "Rome", "Oslo", "Bonn"], "country": ["FR", "IT", "NO", "DE"]})
joined = orders.merge(cities, on="city", how="left")
labels = joined["amount"].apply(lambda amount: "big" if amount > 150 else "small")
by_country = joined.assign(label=labels).groupby(["country", "label"])["items"].sum()
rolling = orders.set_index("day")["amount"].rolling("7D").mean()
total = 0.0
for city, part in orders.groupby("city"):
    for value in part["amount"].head(500):
        total += value
round(float(wide.to_numpy().sum()), 4), int(best["items"].sum()), by_country.to_dict(), round(float(rolling.iloc[-1]), 6), round(total, 4)
"""

JSON = """
import json

records = []
for number in range(SIZE):
    records.append({
        "id": number,
        "name": f"user {number}",
        "tags": ["a", "b", str(number % 5)],
        "score": number / 7,
        "address": {"street": "Long Road", "number": number % 300, "zip": None},
    })
text = json.dumps(records)
again = json.loads(text)
total = 0
for record in again:
    record["score"] = round(record["score"], 2)
    if record["address"]["number"] > 150 and "3" in record["tags"]:
        total += record["id"]
lines = [json.dumps(record, sort_keys=True) for record in again[: SIZE // 2]]
parsed = [json.loads(line)["address"]["number"] for line in lines]
len(text), total, sum(parsed), len(json.dumps(again, indent=2))
"""

SORTING = """
def bubble_sort(values):
    values = list(values)
    for end in range(len(values) - 1, 0, -1):
        swapped = False
        for index in range(end):
            if values[index] > values[index + 1]:
                values[index], values[index + 1] = values[index + 1], values[index]
                swapped = True
        if not swapped:
            break
    return values

def quick_sort(values):
    if len(values) <= 1:
        return values
    pivot = values[len(values) // 2]
    left = [value for value in values if value < pivot]
    middle = [value for value in values if value == pivot]
    right = [value for value in values if value > pivot]
    return quick_sort(left) + middle + quick_sort(right)

def merge_sort(values):
    if len(values) <= 1:
        return values
    half = len(values) // 2
    left, right = merge_sort(values[:half]), merge_sort(values[half:])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]

data = [(number * 7919) % 10_007 for number in range(SIZE)]
people = [{"name": f"p{value}", "age": value % 90} for value in data]
by_age = sorted(people, key=lambda person: (person["age"], person["name"]))
first, second, third = bubble_sort(data[: SIZE // 16]), quick_sort(data), merge_sort(data)
second == third == sorted(data), first[:3], second[-3:], by_age[0]["name"]
"""

PROGRAMS = {
    "loops": Program(LOOPS, (500, 20)),
    "recursion": Program(RECURSION, (29, 22)),
    "sieve": Program(SIEVE, (2_000_000, 50_000)),
    "dicts and strings": Program(DICTS, (200_000, 10_000)),
    "comprehensions": Program(COMPREHENSIONS, (80_000, 1_000)),
    "classes": Program(CLASSES, (150_000, 5_000)),
    "numpy": Program(NUMPY, (60_000, 5_000), walked=False),
    "pandas": Program(PANDAS, (100_000, 2_000), walked=False),
    "json": Program(JSON, (15_000, 500), walked=False),
    "sorting": Program(SORTING, (20_000, 800)),
}

# One guarded operation each, repeated; the loop around it costs the same in every variant.
OPERATIONS = {
    "module attribute": "import math\nfor turn in range(SIZE):\n    math.pi\nNone",
    "module function": "import math\nfor turn in range(SIZE):\n    math.sqrt(2.0)\nNone",
    "os.path-like chain": "import collections\nfor turn in range(SIZE):\n    collections.abc.Mapping\nNone",
    "import statement": "for turn in range(SIZE):\n    import math\nNone",
    "from … import": "for turn in range(SIZE):\n    from math import sqrt\nNone",
    "x.attribute": "class A:\n    b = 1\na = A()\nfor turn in range(SIZE):\n    a.b\nNone",
    "self.x = value": """
class A:
    def set(self, value):
        self.x = value
a = A()
for turn in range(SIZE):
    a.set(turn)
None""",
    "x.method()": "a = [1]\nfor turn in range(SIZE):\n    a.copy()\nNone",
    "x[0] = value": "a = [1]\nfor turn in range(SIZE):\n    a[0] = turn\nNone",
    "str.format": "for turn in range(SIZE):\n    '{:>5} {}'.format(turn, 'a')\nNone",
    "str.format, one text each": "for turn in range(SIZE):\n    (str(turn) + '{}').format(turn)\nNone",
    "str.format of an attribute": "for turn in range(SIZE):\n    '{0.real}'.format(turn)\nNone",
    "f-string": "for turn in range(SIZE):\n    f'{turn:>5} {turn!r}'\nNone",
    "getattr": "for turn in range(SIZE):\n    getattr(turn, 'real')\nNone",
    "hasattr": "for turn in range(SIZE):\n    hasattr(turn, 'real')\nNone",
    "setattr": "class A: pass\na = A()\nfor turn in range(SIZE):\n    setattr(a, 'x', turn)\nNone",
    "isinstance, type(x)": "for turn in range(SIZE):\n    isinstance(turn, type(turn))\nNone",
    "match of a class": """
class Point:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y):
        self.x, self.y = x, y
point = Point(1, 2)
for turn in range(SIZE):
    match point:
        case Point(3, y):
            pass
        case Point(x=1, y=2):
            pass
None""",
    "match of a value": """
for turn in range(SIZE):
    match turn % 3, 'a':
        case (0, str()):
            pass
        case [1, name]:
            pass
None""",
    "class statement": "for turn in range(SIZE // 10):\n    class A:\n        b = 1\nNone",
    "raise and except": """
for turn in range(SIZE):
    try:
        raise ValueError(turn)
    except ValueError as error:
        error.args
None""",
    "with": """
class A:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return False
a = A()
for turn in range(SIZE):
    with a:
        pass
None""",
    "global function call": "def f(x):\n    return x\nfor turn in range(SIZE):\n    f(turn)\nNone",
}
