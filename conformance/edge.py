# SPDX-License-Identifier: Apache-2.0
"""The cost of the edge of the SR domain for a Linux node: a packet that passes, one that is dropped, a flood of these.

Every line is a node of the agent with the same routes. One has no role at its port, the next ones have rows, on others
the same prefixes are rules of nft or ip6tables. The kernel feeds the frames to itself (sextantlab.live), so the
measured time is that of a packet's path from its interface to its drop: by the edge, or by one rule behind it, the same
everywhere. Variants take turns, so that all meet the same machine. The least cost of XDP is that of a program that
drops all frames before packets are made of them.

A flood comes from a sender of frames, in whose time the node works: its cost is the time that other packets lose on
that processor. Beside it stands a flood of frames to another MAC address, which the kernel drops first.

    PYTHONPATH=lab:. build/venv/bin/python conformance/edge.py [--rounds N] > results.json
"""

import argparse
import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nodes.oracle import Row
from nodes.p4runtime import INSERT, Action, Client, Value, WriteError
from nodes.packets import H1, framed, outer, v6
from nodes.target import Target, linux_target
from scapy.packet import Packet
from sextantlab import blast, live, netns
from sextantlab.errors import UserError

_SID = "fcbb:bbbb:100:f00d::"
_NEAR = "fcff:20:20::2"  # beside sources of the domain, behind many bits that both have
_SAMPLE_NANOS = 20_000_000
_LEAST_FRAMES, _MOST_FRAMES, _TRIAL_FRAMES = 200, 20_000, 200
_ROUNDS, _FLOOD_SECONDS, _FLOOD_RATE = 20, 0.5, 50_000
_BATCH = 1024
# Passed packets end here: a node that forwards a frame changes it, and the kernel would feed it to itself once more.
_BEHIND = """table ip6 behind {
counter passed { }
chain c { type filter hook prerouting priority filter;
iifname "p1" ip6 daddr 2001:db8:2::/48 counter name passed drop;
}
}
"""
# A network's: some blocks, the sources of its nodes. All that the tables hold.
_SOME, _ALL = (16, 64, 0), (4096, 16384, 4096)


def prefixes(sids: int, sources: int, peers: int) -> tuple[list[str], list[str], list[str]]:
    """Prefixes of the three tables; the block is the last of its own, and nothing else of them is in a packet."""
    return (
        [*(f"fcc0:{n:x}::/32" for n in range(sids - 1)), "fcbb:bbbb::/32"],
        [f"fcff:{n >> 8:x}:{n & 255:x}::1/128" for n in range(sources)],
        [f"2001:db8:7:{n:x}::/64" for n in range(peers)],
    )


def program(client: Client, sizes: tuple[int, int, int], role: str, setting: int) -> None:
    sids, sources, peers = prefixes(*sizes)
    parameter = "drop_srh" if role == "external" else "known_sources"
    rows = [
        *(Row("edge_sid", {"dst": prefix}, Action("protect", {})) for prefix in sids),
        *(Row("edge_source", {"src": prefix}, Action("domain_source", {})) for prefix in sources),
        *(Row("edge_peer", {"in_port": 1, "src": prefix}, Action("peer", {})) for prefix in peers),
        Row("edge_port", {"in_port": 1}, Action(role, {parameter: setting})),
    ]
    entries = [client.entry(row.table, row.match, row.action) for row in rows]
    for start in range(0, len(entries), _BATCH):
        client.write([(INSERT, entry) for entry in entries[start : start + _BATCH]])


# --- the same by the kernel's filters


def nft(sizes: tuple[int, int, int]) -> tuple[Sequence[str], str]:
    sids, sources, _ = prefixes(*sizes)
    sets = "".join(
        f"set {name} {{ type ipv6_addr; flags interval; elements = {{ {', '.join(those)} }}; }}\n"
        for name, those in (("sids", sids), ("sources", sources))
    )
    rules = 'iifname "p1" ip6 saddr @sources drop\niifname "p1" ip6 daddr @sids drop\n'
    return ["nft", "-f", "-"], (
        f"table ip6 edge {{\n{sets}chain c {{ type filter hook prerouting priority raw - 10;\n{rules} }}\n}}\n"
    )


def ip6tables(sizes: tuple[int, int, int]) -> tuple[Sequence[str], str]:
    sids, sources, _ = prefixes(*sizes)
    lines = [f"-A PREROUTING -i p1 -s {one} -j DROP" for one in sources]
    lines += [f"-A PREROUTING -i p1 -d {one} -j DROP" for one in sids]
    return ["ip6tables-legacy-restore"], "\n".join(["*raw", ":PREROUTING ACCEPT", *lines, "COMMIT\n"])


def given(namespace: str, argv: Sequence[str], text: str) -> None:
    done = subprocess.run(
        ["ip", "netns", "exec", namespace, *argv], input=text, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UserError(f"{argv[0]}: {done.stderr.strip()[-300:]}")


# --- nodes


@dataclass
class Node:
    """A node, and the measurements at it."""

    name: str
    target: Target

    def frame(self, packet: Packet, port: int = 1) -> bytes:
        here = self.target.ports[port]
        return framed(packet, here.neighbor_mac, here.mac)

    def passed(self) -> int:
        """Packets that have come to the end."""
        shown = netns.run(self.target.namespace, "nft", "-j", "list", "counter", "ip6", "behind", "passed").stdout
        return next(int(one["counter"]["packets"]) for one in json.loads(shown)["nftables"] if "counter" in one)


@contextlib.contextmanager
def node(label: str, name: str, prepare: Callable[[Client, str], None]) -> Iterator[Node]:
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(linux_target(label))
        client = stack.enter_context(Client(target.address, target.device_id, target.p4info, election_id=10))
        client.set_pipeline()
        out = target.ports[2]
        forward: dict[str, Value] = {"port": 2, "src_mac": out.mac, "dst_mac": out.neighbor_mac}
        rows = [
            Row("next_hop", {"id": 2}, Action("forward", forward)),
            Row("route_v6", {"vrf": 0, "dst": "2001:db8::/32"}, [Action("set_next_hop", {"next_hop": 2})]),
            Row("my_sid", {"sid": f"{_SID}/64"}, Action("udt6", {"vrf": 0})),
        ]
        client.write([(INSERT, client.entry(row.table, row.match, row.action)) for row in rows])
        prepare(client, target.namespace)
        given(target.namespace, ["nft", "-f", "-"], _BEHIND)
        yield Node(name, target)


def _nothing(_: Client, __: str) -> None:
    return


def _rows(sizes: tuple[int, int, int], role: str, setting: int) -> Callable[[Client, str], None]:
    return lambda client, _: program(client, sizes, role, setting)


def _rules(rules: tuple[Sequence[str], str]) -> Callable[[Client, str], None]:
    return lambda _, namespace: given(namespace, *rules)


NO_ROLE, OURS, FULL, INSIDE = "no role", "external", "external, full tables", "internal, known sources"
NFT, NFT_FULL, TABLES = "nft", "nft, as many prefixes", "ip6tables"
_NODES: dict[str, Callable[[Client, str], None]] = {
    NO_ROLE: _nothing,
    OURS: _rows(_SOME, "external", 1),
    FULL: _rows(_ALL, "external", 1),
    INSIDE: _rows(_SOME, "internal", 1),
    NFT: _rules(nft(_SOME)),
    NFT_FULL: _rules(nft(_ALL)),
    TABLES: _rules(ip6tables(_SOME)),
}


# --- a packet


@dataclass
class Variant:
    """Frames at a node that all pass it, or are all dropped."""

    name: str
    node: Node
    feed: live.Feed
    frame: bytes
    passes: bool
    count: int = _TRIAL_FRAMES

    def settle(self) -> None:
        """As many frames as a sample takes, which end where they should."""
        before = self.node.passed()
        nanos = self.nanos()
        if (went := self.node.passed() - before) != self.count * self.passes:
            raise UserError(f"{self.name}: of {self.count} packets {went} have passed")
        self.count = max(_LEAST_FRAMES, min(_MOST_FRAMES, int(_SAMPLE_NANOS / nanos)))

    def nanos(self) -> float:
        return self.feed.nanos(self.frame, self.count)


def variants(stack: contextlib.ExitStack, nodes: Sequence[Node]) -> Iterator[Variant]:
    for one in nodes:
        feed = stack.enter_context(live.fed(one.target.namespace, "p1"))
        yield Variant(f"a packet passes: {one.name}", one, feed, one.frame(v6()), passes=True)
        if one.name in (FULL, NFT_FULL):
            yield Variant(f"a packet passes: {one.name}, near one", one, feed, one.frame(v6(_NEAR)), passes=True)
        if one.name != NO_ROLE:
            sent = one.frame(outer(_SID, v6(), source=H1))
            yield Variant(f"a packet to a SID is dropped: {one.name}", one, feed, sent, passes=False)
    nowhere = stack.enter_context(live.fed(nodes[0].target.namespace, "p3", drops=True))
    yield Variant("a packet is dropped by XDP at once", nodes[0], nowhere, nodes[0].frame(v6(), 3), passes=False)


def packets(nodes: Sequence[Node], rounds: int) -> Iterator[tuple[str, str, list[float]]]:
    samples: dict[str, list[float]] = {}
    with contextlib.ExitStack() as stack:
        measured = sorted(variants(stack, nodes), key=lambda one: (not one.passes, one.name.partition(":")[0]))
        for one in measured:
            one.settle()
        for turn in range(rounds):
            print(f"round {turn + 1} of {rounds}", file=sys.stderr, flush=True)
            for one in measured:
                samples.setdefault(one.name, []).append(one.nanos())
    for name, nanos in samples.items():
        yield name, "ns", nanos


# --- a flood


def floods(nodes: Sequence[Node], rounds: int) -> Iterator[tuple[str, str, list[float]]]:
    """The share of a processor that a flood takes."""
    to_sid = outer(_SID, v6(), source=H1)
    floods = {
        f"{'let in' if one.name == NO_ROLE else 'dropped'}: {one.name}": (one, one.frame(to_sid)) for one in nodes
    }
    elsewhere = nodes[0].frame(to_sid)
    floods["to another MAC address"] = nodes[0], elsewhere[:5] + bytes([elsewhere[5] ^ 0xFF]) + elsewhere[6:]
    samples: dict[str, list[float]] = {}
    for turn in range(rounds):
        print(f"flood {turn + 1} of {rounds}", file=sys.stderr, flush=True)
        for name, (one, frame) in floods.items():
            sent = _flood(one, frame)
            samples.setdefault(name, []).append(100 * _FLOOD_RATE * sent.cpu_seconds / sent.frames)
    for name, shares in samples.items():
        yield f"a flood of {_FLOOD_RATE} packets/s, {name}", "%", shares


def _flood(one: Node, frame: bytes) -> blast.Sent:
    with blast.run(one.target.wire_namespace, "w1", [frame], _FLOOD_RATE, _FLOOD_SECONDS) as running:
        return running.result()


def measure(rounds: int) -> list[dict[str, Any]]:
    with contextlib.ExitStack() as stack:
        nodes = [
            stack.enter_context(node(f"edge{place}", name, prepare))
            for place, (name, prepare) in enumerate(_NODES.items())
        ]
        flooded = [one for one in nodes if one.name in (NO_ROLE, OURS, NFT, TABLES)]
        found = [*packets(nodes, rounds), *floods(flooded, max(1, rounds // 4))]
    return [{"name": name, "unit": unit, "samples": samples} for name, unit, samples in found]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    options = parser.parse_args()
    try:
        print(json.dumps(measure(options.rounds)))
    except (UserError, WriteError) as problem:
        sys.exit(f"edge: {problem}")


if __name__ == "__main__":
    main()
