# SPDX-License-Identifier: Apache-2.0
"""The access of every role: every operation that the OpenAPI document has, by every client there is."""

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from sextantlab.processes import until
from sextantlab.rest import Answer
from story import Story

_PATIENCE_SECONDS = 30
_METHODS = ("get", "post", "put", "patch", "delete")
# Each may do everything that those before it may; security has operations that operator lacks and the reverse.
_ROLES = ("viewer", "operator", "security", "admin")
# The role that may change an address, by its first word; the others are for administrators.
_CHANGED_BY = {
    "policies": "operator",
    "livelive": "operator",
    "slices": "operator",
    "firewalls": "security",
    "edge": "security",
}
# Operations that change nothing though they are no GET, and those that return secrets though they are one.
_READ_BY = {
    ("post", "/gtp/explain"): "viewer",
    ("post", "/firewalls/{id}/trace"): "viewer",
    ("get", "/users"): "admin",
    ("get", "/audit"): "security",
}
# Probes have no credentials.
_PROBES = "/health"
# Endless, or each user's own.
_LEFT_OUT = ("/events", "/tokens")


@dataclass(frozen=True)
class Caller:
    """A client with a header of credentials, which keeps to no document."""

    url: str
    authorization: str

    def call(self, method: str, path: str, body: bytes | None = None) -> Answer:
        request = urllib.request.Request(self.url + path, data=body, method=method)
        if self.authorization:
            request.add_header("Authorization", self.authorization)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE_SECONDS) as response:
                return Answer(response.status, response.read(), dict(response.headers))
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read(), dict(error.headers))


def _user(story: Story, name: str, password: str) -> Caller:
    return Caller(story.controller.url, "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode())


def _bearer(story: Story, token: str) -> Caller:
    return Caller(story.controller.url, f"Bearer {token}")


def _operations(story: Story) -> list[tuple[str, str]]:
    document = story.rest.get("/srv6/openapi.json")
    return [
        (method, path)
        for path, operations in document["paths"].items()
        for method in _METHODS
        if method in operations and not path.startswith(_LEFT_OUT)
    ]


def _called(rest: Caller, method: str, path: str) -> Answer:
    """With names of nothing, and without anything that could be done."""
    concrete = "/srv6" + "/".join("nothing" if word.startswith("{") else word for word in path.split("/"))
    body = None if method in ("get", "delete") else b"{"
    return rest.call(method.upper(), concrete, body)


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _forged() -> dict[str, str]:
    """Forged tokens."""
    claims = {"sub": "admin", "iss": "https://issuer.example", "aud": "sextant", "roles": ["admin"], "exp": 4102444800}
    return {
        "none": f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(claims)}.",
        "None": f"{_part({'alg': 'None'})}.{_part(claims)}.",
        "signed by nobody": f"{_part({'alg': 'RS256', 'kid': '1'})}.{_part(claims)}.{_part('x' * 256)}",
        "it says the key": f"{_part({'alg': 'HS256', 'jku': 'http://127.0.0.1/'})}.{_part(claims)}.{_part('x' * 32)}",
        "empty": "",
        "words": "let me in",
        "long": "a" * 6000,
        "admin": base64.b64encode(b"admin:admin").decode(),
    }


def test_without_a_user_nothing_is_answered(story: Story) -> None:
    nobody = Caller(story.controller.url, "")
    for method, path in _operations(story):
        answer = _called(nobody, method, path)
        if path.startswith(_PROBES):
            assert json.loads(answer.body) == {"live": True, "ready": True}, (path, answer)
        else:
            assert answer.status == 401, (method, path, answer)


@pytest.mark.parametrize("kind", _forged())
def test_a_forged_token_is_nobody(story: Story, kind: str) -> None:
    forger = _bearer(story, _forged()[kind])
    for method, path in (("get", "/policies"), ("get", "/session"), ("post", "/policies"), ("delete", "/policies")):
        assert _called(forger, method, path).status == 401, (method, path)


@pytest.fixture
def users(story: Story) -> Iterator[dict[str, Caller]]:
    """One for each role."""
    if "/users" not in story.rest.get("/srv6/openapi.json")["paths"]:
        if "operator" in str(story.rest.get("/srv6/session")):
            pytest.skip("needs /users, where users of these roles are made")
        yield {role: _user(story, role, story.controller.password(role)) for role in ("viewer", "admin")}
        return
    made = {role: f"matrix-{role}" for role in _ROLES}
    password = "correct horse battery"
    for role, name in made.items():
        body = json.dumps({"name": name, "role": role, "password": password}).encode()
        story.rest.call("POST", "/srv6/users", body).expect(200, 201)
    try:
        yield {role: _user(story, name, password) for role, name in made.items()}
    finally:
        for name in made.values():
            story.rest.call("DELETE", f"/srv6/users/{name}")


def _may(role: str, method: str, path: str) -> bool:
    if path == "/apply":
        return role != "viewer"  # the kinds of the documents decide among the others
    needed = _READ_BY.get((method, path)) or (
        "viewer" if method == "get" else _CHANGED_BY.get(path.split("/")[1], "admin")
    )
    return role == "admin" or role == needed or needed == "viewer"


def test_each_role_may_what_it_is_for_and_no_more(story: Story, users: dict[str, Caller]) -> None:
    wrong: list[Any] = []
    for method, path in _operations(story):
        for role, rest in users.items():
            answer = _called(rest, method, path)
            allowed = _may(role, method, path)
            # A kind of body that no client may send is refused before its sender's role is checked.
            refused = answer.status in (401, 403) or (answer.status == 415 and not allowed)
            if refused == allowed or answer.status >= 500:
                wrong.append((role, method, path, answer.status, "may" if allowed else "may not"))
    assert not wrong


def test_a_token_may_no_more_than_it_says_and_ends(story: Story) -> None:
    if "/tokens" not in story.rest.get("/srv6/openapi.json")["paths"]:
        pytest.skip("needs /tokens, where tokens are made")

    def token(role: str, life: str) -> Caller:
        body = json.dumps({"name": "matrix", "role": role, "expiresIn": life}).encode()
        return _bearer(story, str(story.rest.call("POST", "/srv6/tokens", body).expect(200, 201)["token"]))

    reader = token("viewer", "1h")
    assert _called(reader, "get", "/policies").status == 200
    assert _called(reader, "post", "/policies").status == 403
    short = token("admin", "1s")
    assert until(lambda: _called(short, "get", "/policies").status == 401, _PATIENCE_SECONDS)
