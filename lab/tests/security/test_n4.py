# SPDX-License-Identifier: Apache-2.0
"""PFCP from senders that are not the SMF: no session ends, moves or is locked out, whatever they send."""

import contextlib
import json
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sextantlab import build, n4, netns
from sextantlab.smf import PORT, Smf, Subscriber
from story import Story

_UPF_N4, _SMF, _OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.66"
_N3, _GNB, _ATTACKER = "198.51.100.1", "192.0.2.1", "192.0.2.66"
_SESSIONS = 20
_SETUP, _RELEASE, _ESTABLISHMENT, _MODIFICATION, _DELETION = 5, 9, 50, 52, 54
_ACCEPTED = 1
_SLICE = {
    "name": "n4", "access": {"gateway": "l1", "gnbs": ["192.0.2.0/24"]}, "core": {"anchor": "v5", "upfs": [_N3]},
    "default": True,
}  # fmt: skip


@dataclass
class Attack:
    """A sender that makes up PFCP messages, and waits `patience` seconds for an answer."""

    wire: socket.socket
    patience: float
    sequence: int = 0

    def send(self, kind: int, body: bytes, seid: int | None = None) -> int | None:
        """The cause that the message was answered with, None if it was not."""
        self.sequence += 1
        named = b"" if seid is None else struct.pack("!Q", seid)
        rest = named + (self.sequence << 8).to_bytes(4, "big") + body
        self.wire.send(struct.pack("!BBH", 0x20 if seid is None else 0x21, kind, len(rest)) + rest)
        self.wire.settimeout(self.patience)
        with contextlib.suppress(TimeoutError):
            while True:
                answer = self.wire.recv(65535)
                at = 16 if answer[0] & 1 else 8
                if answer[1] == kind + 1 and int.from_bytes(answer[at - 4 : at - 1], "big") == self.sequence:
                    return dict(_elements(answer[at:]))[19][0]
        return None


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    while data:
        kind, size = struct.unpack_from("!HH", data)
        yield kind, data[4 : 4 + size]
        data = data[4 + size :]


def _ie(kind: int, value: bytes) -> bytes:
    return struct.pack("!HH", kind, len(value)) + value


def _node(address: str) -> bytes:
    return _ie(60, b"\0" + socket.inet_aton(address))


def _moved() -> bytes:
    """An Update FAR that leads the downlink to the attacker."""
    header = _ie(84, b"\1\0" + struct.pack("!I", 66) + socket.inet_aton(_ATTACKER))
    return _ie(10, _ie(108, struct.pack("!I", 2)) + _ie(44, b"\2") + _ie(11, _ie(42, b"\0") + header))


@dataclass(frozen=True)
class Served:
    """Sessions of an SMF through a sextant-n4, and another sender beside it."""

    story: Story
    process: n4.N4Process
    smf: Smf
    attack: Attack
    subscribers: tuple[Subscriber, ...]

    def sessions(self) -> dict[str, Any]:
        return {one["id"]: one for one in self.story.rest.get("/srv6/slices/n4/sessions")}

    def seids(self) -> list[int]:
        return [int(name.rsplit("-", 1)[1], 16) for name in self.sessions()]


@contextmanager
def _served(story: Story, folder: Path, patience: float, *words: str) -> Iterator[Served]:
    build.n4()
    namespace = story.namespace("h11")
    stored = story.rest.call("POST", "/srv6/slices", json.dumps(_SLICE).encode()).expect(200, 201)
    assert stored["state"] == "INSTALLED", stored
    options = ["--netns", namespace, "--listen", f"{_UPF_N4}:{PORT}", *n4.controller_words(story.controller), *words]
    with (
        n4.running(folder, options) as process,
        contextlib.closing(netns.inside(namespace, partial(Smf.opened, _SMF, _UPF_N4))) as wire,
        contextlib.closing(netns.inside(namespace, partial(Smf.opened, _OTHER, _UPF_N4))) as other,
    ):
        smf = Smf(wire)
        smf.associate()
        subscribers = tuple(Subscriber(n, f"10.60.0.{n}", _N3, _GNB) for n in range(1, _SESSIONS + 1))
        smf.establish(subscribers)
        smf.modify(subscribers)
        yield Served(story, process, smf, Attack(other, patience), subscribers)
        smf.delete(subscribers)
        assert story.rest.get("/srv6/slices/n4/sessions") == []
    story.rest.call("DELETE", "/srv6/slices/n4").expect(200, 202, 204)


@pytest.mark.parametrize(
    ("words", "answers"),
    [((), False), (("--smf", _SMF), False), (("--smf", "127.0.0.0/24"), True)],
    ids=["no list", "the SMF alone", "a prefix of both"],
)
def test_another_sender_neither_ends_nor_moves_sessions(
    running: Story, tmp_path: Path, words: tuple[str, ...], answers: bool
) -> None:
    """Nor does an attacker that has an association of its own, and none fills the table of associations."""
    with _served(running, tmp_path / "n4", 5 if answers else 0.2, *words) as served:
        before, attack = served.sessions(), served.attack
        now = _ie(96, struct.pack("!I", 0xFFFFFFFF))
        heard = [attack.send(_SETUP, _node(_SMF) + now), attack.send(_RELEASE, _node(_SMF))]
        for own in (False, True):
            if own:
                associated = attack.send(_SETUP, _node(_OTHER) + now)
                assert associated == (_ACCEPTED if answers else None)
            for seid in served.seids()[:5]:
                heard += [attack.send(_DELETION, b"", seid), attack.send(_MODIFICATION, _moved(), seid)]
        assert _ACCEPTED not in heard
        assert (None in heard) != answers
        for number in range(1100 if answers else 20):
            attack.wire.send(_setup(number + 1000, f"n{number}.example"))
        assert len(served.process.status()["associations"]) <= 17
        assert served.sessions() == before
        assert (served.process.status()["counters"]["strangers"] > 0) != answers
        served.smf.modify(served.subscribers)


def _setup(sequence: int, name: str) -> bytes:
    body = _ie(60, b"\2" + name.encode()) + _ie(96, struct.pack("!I", sequence))
    rest = (sequence << 8).to_bytes(4, "big") + body
    return struct.pack("!BBH", 0x20, _SETUP, len(rest)) + rest
