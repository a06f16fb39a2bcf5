"""Folders that hostile code has filled: how much is in them, and removing them whatever is in them.

The rules this file exists to keep:

* No link is followed.
* However deep, wide or locked a folder is, measuring ends early and removing ends.
"""

from __future__ import annotations

import os
import stat

_OPEN = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


def usage(path: str, most: int) -> tuple[int, int]:
    """Bytes on the disk and number of entries below a folder; counting ends at ``most`` entries.

    What cannot be looked into, locked or too deep, counts as ``most``. Code that changes the folder meanwhile can make
    the count wrong, not endless.
    """
    total = count = 0
    waiting = [path]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count >= most:
                        return total, most
                    found = entry.stat(follow_symlinks=False)
                    total += (
                        found.st_blocks * 512 if hasattr(found, "st_blocks") else found.st_size
                    )  # Windows has no blocks
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            pass  # gone meanwhile
        except OSError:
            return total, most
    return total, count


def remove(path: str) -> None:
    """Remove a folder that nobody uses any more; what cannot be removed is left, without an error."""
    import shutil  # not before: it imports much, and a worker never removes its own folder

    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        return
    except (OSError, RecursionError):
        try:
            empty(path)
            os.rmdir(path)
        except OSError:
            pass


def empty(path: str) -> None:
    """Empty a folder that nobody uses any more.

    Level by level: each folder in it is emptied of files, and its folders are moved up, so that no depth is too deep.

    Where Python opens no folders (Windows) nothing can be made too deep for its path, and each is removed by its path.

    Raises:
        OSError: something in it cannot be removed.
    """
    if os.open not in os.supports_dir_fd:
        _empty_by_path(path)
        return
    top = os.open(path, _OPEN)
    moved = 0
    try:
        while True:
            names = os.listdir(top)
            if not names:
                return
            for name in names:
                if not _is_folder(name, top):
                    os.unlink(name, dir_fd=top)
                    continue
                os.chmod(name, 0o700, dir_fd=top)
                folder = os.open(name, _OPEN, dir_fd=top)
                try:
                    moved = _lift(folder, top, moved)
                finally:
                    os.close(folder)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)


def _empty_by_path(path: str) -> None:
    import shutil

    with os.scandir(path) as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def _lift(folder: int, top: int, moved: int) -> int:
    for name in os.listdir(folder):
        if _is_folder(name, folder):
            os.chmod(name, 0o700, dir_fd=folder)
            moved += 1
            while _exists(f".{moved}", top):
                moved += 1
            os.rename(name, f".{moved}", src_dir_fd=folder, dst_dir_fd=top)
        else:
            os.unlink(name, dir_fd=folder)
    return moved


def _is_folder(name: str, folder: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _exists(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
