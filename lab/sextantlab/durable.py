# SPDX-License-Identifier: Apache-2.0
"""Small files that survive a kill and a power cut."""

import contextlib
import os
from pathlib import Path


def replace(file: Path, body: bytes, mode: int) -> None:
    """Replaces a file as a whole: written beside its name, synced, renamed, and the folder synced.

    A crash leaves the old content or the new one, never a part. `mode` holds from the first byte, whatever the umask.
    """
    fresh = file.with_name(file.name + ".new")
    fresh.unlink(missing_ok=True)
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(body)
            os.fchmod(out.fileno(), mode)
            out.flush()
            os.fsync(out.fileno())
        os.replace(fresh, file)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it, each durable under its name."""
    if folder.is_dir():
        return
    make_folder(folder.absolute().parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.absolute().parent)


def remove(file: Path) -> None:
    """Removes a file, if it is there, for good."""
    file.unlink(missing_ok=True)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
