"""The documentation's pictures: each is there, says in words what is seen, is taken by the script, and none is left over."""

from __future__ import annotations

import ast
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "img"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks").glob("*.md")]
USED = re.compile(r"!\[([^]]*)\]\(([^)\s]+)\)")
MOVED = re.compile(r'<img src="([^"]+)" alt="([^"]*)"')
MOVING = IMAGES / "undo.gif"
"""What scripts/take_movie.py takes; it has a limit of its own."""
LARGEST = 150_000  # bytes of one
ALL = 1_600_000  # bytes of all together: they are in the wheel


def taken() -> dict[str, str]:
    """What the script takes, by the module that takes it; reading it starts nothing."""
    spec = spec_from_file_location("take_pictures", ROOT / "scripts" / "take_pictures.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.PICTURES)


def used() -> dict[Path, list[tuple[str, Path]]]:
    """Words and file of each picture, by page."""
    found = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        pictures = USED.findall(text) + [(words, name) for name, words in MOVED.findall(text)]
        found[page] = [(words, (page.parent / name).resolve()) for words, name in pictures]
    return found


def test_every_picture_is_taken_by_the_script_and_every_one_it_takes_is_shown() -> None:
    shown = {file for pictures in used().values() for _, file in pictures}
    named = {IMAGES / f"{name}.png" for name in taken()}
    assert shown == {*named, MOVING} == set(IMAGES.iterdir())


def test_every_name_has_its_function() -> None:
    functions = {
        module: {node.name for node in ast.parse((ROOT / "scripts" / "pictures" / f"{module}.py").read_text()).body
                 if isinstance(node, ast.FunctionDef)}
        for module in set(taken().values())
    }  # fmt: skip
    assert [name for name, module in taken().items() if name.replace("-", "_") not in functions[module]] == []


def test_every_picture_says_in_words_what_is_seen() -> None:
    assert [
        (page.name, file.name) for page, shown in used().items() for words, file in shown if len(words.split()) < 6
    ] == []


def test_pictures_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in IMAGES.iterdir() if file != MOVING}
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}
    assert sum(sizes.values()) <= ALL
    assert MOVING.stat().st_size <= 2_000_000


def test_every_link_of_a_page_that_goes_with_the_demo_leads_to_one_that_does() -> None:
    from smolcell.cli.serve import parts

    names = parts()
    for name in (name for name in names if name.startswith("docs/") and name.endswith(".md")):
        text = names[name].read_text(encoding="utf-8")
        links = [
            link.split("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith(("#", "http"))
        ]
        assert [(name, link) for link in links if f"docs/{link}" not in names] == []
