# SPDX-License-Identifier: Apache-2.0
"""The controller's REST interface, as a user of it."""

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import UserError

_TIMEOUT_SECONDS = 60
JSON = "application/json"


@dataclass(frozen=True)
class Answer:
    """An answer, whatever its status."""

    status: int
    body: Any
    headers: Mapping[str, str]

    def expect(self, *statuses: int) -> Any:
        """The body, if the status is one of these; else the controller's error."""
        if self.status not in statuses:
            raise UserError(f"the controller answers {self.status}: {json.dumps(self.body)[:1000]}")
        return self.body


@dataclass(frozen=True)
class Rest:
    """One user of one controller; `user` is (name, password), None without a login."""

    url: str
    user: tuple[str, str] | None

    def get(self, path: str) -> Any:
        return self.call("GET", path).expect(200)

    def post(self, path: str, body: object) -> Any:
        return self.call("POST", path, json.dumps(body).encode()).expect(200, 201, 202)

    def serves(self, path: str) -> bool:
        """True if there is an answer, now that a controller may be starting."""
        try:
            return self._ask("GET", path, None, 5).status == 200
        except OSError:
            return False

    def delete(self, path: str) -> None:
        self.call("DELETE", path).expect(200, 202, 204)

    def call(
        self, method: str, path: str, body: bytes | None = None, timeout: float = _TIMEOUT_SECONDS, *, kind: str = JSON
    ) -> Answer:
        """Any request; raises OSError only if there is no controller."""
        return self._ask(method, path, body, timeout, kind)

    def _ask(self, method: str, path: str, body: bytes | None, timeout: float, kind: str = JSON) -> Answer:
        request = urllib.request.Request(self.url + path, data=body, method=method)
        request.add_header("Accept", JSON)
        if body is not None:
            request.add_header("Content-Type", kind)
        for name, value in authorization(self.user).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                return Answer(response.status, _decode(response.read()), dict(response.headers))
        except urllib.error.HTTPError as error:
            return Answer(error.code, _decode(error.read()), dict(error.headers))


def authorization(user: tuple[str, str] | None) -> dict[str, str]:
    """The header with the credentials."""
    if user is None:
        return {}
    return {"Authorization": "Basic " + base64.b64encode(":".join(user).encode()).decode()}


def _decode(data: bytes) -> Any:
    try:
        return json.loads(data) if data else None
    except ValueError:
        return data.decode(errors="replace")
