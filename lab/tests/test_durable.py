# SPDX-License-Identifier: Apache-2.0
"""A small file is replaced in the order that survives a power cut, and certificates survive a death at any step."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from sextantlab import certs, durable, network
from sextantlab.errors import UserError
from sextantlab.tls import Folder
from small import SMALL

NODES = network.parse(SMALL).nodes


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls that count for a power cut, in their order."""
    made: list[str] = []

    def recorded(name: str) -> None:
        real: Callable[..., Any] = getattr(os, name)

        def call(*args: Any, **named: Any) -> Any:
            kind = name
            if name == "fsync":
                kind = "sync folder" if stat.S_ISDIR(os.fstat(args[0]).st_mode) else "sync file"
            made.append(kind)
            return real(*args, **named)

        monkeypatch.setattr(os, name, call)

    recorded("fsync")
    recorded("replace")
    return made


def test_a_file_is_synced_before_its_name_and_the_folder_behind_it(tmp_path: Path, calls: list[str]) -> None:
    durable.replace(tmp_path / "a", b"one", 0o600)
    assert calls == ["sync file", "replace", "sync folder"]


def test_the_permissions_are_those_that_were_asked_for_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        durable.replace(tmp_path / "a", b"one", 0o644)
        durable.replace(tmp_path / "b", b"one", 0o600)
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"] == [0o644, 0o600]


def test_a_failed_step_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    durable.replace(tmp_path / "a", b"one", 0o600)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        durable.replace(tmp_path / "a", b"two", 0o600)
    assert (tmp_path / "a").read_bytes() == b"one"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


class Death(BaseException):
    """The process is killed here."""


def dies(monkeypatch: pytest.MonkeyPatch, step: int, command: Callable[[], object]) -> bool:
    """Runs a command that is killed before the step-th file is replaced or removed; False if it has fewer."""
    left = step

    def before(real: Callable[..., None]) -> Callable[..., None]:
        def call(*args: Any) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Death
            real(*args)

        return call

    with monkeypatch.context() as patch:
        for name in ("replace", "remove"):
            patch.setattr(durable, name, before(getattr(durable, name)))
        try:
            command()
        except Death:
            return True
    return False


def is_good(folder: Folder) -> bool:
    """Every pair fits, and an authority that is trusted has signed it."""
    authorities = x509.load_pem_x509_certificates(folder.ca.read_bytes())
    for one in certs._present(folder):
        certificate = x509.load_pem_x509_certificate(one.pair.certificate.read_bytes())
        key = serialization.load_pem_private_key(one.pair.key.read_bytes(), None)
        if key.public_key() != certificate.public_key():
            return False
        issuer = next(authority for authority in authorities if authority.subject == certificate.issuer)
        certificate.verify_directly_issued_by(issuer)
    return True


@pytest.mark.parametrize(
    "command",
    [
        lambda folder: certs.rotate(folder),
        lambda folder: certs.begin_ca(folder),
        lambda folder: certs.revoke(folder, ["a"]),
        lambda folder: certs.make(folder, NODES, force=True),
    ],
    ids=["rotate", "rotate --new-ca", "revoke", "make --force"],
)
def test_a_death_at_any_step_is_mended_by_the_next_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[[Folder], object]
) -> None:
    step = 0
    while True:
        folder = Folder(tmp_path / str(step))
        certs.make(folder, NODES)
        if not dies(monkeypatch, step, lambda folder=folder: command(folder)):  # type: ignore[misc]
            break
        for _ in range(2):
            try:
                certs.make(folder, NODES)
                certs.rotate(folder)
            except UserError as error:
                assert "--force makes all anew" in str(error)  # noqa: PT017 - only an authority in two halves
                certs.make(folder, NODES, force=True)
            assert is_good(folder)
        step += 1
    assert step > 0
