# SPDX-License-Identifier: Apache-2.0
"""The controller's stream of events for a client: GET /srv6/events."""

import json
import queue
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from .rest import Rest, authorization

_SILENCE_SECONDS = 15  # there is a heartbeat every five


@dataclass(frozen=True)
class Event:
    """Its name, and its data as JSON."""

    name: str
    data: Any


class News:
    """Events from `with` on until its end."""

    def __init__(self, rest: Rest) -> None:
        self._request = urllib.request.Request(f"{rest.url}/srv6/events", headers={"Accept": "text/event-stream"})
        for name, value in authorization(rest.user).items():
            self._request.add_header(name, value)
        self._events: queue.Queue[Event] = queue.Queue()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._response = urllib.request.urlopen(self._request, timeout=_SILENCE_SECONDS)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done = True
        self._thread.join(_SILENCE_SECONDS)
        self._response.close()

    _done = False

    def _read(self) -> None:
        name = ""
        while not self._done:
            try:
                line = self._response.readline().decode().rstrip("\n")
            except OSError:
                return
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                self._events.put(Event(name, json.loads(line.removeprefix("data: "))))

    def next(self, wanted: Callable[[Event], bool], seconds: float) -> Event | None:
        """The next that is wanted, None if there is none in time; earlier ones are passed over."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left)
            except queue.Empty:
                return None
            if wanted(event):
                return event
        return None
