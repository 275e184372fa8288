# SPDX-License-Identifier: Apache-2.0
"""One at a time, among the threads and the processes that work in this tree."""

import contextlib
import fcntl
import threading
from collections.abc import Iterator
from pathlib import Path


class Turns:
    """A turn that one thread of one process has; it may take it again before it gives it back."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._thread = threading.RLock()
        self._taken = 0

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Waits for the turn. The kernel gives back that of a process that ends."""
        with self._thread, contextlib.ExitStack() as stack:
            if not self._taken:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                held = stack.enter_context(self._file.open("wb"))
                fcntl.flock(held, fcntl.LOCK_EX)
            self._taken += 1
            try:
                yield
            finally:
                self._taken -= 1
