# SPDX-License-Identifier: Apache-2.0
"""Requests of tests are compared with the document of the controller that answers, also where another one had its
address before.
"""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest
from described import checked
from sextantlab.rest import Rest


def _document(*paths: str) -> dict[str, Any]:
    answer = {"description": "it", "content": {"application/json": {"schema": {"type": "object"}}}}
    operation = {"get": {"responses": {"200": answer}}}
    described = {path: operation for path in ("/openapi.json", *paths)}
    return {"openapi": "3.0.3", "info": {"title": "it", "version": "1"}, "paths": described}


class _Controller(BaseHTTPRequestHandler):
    document = _document()
    starting: ClassVar[list[int]] = []

    def do_GET(self) -> None:
        body = json.dumps(self.document if self.path.endswith("openapi.json") else {}).encode()
        self.send_response(self.starting.pop() if self.starting else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def rest(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rest]:
    monkeypatch.setattr(_Controller, "document", _document("/policies"))
    with ThreadingHTTPServer(("127.0.0.1", 0), _Controller) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Rest(f"http://127.0.0.1:{server.server_port}", ("admin", "x"))
        server.shutdown()


def test_an_answer_that_nobody_announces_is_found(rest: Rest) -> None:
    with checked(rest):
        assert rest.get("/srv6/policies") == {}
        with pytest.raises(AssertionError, match="no such operation"):
            rest.get("/srv6/markers")


def test_a_controller_that_is_starting_is_asked_again(rest: Rest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Controller, "starting", [503, 503])
    with checked(rest):
        assert _Controller.starting == []


def test_who_checks_may_be_checked(rest: Rest) -> None:
    """As here, where a lab of other tests is up."""
    with checked(rest), checked(rest):
        assert rest.get("/srv6/policies") == {}


def test_another_controller_at_the_same_address_has_its_own_description(
    rest: Rest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with checked(rest):
        assert rest.get("/srv6/policies") == {}
        monkeypatch.setattr(_Controller, "document", _document("/markers"))
        assert rest.get("/srv6/markers") == {}
        with pytest.raises(AssertionError, match="no such operation"):
            rest.get("/srv6/policies")
