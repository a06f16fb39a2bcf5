"""What a tool is: its name, its typed and described inputs, and what a wrong call is told."""

from __future__ import annotations

import inspect
from typing import Any, Literal

import pytest

from smolcell import Tool, tool
from smolcell.errors import AgentToolCallError, SetupError
from smolcell.tools import schema as docstrings
from smolcell.tools.builtin import as_tools
from smolcell.tools.schema import accepts, is_of_type, schema
from smolcell.tools.tool import as_tool


@tool
def convert(
    amount: float, currency: Literal["eur", "usd"], digits: int = 2, *, note: str | None = None
) -> dict[str, float]:
    """Convert an amount of money.

    Args:
        amount: how much,
            in dollars.
        currency: what it becomes.
        digits: after the point.
        note: for the books.

    Returns:
        The rounded amount, by currency.
    """
    return {currency: round(amount, digits)}


def test_a_function_becomes_a_tool_with_the_field_s_attributes() -> None:
    assert (convert.name, convert.output_type) == ("convert", "object")
    assert convert.description == "Convert an amount of money.\n\nReturns: The rounded amount, by currency."
    assert convert.inputs == {
        "amount": {"type": "number", "description": "how much, in dollars."},
        "currency": {"type": "string", "enum": ["eur", "usd"], "description": "what it becomes."},
        "digits": {"type": "integer", "description": "after the point.", "nullable": True},
        "note": {"type": "string", "nullable": True, "description": "for the books."},
    }
    assert convert(3.14159, "eur") == convert.forward(3.14159, "eur") == {"eur": 3.14}


def test_the_model_reads_the_signature_and_what_each_argument_is() -> None:
    assert str(convert) == convert.to_code_prompt()
    assert str(convert).startswith(
        "def convert(amount: float, currency: Literal['eur', 'usd'], digits: int = 2, *, note: str | None = None)"
        ' -> dict[str, float]:\n    """\n    Convert an amount of money.\n'
    )
    assert "        amount: how much, in dollars.\n" in str(convert)
    assert convert.to_tool_calling_prompt().startswith("convert: Convert an amount of money.")


def test_a_tool_has_the_schema_that_models_with_tool_calling_take() -> None:
    assert convert.json_schema["function"]["parameters"] == {
        "type": "object",
        "properties": {
            "amount": {"type": "number", "description": "how much, in dollars."},
            "currency": {"type": "string", "enum": ["eur", "usd"], "description": "what it becomes."},
            "digits": {"type": "integer", "description": "after the point."},
            "note": {"type": ["string", "null"], "description": "for the books."},
        },
        "required": ["amount", "currency"],
    }


WRONG_CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "missing": ((1.0,), {}, "missing a required argument: 'currency'"),
    "unknown": ((1.0, "eur"), {"rate": 2}, "got an unexpected keyword argument 'rate'"),
    "too many": ((1.0, "eur", 2, "x"), {}, "too many positional arguments"),
    "another type": (("1.0", "eur"), {}, "'amount' must be float, not str '1.0'"),
    "a bool is no number": ((True, "eur"), {}, "'amount' must be float, not bool True"),
    "none of the literals": ((1, "gbp"), {}, "'currency' must be Literal['eur', 'usd'], not str 'gbp'"),
    "none where none may be": ((1, "eur", None), {}, "'digits' must be int, not NoneType None"),
    "by name": ((1, "eur"), {"note": 3}, "'note' must be str | None, not int 3"),
}


@pytest.mark.parametrize(("args", "kwargs", "said"), WRONG_CALLS.values(), ids=WRONG_CALLS)
def test_a_wrong_call_is_a_type_error_with_the_signature(args: Any, kwargs: Any, said: str) -> None:
    called: list[Any] = []
    watched = Tool(lambda *a, **k: called.append(1), name="convert", description="Convert.")
    watched.signature, watched.inputs = convert.signature, convert.inputs
    with pytest.raises(TypeError) as caught:
        watched(*args, **kwargs)
    assert isinstance(caught.value, AgentToolCallError)
    assert str(caught.value) == f"convert{convert.signature}: {said}"
    assert not called


def test_a_function_without_source_is_a_tool_like_any_other() -> None:
    names: dict[str, Any] = {"tool": tool}
    code = compile(  # not as "<string>", of which Python 3.13 has the source where it was started with -c
        "@tool\ndef twice(word: 'str', times: 'int' = 2) -> 'str':\n"
        "    '''Repeat it.\n\n    Args:\n        word: what\n        times: how often\n    '''\n    return word * times\n",
        "<no source>",
        "exec",
    )
    exec(code, names)
    twice = names["twice"]
    with pytest.raises(OSError):
        inspect.getsource(twice.function)
    assert str(twice.signature) == "(word: str, times: int = 2) -> str"
    assert twice("ab") == "abab"
    with pytest.raises(AgentToolCallError, match="'times' must be int, not str '3'"):
        twice("ab", "3")


def no_types(item) -> str:  # type: ignore[no-untyped-def]
    """The price of an item."""
    return ""


def no_return(item: str):  # type: ignore[no-untyped-def]
    """The price of an item."""


def no_docstring(item: str) -> str:
    return item


def no_argument_text(item: str, count: int) -> str:
    """The price of an item."""
    return item


UNFINISHED: dict[str, tuple[Any, str]] = {
    "no types": (no_types, "add a type to each argument, for example: def no_types(item: str)"),
    "no type of the result": (no_return, "add the type of what it returns, for example: def no_return(…) -> str:"),
    "no docstring": (no_docstring, "has no description: give the function a docstring for the model"),
    "no word about an argument": (no_argument_text, "does not say what count is; add to it:\n\n    Args:\n        count: what it is"),
    "no arguments to be read": (type("Odd", (), {"__call__": 3, "__name__": "odd"})(), "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize(("function", "said"), UNFINISHED.values(), ids=UNFINISHED)
def test_what_a_function_lacks_is_said_when_it_is_decorated(function: Any, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        tool(function)
    assert said in str(caught.value)


def test_an_argument_that_the_text_names_is_described() -> None:
    def price(item: str) -> float:
        """The price of an item, in euros."""
        return 1.0

    assert tool(price)("tea") == 1.0


def test_a_plain_function_is_a_tool_with_what_it_has() -> None:
    plain = as_tool(no_types)
    assert (plain.name, plain.inputs["item"]["type"], plain([1])) == ("no_types", "any", "")


class Search(Tool):
    name = "search"
    description = "Search the books."
    inputs = {
        "query": {"type": "string", "description": "what"},
        "limit": {"type": "integer", "description": "how many", "nullable": True},
    }
    output_type = "array"

    def __init__(self, books: list[str]) -> None:  # does not call the base's, as many do not
        self.books, self.made = books, 0

    def setup(self) -> None:
        self.made += 1

    def forward(self, query, limit=None):  # type: ignore[no-untyped-def]
        return [book for book in self.books if query in book][:limit]


def test_a_class_is_a_tool_and_is_set_up_once_before_its_first_call() -> None:
    search = Search(["a tale", "the tail", "a table"])
    assert search.made == 0
    assert (search("ta"), search(query="ta", limit=1), search.made) == (
        ["a tale", "the tail", "a table"],
        ["a tale"],
        1,
    )
    assert str(search.signature) == "(query: str, limit: int = None) -> list"
    with pytest.raises(AgentToolCallError, match="'query' must be str, not int 3"):
        search(3)
    with pytest.raises(AgentToolCallError, match=r"'limit' must be int, not float 1\.5"):
        search("a", 1.5)


UNFINISHED_CLASSES: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": None}, 'needs an attribute name, for example: name = "price"'),
    "no description": ({"description": "  "}, "has no description"),
    "no inputs": ({"inputs": ["query"]}, "needs an attribute inputs"),
    "an input without a type": ({"inputs": {"query": {"description": "what"}}}, "the input 'query' needs a type and a description"),
    "an unknown type": ({"inputs": {"query": {"type": "text", "description": ""}}}, "input 'query' has type 'text'; take of string"),
    "an unknown output": ({"output_type": "text"}, "has output_type 'text': take one of string"),
    "another argument": ({"inputs": {"word": {"type": "string", "description": ""}}}, "takes (query, limit) and inputs names (word)"),
    "a name that is none": ({"name": "my-search"}, "not 'my-search'"),
    "a keyword": ({"name": "class"}, "not 'class'"),
}  # fmt: skip


@pytest.mark.parametrize(("changed", "said"), UNFINISHED_CLASSES.values(), ids=UNFINISHED_CLASSES)
def test_what_a_class_lacks_is_said_when_it_is_made(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError) as caught:
        type("Unfinished", (Search,), changed)([])
    assert said in str(caught.value)


def test_a_tool_of_another_library_with_the_same_attributes_is_taken() -> None:
    class Foreign:
        name, description, output_type = "shout", "Shout it.", "string"
        inputs = {"word": {"type": "string", "description": "what"}}

        def forward(self, word: str) -> str:
            return word.upper()

        def __call__(self, *args: Any, **kwargs: Any) -> str:
            return self.forward(*args, **kwargs)

    taken = as_tools([Foreign()])["shout"]
    assert (str(taken.signature), taken("ha")) == ("(word: str) -> str", "HA")
    with pytest.raises(AgentToolCallError, match="'word' must be str"):
        taken(3)


# --- the parts --------------------------------------------------------------------------------------------------------


GOOGLE = """Do it.

Args:
    first (int): one
        and more
    *rest: others

Raises:
    ValueError: never
"""
NUMPY = """Do it.

Parameters
----------
first : int
    one
    and more
rest
    others
"""
SPHINX = """Do it.

:param int first: one and more
:param rest: others
:returns: it
"""


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_the_three_forms_of_docstrings_are_read(text: str) -> None:
    said = docstrings.read(text)
    assert (said.text, said.arguments) == ("Do it.", {"first": "one and more", "rest": "others"})


def test_prose_that_looks_like_a_section_stays_prose() -> None:
    text = "Do it.\n\nNote that it is slow.\nArguments about taste: none."
    assert docstrings.read(text) == (text, {}, "")


class Row(dict):  # type: ignore[type-arg]
    pass


ANNOTATIONS: list[tuple[Any, Any, bool]] = [
    (int, 3, True),
    (int, True, False),
    (float, 3, True),
    (str, b"x", False),
    (int | None, None, True),
    (int | str, "x", True),
    (int | str, 1.5, False),
    (list[int], [1, 2], True),
    (list[int], [1, "2"], False),
    (list[list[str]], [["a"], [1]], False),
    (tuple[int, str], (1, "a"), True),
    (tuple[int, str], (1,), False),
    (tuple[int, ...], (1, 2, 3), True),
    (dict[str, int], {"a": 1}, True),
    (dict[str, int], {"a": "1"}, False),
    (Literal[1, "a"], True, False),
    (dict, Row(), True),
    (Any, ..., True),
    ("Unknown", ..., True),
    (None, None, True),
]


@pytest.mark.parametrize(("annotation", "value", "fitting"), ANNOTATIONS, ids=str)
def test_a_value_is_judged_by_the_annotation(annotation: Any, value: Any, fitting: bool) -> None:
    assert accepts(annotation, value) is fitting


def test_numbers_and_tables_of_libraries_are_what_they_say() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1]})
    assert accepts(int, numpy.int64(3)) and accepts(float, numpy.float32(3)) and accepts(bool, numpy.bool_(True))
    assert accepts(pandas.DataFrame, frame) and not accepts(pandas.DataFrame, {"a": [1]})
    assert (schema(pandas.DataFrame), is_of_type("object", frame)) == ({"type": "object"}, True)


def test_what_json_types_mean() -> None:
    values = {
        "string": "x",
        "boolean": True,
        "integer": 1,
        "number": 1.5,
        "array": [1],
        "object": {"a": 1},
        "null": None,
    }
    table = {kind: [name for name, value in values.items() if is_of_type(kind, value)] for kind in (*values, "any")}
    assert table == {
        "string": ["string"],
        "boolean": ["boolean"],
        "integer": ["integer"],
        "number": ["integer", "number"],
        "array": ["array"],
        "object": ["object"],
        "null": ["null"],
        "any": list(values),
    }
    assert is_of_type(["string", "null"], None)
    assert schema(list[dict[str, int]])["items"] == {"type": "object", "additionalProperties": {"type": "integer"}}


@tool
def take(items: list[str], *more: list[int], table: Any = None) -> str:
    """Take items.

    Args:
        items: some.
        more: more.
        table: anything.
    """
    return str((items, more, table))


def test_other_collections_are_lists_where_a_list_is_taken() -> None:
    np, pd = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    texts = pd.Series(["a", "b", "a"])
    for given in (texts, texts.unique(), texts.values, {"a": 1, "b": 2}.keys(), ("a", "b"), np.array(["a", "b"])):
        args, kwargs = take.with_lists([given, range(3)], {"table": texts})
        assert (args, kwargs["table"] is texts) == ((list(given), [0, 1, 2]), True)
        assert take.with_lists([], {"items": given}) == ((), {"items": list(given)})
    for wrong in ("ab", 5, {"a": 1}, texts.to_frame(), range(3), np.zeros(2)):
        assert (
            take.with_lists([wrong], {"other": 1}) == ((wrong,), {"other": 1})
            or wrong is take.with_lists([wrong], {})[0][0]
        )
