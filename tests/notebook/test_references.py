"""Which names a task refers to: each is copied into the sandbox."""

from __future__ import annotations

import pytest

from smolcell.notebook.commands import references


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("Sum @sales by @region, then @sales again.", ("sales", "region")),
        ("Write to me@home or \\@sales; `@quoted` is code.", ()),
        ("Fix it:\n```python\n@property\ndef f(self): ...\n```\nUse @sales.", ("sales",)),
        ("Fix it:\n````python\n```\n@secret\n````\n", ()),
        ("~~~\n@secret\n```\n@secret\n~~~\n@sales", ("sales",)),
        ("   ```\n@secret\n   `````  \n@sales", ("sales",)),
        ("    ```\n@sales", ("sales",)),  # four spaces: no fence
        ("```\n@secret\n``` not the end\n@secret", ()),  # never closed
        ("```\r@secret\r```\r@sales", ("sales",)),
        ("```one `` line``` @sales", ("sales",)),
    ],
)
def test_names_in_prose_are_references_and_names_in_code_are_none(task: str, names: tuple[str, ...]) -> None:
    assert references(task) == names
