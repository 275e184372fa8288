# SPDX-License-Identifier: Apache-2.0
"""A square whose node a watches the lists that it steers into, and has the repair as their backup.

Frames from a are dropped where they come to b, and all carriers stay: only probes of the path can detect it.
"""

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from sextantlab import netns
from sextantlab.errors import UserError
from sextantlab.processes import until

from .oracle import Row
from .p4runtime import INSERT, MODIFY, Action, Client
from .square import OWN_FIRST, P4INFO, POLICY, PROTECTED_PORT, STEERED, Square, route, square

INTERVAL_MICROS = 10_000
MULTIPLIER = 3
_HOLD_DOWN_MILLIS = 200
_BACK = "fcbb:bbbb:100:fe0f"
# The steered prefixes, by their list; the prefix; the list that probes travel, and its only container.
_WATCHED = {
    STEERED: (1, "2001:db8:2::/64", 5, "fcbb:bbbb:200:100:fe0f::", POLICY),
    OWN_FIRST: (3, "2001:db8:3::/64", 6, "fcbb:bbbb:100:200:100:fe0f::", "fcbb:bbbb:100:200:f00d::"),
}
_BACKUP = 2
_PATIENCE_SECONDS = 10
_NODE_A, _NODE_B = 1, 2


@dataclass
class Watched:
    """The square, and how often its rows were written."""

    made: Square
    written: Iterator[int] = field(default_factory=lambda: itertools.count(20))

    def settle(self) -> None:
        """Writes the rows anew, so that no cut makes the next one wait longer, and waits until nothing is replaced."""
        number = next(self.written)
        self.write(MODIFY, [_liveness(one, _HOLD_DOWN_MILLIS + number % 2) for one in _WATCHED], number)
        if not until(self._whole, _PATIENCE_SECONDS):
            raise UserError("the link carries packets again, but what is steered goes another way still")

    def _whole(self) -> bool:
        return all(
            f"[ {segment} ]" in netns.ip("-6", "route", "show", prefix, namespace=self.made.namespace("a"))
            for _, prefix, _, _, segment in _WATCHED.values()
        )

    def write(self, what: int, rows: list[Row], election: int) -> None:
        with Client(self.made.served["a"], _NODE_A, P4INFO, election_id=election) as client:
            client.write([(what, client.entry(row.table, row.match, row.action)) for row in rows])


def silence(made: Square) -> None:
    """b drops packets from a; its carrier stays."""
    hook = f"type filter hook ingress device p{PROTECTED_PORT} priority 0; policy drop;"
    _nft(made, f"add table netdev cut; add chain netdev cut arriving {{ {hook} }}")


def mend(made: Square) -> None:
    _nft(made, "delete table netdev cut")


def _nft(made: Square, words: str) -> None:
    done = netns.run(made.namespace("b"), "nft", words)
    if done.returncode != 0:
        raise UserError(f"nft {words}: {done.stderr.strip()}")


def _liveness(traffic: str, hold_down: int) -> Row:
    watched, _, probe, _, _ = _WATCHED[traffic]
    arguments = {"probe": probe, "interval": INTERVAL_MICROS, "multiplier": MULTIPLIER, "hold_down": hold_down}
    return Row("liveness", {"sid_list": watched}, Action("watch", {**arguments, "backup": _BACKUP}))


@contextlib.contextmanager
def watched(label: str) -> Iterator[Watched]:
    """Without standbys: a link that says nothing needs none."""
    with square(label, 0) as made:
        back = [Row("my_sid", {"sid": f"{_BACK}::/64"}, Action("udt6", {"vrf": 0}))]
        for _, _, probe, segment, _ in _WATCHED.values():
            back.append(Row("sid_list", {"id": probe}, [Action("segments_1", {"segment_1": segment})]))
        back += [_liveness(one, _HOLD_DOWN_MILLIS) for one in _WATCHED]
        made_watched = Watched(made)
        with Client(made.served["b"], _NODE_B, P4INFO, election_id=11) as client:
            way = route("fcbb:bbbb:100::/48", PROTECTED_PORT)
            client.write([(INSERT, client.entry(way.table, way.match, way.action))])
        made_watched.write(INSERT, back, 11)
        yield made_watched
