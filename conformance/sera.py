# SPDX-License-Identifier: Apache-2.0
"""The cost of a firewall for a processor: Figures 6 to 9 of the SERA paper, for one number of rules.

The last of N rules drops the packet and all others miss. The kernel's filters are each in a namespace of their own;
Sextant's firewalls are on one node, programmed as a controller does it. The kernel feeds the frames to itself
(sextantlab.live), so the measured time is that of a packet's path from its interface to its drop. The packets are those
of the paper's Listing 4, with 1,000 bytes in them. Variants take turns, so that all meet the same machine.

    PYTHONPATH=lab:. build/venv/bin/python conformance/sera.py 64 [--rounds N] > results.json
"""

import argparse
import contextlib
import functools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nodes import firewalls
from nodes.p4runtime import INSERT, Client, Value, WriteError
from nodes.packets import framed
from nodes.target import Target, kernel_target, linux_target
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrSegmentRouting
from scapy.packet import Packet, Raw
from sextantlab import live, netns
from sextantlab.errors import UserError

# Listing 4: addresses of the ingress node, of two servers, of the firewall's functions and of the egress node's SID.
_INGRESS, _SERVER_NET = "fc00:12::1", "fc00:d1::/64"
_CLIENT, _CLIENT_NET, _SERVER = "fc00:c::1", "fc00:c::/64", "fc00:d1::1"
_EGRESS_SID = "fc00:3::d6"
_PAYLOAD_BYTES = 1000
_TAG = 8192  # of rules that miss; the packets have 0
_SAMPLE_NANOS = 20_000_000
_LEAST_FRAMES, _MOST_FRAMES, _TRIAL_FRAMES = 200, 20_000, 200
_ROUNDS = 30
# A locator of 64 bits, a function of 48, arguments of 16.
CLASSIC = {"block_length": 64, "csid_length": 0, "usid_length": 0, "args_length": 16, "local_start": 0}


def plain() -> Packet:
    return IPv6(src=_CLIENT, dst=_SERVER, hlim=64) / UDP(sport=40000, dport=9) / Raw(bytes(_PAYLOAD_BYTES))


def encapsulated(function: int) -> Packet:
    """As Linux does it in mode encap: the active SID is in the list, too."""
    active = sid(function)
    srh = IPv6ExtHdrSegmentRouting(nh=41, segleft=1, lastentry=1, addresses=[_EGRESS_SID, active])
    return IPv6(src=_INGRESS, dst=active, hlim=64, nh=43) / srh / plain()


def inserted(function: int) -> Packet:
    """Mode inline: the packet's own destination is the end of the list."""
    active = sid(function)
    srh = IPv6ExtHdrSegmentRouting(nh=17, segleft=2, lastentry=2, addresses=[_SERVER, _EGRESS_SID, active])
    return IPv6(src=_CLIENT, dst=active, hlim=64, nh=43) / srh / plain().payload


def sid(function: int) -> str:
    return f"fc00:2::f{function:x}:0"


@dataclass
class Variant:
    """Something that drops, and how many it has dropped by its last rule."""

    name: str
    feed: live.Feed
    frame: bytes
    dropped: Callable[[], int]
    fed: int = 0
    count: int = _TRIAL_FRAMES

    def settle(self) -> None:
        """As many frames as a sample takes."""
        self.count = max(_LEAST_FRAMES, min(_MOST_FRAMES, int(_SAMPLE_NANOS / self.nanos())))

    def nanos(self) -> float:
        self.fed += self.count
        return self.feed.nanos(self.frame, self.count)

    def check(self) -> None:
        if (dropped := self.dropped()) != self.fed:
            raise UserError(f"{self.name}: of {self.fed} packets {dropped} were dropped by the last rule")


# --- the kernel's filters


def _pairs(rules: int) -> Iterator[tuple[str, str, bool]]:
    """Sources and destinations, and whether the packets have them: of the last rule."""
    for source, destination in firewalls.strangers(rules - 1):
        yield source, destination, False
    yield _CLIENT_NET, _SERVER_NET, True


def _iptables(matches: Sequence[str]) -> str:
    lines = [f"-A PREROUTING {match} -j ACCEPT" for match in matches[:-1]]
    return "\n".join(["*raw", ":PREROUTING ACCEPT", *lines, f"-A PREROUTING {matches[-1]} -j DROP", "COMMIT\n"])


def _nft(lines: Sequence[str]) -> str:
    rules = "\n".join([*(f"{line} accept" for line in lines[:-1]), f"{lines[-1]} drop"])
    return f"table ip6 t {{\nchain c {{\ntype filter hook prerouting priority raw;\n{rules}\n}}\n}}\n"


def _map(rules: int) -> str:
    elements = ", ".join(f"{a} . {b} : {'drop' if hit else 'accept'}" for a, b, hit in _pairs(rules))
    return (
        "table ip6 t {\nmap m { type ipv6_addr . ipv6_addr : verdict; flags interval; "
        f"elements = {{ {elements} }}; }}\nchain c {{ type filter hook prerouting priority raw; "
        "ip6 saddr . ip6 daddr vmap @m; }\n}\n"
    )


def _raw(prefix: str) -> str:
    """The first 64 bits of an address."""
    return "0x" + bytes(IPv6(src=prefix.partition("/")[0]))[8:16].hex()


def _inside(source: str, destination: str) -> str:
    return f"meta l4proto 41 @th,64,64 {_raw(source)} @th,192,64 {_raw(destination)}"


def filters(rules: int) -> dict[str, tuple[str, str, Packet]]:
    """The kernel's filters, by name: which program takes the rules, the rules, the packet."""
    pairs = list(_pairs(rules))
    misses = range(rules - 1)
    outside = [f"-s {a} -d {b}" for a, b, _ in pairs]
    tags = [*(f"-m srh --srh-segs-left-eq 1 --srh-tag {_TAG + n}" for n in misses), "-m srh --srh-segs-left-eq 1"]
    types = [*("-m rt --rt-type 4 --rt-segsleft 200" for _ in misses), "-m rt --rt-type 4"]
    return {
        "ip6tables, plain packet": ("ip6tables", _iptables(outside), plain()),
        "ip6tables -m rt, encap": ("ip6tables", _iptables(types), encapsulated(1)),
        "ip6tables -m srh, encap": ("ip6tables", _iptables(tags), encapsulated(1)),
        "nft, plain packet": ("nft", _nft([f"ip6 saddr {a} ip6 daddr {b}" for a, b, _ in pairs]), plain()),
        "nft, raw bytes inside, encap": ("nft", _nft([_inside(a, b) for a, b, _ in pairs]), encapsulated(1)),
        "nft map, plain packet": ("nft", _map(rules), plain()),
    }


_PROGRAMS = {"ip6tables": ["ip6tables-legacy-restore"], "nft": ["nft", "-f", "-"]}


@contextlib.contextmanager
def _filter(number: int, name: str, program: str, rules: str, packet: Packet) -> Iterator[Variant]:
    with kernel_target(f"filter{number}") as target, live.fed(target.namespace, "p1") as feed:
        _given(target.namespace, _PROGRAMS[program], rules)
        # Packets that pass the filter are counted behind it; a drop never comes here.
        behind = "table ip6 behind { counter passed { }; chain c { type filter hook prerouting priority filter; "
        _given(target.namespace, _PROGRAMS["nft"], behind + "counter name passed; }; }\n")
        yield Variant(name, feed, frame(target, packet), functools.partial(_not_passed, target.namespace))


def _given(namespace: str, program: Sequence[str], text: str) -> None:
    argv = ["ip", "netns", "exec", namespace, *program]
    done = subprocess.run(argv, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{program[0]}: {done.stderr.strip()[-300:]}")


def _not_passed(namespace: str) -> int:
    """The packets that came to the filter, less those that came to the chain behind it: rules that miss would accept
    them.
    """
    shown = netns.run(namespace, "nft", "-j", "list", "counter", "ip6", "behind", "passed").stdout
    passed = next(one["counter"]["packets"] for one in json.loads(shown)["nftables"] if "counter" in one)
    snmp = netns.inside(namespace, lambda: Path("/proc/thread-self/net/snmp6").read_text())
    received = next(line.split()[1] for line in snmp.splitlines() if line.startswith("Ip6InReceives"))
    return int(received) - int(passed)


def frame(target: Target, packet: Packet) -> bytes:
    port = target.ports[1]
    return framed(packet, port.neighbor_mac, port.mac)


# --- firewalls of the agent


def rules_of(count: int, *, source: str = "") -> list[firewalls.Rule]:
    """With a source outside, also the next SID: rules that look at everything."""
    more: dict[str, Value] = {"has": "16&16", "outer_src": f"{source}/128", "next_sid": "fc00:3::/64"} if source else {}
    found: list[firewalls.Rule] = []
    for inner_source, destination, hit in _pairs(count):
        match: dict[str, Value] = {"ip_version": 6, "src": inner_source, "dst": destination}
        found.append((match | more, "fw_drop" if hit else "fw_go_next"))
    return found


@contextlib.contextmanager
def node(rules: int) -> Iterator[list[Variant]]:
    """All firewalls on one node, each behind a SID of its own."""
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(linux_target("firewalls"))
        client = stack.enter_context(
            Client(target.address, target.device_id, target.p4info, election_id=10, tls=target.tls)
        )
        client.set_pipeline()
        feed = stack.enter_context(live.fed(target.namespace, "p1"))
        found = []
        for function, (name, (packet, source)) in enumerate(_OURS.items(), 1):
            rule_set = firewalls.number(function)
            firewalls.write(client, INSERT, firewalls.entries(client, rule_set, rules_of(rules, source=source)))
            client.write([(INSERT, firewalls.sid(client, f"{sid(function)}/112", rule_set, function, **CLASSIC))])
            last = functools.partial(lambda rule_set: firewalls.hits(client, rule_set)[rules - 1], rule_set)
            found.append(Variant(name, feed, frame(target, packet(function)), last))
        yield found


# The outer source that rules look at: that of the encapsulation, or the sender of a packet that is not encapsulated.
_OURS = {
    "Sextant basic, encap": (encapsulated, ""),
    "Sextant basic, insert": (inserted, ""),
    "Sextant advanced, encap": (encapsulated, _INGRESS),
    "Sextant advanced, insert": (inserted, _CLIENT),
}


def figures(rules: int, rounds: int) -> list[dict[str, Any]]:
    samples: dict[str, list[float]] = {}
    with contextlib.ExitStack() as stack:
        variants = [
            stack.enter_context(_filter(place, name, *rest))
            for place, (name, rest) in enumerate(filters(rules).items())
        ]
        variants += stack.enter_context(node(rules))
        for variant in variants:
            variant.settle()
        for turn in range(rounds):
            print(f"round {turn + 1} of {rounds}", file=sys.stderr, flush=True)
            for variant in variants:
                samples.setdefault(variant.name, []).append(variant.nanos())
        for variant in variants:
            variant.check()
    return [{"name": name, "unit": "ns", "samples": nanos} for name, nanos in samples.items()]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rules", type=int)
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    options = parser.parse_args()
    try:
        print(json.dumps(figures(options.rules, options.rounds)))
    except (UserError, WriteError) as problem:
        sys.exit(f"sera: {problem}")


if __name__ == "__main__":
    main()
