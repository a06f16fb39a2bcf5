"""Hooks of ``mkdocs build``: adds pages that lie outside of docs/, and the notebooks with their outputs.

The notebooks are run in real kernels with ``SMOLCELL_APPROVE=auto``, so that their pages show what the recorded models did.
With ``SMOLCELL_SITE_QUICK=1`` they are not run, and have no outputs.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from mkdocs.structure.files import File, Files
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
PROJECT = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "reporting.md"}
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s#]+)(#[^)\s]*)?\)")
CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]*`")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
SKIPPED = {"03-sandboxes.ipynb", "11-real-model.ipynb"}  # need a Docker engine, a model; shown without outputs
TIMEOUT = 300  # seconds a cell

_notebooks: dict[str, str] = {}


def on_config(config: Any) -> Any:
    """List the decisions under their heading."""
    for section in config["nav"]:
        for entry in next(iter(section.values())) if isinstance(next(iter(section.values())), list) else ():
            if "Decisions" in entry:
                entry["Decisions"] = [f"adr/{path.name}" for path in sorted((ROOT / "docs" / "adr").glob("*.md"))]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the project's own pages and the notebooks."""
    for name, page in PROJECT.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    if not _notebooks:  # `mkdocs serve` builds again and again
        _notebooks.update(_run_notebooks())
    for name, text in _notebooks.items():
        files.append(File.generated(config, f"tutorials/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Point links that leave docs/ to the page that a file has here; a file without a page is named only.

    In a table GitHub reads ``\\|`` within code as ``|``, which Python-Markdown shows as it is, and needs no backslash for.
    """
    uri = page.file.src_uri
    source = PROJECT_SOURCES.get(uri, f"docs/{uri}")
    if uri.startswith("tutorials/"):
        source = f"notebooks/{Path(uri).name}"

    def target(match: re.Match[str]) -> str:
        text, link, anchor = match[1], match[2], match[3] or ""
        if ":" in link:
            return match[0]
        path = os.path.normpath(Path(source).parent / link)
        found = _page_of(path, files)
        if found is None:
            return text[1:-1] if not text.startswith("!") else ""
        return f"{text}({os.path.relpath(found, Path(uri).parent)}{anchor})"

    parts = CODE.split(markdown)
    parts[::2] = [SPAN.sub(lambda span: span[0].replace(r"\|", "|"), LINK.sub(target, part)) for part in parts[::2]]
    return "".join(parts)


PROJECT_SOURCES = {page: name for name, page in PROJECT.items()}


def _page_of(path: str, files: Files) -> str | None:
    """The file of the site that shows a file of the repository, by its path there."""
    if path in PROJECT:
        return PROJECT[path]
    if path.startswith("notebooks/"):
        path = f"docs/tutorials/{path.removeprefix('notebooks/').replace('.ipynb', '.md')}"
    inside = path.removeprefix("docs/")
    if inside == path:
        return None
    for candidate in (inside, f"{inside.rstrip('/')}/README.md"):
        if files.get_file_from_path(candidate) is not None:
            return candidate
    return None


def _run_notebooks() -> dict[str, str]:
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "notebooks"
        shutil.copytree(ROOT / "notebooks", folder)
        for path in sorted(folder.glob("*.ipynb")):
            notebook = nbformat.read(path, as_version=4)
            if path.name not in SKIPPED and "SMOLCELL_SITE_QUICK" not in os.environ:
                _run(notebook, folder)
            found[path.stem] = "\n\n".join(_markdown(cell) for cell in notebook.cells)
    return found


def _run(notebook: Any, folder: Path) -> None:
    before = os.environ.get("SMOLCELL_APPROVE")
    os.environ["SMOLCELL_APPROVE"] = "auto"
    try:
        where = {"metadata": {"path": str(folder)}}
        NotebookClient(notebook, timeout=TIMEOUT, kernel_name="python3", resources=where, allow_errors=True).execute()
    finally:
        if before is None:
            del os.environ["SMOLCELL_APPROVE"]
        else:
            os.environ["SMOLCELL_APPROVE"] = before


def _markdown(cell: Any) -> str:
    """A cell and its outputs as Markdown."""
    if cell.cell_type != "code":
        return str(cell.source)
    kind = "text" if cell.source.startswith("%%agent") else "python"
    return "\n\n".join([f"```{kind}\n{cell.source}\n```", *map(_output, cell.get("outputs", ()))])


def _output(output: Any) -> str:
    """An output in the richest form that a page without scripts can show."""
    data = output.get("data", {})
    if "text/html" in data:
        shown = data["text/html"]
    elif "image/png" in data:
        shown = f'<img alt="{html.escape(data.get("text/plain", "output"))}" src="data:image/png;base64,{data["image/png"].strip()}">'
    else:
        text = data.get("text/plain") or output.get("text") or "\n".join(output.get("traceback", ()))
        shown = f"<pre>{html.escape(ANSI.sub('', text))}</pre>"
    shown = "\n".join(line for line in shown.splitlines() if line.strip())  # an empty line would end the block
    return f'<div class="cell-output">\n{shown}\n</div>'
