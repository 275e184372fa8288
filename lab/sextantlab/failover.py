# SPDX-License-Identifier: Apache-2.0
"""The cost of cuts, repairs and flaps of a link for the traffic over it, on Figure 4 with protection from links and
nodes.

The controller lives or is stopped, or an agent next to the link answers nothing. Traffic is h11 to h31 over l2-l3;
past a node that is lost, h11 to h81 over l2-p7-v8.
"""

import itertools
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import netns
from .controller import Controller
from .errors import UserError
from .lab import Lab
from .paths import LAB
from .ping import until_answered
from .processes import pause, until
from .rest import Rest
from .traffic import Stream

_INTERVAL_SECONDS = 0.001
_LINK = ("l2", "l3")
_BESIDE = "p7"
STRAIGHT: dict[str, Any] = {"name": "straight", "from": "h11", "to": "h31", "nodes": ["l1", "l3"], "family": "ipv6"}
_SETTLING_SECONDS = 60
_AFTER = 1500
_FLAP_SECONDS = {1: 20, 5: 10, 20: 10}
# On the path that is left without the link; and between the two cuts.
_SECOND, _APART_SECONDS = ("p7", "p6"), 2
# A node on the path from l1 to v8, which has another path without it.
_NODE, _PAST_NODE = "p7", ("h11", "h81")
_PAST: dict[str, Any] = {"name": "past", "from": "h11", "to": "h81", "nodes": ["l1", "v8"], "family": "ipv6"}


@dataclass
class Lost:
    """Samples by event: milliseconds of the longest gap, percent of packets, passes a packet on the busiest direction
    of a link.
    """

    gaps: dict[str, list[float]] = field(default_factory=dict)
    percent: dict[str, list[float]] = field(default_factory=dict)
    passes: dict[str, list[float]] = field(default_factory=dict)


def protected(folder: Path) -> Path:
    """Figure 4, protected from links and nodes, in the folder. Links do not wait to be restored: the same one is cut in
    every row."""
    description = json.loads((LAB / "fig4.json").read_text())
    description["protection"] = {"link": True, "node": True}
    description["waitToRestoreMillis"] = 0
    file = folder / "protected.json"
    file.write_text(json.dumps(description))
    return file


@contextmanager
def network() -> Iterator[Lab]:
    """The nodes and links of that description."""
    with tempfile.TemporaryDirectory() as folder, Lab(str(protected(Path(folder)))) as lab:
        yield lab


def measure(lab: Lab, controller: Controller, rounds: int) -> Lost:
    """Cuts and mends the link in all ways, `rounds` times each."""
    lost = Lost()
    rest = controller.rest()
    for policy in (STRAIGHT, _PAST):
        rest.post("/srv6/policies", policy)
        there, back = lab.network.host(policy["from"]), lab.network.host(policy["to"])
        if not until_answered(lab.namespace(there.name), back.address(6), 20):
            raise UserError("the policy is posted, but no ping was answered")
    for _ in range(rounds):
        _cut(lab, rest, lost, "controller alive", None)
        _cut(lab, rest, lost, "controller stopped", _pid(controller))
        _cut(lab, rest, lost, f"agent of {_BESIDE} stopped", lab.agent(_BESIDE).pid)
        for hertz in _FLAP_SECONDS:
            _flap(lab, rest, lost, hertz, "controller alive", None)
            _flap(lab, rest, lost, hertz, "controller stopped", _pid(controller))
        _cuts_apart(lab, rest, lost)
        _lose_node(lab, rest, lost, "controller alive", None)
        _lose_node(lab, rest, lost, "controller stopped", _pid(controller))
    for policy in (STRAIGHT, _PAST):
        rest.delete(f"/srv6/policies/{policy['name']}")
    return lost


def _pid(controller: Controller) -> int:
    process = controller.process()
    if process is None:
        raise UserError("the controller is not running")
    return process.pid


def _cut(lab: Lab, rest: Rest, lost: Lost, case: str, stopped: int | None) -> None:
    """A cut for 5 seconds, and its mend; the process is stopped before the cut and goes on after the mend."""
    _settle(rest)
    with _stream(lab) as stream, _paused(stopped):
        before, begun = sent_by_port(lab), stream.sent
        lab.set_link(*_LINK, up=False)
        _wait(stream, 5000)
        cut, after = stream.sent, sent_by_port(lab)
        lab.set_link(*_LINK, up=True)
        _wait(stream, _AFTER)
        mended = stream.sent
    gone = stream.lost()
    _note(lost, f"link cut, {case}", [one for one in gone if begun <= one < cut], cut - begun)
    _note(lost, f"link mended, {case}", [one for one in gone if cut <= one < mended], mended - cut)
    lost.passes.setdefault(f"link cut, {case}", []).append(_passes(before, after, cut - begun))


def _flap(lab: Lab, rest: Rest, lost: Lost, hertz: int, case: str, stopped: int | None) -> None:
    """Half of each period down, half of it up."""
    _settle(rest)
    seconds = _FLAP_SECONDS[hertz]
    with _stream(lab) as stream, _paused(stopped):
        before, begun, start = sent_by_port(lab), stream.sent, time.monotonic()
        for half in range(2 * hertz * seconds):
            lab.set_link(*_LINK, up=half % 2 == 1)
            time.sleep(max(0.0, start + (half + 1) / (2 * hertz) - time.monotonic()))
        took = time.monotonic() - start
        ended, after = stream.sent, sent_by_port(lab)
        _wait(stream, _AFTER)
    if took > 1.5 * seconds:
        raise UserError(f"{seconds} s of flaps at {hertz} Hz took {took:.0f} s: the machine is too busy to measure")
    gone = [one for one in stream.lost() if begun <= one < ended]
    name = f"link flaps at {hertz} Hz, {case}"
    _note(lost, name, gone, ended - begun)
    lost.passes.setdefault(name, []).append(_passes(before, after, ended - begun))


def _cuts_apart(lab: Lab, rest: Rest, lost: Lost) -> None:
    """The link is cut, and 2 seconds later one of the path that is left; both come back 5 seconds after that."""
    _settle(rest)
    with _stream(lab) as stream:
        before, begun = sent_by_port(lab), stream.sent
        lab.set_link(*_LINK, up=False)
        time.sleep(_APART_SECONDS)
        lab.set_link(*_SECOND, up=False)
        _wait(stream, 5000)
        cut, after = stream.sent, sent_by_port(lab)
        for link in (_SECOND, _LINK):
            lab.set_link(*link, up=True)
        _wait(stream, _AFTER)
        mended = stream.sent
    gone = stream.lost()
    name = f"two links cut {_APART_SECONDS} s apart"
    _note(lost, name, [one for one in gone if begun <= one < cut], cut - begun)
    _note(lost, f"{name}, mended", [one for one in gone if cut <= one < mended], mended - cut)
    lost.passes.setdefault(name, []).append(_passes(before, after, cut - begun))


def _lose_node(lab: Lab, rest: Rest, lost: Lost, case: str, stopped: int | None) -> None:
    """All ports of a node on the path are down for 5 seconds: its neighbors lose their carriers at once."""
    _settle(rest)
    with _stream(lab, *_PAST_NODE) as stream, _paused(stopped):
        before, begun = sent_by_port(lab), stream.sent
        _set_ports(lab, up=False)
        _wait(stream, 5000)
        cut, after = stream.sent, sent_by_port(lab)
        _set_ports(lab, up=True)
        _wait(stream, _AFTER)
        mended = stream.sent
    gone = stream.lost()
    _note(lost, f"node lost, {case}", [one for one in gone if begun <= one < cut], cut - begun)
    _note(lost, f"node back, {case}", [one for one in gone if cut <= one < mended], mended - cut)
    lost.passes.setdefault(f"node lost, {case}", []).append(_passes(before, after, cut - begun))


def _paused(process: int | None) -> AbstractContextManager[None]:
    return nullcontext() if process is None else pause(process)


def _set_ports(lab: Lab, *, up: bool) -> None:
    ends = [end for link in lab.network.links for end in (link.a, link.b) if end.node == _NODE]
    for end in ends:
        netns.ip("link", "set", end.name, "up" if up else "down", namespace=lab.namespace(_NODE))


def _note(lost: Lost, case: str, gone: list[int], sent: int) -> None:
    lost.gaps.setdefault(case, []).append(1000 * _INTERVAL_SECONDS * _longest(gone))
    lost.percent.setdefault(case, []).append(100 * len(gone) / sent)


def _longest(numbers: list[int]) -> int:
    """The length of the longest run of consecutive numbers."""
    runs = itertools.groupby(enumerate(numbers), lambda one: one[1] - one[0])
    return max((len(list(run)) for _, run in runs), default=0)


@contextmanager
def _stream(lab: Lab, source: str = "h11", sink: str = "h31") -> Iterator[Stream]:
    address = lab.network.host(sink).address(6)
    with Stream(lab.namespace(source), lab.namespace(sink), address, _INTERVAL_SECONDS) as stream:
        _wait(stream, 200)
        yield stream


def _wait(stream: Stream, datagrams: int) -> None:
    if not stream.await_more(datagrams, 60):
        raise UserError("the sender did not get on: the machine is too busy to measure")


def _settle(rest: Rest) -> None:
    if not until(lambda: rest.get("/srv6/entries?state=pending") == [], _SETTLING_SECONDS):
        raise UserError("entries stay pending: ./sextant cli srv6:entries --state pending")
    time.sleep(2)  # until backup paths are computed, too, which no state shows


def _passes(before: dict[str, int], after: dict[str, int], sent: int) -> float:
    return max(after[port] - before[port] for port in after) / sent


def sent_by_port(lab: Lab) -> dict[str, int]:
    """Packets that each port of each node has sent."""
    sent = {}
    for node in lab.network.nodes:
        for port in json.loads(netns.run(lab.namespace(node.name), "ip", "-j", "-s", "link").stdout):
            if not port["ifname"].startswith(("lo", "sextant")):
                sent[f"{node.name} {port['ifname']}"] = int(port["stats64"]["tx"]["packets"])
    return sent
