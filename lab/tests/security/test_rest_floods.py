# SPDX-License-Identifier: Apache-2.0
"""However often, slowly or wrongly REST is called: no answer is the controller's fault, and others are answered."""

import base64
import os
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sextantlab import generated
from sextantlab.flood import Usage
from sextantlab.processes import until
from starting import Started
from story import Story

_PATIENCE_SECONDS = 60
_ANSWER_SECONDS = 5
_MIB = 1 << 20
# A heap of 512 MiB at most, and Java's memory beside it.
_CONTROLLER_BYTES = 1300 * _MIB
# All of them: SEXTANT_CALLS=100000 ./sextant test security, which takes minutes.
_CALLS = int(os.environ.get("SEXTANT_CALLS", "4000"))
_EACH = 12
_WORKERS = 6
# More than the web container has threads.
_MANY = 260
# More than it takes at once.
_CONNECTIONS = 1_100


def _authorization(story: Story, user: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{story.controller.password(user)}".encode()).decode()


@pytest.fixture
def unhurt(story: Story) -> Iterator[Story]:
    """The controller's memory stays bounded, its log has no faults, and the network is as it was."""
    usage = Usage(story.controller.running())
    before = story.controller.log.stat().st_size
    yield story
    assert usage.resident_bytes() < _CONTROLLER_BYTES
    with story.controller.log.open("rb") as log:
        log.seek(before)
        faults = [line for line in log if b"\tat " in line or b" ERROR " in line]
    assert not faults, b"".join(faults[:20]).decode(errors="replace")


def test_while_it_starts_it_answers_nothing_without_a_password(started: Started) -> None:
    print(sorted(started.answers.items()))
    assert all(status in (401, 503) for status, _ in started.answers), started.answers
    assert {kind for _, kind in started.answers} <= {"application/problem+json"}
    assert any(status == 401 for status, _ in started.answers), "nobody was there to ask"


def test_generated_calls_find_no_fault(unhurt: Story) -> None:
    document = unhurt.rest.get("/srv6/openapi.json")
    calls = generated.stock(document, f"{unhurt.controller.url}/srv6", _EACH)
    assert len(calls) > 10 * len(document["paths"]), "hardly any call was generated"
    address = ("127.0.0.1", unhurt.controller.http_port)
    start = time.monotonic()
    outcome = generated.send(generated.endless(calls), _CALLS, address, _authorization(unhurt, "admin"), _WORKERS)
    seconds = time.monotonic() - start
    print(f"{outcome.statuses.total()} calls in {seconds:.0f} s: {sorted(outcome.statuses.items())}")
    assert not outcome.wrong, f"{len(outcome.wrong)} of {_CALLS}:\n" + "\n".join(outcome.wrong[:20])
    assert {200, 400, 404} <= outcome.statuses.keys()
    for kind in ("policies", "livelive", "slices", "firewalls"):
        unhurt.rest.call("DELETE", f"/srv6/{kind}?all=true").expect(200, 202)
    assert until(unhurt.whole, _PATIENCE_SECONDS)


@contextmanager
def _dribbling(port: int, begin: bytes, byte: bytes, count: int = _MANY) -> Iterator[list[socket.socket]]:
    """So many connections that send a beginning and then a byte now and then; a closed one is replaced."""
    clients: list[socket.socket] = []
    ended = threading.Event()

    def fresh() -> socket.socket:
        client = socket.create_connection(("127.0.0.1", port), timeout=_ANSWER_SECONDS)
        client.sendall(begin)
        client.setblocking(False)
        return client

    def dribble() -> None:
        while not ended.wait(0.2):
            for place, client in enumerate(clients):
                try:
                    client.send(byte)
                except BlockingIOError:
                    continue
                except OSError:
                    client.close()
                    clients[place] = fresh()

    try:
        for _ in range(count):
            clients.append(fresh())
        thread = threading.Thread(target=dribble)
        thread.start()
        try:
            yield clients
        finally:
            ended.set()
            thread.join()
    finally:
        for client in clients:
            client.close()


def _answers_others(story: Story) -> None:
    for _ in range(5):
        start = time.monotonic()
        story.rest.call("GET", "/srv6/nodes", timeout=_ANSWER_SECONDS).expect(200)
        assert time.monotonic() - start < _ANSWER_SECONDS


def test_headers_that_never_end_keep_nobody_from_being_answered(unhurt: Story) -> None:
    begin = b"GET /srv6/nodes HTTP/1.1\r\nHost: a\r\nX-Slow: "
    with _dribbling(unhurt.controller.http_port, begin, b"x"):
        _answers_others(unhurt)


@pytest.mark.parametrize("user", ["nobody", "viewer", "admin"])
def test_bodies_that_come_byte_by_byte_keep_nobody_from_being_answered(unhurt: Story, user: str) -> None:
    authorization = "" if user == "nobody" else f"Authorization: {_authorization(unhurt, user)}\r\n"
    begin = (
        f"POST /srv6/policies HTTP/1.1\r\nHost: a\r\n{authorization}"
        "Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"
    )
    with _dribbling(unhurt.controller.http_port, begin.encode(), b" "):
        _answers_others(unhurt)


def test_idle_connections_keep_nobody_from_being_answered(unhurt: Story) -> None:
    begin = f"GET /srv6/session HTTP/1.1\r\nHost: a\r\nAuthorization: {_authorization(unhurt, 'viewer')}\r\n\r\n"
    with _dribbling(unhurt.controller.http_port, begin.encode(), b"", 200) as clients:
        with selectors.DefaultSelector() as answered:
            for client in clients:
                answered.register(client, selectors.EVENT_READ)
            assert until(lambda: len(answered.select(0)) >= 150, _PATIENCE_SECONDS)
        _answers_others(unhurt)


def test_a_header_that_never_ends_is_cut_off(unhurt: Story) -> None:
    with socket.create_connection(("127.0.0.1", unhurt.controller.http_port), timeout=0.2) as client:
        client.sendall(b"GET /srv6/nodes HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        start = time.monotonic()
        assert until(lambda: not _takes(client), _PATIENCE_SECONDS)
        assert time.monotonic() - start > _ANSWER_SECONDS, "a slow client is not cut off at once"


def _takes(client: socket.socket) -> bool:
    """If it still listens to one byte more."""
    try:
        client.sendall(b"x")
        return client.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


def test_more_connections_than_there_may_be_keep_nobody_out_for_long(unhurt: Story) -> None:
    begin = f"GET /srv6/session HTTP/1.1\r\nHost: a\r\nAuthorization: {_authorization(unhurt, 'viewer')}\r\n\r\n"
    with _dribbling(unhurt.controller.http_port, begin.encode(), b"", _CONNECTIONS):
        start = time.monotonic()
        unhurt.rest.call("GET", "/srv6/nodes", timeout=_PATIENCE_SECONDS).expect(200)
        print(f"answered after {time.monotonic() - start:.1f} s")
        assert time.monotonic() - start < 2 * _ANSWER_SECONDS


def test_event_streams_that_nobody_reads_keep_nobody_from_being_answered(unhurt: Story) -> None:
    begin = (
        f"GET /srv6/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n"
        f"Authorization: {_authorization(unhurt, 'viewer')}\r\n\r\n"
    )
    with _dribbling(unhurt.controller.http_port, begin.encode(), b""):
        _answers_others(unhurt)


_POLICY = b'{"name": "odd", "from": "h13", "to": "h32", "nodes": ["l1", "l2", "l3"]'
BODIES = {
    "a key twice": (_POLICY + b', "from": "h11"}', "application/json", {400}),
    "UTF-16": (_POLICY.decode().encode("utf-16") + b"}", "application/json; charset=utf-16", {400, 415}),
    "half a character": (_POLICY.replace(b"odd", b"\xf0\x9f") + b"}", "application/json", {400}),
    "a surrogate without its other half": (_POLICY.replace(b"odd", b"\\ud83d") + b"}", "application/json", {400}),
    "64 MiB": (b" " * 64 * _MIB + _POLICY + b"}", "application/json", {400, 413}),
    "100,000 brackets": (b'{"nodes": ' + b"[" * 100_000, "application/json", {400}),
    "a number of 100,000 digits": (_POLICY + b', "weight": ' + b"9" * 100_000 + b"}", "application/json", {400}),
    "100,000 keys": (b"{" + b",".join(b'"k%d": 1' % n for n in range(100_000)) + b"}", "application/json", {400, 413}),
    "XML": (b"<policy/>", "application/xml", {400, 415}),
    "something behind it": (_POLICY + b"} {}", "application/json", {400}),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_what_is_no_policy_is_refused_in_words(unhurt: Story, name: str) -> None:
    body, kind, statuses = BODIES[name]
    try:
        answer = unhurt.rest.call("POST", "/srv6/policies", body, kind=kind)
    except OSError:  # it does not read a body that is too long to the end
        assert len(body) > _MIB
    else:
        assert answer.status in statuses, answer.body
        assert "application/problem+json" in answer.headers["Content-Type"]
    assert unhurt.rest.get("/srv6/policies") == []


PATHS = [
    "/srv6/../srv6/policies", "/srv6/%2e%2e/srv6/policies", "/srv6//policies", "//srv6/policies", "/srv6/policies/",
    "/srv6/policies;a=b", "/srv6;a=b/policies", "/srv6/./policies", "/srv6/policies%00", "/srv6/policies%2f",
    "/srv6/ui/../policies", "/srv6/ui/..%2fpolicies", "/srv6/ui/%2e%2e/policies", "/srv6/ui/..;/policies",
    "/srv6/ui//../policies", "/SRV6/policies", "/srv6/%70olicies", "/srv6/policies?%", "/srv6/ui/%c0%ae%c0%ae/policies",
    "/srv6/ui/..%5cpolicies", "/srv6/ui/....//policies", "*", "http://elsewhere/srv6/policies",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_no_way_to_write_a_path_leads_past_the_password(unhurt: Story, path: str) -> None:
    with socket.create_connection(("127.0.0.1", unhurt.controller.http_port), timeout=_ANSWER_SECONDS) as client:
        client.sendall(f"GET {path} HTTP/1.0\r\nHost: a\r\n\r\n".encode())
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    status = int(answer.split()[1])
    body = answer.partition(b"\r\n\r\n")[2]
    assert status in (303, 400, 401, 404), answer[:500]
    assert body[:1] != b"[", "these are the policies"
    assert not any(trace in body for trace in (b"\tat ", b"Exception", b"jetty", b"Jetty")), answer[:500]
