"""The folder of a job: rows, journals, answers to waiting proposals, and the recipe.

* One process writes it: the one that started the job. Workers send rows to it.
* A row is one line, written at once, before the next task is done. An incomplete line costs its task one more run.
* There is at most one row per task. A replaced row is moved to ``replaced.jsonl``, never deleted.
* Approved steps are repeated only in a folder that this user's own job made: its id is stored in the user's state folder.
* The folder may come from another user, such as a clone: when it is written, no link in it is followed.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from smolcell.environment import importing
from smolcell.errors import SetupError
from smolcell.journal import hold, private_folder
from smolcell.scale.limits import state_folder
from smolcell.scale.spec import AgentSpec
from smolcell.scale.tasks import Task

Row = dict[str, Any]
DONE, WAITING = "success", "waiting"
_MAX_ROWS_BYTES = 1 << 32  # bytes of rows


class Folder:
    """The folder of a job, locked for other processes until ``close``.

    Args:
        path: created if it does not exist, readable by this user only.

    Raises:
        SetupError: another process uses it, or it cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).expanduser().absolute()
        self.journals = private_folder(private_folder(self.path) / "journals")
        self._lock = _opened(self.path / "lock", os.O_RDWR)
        if hold(self._lock) is False:
            os.close(self._lock)
            raise SetupError(f"{self.path} is in use by another job: wait for its end, or name another folder with -o")
        self._file: Any = None

    def close(self) -> None:
        """Unlock the folder. Idempotent."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the job ------------------------------------------------------------------------------------------------------

    def begin(self, spec: AgentSpec, on: str) -> str:
        """Write the recipe. Returns the id of the folder, which is stored in this user's state folder."""
        job = job_of(self.path)
        own = self.is_own()
        if not own and self._answers.exists():  # answers from elsewhere approve nothing here
            self._answers.replace(self._answers.with_name("approvals-of-another-job.jsonl"))
        name = str(job.get("id", "")) if own else secrets.token_hex(16)
        note = state_folder("maps") / name
        note.touch(mode=0o600)
        note.write_text(str(self.path), encoding="utf-8")  # for the panel
        _replace(self.path / "job.json", json.dumps({"id": name, "on": on, "spec": spec.to_json()}, indent=1))
        return name

    def is_own(self) -> bool:
        """Return whether this user's own job made it."""
        name = job_of(self.path).get("id", "")
        return (
            isinstance(name, str)
            and len(name) == 32
            and name.isalnum()
            and state_folder("maps").joinpath(name).is_file()
        )

    def tell(self, progress: Mapping[str, Any]) -> None:
        """Write the progress, for other processes of this user."""
        with suppress(OSError):
            _replace(self.path / "progress.json", json.dumps(dict(progress)), sync=False)

    # --- rows ---------------------------------------------------------------------------------------------------------

    @property
    def _rows(self) -> Path:
        return self.path / "rows.jsonl"

    def start(self, tasks: Sequence[Task], digest: str) -> dict[str, Row]:
        """Keep the rows that need not be repeated, and set the others aside. Returns the rows of these tasks by the text of the id.

        Args:
            tasks: tasks of the job.
            digest: digest of the recipe.
        """
        digests = {task.key: task.digest for task in tasks}
        finished = (DONE, WAITING) if self.is_own() else (DONE,)
        valid: dict[str, Row] = {}
        aside: list[Row] = []
        for row in read_rows(self.path):
            key = str(row.get("id"))
            fits = row.get("spec") == digest and row.get("task_sha256") == digests.get(key)
            stays = key not in digests or (fits and row.get("state") in finished)
            if stays and key not in valid:
                valid[key] = row
            else:
                aside.append(row)
        if aside:
            _append(self.path / "replaced.jsonl", aside)
        _replace(self._rows, "".join(json.dumps(row) + "\n" for row in valid.values()))
        self._file = self._rows.open("ab", buffering=0)
        return {key: row for key, row in valid.items() if key in digests}

    def drop(self, keys: Iterable[str]) -> None:
        """Remove rows that will be replaced: those of waiting runs that continue."""
        gone = set(keys)
        if gone and self._file is not None:
            self._file.close()
            kept = [row for row in read_rows(self.path) if str(row.get("id")) not in gone]
            _replace(self._rows, "".join(json.dumps(row) + "\n" for row in kept))
            self._file = self._rows.open("ab", buffering=0)

    def append(self, row: Row) -> None:
        """Append one row.

        Raises:
            SetupError: it cannot be written.
        """
        data = (json.dumps(row) + "\n").encode()
        try:
            if self._file.write(data) != len(data):
                raise OSError(28, "No space left on device")
        except OSError as error:
            raise SetupError(
                f"{self._rows} cannot be written: {error.strerror}. Free some space and run again"
            ) from None

    def keep_journal(self, name: str, text: str) -> None:
        """Write the journal sent by a worker without access to this folder."""
        _replace(self.journals / Path(name).name, text, sync=False)

    # --- answers to waiting proposals -----------------------------------------------------------------------------------

    @property
    def _answers(self) -> Path:
        return self.path / "approvals.jsonl"

    def answer(self, answers: Iterable[Mapping[str, Any]]) -> None:
        """Store a person's answers to waiting runs."""
        _append(self._answers, answers)

    def answers(self) -> dict[str, list[Row]]:
        """Return the stored answers, by the text of the id; none if the folder was not made by this user's own job."""
        answers: dict[str, list[Row]] = {}
        for row in read_lines(self._answers) if self.is_own() else ():
            answers.setdefault(str(row.get("id")), []).append(row)
        return answers


def job_of(path: Path) -> Row:
    """Return the content of ``job.json``; {} if there is none."""
    return _object(path / "job.json")


def progress_of(path: Path) -> Row:
    """Return the content of ``progress.json``; {} if there is none."""
    return _object(path / "progress.json")


def _object(path: Path) -> Row:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a job, oldest first, without an incomplete line."""
    return [row for row in read_lines(path / "rows.jsonl") if isinstance(row.get("id"), str | int)]


def read_lines(path: Path) -> list[Row]:
    """Return the objects in a file of JSON lines; other lines are ignored. Empty if there is no file."""
    objects = []
    try:
        if path.stat().st_size > _MAX_ROWS_BYTES:
            raise SetupError(f"{path} has more than {_MAX_ROWS_BYTES:,} bytes: it is not a job's file")
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(row, dict):
                    objects.append(row)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from None
    return objects


def _opened(path: Path, flags: int) -> int:
    """Open a file of the folder, which is created if needed. Returns its descriptor.

    Raises:
        SetupError: it is a link, or cannot be opened.
    """
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK"):  # those that the system has
        flags |= getattr(os, name, 0)
    try:
        return os.open(path, flags | os.O_CREAT, 0o600)
    except OSError as error:
        why = "it is a link" if path.is_symlink() else error.strerror
        raise SetupError(f"{path} cannot be written: {why}. Remove it, or name another folder with -o") from None


def _append(path: Path, objects: Iterable[Mapping[str, Any]]) -> None:
    with os.fdopen(_opened(path, os.O_WRONLY | os.O_APPEND), "a", encoding="utf-8") as file:
        file.writelines(json.dumps(dict(each)) + "\n" for each in objects)
        file.flush()
        os.fsync(file.fileno())


def _replace(path: Path, text: str, *, sync: bool = True) -> None:
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_parquet(path: Path, rows: Sequence[Row]) -> Path | None:
    """Write the rows as ``rows.parquet``, with typed answers. Returns None if pyarrow is not installed."""
    with importing():
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            return None
    columns: dict[str, Any] = {}
    for name, values in columns_of(rows).items():
        try:
            columns[name] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):  # of several types
            columns[name] = pa.array([value if isinstance(value, str) else json.dumps(value) for value in values])
    target = path / "rows.parquet"
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        pq.write_table(pa.table(columns), part)
        part.chmod(0o600)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return the rows as columns. Answers that are mappings with the same keys become ``answer.NAME``."""
    names = dict.fromkeys(name for row in rows for name in row if name not in ("waiting", "errors_by_type"))
    columns = {name: [row.get(name) for row in rows] for name in names}
    columns["errors_by_type"] = [json.dumps(row.get("errors_by_type") or {}) for row in rows]
    answers = columns.get("answer", [])
    given = [answer for answer in answers if answer is not None]
    if given and all(isinstance(answer, dict) for answer in given):
        del columns["answer"]
        for name in dict.fromkeys(key for answer in given for key in answer):
            columns[f"answer.{name}"] = [(answer or {}).get(name) for answer in answers]
    return columns
