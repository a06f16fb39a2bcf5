"""Programs out of ``grammar``'s tables: readable text, valid Python in (nearly) every case, bounded work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from grammar import BLOCKS, EXPRESSIONS, GENERATING, PATTERNS, SIGNATURES, STATEMENTS
from hypothesis import strategies as st

HOLE = re.compile(r"<(=?)(\w+)(?::(\w+))?>")
WORK = 2_000  # turns of loops times statements, about
PLAIN = {"int": "1", "bool": "True", "str": "s", "list": "xs", "dict": "d", "obj": "p", "any": "None"}


@dataclass
class Function:
    """A function that may be called."""

    name: str
    calls: tuple[str, ...]
    form: str  # "{}" for a plain one, "await {}", "list({})"
    cost: int


@dataclass
class Scope:
    """What may be said at one place of the program."""

    names: dict[str, list[str]]
    targets: dict[str, list[str]]
    function: str = ""  # "def", "async def", "generator", "async generator"; "" at the top
    awaits: bool = True
    walrus: bool = True
    quoted: bool = False  # in an f-string: no quotes, no backslash
    loop: bool = False
    returns: bool = False
    turns: int = 1
    cost: int = 0
    bound: set[str] = field(default_factory=set)  # by the pattern at hand


class Writer:
    """Writes one program.

    Args:
        draw: Hypothesis' ``draw``.
    """

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw
        self._functions: list[Function] = []
        self._made = 0
        self._left = draw(st.integers(1, 14))
        names = {"int": ["a", "b", "c"], "str": ["s", "t"], "list": ["xs", "ys"], "dict": ["d", "e"], "obj": ["p", "q"]}
        self._scope = Scope(names, {kind: list(found) for kind, found in names.items()})

    def program(self) -> str:
        """The text: statements and an expression."""
        return "\n".join([*self._statements(0), self._expression("any", 2)]) + "\n"

    # --- choices ---

    def _pick(self, options: Any) -> Any:
        return options[self._draw(st.integers(0, len(options) - 1))]

    @contextmanager
    def _with(self, **changes: Any) -> Iterator[None]:
        before = {name: getattr(self._scope, name) for name in changes}
        for name, value in changes.items():
            setattr(self._scope, name, value)
        yield
        for name, value in before.items():
            setattr(self._scope, name, value)

    def _new(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}"

    # --- expressions ---

    def _expression(self, kind: str, depth: int) -> str:
        self._scope.cost += self._scope.turns
        if depth <= 0:
            names = self._scope.names.get(kind)
            return self._pick(names) if names else PLAIN[kind]
        template = self._pick([text for text in EXPRESSIONS[kind] if self._fits(text)])
        return self._fill(template, depth - 1)

    def _fits(self, template: str) -> bool:
        scope = self._scope
        if not scope.awaits and ("await" in template or "async" in template):
            return False
        if not scope.walrus and ":=" in template:
            return False
        return not (scope.quoted and ("'" in template or "\\" in template))

    def _fill(self, template: str, depth: int, held: dict[str, str] | None = None) -> str:
        """The template with its holes filled; ``held`` are those that are the same everywhere in it."""
        held = {} if held is None else held
        changes: dict[str, Any] = {}
        if " for " in template or "lambda" in template:
            changes["walrus"] = False
        if "f'" in template:
            changes["quoted"] = True

        def fill(hole: re.Match[str]) -> str:
            store, kind, extra = hole.groups()
            if store:
                return self._target(kind)
            if kind in ("class", "counter"):
                return held.setdefault(kind, self._new(kind[0].upper() if kind == "class" else "w"))
            if extra:
                names = {**self._scope.names, "int": [extra, *self._scope.names["int"]]}
                with self._with(names=names, awaits=False, walrus=False):
                    return self._expression(kind, depth)
            return self._hole(kind, depth)

        with self._with(**changes):
            return HOLE.sub(fill, template)

    def _hole(self, kind: str, depth: int) -> str:
        if kind == "digit":
            return str(self._draw(st.integers(0, 3)))
        if kind.endswith("name"):
            return str(self._pick(self._scope.names[kind[:-4]]))
        if kind == "pattern":
            return self._fill(self._pick(PATTERNS), depth)
        if kind == "call":
            return self._call(("{}", "await {}") if self._scope.awaits else ("{}",), depth) or "(1)"
        if kind == "generated":
            return self._call(("list({})",), depth)[5:-1] or "counting(2)"
        return self._expression(kind, depth)

    def _target(self, kind: str) -> str:
        known = [name for name in self._scope.targets[kind] if name not in self._scope.bound]
        if not known:
            return "_"
        name: str = self._pick(known)
        self._scope.bound.add(name)
        return name

    def _call(self, forms: tuple[str, ...], depth: int) -> str:
        scope = self._scope
        affordable = [
            function
            for function in self._functions
            if function.form in forms and scope.cost + scope.turns * function.cost < WORK
        ]
        if not affordable:
            return ""
        function = self._pick(affordable)
        scope.cost += scope.turns * function.cost
        arguments = self._pick([call for call in function.calls if self._fits(call)] or [""])
        call = f"{function.name}({self._fill(arguments, depth)})"
        return f"({function.form.format(call)})" if "await" in function.form else function.form.format(call)

    # --- statements ---

    def _statements(self, level: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self._draw(st.integers(1, 4 if level else 8))):
            if self._left <= 0 and lines:
                break
            self._left -= 1
            self._scope.bound = set()
            choice = self._draw(st.integers(0, 9))
            if choice < 5 or level > 2:
                lines.append(self._simple())
            elif choice < 8:
                lines += self._block(level)
            else:
                lines += self._function(level)
        return lines

    def _simple(self) -> str:
        scope = self._scope
        templates = [text for text in STATEMENTS if self._fits(text)]
        if scope.function.endswith("generator"):
            plain = not scope.function.startswith("async")
            templates = [text for text in GENERATING if plain or "from" not in text] * 3 + templates
        if scope.loop:
            templates += ["break", "continue", "if <bool>: break", "if <bool>: continue"]
        if scope.returns:
            templates += ["return" if "async gen" in scope.function else "return <int>"] * 2
        return self._fill(self._pick(templates), 2)

    def _block(self, level: int) -> list[str]:
        return self.lines(self._pick([text for text in BLOCKS if self._block_fits(text)]), level)

    def lines(self, template: str, level: int = 0) -> list[str]:
        """A template of one or more lines, filled."""
        changes: dict[str, Any] = {}
        if "def " in template:  # expressions in it stand in functions of their own
            changes = {"awaits": False, "walrus": False}
        written: list[str] = []
        held: dict[str, str] = {}
        with self._with(**changes):
            for line in template.split("\n"):
                text = line.strip()
                indent = line[: len(line) - len(text)]
                if text in ("<block>", "<loop>", "<flat>"):
                    written += [indent + inner for inner in self._inner(text, level + 1)]
                else:
                    self._scope.bound = set()
                    written.append(indent + self._fill(text, 1, held))
        return written

    def _block_fits(self, template: str) -> bool:
        if template.startswith("async"):
            return self._scope.awaits
        return "super()" not in template or not self._scope.function

    def _inner(self, kind: str, level: int) -> list[str]:
        scope = self._scope
        if kind == "<loop>":
            with self._with(loop=True, turns=scope.turns * 3):
                return self._statements(level)
        if kind == "<flat>":  # a return or break in except* is no Python
            with self._with(loop=False, returns=False):
                return self._statements(level)
        return self._statements(level)

    # --- functions ---

    def _function(self, level: int) -> list[str]:
        declared, calls, ints, lists, dicts = self._pick(SIGNATURES)
        letters = {"x": self._new("x"), "y": self._new("y")}
        ints, lists, dicts = (text.format(**letters).split() for text in (ints, lists, dicts))
        kind = self._pick(("def", "generator", "async def", "async generator"))
        name = self._new("f")
        with self._with(walrus=False, awaits=False):
            parameters = self._fill(declared.format(**letters), 1)
        decorators = (
            self._pick(((), (), ("@logged",), ("@times(2)",), ("@times(1)", "@logged"))) if kind == "def" else ()
        )
        outer = self._scope
        self._scope = self._inside(kind, {"int": ints, "list": lists, "dict": dicts})
        opening = self._outer_names(outer)
        body = [*opening, *self._statements(level + 1)]
        body.append("yield 1" if kind == "async generator" else f"return {self._expression('int', 2)}")
        if kind == "generator":
            body.append(f"yield {self._expression('int', 1)}")
        cost, self._scope = self._scope.cost * (2 if decorators else 1), outer
        form = {
            "def": "{}",
            "async def": "await {}",
            "generator": "list({})",
            "async generator": "[n async for n in {}]",
        }[kind]
        self._functions.append(Function(name, tuple(call.format(**letters) for call in calls), form, cost))
        head = f"{'async def' if kind.startswith('async') else 'def'} {name}({parameters}):"
        return [*decorators, head, *("    " + line for line in body)]

    def _inside(self, kind: str, own: dict[str, list[str]]) -> Scope:
        local = {"str": ["w"], "list": ["zs"], "dict": ["g"], "obj": ["r"]}
        names = {each: [*own.get(each, []), *found] for each, found in self._scope.names.items()}
        targets = {each: [*own.get(each, []), *local.get(each, [])] for each in names}
        return Scope(names, targets, kind, awaits=kind.startswith("async"), returns=True, cost=1)

    def _outer_names(self, outer: Scope) -> list[str]:
        scope = self._scope
        if outer.function and outer.targets["int"] and self._draw(st.booleans()):
            name = self._pick(outer.targets["int"])
            scope.targets["int"].append(name)
            return [f"nonlocal {name}"] if name not in ("a", "b", "c") else [f"global {name}"]
        if not scope.targets["int"] or self._draw(st.booleans()):
            scope.targets["int"].append("c")
            return ["global c"]
        return []


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> str:
    """Programs, to be run after ``grammar.LIBRARY`` in the same namespace."""
    return Writer(draw).program()


def plainest(template: str) -> str:
    """A template of the grammar as a program: every hole filled by the plainest choice, every block tells that it ran."""
    numbers = iter(range(100))
    marked = re.sub("<(block|loop|flat)>", lambda hole: f"print('here', {next(numbers)})", template)
    return "\n".join(Writer(lambda strategy: 0).lines(marked)) + "\n"
