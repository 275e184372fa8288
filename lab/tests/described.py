# SPDX-License-Identifier: Apache-2.0
"""REST held against its own description: whatever tests ask, the answer is one that the OpenAPI document announces."""

import copy
import json
import re
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from openapi_schema_validator import OAS30Validator, oas30_format_checker
from openapi_spec_validator import OpenAPIV30SpecValidator
from referencing import Registry
from referencing.jsonschema import DRAFT4
from sextantlab.processes import until
from sextantlab.rest import JSON, Answer, Rest

Json = dict[str, Any]
_ROOT = "/srv6"
_PATIENCE_SECONDS = 30
_URI = "urn:openapi"


class Described:
    """An OpenAPI document, and its statements about an exchange."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self._registry: Registry[Any] = Registry().with_resource(_URI, DRAFT4.create_resource(_closed(document)))

    def problems(self) -> list[str]:
        """The findings of an independent validator in the document itself."""
        return [str(error.message) for error in OpenAPIV30SpecValidator(self.document).iter_errors()]

    def check(self, method: str, path: str, body: bytes | None, answer: Answer, kind: str = JSON) -> None:
        """Raises AssertionError if the document does not announce this answer, or that such a request is taken."""
        template, _, query = path.removeprefix(_ROOT).partition("?")
        shown = f"{method} {path} -> {answer.status}"
        place = self._place(template)
        operation = self.document["paths"].get(place, {}).get(method.lower())
        if operation is None:
            assert answer.status in (401, 404, 405), f"{shown}: the document has no such operation"
            return
        if answer.status < 400:
            self._check_query(operation, query, shown)
            self._check_body(operation, ["paths", place, method.lower()], body, kind, shown)
        status = str(answer.status)
        if status not in operation["responses"]:
            assert answer.status >= 400, f"{shown}: the document announces {sorted(operation['responses'])}"
            status = "default"
        content = operation["responses"][status].get("content", {})
        if answer.body is None:
            assert not content, f"{shown}: the document announces a body"
            return
        media = answer.headers["Content-Type"].split(";")[0]
        assert media in content, f"{shown}: the document does not announce {media}"
        where = ["paths", place, method.lower(), "responses", status, "content", media, "schema"]
        self._check_value(where, answer.body, shown)

    def _place(self, template: str) -> str:
        """The path of the document that this one is an instance of; a literal one before one with parameters."""
        paths: Json = self.document["paths"]
        for path in sorted(paths, key=lambda one: one.count("{")):
            if re.fullmatch(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path)), template):
                return path
        return template

    def _check_query(self, operation: Json, query: str, shown: str) -> None:
        known = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
        for name, _ in urllib.parse.parse_qsl(query):
            assert name in known, f"{shown}: the document has no parameter {name}"

    def _check_body(self, operation: Json, place: list[str], body: bytes | None, kind: str, shown: str) -> None:
        if body and "requestBody" in operation:
            assert kind in operation["requestBody"]["content"], f"{shown}: the document does not take {kind}"
            value = json.loads(body) if kind == JSON else body.decode()
            self._check_value([*place, "requestBody", "content", kind, "schema"], value, f"{shown}, which takes")

    def _check_value(self, where: list[str], value: Any, shown: str) -> None:
        pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in where)
        validator = OAS30Validator(
            {"$ref": f"{_URI}#/{pointer}"}, registry=self._registry, format_checker=oas30_format_checker
        )
        # If no alternative fits, the reasons of each.
        found = [one for error in validator.iter_errors(value) for one in (error.context or [error])]
        errors = [f"{list(error.absolute_path)}: {error.message[:300]}" for error in found]
        assert not errors, f"{shown}: {'; '.join(errors[:3])}"


def _closed(document: Json) -> Json:
    """The document with objects that have the listed fields and no others: fields that the document leaves out are
    found, too.
    """
    closed = copy.deepcopy(document)

    def close(part: Any) -> None:
        if isinstance(part, dict):
            if isinstance(part.get("properties"), dict) and part.get("type") == "object":
                part.setdefault("additionalProperties", False)
            for inner in part.values():
                close(inner)
        elif isinstance(part, list):
            for inner in part:
                close(inner)

    close(closed)
    return closed


@contextmanager
def checked(rest: Rest) -> Iterator[Described]:
    """As long as this lasts, every request of every test is compared with its controller's own document."""
    plain = Rest.call
    described: dict[str, Described] = {}

    def describe(asked: Rest) -> bool:
        """True if its document has changed: another controller may have come to the address since."""
        answer = plain(asked, "GET", f"{_ROOT}/openapi.json")
        if answer.status != 200 or (asked.url in described and described[asked.url].document == answer.body):
            return False
        described[asked.url] = Described(answer.body)
        return True

    def call(self: Rest, method: str, path: str, body: bytes | None = None, *more: Any, **options: Any) -> Answer:
        answer = plain(self, method, path, body, *more, **options)
        if path.startswith(_ROOT) and not path.startswith(f"{_ROOT}/ui") and (self.url in described or describe(self)):
            try:
                described[self.url].check(method, path, body, answer, options.get("kind", JSON))
            except AssertionError:
                if not describe(self):
                    raise
                described[self.url].check(method, path, body, answer, options.get("kind", JSON))
        return answer

    # One that has just started answers 503 while its apps still register.
    assert until(lambda: describe(rest), _PATIENCE_SECONDS), "the controller does not describe itself"
    with mock.patch.object(Rest, "call", call):
        yield described[rest.url]
