# SPDX-License-Identifier: Apache-2.0
"""Calls of a REST interface as its OpenAPI document lets one guess them, and worse ones.

Hypothesis makes some hundred calls a second, and a controller answers thousands. So the calls that Schemathesis
generates, both those that the document allows and others, are a stock; out of that many more calls are made by mixing
and damaging, always the same.
"""

import contextlib
import http.client
import random
import threading
import urllib.parse
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, cast

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode

_SEED = 14
# An answer that has not come by then has hung.
_HANG_SECONDS = 20
_KINDS = (
    "application/json",
    "text/plain",
    "application/json; charset=utf-16",
    "application/octet-stream",
    "",
    "a/b/c;;=",
)
# Words that no answer may contain: where in the sources something went wrong.
_TRACES = (b"\tat ", b"Exception", b"Caused by", b".java:")


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None


@dataclass
class Outcome:
    """The results of many calls: how often which status, and the forbidden answers."""

    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def stock(document: dict[str, Any], base: str, each: int) -> list[Call]:
    """So many calls of every operation, half of them as it allows and half as it does not; without endless ones."""
    schema = schemathesis.openapi.from_dict(document)
    calls: list[Call] = []
    for found in schema.get_all_operations():
        operation = cast(Any, found).ok()
        if operation.path.endswith("/events"):
            continue
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            calls += _generated(operation.as_strategy(generation_mode=mode), base, each // 2)
    return calls


def _generated(strategy: Any, base: str, count: int) -> list[Call]:
    calls: list[Call] = []

    @seed(_SEED)
    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=strategy)
    def collect(case: Any) -> None:
        words = case.as_transport_kwargs(base_url=base)
        try:
            prepared = requests.Request(**{key: words[key] for key in words if key in _REQUEST_WORDS}).prepare()
        except (requests.RequestException, UnicodeError, ValueError):
            return  # no HTTP client would send it
        body = prepared.body.encode() if isinstance(prepared.body, str) else cast(bytes | None, prepared.body)
        headers = tuple((key, str(value)) for key, value in prepared.headers.items() if key.lower() == "content-type")
        assert prepared.method is not None
        calls.append(Call(prepared.method, prepared.path_url, headers, body))

    try:
        collect()
    except schemathesis.errors.SchemathesisError:
        pass  # there is nothing wrong to be said to an operation without parameters
    except Exception as problem:
        if type(problem).__name__ not in ("Unsatisfiable", "SkipTest", "Skipped"):
            raise
    return calls


_REQUEST_WORDS = ("method", "url", "headers", "files", "data", "json", "params", "cookies")


def endless(calls: list[Call]) -> Iterator[Call]:
    """The calls, and then ever more of them mixed and damaged."""
    yield from calls
    dice = random.Random(_SEED)
    bodies = [call.body for call in calls if call.body]
    while True:
        call = dice.choice(calls)
        how = dice.randrange(6)
        if how == 0:
            call = replace(call, body=dice.choice(bodies))
        elif how == 1 and call.body:
            damaged = bytearray(call.body)
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
            call = replace(call, body=bytes(damaged))
        elif how == 2 and call.body:
            call = replace(call, body=call.body[: dice.randrange(len(call.body))])
        elif how == 3:
            call = replace(call, headers=(("Content-Type", dice.choice(_KINDS)),))
        elif how == 4:
            call = replace(call, method=dice.choice(("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")))
        else:
            call = replace(call, path=dice.choice(calls).path, body=call.body)
        yield call


def _asked(
    connection: http.client.HTTPConnection, call: Call, authorization: str
) -> tuple[http.client.HTTPResponse, bytes]:
    with contextlib.suppress(BrokenPipeError):  # an unwanted body is answered before it is whole
        connection.request(call.method, call.path, call.body, {"Authorization": authorization, **dict(call.headers)})
    answer = connection.getresponse()
    return answer, answer.read()


def send(calls: Iterator[Call], count: int, address: tuple[str, int], authorization: str, workers: int) -> Outcome:
    """Sends so many calls, several at a time, over connections that stay open."""
    outcome, lock = Outcome(), threading.Lock()
    left = iter(range(count))

    def work() -> None:
        connection = http.client.HTTPConnection(*address, timeout=_HANG_SECONDS)
        while True:
            with lock:
                if next(left, None) is None:
                    break
                call = next(calls)
            try:
                try:
                    answer, body = _asked(connection, call, authorization)
                except (http.client.RemoteDisconnected, ConnectionError):
                    # One that stays open may end between two calls (RFC 9112, 9.3.1); a new one is answered.
                    connection.close()
                    answer, body = _asked(connection, call, authorization)
            except (OSError, http.client.HTTPException, ValueError) as problem:
                connection.close()
                if isinstance(problem, (ValueError, http.client.InvalidURL)):
                    continue  # no call at all
                with lock:
                    outcome.wrong.append(f"{_shown(call)}: {problem!r}")
                continue
            with lock:
                outcome.statuses[answer.status] += 1
                if answer.status >= 500 or _traces(call, body):
                    outcome.wrong.append(f"{_shown(call)}: {answer.status} {body[:300]!r}")
        connection.close()

    with ThreadPoolExecutor(workers) as pool:
        for one in [pool.submit(work) for _ in range(workers)]:
            one.result()
    return outcome


def _traces(call: Call, answer: bytes) -> bool:
    """True if an answer has such words of its own: calls may take them from these sources, and answers quote calls."""
    asked = urllib.parse.unquote_to_bytes(call.path) + (call.body or b"")
    return any(trace in answer and trace not in asked for trace in _TRACES)


def _shown(call: Call) -> str:
    return f"{call.method} {urllib.parse.unquote(call.path)[:200]} {dict(call.headers)} {(call.body or b'')[:300]!r}"
