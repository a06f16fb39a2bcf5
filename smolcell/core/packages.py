"""Packages that a program needs and its sandbox lacks, found in the text of the program. Pure.

* Only plain requirements (``NAME[EXTRA]==1.2``) are accepted: options, URLs and paths never reach an installer.
* The name of a distribution is never guessed: modules that are not in the table have none.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from smolcell.core.parsing import tree
from smolcell.worker.guard import magics

MAX_ANALYZED_CHARS = 100_000  # characters of a program
MAX_REQUIREMENTS = 20
_OTHER_NAMES = {
    "attr": "attrs",
    "Bio": "biopython",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "fitz": "PyMuPDF",
    "git": "GitPython",
    "igraph": "igraph",
    "PIL": "pillow",
    "pptx": "python-pptx",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "umap": "umap-learn",
    "yaml": "PyYAML",
}
_SAME_NAME = (
    "altair bokeh catboost duckdb fsspec geopandas h5py holoviews imageio jinja2 joblib lifelines lightgbm lxml markdown "
    "matplotlib networkx nltk numba numpy openpyxl pandas patsy pingouin plotly plotnine polars prophet pyarrow pydantic "
    "pypdf pytz rich scipy seaborn shap shapely spacy sqlalchemy squarify statsmodels sympy tabulate textblob tqdm "
    "wordcloud xarray xgboost xlrd xlsxwriter"
).split()
DISTRIBUTIONS: Mapping[str, str] = {**{name: name for name in _SAME_NAME}, **_OTHER_NAMES}
"""Module → the distribution that provides it."""

_PLAIN = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)(?:\[[A-Za-z0-9._-]+(?:,[A-Za-z0-9._-]+)*\])?"
    r"(?:(?:[=~!<>]=|[<>])[A-Za-z0-9.*+!_-]+(?:,(?:[=~!<>]=|[<>])[A-Za-z0-9.*+!_-]+)*)?",
    re.ASCII,
)
_MAX_REQUIREMENT_CHARS = 200  # characters of a requirement
_FILES = (".whl", ".zip", ".gz", ".bz2", ".xz", ".tgz", ".tar", ".txt", ".toml")
_IGNORED = frozenset("-q -qq --quiet -U --upgrade -y --yes".split())
"""Options that are ignored: installed packages are never replaced."""


class RequirementError(ValueError):
    """A requirement cannot be installed; the message says why, in one line."""


class Needs(NamedTuple):
    """The packages that a program needs before it can run.

    Attributes:
        requirements: to be installed, in the form of an installer.
        unknown: missing modules whose distribution is not known.
        why: why an install line of the program is refused; "" if none is.
    """

    requirements: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    why: str = ""


def canonical(name: str) -> str:
    """Return a distribution's canonical name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def name_of(requirement: str) -> str:
    """Return the canonical name of the distribution that a requirement names."""
    match = _PLAIN.match(requirement)
    return canonical(match["name"]) if match else ""


def requirements(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words after ``install`` as requirements.

    Raises:
        RequirementError: a word is an option, a URL, a path, or no requirement.
    """
    found: dict[str, None] = {}
    for word in words:
        text = "".join(word.split())
        if text in _IGNORED:
            continue
        plain = len(text) <= _MAX_REQUIREMENT_CHARS and _PLAIN.fullmatch(text)
        if not plain or plain["name"].lower().endswith(_FILES):
            raise RequirementError(
                f"{word[:_MAX_REQUIREMENT_CHARS]!r} cannot be installed here: only names of packages, such as seaborn or 'seaborn>=0.13', "
                "without options, URLs and paths"
            )
        found[text] = None
    if not 0 < len(found) <= MAX_REQUIREMENTS:
        raise RequirementError(f"give 1 to {MAX_REQUIREMENTS} package names, not {len(found)}")
    return tuple(found)


def split(line: str) -> list[str]:
    """Split an install line into words, without a comment.

    Raises:
        RequirementError: a quote is not closed.
    """
    try:
        return shlex.split(line, comments=True)
    except ValueError as error:
        raise RequirementError(f"the install line cannot be read: {error}") from None


def needs(text: str, has_module: Callable[[str], bool], has_distribution: Callable[[str], bool]) -> Needs:
    """Return the missing packages that a program imports or asks to install.

    Optional imports (in a ``try`` that catches their failure) are left out.

    Args:
        text: the program.
        has_module: whether the sandbox can import this top-level module.
        has_distribution: whether the distribution of this canonical name is installed there.
    """
    module = tree(text) if len(text) <= MAX_ANALYZED_CHARS else ""
    if isinstance(module, str):
        return Needs()
    requested: dict[str, None] = {}
    try:
        for line in _install_lines(module):
            requested.update(dict.fromkeys(requirements(split(line))))
    except RequirementError as error:
        return Needs(why=str(error))
    names = {name_of(requirement) for requirement in requested}
    missing = [name for name in dict.fromkeys(_imported(module)) if not has_module(name)]
    for name in missing:
        known = DISTRIBUTIONS.get(name, "")
        if known and canonical(known) not in names and not has_distribution(canonical(known)):
            requested[known] = None
    unknown = tuple(name for name in missing if name not in DISTRIBUTIONS)
    wanted = tuple(requirement for requirement in requested if not has_distribution(name_of(requirement)))
    return Needs(wanted[:MAX_REQUIREMENTS], () if names else unknown)


def _install_lines(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == magics.INSTALL:
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def _imported(module: ast.Module) -> Iterator[str]:
    """Yield the top-level names of the modules that the program must import."""
    optional = {id(part) for node in ast.walk(module) if _catches_imports(node) for part in ast.walk(node)}
    for node in ast.walk(module):
        if id(node) in optional:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _catches_imports(node: ast.AST) -> bool:
    caught = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
    return isinstance(node, ast.Try) and any(
        handler.type is None or any(isinstance(name, ast.Name) and name.id in caught for name in ast.walk(handler.type))
        for handler in node.handlers
    )
