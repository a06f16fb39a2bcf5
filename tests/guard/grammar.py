"""The language of the generated programs, as data: what each hole of a template may be filled with.

``<int>`` is an expression of that type, ``<int:x>`` one in which ``x`` is an integer, too (a lambda's or a comprehension's
own name), ``<=int>`` a variable of that type that may be assigned; a line that holds only ``<block>``, ``<loop>`` or the like
becomes statements. The first line of a table is the plainest: shrinking leads there. Everything terminates: loops have at
most three turns, calls go to functions defined before, and what could grow is cut where it grows.
"""

from __future__ import annotations

import textwrap

# The first step: what all programs share. Run under the guard, too.
LIBRARY = textwrap.dedent('''
    import functools, itertools, math, operator
    from collections import Counter, defaultdict, namedtuple
    from dataclasses import dataclass, field
    a, b, c = 3, -2, 11
    s, t = "snow", "été {0}"
    xs, ys = [1, 2, 3], [10, 20]
    d, e = {"k": 1, "l": 2}, {"m": 3}

    class Point:
        __match_args__ = ("x", "y")
        made = 0

        def __init__(self, x=1, y=2):
            self.x, self.y = x, y
            type(self).made += 1

        def __repr__(self):
            return f"{type(self).__name__}({self.x!r}, {self.y!r})"

        def __eq__(self, other):
            return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

        def __lt__(self, other):
            return self.x < other.x

        def __add__(self, other):
            return type(self)(self.x + getattr(other, "x", other), self.y)

        def __iadd__(self, other):
            self.x += other
            return self

        def __getitem__(self, index):
            return (self.x, self.y)[index]

        def __setitem__(self, index, value):
            setattr(self, "xy"[index], value)

        def __delitem__(self, index):
            delattr(self, "xy"[index])

        def __contains__(self, value):
            return value in (self.x, self.y)

        def __len__(self):
            return 2

        def __call__(self, n=1):
            return self.x + n

        def __format__(self, spec):
            return f"<{self.x:{spec}}>"

        @property
        def sum(self):
            return self.x + self.y

        @sum.setter
        def sum(self, value):
            self.x = value - self.y

        @classmethod
        def at(cls, n):
            return cls(n, n)

        @staticmethod
        def zero():
            return 0

    class Noisy:
        def __init__(self, name="n", calm=False):
            self.name, self.calm = name, calm

        def __enter__(self):
            print("enter", self.name)
            return self.name

        def __exit__(self, kind, error, trace):
            print("exit", kind and kind.__name__, error)
            return self.calm

        async def __aenter__(self):
            return self.__enter__()

        async def __aexit__(self, kind, error, trace):
            return self.__exit__(kind, error, trace)

    @dataclass(order=True)
    class Pair:
        left: int
        right: list = field(default_factory=list)

    class Oops(ValueError):
        pass

    Named = namedtuple("Named", "x y")
    p, q = Point(3, 4), Point(0)

    def logged(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            print("call", function.__name__)
            return function(*args, **kwargs)
        return inner

    def times(n):
        return lambda function: lambda *args, **kwargs: [function(*args, **kwargs) for _ in range(n)][-1]

    def counting(n=2):
        for number in range(n % 4):
            got = yield number
            if got:
                print("got", got)
        return n

    async def later(x=1):
        return x + 1

    async def ticks(n=2):
        for number in range(n % 4):
            yield number
''')  # fmt: skip

# How a function is declared, what it is called with, and the names its body may use and assign.
SIGNATURES = (
    ("{x}", ("<int>", "{x}=<int>", "*[<int>]"), "{x}", "", ""),
    ("{x}=<int>, {y}=2", ("", "<int>", "<int>, <int>", "{y}=<int>", "*ys", "**{{'{y}': <int>}}"), "{x} {y}", "", ""),
    ("{x}, *, {y}=<int>", ("<int>", "<int>, {y}=<int>"), "{x} {y}", "", ""),
    ("{x}, /, {y}: int = <int>", ("<int>", "<int>, {y}=<int>", "<int>, <int>"), "{x} {y}", "", ""),
    ("*{x}s", ("", "<int>, <int>", "*xs", "*xs, <int>, *ys"), "", "{x}s", ""),
    ("{x}, **{x}d", ("<int>", "<int>, n=<int>", "<int>, **d"), "{x}", "", "{x}d"),
    ("{x}=1, *{x}s, {y}=<int>, **{x}d", ("", "<int>, <int>, z=<int>", "*xs, **e", "{y}=<int>"), "{x} {y}", "{x}s", "{x}d"),
)  # fmt: skip


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


EXPRESSIONS = {
    "int": _lines("""
        <intname>
        <digit>
        (<int> + <int>)
        (<int> - <int>)
        ((<int> * <int>) % 1009)
        (<int> // <int>)
        (<int> % <int>)
        (<int> & <int> | <int> ^ 5)
        (<int> << 2 >> (<int> & 3))
        (-<int>)
        (~<int>)
        (<int> if <bool> else <int>)
        (<int> or <int>)
        (<int> and <int>)
        (<=int> := <int>)
        <call>
        <call>
        <list>[<digit>]
        <list>[-1]
        <dict>['k']
        <dict>.get(<str>, <int>)
        <obj>.x
        <obj>.sum
        <obj>[<digit>]
        <obj>(<int>)
        <obj>(n=<int>)
        getattr(<obj>, 'x', <int>)
        getattr(<obj>, 'nothing', <int>)
        operator.attrgetter('x')(<obj>)
        operator.methodcaller('at', <int>)(Point).x
        operator.itemgetter(0)(<list>)
        len(<any>)
        sum(<list>)
        sum(<int:n> for n in <list> if <bool:n>)
        max(<list>, key=lambda n: <int:n>, default=<int>)
        min(<int>, <int>, *<list>)
        int(<str>)
        round(<int> / <int>)
        (lambda n, m=<int>: <int:n>)(<int>)
        (lambda *n, **m: len(n) + len(m))(*<list>, **<dict>)
        next(iter(<list>), <int>)
        functools.reduce(lambda n, m: n - m, <list>, <int>)
        math.gcd(<int>, <int>)
        abs(<int>)
        divmod(<int>, <int>)[0]
        int(<bool>)
        Point.zero()
        Point.made
        Counter(<str>)['s']
        hash(<bool>)
        await later(<int>)
        (await later()) + <int>
    """),
    "bool": _lines("""
        True
        False
        (<int> < <int>)
        (<int> < <int> <= <int>)
        (<int> == <int> != <int> > <int>)
        (<str> in <str>)
        (<int> not in <list>)
        (<any> is None)
        (<any> is not <any>)
        (<any> == <any>)
        (not <any>)
        (<bool> and <bool> or <bool>)
        isinstance(<any>, (int, Point))
        hasattr(<obj>, 'x')
        all(<bool:n> for n in <list>)
        any(map(bool, <list>))
        (<int> in <obj>)
        (<obj> < <obj>)
        callable(<any>)
        issubclass(type(<any>), object)
    """),
    "str": _lines("""
        <strname>
        ''
        'a b'
        'é→\\n'
        (<str> + <str>)[:12]
        (<str> * (<int> & 1))
        str(<int>)
        repr(<any>)[:40]
        <str>.upper()
        <str>[<digit>:]
        <str>[::-1]
        <str>.join(map(str, <list>))[:20]
        f'{<int>}'
        f'{<int>:>5} {(<any>)!r:.10}'
        f'{<int>=} {<obj>!s}'
        f'{<obj>:4d} {<int>:{<digit>}}'
        f'{{{(<any>)!s:.9}}}'
        '{} {}'.format(<int>, <str>)
        '{0.x} {1[0]} {n!r:>6}'.format(<obj>, <list>, n=<any>)[:30]
        '{:{}}'.format(<int>, <digit>)
        '{:>4}'.format(<obj>)
        '{k} {l}'.format_map(<dict>)
        '{k:03d}'.format(**<dict>)
        t.format(<int>)
        str.format('{}', <int>)
        '%s %5.1f' % (<int>, <int>)
        '%(k)s' % <dict>
        format(<int>, '+,')
        type(<any>).__name__
        <obj>.__class__.__name__
        (<str> if <bool> else <str>)
        <str>.replace('o', 'oo')[:12]
        <str>.split()[0]
        max(<str>, <str>)
        getattr('{}!', 'format')(<int>)
        '-'.join(f'{n}' for n in <list>)[:20]
        <str>.encode().hex()[:8]
        chr(97 + (<int> & 7))
        Point.at.__name__
        ''.join(sorted(<str>))
    """),
    "list": _lines("""
        <listname>
        []
        [<int>, <int>]
        [*<list>, <int>][:5]
        (<list> + <list>)[:5]
        [<int:n> for n in <list>]
        [<int:n> for n in <list> if <bool:n>]
        [n + m for n in <list> for m in [n, <int:n>] if n][:5]
        [[m for m in [n, <int:n>]][0] for n in <list>]
        [m := <int>, m]
        list(<int:n> for n in <list>)
        <list>[<digit>:]
        <list>[::-1]
        <list>[:<int>]
        sorted(<list>)
        sorted(<list>, key=lambda n: <int:n>, reverse=<bool>)
        list(map(lambda n: <int:n>, <list>))
        list(filter(None, <list>))
        [n * m for n, m in zip(<list>, <list>)]
        [i - n for i, n in enumerate(<list>, <digit>)]
        list(range(<digit>))
        list({<int>, <int>})
        [*{*<list>}]
        list(<dict>.values())
        list(counting(<digit>))
        list(<generated>)[:5]
        [*<obj>]
        (<list> or <list>)
        list(itertools.accumulate(<list>, lambda n, m: n - m))
        list(itertools.islice(itertools.count(<int>), <digit>))
        [n async for n in ticks(<digit>)]
        [await later(n) for n in <list>]
        [ord(n) for n in <str>][:3]
        list(reversed(<list>))
    """),
    "dict": _lines("""
        <dictname>
        {}
        {'k': <int>}
        {'k': <int>, **<dict>}
        {str(n): <int:n> for n in <list>}
        {n: m for n, m in zip(<str>, <list>)}
        (<dict> | <dict>)
        dict(k=<int>, **<dict>)
        dict(zip('klm', <list>))
        {n: m for n, m in <dict>.items() if m > <int>}
        <dict>.copy()
        dict(Counter(<str>))
        dict(sorted(<dict>.items()))
        dict.fromkeys(<str>, <int>)
        (<dict> or <dict>)
    """),
    "obj": _lines("""
        <objname>
        Point(<int>)
        Point(x=<int>, y=<int>)
        Point.at(<int>)
        Point(*<list>)
        Point(**<dict>)
        (<obj> + <int>)
        (<obj> + <obj>)
        max(<obj>, <obj>)
        (<obj> if <bool> else <obj>)
        Named(<int>, <int>)
    """),
    "any": _lines("""
        <int>
        <str>
        <list>
        <dict>
        <obj>
        <bool>
        None
        (<int>, <str>)
        (*<list>, <int>)
        {<int>, <int>}
        (<int> / <int>)
        (<int> / 7)
        ...
        b'b\\x00'
        complex(<int>, 1)
        Pair(<int>, <list>)
        (yielded := <int>)
        frozenset(<list>)
        [<list>, {<int>: (<str>,)}]
        slice(<int>, None)
        (lambda n=<int>: n)
        int
        Point
    """),
}  # fmt: skip

PATTERNS = _lines("""
    1
    -2 | 3 | 11
    'snow' | None
    True
    <=int>
    [<=int>, *_]
    [<=int>, <=int>, *<=list>]
    (1, [*_, 2]) | [3, 4]
    {'k': <=int>, **<=dict>}
    {'m': _}
    Point(<=int>, 4)
    Point(x=<=int>, y=int())
    Point(3, y=4) as <=obj>
    Named(<=int>, _)
    int(<=int>)
    str() as <=str>
    list() | dict() as found
    Point.made
    [Point(x=1), *_] | Point()
    Pair(left=<=int>, right=[])
""")

STATEMENTS = _lines("""
    <=int> = <int>
    print(<any>)
    <=str> = <str>
    <=list> = <list>
    <=dict> = <dict>
    <=obj> = <obj>
    <any>
    print(<any>, <any>, sep='|', end=';')
    print(*<list>)
    <=int>, <=int> = <int>, <int>
    <=int>, *<=list> = <list>
    *<=list>, (<=int>, <=str>) = <int>, (<int>, <str>)
    [<=int>, <=int>] = <list>
    <=int> = <=int> = <int>
    <=int>: int = <int>
    <=int> += <int>
    <=int> -= <int>
    <=int> //= <int>
    <=list> += [<int>]
    <=obj> += <int>
    <obj>.x = <int>
    <obj>.x += <int>
    <obj>.sum = <int>
    <obj>[0] = <int>
    <obj>[1] -= <int>
    <obj>.label = <str>
    del <obj>.x
    del <obj>[0]
    <list>[0] = <int>
    <list>[<digit>] += <int>
    <list>[1:2] = <list>
    <dict>[<str>] = <int>
    <dict>['k'] += <int>
    <list>.append(<int>)
    <list>.sort(key=lambda n: -n)
    del <list>[0]
    del <list>[::2]
    del <dict>['k']
    <=obj>.x, <list>[0] = <int>, <int>
    for <obj>.x in <list>[:2]: pass
    setattr(<obj>, 'z', <int>)
    assert <bool>, <str>
    raise ValueError(<str>)
    raise Oops(<int>) from KeyError(<str>)
    raise ExceptionGroup('g', [ValueError(<int>), Oops(1)])
    raise
    pass
    <call>
    del <=int>
    import math as maths, json
    from itertools import chain, count as counter
    if (n := <int>): print(n)
    <=int> = (yielded := <int>) + yielded
    print(f'{(<str>)!r}', end='')
""")  # fmt: skip

GENERATING = (
    "yield <int>",
    "<=int> = yield <int>",
    "yield from <list>",
    "print((yield))",
    "yield",
    "yield from counting(<digit>)",
)

BLOCKS = tuple(
    block.strip("\n")
    for block in """
if <bool>:
    <block>
---
if <any>:
    <block>
elif <bool>:
    <block>
else:
    <block>
---
for <=int> in <list>[:3]:
    <loop>
---
for <=int> in <list>[:3]:
    <loop>
else:
    <block>
---
for <=int>, (<=str>, *_) in enumerate(zip(<str>[:3], <list>)):
    <loop>
---
for <=int> in counting(<digit>):
    <loop>
---
<counter> = 0
while <counter> < 3:
    <counter> += 1
    <loop>
else:
    <block>
---
<counter> = 0
while (<counter> := <counter> + 1) < 4 and <bool>:
    <loop>
---
try:
    <block>
except (ValueError, ZeroDivisionError) as error:
    <block>
    print(type(error).__name__, error)
else:
    <block>
finally:
    <block>
---
try:
    <block>
except Exception as error:
    print(repr(error))
---
try:
    <block>
except LookupError:
    <block>
except Oops as error:
    raise TypeError(<str>) from error
except BaseException:
    <block>
    raise
---
try:
    <block>
finally:
    <block>
---
try:
    <flat>
except* ValueError as group:
    print(group.exceptions)
    <flat>
except* TypeError:
    <flat>
finally:
    <block>
---
with Noisy(<str>) as <=str>:
    <block>
---
with Noisy(calm=True), Noisy(<str>, <bool>) as <=str>:
    <block>
---
with (Noisy('first') as <=str>, Noisy('second', calm=<bool>)):
    <block>
---
match <any>:
    case <pattern>:
        <block>
    case <pattern> if <bool>:
        <block>
    case _:
        <block>
---
match <obj>:
    case <pattern>:
        <block>
    case Point(x, y) if x > y:
        print(x, y)
---
match <list>, <dict>:
    case [[<=int>, *_], {'k': _, **<=dict>}]:
        <block>
    case (<pattern>, <pattern>):
        <block>
---
async with Noisy(<str>, calm=<bool>) as <=str>:
    <block>
---
async for <=int> in ticks(<digit>):
    <loop>
else:
    <block>
---
@dataclass
class <class>:
    left: int
    right: list = field(default_factory=lambda: <list>)

    def both(self):
        return [self.left, *self.right]
print(<class>(<int>), <class>(<int>, <list>).both() == <list>)
---
class <class>(Point):
    kind = <str>
    items = [n for n in <list>]

    def __init__(self, x=<int>, *rest):
        super().__init__(x, len(rest))
        self.rest = rest
        self.__own = x

    @property
    def sum(self):
        return super().sum + self.__own

    def __getattr__(self, name):
        return name

    def __hash__(self):
        return 1
thing = <class>(<int>, *<list>)
print(thing.nothing, thing, thing.sum, <class>.__name__, <class>.items)
---
class <class>:
    __slots__ = ('x', 'y')
    count = <int>

    def __init_subclass__(cls, /, n=1, **rest):
        cls.n = n

    def __set_name__(self, owner, name):
        print(name)

    def __get__(self, instance, owner=None):
        return <int>

    def __bool__(self):
        return <bool>

    def __iter__(self):
        yield from <list>
class Sub(<class>, n=<int>):
    held = <class>()
print(Sub.n, Sub().held, bool(<class>()), [*<class>()], isinstance(Sub(), <class>))
---
def outer():
    kept = <int>
    def inner():
        nonlocal kept
        kept += <int>
        return kept
    return inner
<=int> = outer()()
---
running = counting(<digit>)
print(next(running, None), next(running, <int>))
try:
    running.send(<int>)
except StopIteration as stop:
    print(stop.value)
running.close()
""".split("---")
)  # fmt: skip
