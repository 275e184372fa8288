# SPDX-License-Identifier: Apache-2.0
"""The answers of a controller before it is ready."""

import http.client
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from story import Story


@dataclass
class Started:
    """The lab, and the controller's answers to a client that asked it all the time while it started."""

    story: Story
    answers: Counter[tuple[int, str]]


@contextmanager
def asking(port: int, answers: Counter[tuple[int, str]]) -> Iterator[None]:
    """Asks for the policies without a break, and counts status and kind of the answers."""
    ended = threading.Event()

    def ask() -> None:
        while not ended.wait(0.05):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            try:
                connection.request("GET", "/srv6/policies")
                answer = connection.getresponse()
                answers[answer.status, answer.headers.get_content_type()] += 1
            except (OSError, http.client.HTTPException):
                continue  # the port is not open yet
            finally:
                connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
