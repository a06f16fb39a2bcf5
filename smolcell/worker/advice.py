"""What is allowed instead of what the guard refused: the second half of a refusal.

The rules this file exists to keep:

* A refusal that says by itself what to do is left as it is.
* An advice names what works in the sandbox, in words that a model acts on.
"""

from __future__ import annotations

OWN = "use the object's public attributes and methods; type(x).__name__ gives the name of its type"
INSTEAD = (
    ("Forbidden access to dunder attribute", OWN),
    ("Forbidden access to dunder name", "define and use names of your own"),
    ("Forbidden access to attribute", OWN),
    ("Forbidden attribute in a pattern", OWN),
    ("Forbidden access to private", "use its public names"),
    ("Forbidden access to module", "import a module by its own name, where it is authorized"),
    ("Forbidden access to function", "write what it should do as ordinary code of the program"),
    ("Forbidden access to file", "use a relative path: the program's files are in its work folder"),
    ("Forbidden name", "choose another name"),
    ("Relative imports", "import by the full name"),
    ("Cannot assign to name", "choose another name"),
)


def with_advice(message: str) -> str:
    """The refusal, and what is allowed instead."""
    if ". " in message:  # it says so itself
        return message
    for start, instead in INSTEAD:
        if message.startswith(start):
            return f"{message}. Instead, {instead}"
    return message
