"""A class of 30 copies of a lesson, graded by nbgrader: `python .ci/grade_class.py FOLDER`, with nbgrader in this Python.

Every third learner is careless. The only model is the recording. Exits non-zero if a score is not the expected one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIES, ALL, NONE = 30, 4.0, 0.0
CONFIG = """c = get_config()
c.CourseDirectory.course_id = "class"
c.CourseDirectory.root = {root!r}
c.ClearSolutions.enforce_metadata = False
c.Execute.timeout = 120
"""


def played(folder: Path, kind: str) -> Path:
    """A lesson that a learner has done."""
    made = Path(shutil.copytree(ROOT / "notebooks" / "lessons" / "orders", folder / f"orders-{kind}"))
    subprocess.run([sys.executable, str(ROOT / "tests" / "scale" / "students.py"), str(made), kind], check=True)
    return made


def nbgrader(course: Path, *words: str) -> None:
    environment = {**os.environ, "SMOLCELL_APPROVE": "deny", "SMOLCELL_MODEL": "openai/none"}
    subprocess.run(
        [sys.executable, "-m", "nbgrader", *words, "--log-level=ERROR"], cwd=course, env=environment, check=True
    )


def main() -> None:
    from nbgrader.api import Gradebook

    print("nbgrader", version("nbgrader"))
    course = Path(sys.argv[1]).absolute()
    course.mkdir(parents=True)
    (course / "nbgrader_config.py").write_text(CONFIG.format(root=str(course)))
    shutil.copytree(ROOT / "notebooks" / "lessons" / "orders", course / "source" / "orders")
    (course / "source" / "header.ipynb").unlink(missing_ok=True)
    nbgrader(course, "generate_assignment", "orders", "--create")
    done = {kind: played(course.parent, kind) for kind in ("good", "careless")}
    kinds = {f"learner{number:02}": "careless" if number % 3 == 2 else "good" for number in range(COPIES)}
    for name, kind in kinds.items():
        copy = course / "submitted" / name / "orders"
        shutil.copytree(course / "release" / "orders", copy)
        shutil.copytree(done[kind] / "lesson-record", copy / "lesson-record")
    began = time.monotonic()
    nbgrader(course, "autograde", "orders", "--create")
    seconds = time.monotonic() - began
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        scores = {name: book.find_submission("orders", name).score for name in kinds}
    wrong = {name: score for name, score in scores.items() if score != (ALL if kinds[name] == "good" else NONE)}
    good = sum(kind == "good" for kind in kinds.values())
    print(f"{COPIES} copies graded in {seconds:.0f} s; {good} with {ALL:g} points, the others with none")
    if wrong:
        sys.exit(f"scores that are not as expected: {wrong}")


if __name__ == "__main__":
    main()
