"""Typed answers: reads an answer as a type, or describes for the model what is wrong with it."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Callable, Mapping
from typing import Any

from smolcell.core.text import clip
from smolcell.errors import SetupError
from smolcell.machine.environment import importing, optional

_MAX_ERRORS = 10  # errors shown of one answer
_MAX_SCHEMA_CHARS = 4_000  # characters of a schema in the prompt
_MAX_DEPTH = 50


@dataclasses.dataclass(frozen=True, slots=True)
class AnswerType:
    """How an answer is read as a type.

    Attributes:
        value: returns the answer as the type; raises ``ValueError`` with the fault.
        words: the description of the type for the model.
    """

    value: Callable[[Any], Any]
    words: str


def reader(expected: Any) -> AnswerType:
    """Return how an answer is read as ``expected``: see ``smolcell.output_checks.schema``.

    Raises:
        SetupError: ``expected`` is no type.
    """
    if typing.get_origin(expected) is typing.Annotated and _is_table(typing.get_args(expected)[0]):
        columns = next((each for each in typing.get_args(expected)[1:] if isinstance(each, Mapping)), {})
        return _table(columns)
    if isinstance(expected, Mapping):
        return _table(expected)
    return _table({}) if _is_table(expected) else _typed(expected)


# --- tables -------------------------------------------------------------------------------------------------------------

_TEXTS = frozenset({"str", "string", "object", "category"})
_FAMILIES: Mapping[str, str] = {"int": "iu", "float": "f", "number": "iuf", "datetime": "M", "date": "M", "bool": "b"}
"""Dtypes by the first letter of their kind; any width fits."""


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and kind.__name__ == "DataFrame"


def _table(columns: Mapping[str, Any]) -> AnswerType:
    dtypes = {str(name): _dtype_name(dtype) for name, dtype in columns.items()}
    for name, dtype in dtypes.items():
        _check_dtype(name, dtype)
    named = ", ".join(f"{name} ({dtype})" for name, dtype in dtypes.items())
    words = f"The answer must be a pandas DataFrame{f' with the columns {named}' if named else ''}: final_answer(df)."

    def value(answer: Any) -> Any:
        if type(answer).__name__ != "DataFrame":
            raise ValueError(f"it must be a pandas DataFrame, not {type(answer).__name__}: call final_answer(df)")
        found = {str(name): dtype for name, dtype in zip(answer.columns, answer.dtypes, strict=True)}
        wrong = [_column_error(name, dtype, found) for name, dtype in dtypes.items()]
        if any(wrong):
            raise ValueError("; ".join([error for error in wrong if error][:_MAX_ERRORS]))
        return answer

    return AnswerType(value, words)


def _column_error(name: str, dtype: str, columns: Mapping[str, Any]) -> str:
    if name not in columns:
        return f"the column {name!r} is missing; there are: {', '.join(map(repr, list(columns)[:30])) or 'none'}"
    if _has_dtype(columns[name], dtype):
        return ""
    return f"the column {name!r} has the dtype {columns[name]} and must have {dtype}: convert it, for example with .astype({dtype!r})"


def _has_dtype(actual: Any, dtype: str) -> bool:
    if dtype in _TEXTS:
        return str(actual).lower() in _TEXTS or str(actual).lower().startswith("string")
    if dtype in _FAMILIES:
        return str(getattr(actual, "kind", "")) in _FAMILIES[dtype] and str(actual) != "object"
    return str(actual).lower() == dtype.lower()


def _dtype_name(dtype: Any) -> str:
    return dtype.__name__ if isinstance(dtype, type) else str(dtype)


def _check_dtype(name: str, dtype: str) -> None:
    if dtype in _TEXTS or dtype in _FAMILIES:
        return
    with optional("a table's answer type", "data", "pandas"):
        import pandas as pd
    try:
        pd.api.types.pandas_dtype(dtype)
    except TypeError:
        raise SetupError(
            f"the column {name!r} has no dtype {dtype!r}: give one of pandas, such as 'float64', 'int64', 'str' or 'datetime64[ns]'"
        ) from None


# --- types that pydantic supports ---------------------------------------------------------------------------------------


def _typed(expected: Any) -> AnswerType:
    with importing():
        import pydantic

    try:
        adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(_portable(expected))
    except (pydantic.errors.PydanticUserError, pydantic.errors.PydanticSchemaGenerationError, NameError) as error:
        message = str(error).partition("\n")[0]
        raise SetupError(
            f"{expected!r} is not a type for answers ({message}): give a pydantic model, a dataclass, a TypedDict, "
            "pd.DataFrame, or the columns of a table as {'name': 'dtype'}"
        ) from None

    def value(answer: Any) -> Any:
        try:
            return adapter.validate_python(_plain(answer, _MAX_DEPTH))
        except pydantic.ValidationError as error:
            wrong = error
        if isinstance(answer, str):  # the text may be the required JSON
            try:
                return adapter.validate_json(answer)
            except pydantic.ValidationError:
                pass
        raise ValueError(_describe_error(wrong))

    return AnswerType(value, _words(adapter, expected))


def _words(adapter: Any, expected: Any) -> str:
    try:
        schema = json.dumps(adapter.json_schema(), separators=(",", ":"))
    except Exception:  # a type without a JSON schema
        schema = getattr(expected, "__name__", str(expected))
    return f"The answer must fit this schema; give final_answer plain dicts, lists, texts and numbers: {clip(schema, _MAX_SCHEMA_CHARS)}"


def _describe_error(error: Any) -> str:
    """Describe the faults, without the values."""
    wrong = error.errors(include_url=False, include_input=False, include_context=False)
    messages = [f"{'.'.join(map(str, each['loc'])) or 'the value'}: {each['msg']}" for each in wrong[:_MAX_ERRORS]]
    more = f"; and {len(wrong) - _MAX_ERRORS} more" if len(wrong) > _MAX_ERRORS else ""
    return "; ".join(messages) + more


def _plain(value: Any, depth: int) -> Any:
    """Convert numpy's scalars and arrays to Python's numbers and lists, which pydantic supports."""
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    if depth and isinstance(value, dict):
        return {key: _plain(item, depth - 1) for key, item in value.items()}
    return [_plain(item, depth - 1) for item in value] if depth and isinstance(value, list) else value


def _portable(expected: Any) -> Any:
    """Convert a ``typing.TypedDict`` to one of typing_extensions, which pydantic needs before Python 3.12."""
    if not typing.is_typeddict(expected):
        return expected
    with importing():
        import typing_extensions

    hints = typing.get_type_hints(expected, include_extras=True)
    optional = expected.__optional_keys__
    fields = {
        name: typing_extensions.NotRequired[_portable(hint)] if name in optional else _portable(hint)
        for name, hint in hints.items()
    }
    typed_dict: Any = typing_extensions.TypedDict
    return typed_dict(expected.__name__, fields)
