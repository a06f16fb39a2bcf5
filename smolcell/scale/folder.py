"""The folder of a job: rows and journals; and what decides about it, which is in the user's state folder.

* One process writes it: the one that started the job. Workers send rows to it.
* A row is one line, written at once, before the next task is done. An incomplete line costs its task one more run.
* There is at most one row per task. A replaced row is moved to ``replaced.jsonl``, never deleted.
* The folder may come from another user, such as a clone. Nothing in it decides what runs: the recipe, a person's answers, and the
  digests of its rows, which hold those of waiting runs' journals, are in the user's state folder, by the real path of the folder. What
  differs from its digest does not wait, but begins anew. Finished rows are kept whoever wrote them; the number of others' is shown.
* No link in the folder is followed.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from smolcell.core.spec import AgentSpec
from smolcell.errors import SetupError
from smolcell.events import sha256
from smolcell.machine.environment import importing
from smolcell.machine.state import (
    hold,
    journals_folder,
    lines_of,
    open_no_link,
    open_stored,
    private_folder,
    replace_file,
)
from smolcell.scale.tasks import Task

Row = dict[str, Any]
DONE, WAITING = "success", "waiting"
_ANSWERS, _DIGESTS = "approvals.jsonl", "digests.jsonl"
_MAX_NUMBER = 10**18  # of tokens, steps or dollars in a row
_READ = {"error": str, "journal": str, "errors_by_type": dict}


class JobFolder:
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
        self._rows = self.path / "rows.jsonl"
        self._file: Any = None
        self._digests = _digests_of(self.path)

    def close(self) -> None:
        """Unlock the folder. Idempotent."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> JobFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the job ------------------------------------------------------------------------------------------------------

    def begin(self, spec: AgentSpec, on: str) -> str:
        """Store the recipe. Returns the id of the job: a new one if this user has no job in the folder."""
        state, name = private_folder(state_of(self.path)), own_job(self.path).get("id")
        if name is None:  # answers and digests are of a job that was here before
            for path in (_ANSWERS, _DIGESTS):
                (state / path).unlink(missing_ok=True)
            name = secrets.token_hex(16)
        job = {"id": name, "on": on, "spec": spec.to_json()}
        replace_file(
            state / "job.json", json.dumps({"folder": str(self.path), "cwd": str(Path.cwd()), **job}), sync=True
        )
        replace_file(self.path / "job.json", json.dumps(job, indent=1), sync=True)  # for the reader
        return str(name)

    def tell(self, progress: Mapping[str, Any]) -> None:
        """Write the progress, for other processes of this user."""
        with suppress(OSError):
            replace_file(self.path / "progress.json", json.dumps(dict(progress)))

    # --- rows ---------------------------------------------------------------------------------------------------------

    def start(self, tasks: Sequence[Task], digest: str) -> dict[str, Row]:
        """Keep the rows that need not be repeated, and set the others aside. Returns the rows of these tasks by the text of the id.

        Args:
            tasks: tasks of the job.
            digest: digest of the recipe.
        """
        digests = {task.key: task.digest for task in tasks}
        valid: dict[str, Row] = {}
        aside: list[Row] = []
        for row in read_rows(self.path):
            key = str(row.get("id"))
            fits = row.get("spec") == digest and row.get("task_sha256") == digests.get(key)
            stays = key not in digests or (fits and self._is_finished(row))
            if stays and key not in valid:
                valid[key] = row
            else:
                aside.append(row)
        if aside:
            _append(self.path / "replaced.jsonl", aside)
        self._rewrite(valid.values())
        return {key: row for key, row in valid.items() if key in digests}

    def _is_finished(self, row: Row) -> bool:
        if row.get("state") == DONE:
            return is_complete(row)
        return _is_unchanged_waiting(row, self._digests) and self.journal(row) is not None

    def is_own(self, row: Row) -> bool:
        """Return whether this user's job wrote a row, and it is unchanged."""
        return self._digests.get(str(row["id"])) == _digest(row)

    def drop(self, keys: Iterable[str]) -> None:
        """Remove rows that will be replaced: those of waiting runs that continue."""
        gone = set(keys)
        if gone and self._file is not None:
            self._file.close()
            self._rewrite([row for row in read_rows(self.path) if str(row.get("id")) not in gone])

    def _rewrite(self, rows: Iterable[Row]) -> None:
        replace_file(self._rows, "".join(json.dumps(row) + "\n" for row in rows), sync=True)
        self._file = self._rows.open("ab", buffering=0)

    def append(self, row: Row) -> None:
        """Append one row.

        Raises:
            SetupError: it cannot be written.
        """
        key = str(row["id"])
        self._digests[key] = digest = _digest(row)
        _append(state_of(self.path) / _DIGESTS, [{"id": key, "row": digest}], sync=False)
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
        replace_file(self.journals / Path(name).name, text)

    def journal(self, row: Row) -> str | None:
        """Return the journal of a run that waits; None if it differs from what it was when the run began to wait."""
        try:
            with open_stored(self.journals / Path(str(row["journal"])).name, follow=False) as file:
                text = file.read().decode()
        except (OSError, ValueError):
            return None
        return text if sha256(text) == row["waiting"]["journal_sha256"] else None

    # --- answers to waiting proposals -----------------------------------------------------------------------------------

    def answer(self, answers: Iterable[Mapping[str, Any]]) -> None:
        """Store a person's answers to waiting runs of this user's job."""
        _append(state_of(self.path) / _ANSWERS, answers)


# --- what decides, in the user's state folder ---------------------------------------------------------------------------


def state_folder(*names: str) -> Path:
    """Return a private folder of this user, beside the journals."""
    folder = journals_folder().parent
    for name in names:
        folder = private_folder(folder / name)
    return folder


def state_of(path: Path) -> Path:
    """Return the part of this user's state folder for a job's folder, by its real path. It may not exist."""
    return state_folder("maps") / sha256(os.path.realpath(path))[:32]


def own_job(path: Path) -> Row:
    """Return id, engine and recipe of this user's job in a folder; {} if there is none, as in a copy of the folder."""
    job = _object(state_of(path) / "job.json")
    return job if job and job["id"] == _object(path / "job.json").get("id") else {}


def own_folders(most: int) -> list[Path]:
    """Return the folders of this user's jobs, those of the newest jobs first, at most so many."""
    notes = {path: path.stat().st_mtime for path in state_folder("maps").glob(f"{'?' * 32}/job.json")}
    newest = sorted(notes, key=notes.__getitem__, reverse=True)[:most]
    folders = {note.parent: Path(str(_object(note).get("folder"))) for note in newest}
    return [folder for state, folder in folders.items() if state_of(folder) == state]


def no_own_job_error(path: Path, again: str = "smolcell map TASKS -o") -> SetupError:
    """Return the error for a folder in which this user has no job. ``again``: the command for its tasks."""
    return SetupError(
        f"no job of yours wrote {path} on this machine, or it was moved or copied: nothing in it can be approved. "
        f"Finished tasks keep their answers; for the others: {again} {shlex.quote(str(path))}"
    )


def waiting_rows(path: Path) -> list[Row]:
    """Return the rows of this user's job in a folder whose runs wait, without those that were changed since then."""
    digests = _digests_of(path)
    return list({str(row["id"]): row for row in read_rows(path) if _is_unchanged_waiting(row, digests)}.values())


def describe_changed_rows(path: Path) -> str:
    """Return what to do about rows that were changed since their runs began to wait; "" if there are none."""
    changed = sum(row.get("state") == WAITING for row in read_rows(path)) - len(waiting_rows(path))
    if not changed:
        return ""
    return (
        f"{changed:,} of the waiting rows in {path} were changed since their runs began to wait, and cannot be approved: "
        "run the job again, which begins these tasks anew"
    )


def answers_of(path: Path) -> dict[tuple[str, str], list[Row]]:
    """Return a person's answers to the runs of this user's job in a folder, by the text of the task's id and the run's journal."""
    answers: dict[tuple[str, str], list[Row]] = {}
    for answer in read_lines(state_of(path) / _ANSWERS) if own_job(path) else ():
        answers.setdefault((str(answer["id"]), answer["journal"]), []).append(answer)
    return answers


def _digests_of(path: Path) -> dict[str, str]:
    entries = read_lines(state_of(path) / _DIGESTS) if own_job(path) else ()
    return {str(entry["id"]): entry["row"] for entry in entries}


def _is_unchanged_waiting(row: Row, digests: Mapping[str, str]) -> bool:
    return row.get("state") == WAITING and digests.get(str(row["id"])) == _digest(row)


def is_answered(row: Row, answers: Iterable[Row]) -> bool:
    """Return whether one of these answers is to exactly the proposal with which this run waits."""
    waiting = row["waiting"]
    return any(all(answer[name] == waiting[name] for name in ("step", "call", "sha256")) for answer in answers)


def _digest(row: Row) -> str:
    return sha256(json.dumps(row))


# --- files --------------------------------------------------------------------------------------------------------------


def progress_of(path: Path) -> Row:
    """Return the content of ``progress.json``; {} if there is none."""
    return _object(path / "progress.json")


def _object(path: Path) -> Row:
    try:
        with open_stored(path, follow=False) as file:
            data = json.load(file)
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
        for line in lines_of(path, follow=False):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict):
                objects.append(row)
    except FileNotFoundError:
        pass
    except OSError as error:
        why = "it is a link" if path.is_symlink() else error.strerror
        raise SetupError(f"{path} cannot be read: {why}. Remove it, or name another folder with -o") from None
    return objects


def is_complete(row: Row) -> bool:
    """Return whether a finished row, which may come from anywhere, has what jobs and evaluations read."""
    numbers: list[Any] = [row.get(name) for name in ("input_tokens", "output_tokens", "steps", "refusals")]
    return (
        row.keys() >= {"answer", "cost"}
        and all(isinstance(row.get(name), kind) for name, kind in _READ.items())
        and all(type(number) in (int, float) and 0 <= number < _MAX_NUMBER for number in (*numbers, row["cost"] or 0))
    )


def _opened(path: Path, flags: int) -> int:
    """Open a file of the folder, which is created if needed. Returns its descriptor.

    Raises:
        SetupError: it is a link, or cannot be opened.
    """
    try:
        return open_no_link(path, flags | os.O_CREAT)
    except OSError as error:
        why = "it is a link" if path.is_symlink() else error.strerror
        raise SetupError(f"{path} cannot be written: {why}. Remove it, or name another folder with -o") from None


def _append(path: Path, objects: Iterable[Mapping[str, Any]], *, sync: bool = True) -> None:
    with os.fdopen(_opened(path, os.O_WRONLY | os.O_APPEND), "a", encoding="utf-8") as file:
        file.writelines(json.dumps(dict(each)) + "\n" for each in objects)
        if sync:
            file.flush()
            os.fsync(file.fileno())


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
        name = _utf8(name)
        try:
            columns[name] = pa.array(values)
            if pa.types.is_nested(columns[name].type):  # a mapping without keys cannot be written
                pq.write_table(pa.table({name: columns[name]}), pa.BufferOutputStream())
        except (ValueError, TypeError, OverflowError, RuntimeError):  # no single type, or no UTF-8
            texts = (value if isinstance(value, str) else json.dumps(value) for value in values)
            columns[name] = pa.array([_utf8(text) for text in texts])
    target = path / "rows.parquet"
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        pq.write_table(pa.table(columns), part)
        part.chmod(0o600)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target


def _utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


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
