# SPDX-License-Identifier: Apache-2.0
"""A backup of a running controller: fetched by REST, written aside, checked, and only then under its name."""

import base64
import contextlib
import json
import os
import secrets
import ssl
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from . import durable, store_file
from .errors import UserError
from .steps import step

_PATH = "/srv6/store/backups"
_SILENCE_SECONDS = 60
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class Source:
    """A controller and a user of it. `ca` is the file of an authority; None: those that the system trusts."""

    url: str
    user: str
    password: str
    ca: Path | None = None


def require_free(target: Path, *, force: bool) -> None:
    """Raises UserError if a backup must not, or cannot, be written there."""
    if target.is_dir():
        raise UserError(f"{target} is a folder: name a file in it")
    try:
        kind = target.lstat().st_mode
    except FileNotFoundError:
        if not target.absolute().parent.is_dir():
            raise UserError(f"there is no folder {target.absolute().parent}") from None
        return
    except OSError as error:
        raise UserError(f"{target}: {error.strerror}") from None
    if not stat.S_ISREG(kind):
        raise UserError(f"{target} is no regular file: a backup is written beside its target and renamed")
    if not force:
        raise UserError(f"{target} exists: choose another name, or replace it with --force")


def take(source: Source, target: Path, *, force: bool) -> store_file.Report:
    """Writes the backup, readable by its owner only; whatever fails, `target` is as it was. Raises UserError."""
    require_free(target, force=force)
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with _new(aside) as file:
            _fetch(source, file)
            file.flush()
            os.fsync(file.fileno())
        report = store_file.checked(aside)
        if report.faults:
            raise UserError(f"the backup is damaged ({report.faults[0]}) and was not kept: {_remedy(source)}")
        if force:
            aside.replace(target)
        else:
            os.link(aside, target)  # refuses a file that came meanwhile
            aside.unlink()
        durable.sync_folder(target.absolute().parent)
    except FileExistsError:
        raise UserError(f"{target} exists now: it was made while the backup was fetched") from None
    except OSError as error:
        raise UserError(f"{target} cannot be written: {error.strerror}; nothing is left there") from None
    finally:
        with contextlib.suppress(OSError):
            aside.unlink()
    report.file = target
    return report


def _remedy(source: Source) -> str:
    return f"look at the log of the controller at {source.url}, and run ./sextant store check beside it"


@contextlib.contextmanager
def _new(file: Path) -> Iterator[BinaryIO]:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        yield opened


def _fetch(source: Source, file: BinaryIO) -> None:
    """Copies the body to the file. A body that ends early is an error, as a stream's end alone says nothing."""
    got, length = 0, -1

    def where() -> str:
        return "the controller copies its store" if length < 0 else f"{got >> 10} of {length >> 10} KiB"

    with step("backup", where), _answer(source) as answer:
        length = int(answer.headers.get("Content-Length", "-1"))
        while chunk := _read(answer, source):
            file.write(chunk)
            got += len(chunk)
        if got != length:
            raise UserError(f"the backup ended after {got} of {length} bytes: the connection to {source.url} broke")


def _read(answer: BinaryIO, source: Source) -> bytes:
    try:
        return answer.read(_CHUNK_BYTES)
    except OSError as error:
        raise UserError(f"the connection to {source.url} broke: {error}") from None


@contextlib.contextmanager
def _answer(source: Source) -> Iterator["urllib.request._UrlopenRet"]:
    request = urllib.request.Request(source.url.rstrip("/") + _PATH, data=b"", method="POST")
    user = base64.b64encode(f"{source.user}:{source.password}".encode()).decode()
    request.add_header("Authorization", f"Basic {user}")
    request.add_header("Accept", "application/vnd.sqlite3, application/problem+json")
    try:
        context = ssl.create_default_context(cafile=source.ca)
    except OSError as error:
        raise UserError(f"{source.ca}: {error}") from None
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    try:
        answer = opener.open(request, timeout=_SILENCE_SECONDS)
    except urllib.error.HTTPError as error:
        with error:
            raise UserError(_refusal(source, error.code, error.read())) from None
    except (OSError, ValueError) as error:
        raise UserError(f"no controller answers at {source.url}: {getattr(error, 'reason', error)}") from None
    with answer:
        yield answer


def _refusal(source: Source, status: int, body: bytes) -> str:
    if status == 404:
        return f"the controller at {source.url} makes no backups: it is of an earlier release"
    try:
        detail = str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        detail = "it gives no reason"
    return f"the controller at {source.url} answers {status}: {detail}"
