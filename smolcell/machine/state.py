"""The user's state folder, and how files of it are opened, locked, read and replaced."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader, TextIOWrapper
from pathlib import Path

from smolcell.errors import JournalError
from smolcell.machine.environment import importing

MAX_LINE_CHARS = 64 * 1024 * 1024  # characters of a line; longer lines are skipped like damaged ones
MAX_FILE_BYTES = 1 << 30  # bytes of a file


def journals_folder() -> Path:
    """The folder of journals: ``$SMOLCELL_STATE_DIR/journals``, else ``journals`` in the user's state folder.

    Raises:
        JournalError: this user has no home.
    """
    state = os.environ.get("SMOLCELL_STATE_DIR")
    if not state:
        with importing():
            import platformdirs

        try:
            state = platformdirs.user_state_dir("smolcell", appauthor=False)
        except RuntimeError:  # neither HOME nor an entry in the user database
            raise JournalError(
                "the journal cannot be stored, since this user has no home folder: the step is not run. "
                "Set SMOLCELL_STATE_DIR to one of your folders"
            ) from None
    return Path(state) / "journals"


_OTHER_FOLDER = "name another one, or set SMOLCELL_STATE_DIR to one of your folders"


def private_folder(path: Path) -> Path:
    """Create a folder that only this user can read, or check an existing one. Returns it.

    Raises:
        JournalError: it cannot be created, is a symbolic link, or belongs to another user.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode) or not _of_this_user(status):
            raise JournalError(f"the folder {path} is a link or belongs to another user; {_OTHER_FOLDER}")
        if status.st_mode & 0o077:
            path.chmod(0o700)
    except OSError as error:
        reason = error.strerror or error
        raise JournalError(
            f"the folder {path} cannot be written: {reason}. Free some space, or {_OTHER_FOLDER}"
        ) from error
    return path


def is_own_file(status: os.stat_result) -> bool:
    """Return whether this is a plain file of this user, without further hard links."""
    return stat.S_ISREG(status.st_mode) and _of_this_user(status) and status.st_nlink <= 1


def _of_this_user(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def is_private(path: Path) -> bool:
    """Return whether this is a file or folder, and no link, that only this user can read and write."""
    try:
        status = path.lstat()
    except OSError:
        return False
    own = is_own_file(status) or (stat.S_ISDIR(status.st_mode) and _of_this_user(status))
    return own and (os.name == "nt" or not status.st_mode & 0o077)


def hold(descriptor: int) -> bool | None:
    """Lock a file for as long as it is open. Returns whether that succeeded, or None if the system has no locks."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def replace_file(path: Path, text: str, *, mode: int = 0o600, sync: bool = False) -> None:
    """Write a text file atomically; by default only this user can read it. A link at ``path`` is replaced, not followed.

    Args:
        path: the file, in an existing folder.
        mode: the permissions of the new file.
        sync: whether it is on disk when this returns.

    Raises:
        OSError: it cannot be written; an earlier file is unchanged.
    """
    part = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with os.fdopen(os.open(part, flags, 0o600), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        if mode != 0o600:
            part.chmod(mode)
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()


def open_no_link(path: str | os.PathLike[str], flags: int) -> int:
    """Open a file that is no link, without waiting for a device or pipe. Returns its descriptor; only this user can read a new file."""
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):  # those that the system has
        flags |= getattr(os, name, 0)
    return os.open(path, flags, 0o600)


def lines_of(path: str | os.PathLike[str], *, follow: bool = True) -> Iterator[str]:
    """Yield the lines of a plain text file; lines of more than ``MAX_LINE_CHARS`` characters in pieces. Never waits for a device or pipe.

    Raises:
        OSError: it cannot be read, is no plain file, or has more than ``MAX_FILE_BYTES`` bytes.
    """
    with TextIOWrapper(open_stored(path, follow=follow), encoding="utf-8", errors="replace", newline="\n") as file:
        size, read_bytes = os.fstat(file.fileno()).st_size, 0
        while max(size, read_bytes) <= MAX_FILE_BYTES and (line := file.readline(MAX_LINE_CHARS)):
            read_bytes += len(line)  # the file may grow while it is read
            yield line
        if max(size, read_bytes) > MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, f"it has more than {MAX_FILE_BYTES:,} bytes")


def open_stored(path: str | os.PathLike[str], *, follow: bool = True) -> BufferedReader:
    """Open a plain file for reading. Never waits for a device or pipe.

    Args:
        path: the file.
        follow: whether it may be a link.

    Raises:
        OSError: it cannot be read, is no plain file, or has more than ``MAX_FILE_BYTES`` bytes.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags if follow else flags | getattr(os, "O_NOFOLLOW", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, f"it is {_KINDS.get(stat.S_IFMT(status.st_mode), 'a device')}, and no file")
        if status.st_size > MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, f"it has more than {MAX_FILE_BYTES:,} bytes")
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
