# SPDX-License-Identifier: Apache-2.0
"""A firewall imported from random rules judges packets as the kernel does under the same rules.

`SEXTANT_IMPORT_SEED` repeats a run; lines that the import refuses are taken out of the kernel's rules, too. nft looks
for ports and flags in the payload of later fragments, of which an import warns: it gets none.
"""

import os
import random
import shutil
import struct
from collections.abc import Callable, Iterator
from functools import partial
from ipaddress import IPv6Address, IPv6Network, ip_address

import pytest
from fabric import Fabric, Json
from kernel_peer import Kernel, kernel, still

_FILES, _PACKETS, _RULES = 3, 100, 14
# A rule without a match at the head of a chain judges all packets of a file alike: then more files are judged.
_MOST_FILES = 20
_TCP, _UDP, _SCTP, _ICMPV6, _ICMP, _ESP = 6, 17, 132, 58, 1, 50
_FRAGMENT, _OPTIONS, _HOP_BY_HOP = 44, 60, 0
_PORTS = (0, 1, 22, 53, 80, 443, 65535)
_FLAGS = ("FIN", "SYN", "RST", "PSH", "ACK", "URG")
# The kernel matches sets of ipset only where that tool is there to fill them.
_HAS_IPSET = shutil.which("ipset") is not None
_COMMENTS = ('"srh"', '"-j DROP"', '"! -p udp"', '"drop"', '"return # no"')

Random = random.Random


@pytest.fixture(scope="module")
def peer() -> Iterator[Kernel]:
    with kernel() as one:
        yield one


def address(some: Random, six: bool) -> str:
    if six:
        return f"2001:db8:{some.randrange(2)}::{some.randrange(1, 4)}"
    return f"10.{some.randrange(2)}.0.{some.randrange(1, 4)}"


def prefix(some: Random, six: bool) -> str:
    return f"{address(some, six)}/{some.choice((48, 127, 128) if six else (16, 31, 32))}"


def span(some: Random, mark: str) -> str:
    low, high = sorted(some.choices(_PORTS, k=2))
    return str(low) if low == high or some.random() < 0.5 else f"{low}{mark}{high}"


# --- rules


def sets(some: Random, six: bool) -> list[str]:
    """As ipset save prints them: addresses, prefixes with exceptions, ports, and addresses with ports."""
    if not _HAS_IPSET:
        return []
    family, wide, one = ("inet6", "2001:db8::/47", 128) if six else ("inet", "10.0.0.0/15", 32)
    return [
        f"create hosts hash:ip family {family}",
        *sorted({f"add hosts {address(some, six)}" for _ in range(3)}),
        f"create nets hash:net family {family}",
        f"add nets {wide}",
        f"add nets {address(some, six)}/{one} nomatch",
        "create ports bitmap:port range 0-65535",
        *(f"add ports {port}" for port in some.sample(_PORTS, 2)),
        f"create web hash:ip,port family {family}",
        *sorted(
            {f"add web {address(some, six)},{some.choice(('tcp', 'udp'))}:{some.choice(_PORTS[1:])}" for _ in range(4)}
        ),
    ]


def set_match(some: Random) -> list[str]:
    ends = some.choice(("src", "dst"))
    negated = some.choice(("", "! "))
    return some.choice((
        [f"-m set {negated}--match-set {some.choice(('hosts', 'nets'))} {ends}"],
        [f"-m set --match-set ports {ends}"],
        [f"-m set --match-set web {ends},{some.choice(('src', 'dst'))}"],
    ))  # fmt: skip


def iptables(some: Random, six: bool) -> str:
    """As iptables-save prints them: FORWARD and two chains, which it may jump or go to, behind sets of ipset."""
    table = [
        *sets(some, six),
        "*filter",
        f":FORWARD {some.choice(('ACCEPT', 'DROP'))} [0:0]",
        ":srh - [0:0]",
        ":web - [0:0]",
    ]
    for _ in range(_RULES):
        chain = some.choice(("FORWARD", "FORWARD", "srh", "web"))
        words = [f"-A {chain}"]
        for option in ("-s", "-d"):
            if some.random() < 0.4:
                words += [*some.choices(("!", ""), (1, 3)), option, prefix(some, six)]
        words += set_match(some) if _HAS_IPSET and some.random() < 0.3 else upper_layer(some, six)
        if some.random() < 0.2:
            words += ["-m comment --comment", some.choice(_COMMENTS)]
        further = {"FORWARD": ("-j web", "-g srh", "-j srh"), "srh": ("-j web", "-g web"), "web": ("-j RETURN",)}
        words.append(some.choice(("-j ACCEPT", "-j DROP", "-j DROP", "-j RETURN", *further[chain])))
        table.append(" ".join(word for word in words if word))
    return "\n".join([*table, "COMMIT", ""])


def upper_layer(some: Random, six: bool) -> list[str]:
    ports = [*some.choices(("!", ""), (1, 2)), some.choice(("--sport", "--dport")), span(some, ":")]
    icmp, option = ("ipv6-icmp -m icmp6", "--icmpv6-type") if six else ("icmp -m icmp", "--icmp-type")
    mask = some.sample(_FLAGS, 2)
    multiport = (
        "-m multiport "
        + some.choice(("", "! "))
        + some.choice(("--dports ", "--ports "))
        + ",".join(str(one) for one in some.sample(_PORTS, 3))
    )
    first, last = sorted((address(some, six), address(some, six)))
    return some.choice((
        [], [f"-m iprange --{some.choice(('src', 'dst'))}-range {first}-{last}"],
        ["-p udp"], ["-p udp -m udp"], ["-p tcp -m tcp"], ["! -p udp"],
        ["-p udp -m udp", *ports], ["-p tcp -m tcp", *ports],
        ["-p", some.choice(("tcp", "udp", "sctp")), multiport],
        ["-p tcp -m tcp", some.choice(("", "!")), "--tcp-flags", ",".join(mask),
         some.choice((mask[0], "NONE", ",".join(mask)))],
        [f"-p {icmp}", some.choice(("", "!")), option, some.choice(("128" if six else "8", "129/1", "3"))],
    ))  # fmt: skip


def nft(some: Random, six: bool) -> str:
    """As nft lists them, in a table of both families."""
    del six
    sets = [
        "set some { type inet_service; flags interval; elements = { 22, 80-443 } }",
        "set pairs { type ipv6_addr . inet_service; elements = { "
        + ", ".join(sorted({f"{address(some, True)} . {some.choice(_PORTS)}" for _ in range(4)})) + " } }",
        "map verdicts { type inet_service : verdict; elements = { 22 : accept, 53 : drop, 443 : jump web } }",
    ]  # fmt: skip
    chains: dict[str, list[str]] = {"forward": [], "web": [], "deep": []}
    for _ in range(_RULES):
        chain = some.choice(("forward", "forward", "web", "deep"))
        words = [nft_match(some) for _ in range(some.randrange(3))]
        if some.random() < 0.15:
            words.append(nft_map(some, chain))
            chains[chain].append(" ".join(words))
            continue
        if some.random() < 0.2:
            words.append("counter packets 1 bytes 2")
        further = {"forward": ("jump web", "goto deep"), "deep": ("jump web",), "web": ("return",)}
        words.append(some.choice(("accept", "drop", "drop", "return", *further[chain])))
        if some.random() < 0.2:
            words.append(f"comment {some.choice(_COMMENTS)}")
        chains[chain].append(" ".join(words))
    base = f"type filter hook forward priority filter; policy {some.choice(('accept', 'drop'))};"
    lines = ["table inet x {", *sets]
    for name in ("web", "deep", "forward"):
        lines += [f"chain {name} {{", *([base] if name == "forward" else []), *chains[name], "}"]
    return "\n".join([*lines, "}", ""])


def nft_map(some: Random, chain: str) -> str:
    to_web = "drop" if chain == "web" else "jump web"
    return some.choice((
        f"udp dport vmap {{ 0-22 : drop, 53 : accept, 443 : {to_web} }}",
        f"meta l4proto vmap {{ tcp : {to_web}, sctp : accept }}",
        f"ip6 saddr . udp dport vmap {{ {address(some, True)} . 53 : accept, 2001:db8:1::9 . 1 : drop }}",
        "tcp dport vmap @verdicts" if chain != "web" else "ip daddr vmap { 10.0.0.0/16 : accept }",
    ))  # fmt: skip


def nft_match(some: Random) -> str:
    six = some.random() < 0.6
    no = some.choice(("", "", "!= "))
    one, other = some.sample(("fin", "syn", "rst", "psh", "ack"), 2)
    return some.choice((
        f"{'ip6' if six else 'ip'} {some.choice(('saddr', 'daddr'))} {no}{prefix(some, six)}",
        f"{'ip6' if six else 'ip'} saddr {no}{{ {address(some, six)}, 2001:db8:9::1 }}"
        if six else f"ip daddr {no}10.1.0.0/16",
        f"meta l4proto {no}{some.choice(('tcp', 'udp', '{ tcp, udp }'))}",
        f"{some.choice(('tcp', 'udp'))} {some.choice(('sport', 'dport'))} {no}{span(some, '-')}",
        f"tcp dport {no}@some", "ip6 daddr . tcp dport @pairs",
        f"meta l4proto . th dport {{ tcp . {some.choice(_PORTS)}, udp . {some.choice(_PORTS)} }}",
        "ip6 saddr 2001:db8::1-2001:db8::2", f"udp dport {some.choice(('<', '>', '<=', '>='))} 80",
        f"tcp flags {some.choice(('', '== ', '!= '))}{one}",
        f"tcp flags & ({one} | {other}) {some.choice(('==', '!='))} {one}",
        f"tcp flags {no}{one} / {one},{other}", f"ip6 nexthdr {no}udp", f"ip protocol {no}udp",
        f"icmpv6 type {no}echo-request", "icmp type { 3, 8 }", f"meta nfproto {some.choice(('ipv4', 'ipv6'))}",
    ))  # fmt: skip


# --- packets


def packet(some: Random, six: bool, number: int, *, fragments: bool) -> bytes:
    """Each another by its flow label or identification; whole behind its IP headers, or a later fragment."""
    protocol = some.choice((_TCP, _TCP, _UDP, _UDP, _UDP, _SCTP, _ICMPV6 if six else _ICMP, _ESP))
    ports = struct.pack("!HH", some.choice(_PORTS), some.choice(_PORTS))
    body = {
        _TCP: ports + bytes(8) + bytes([0x50, some.randrange(64)]) + bytes(6),
        _ICMP: bytes([some.choice((3, 8)), some.randrange(2)]) + bytes(14),
        _ICMPV6: bytes([some.choice((3, 128, 129)), some.randrange(2)]) + bytes(14),
    }.get(protocol, ports + bytes(12))
    later = fragments and some.random() < 0.2
    offset = some.choice((2, 3, 180)) if later else 0
    ends = ip_address(address(some, six)).packed + ip_address(address(some, six)).packed
    if not six:
        fragment = offset | (0x2000 if some.random() < 0.2 else 0)
        return struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(body), number, fragment, 64, protocol, 0) + ends + body
    if later or some.random() < 0.1:
        body = struct.pack("!BBHI", protocol, 0, offset << 3 | some.randrange(2), number) + body
        protocol = _FRAGMENT
    if some.random() < 0.2:
        body = bytes([protocol, 0, 1, 4, 0, 0, 0, 0]) + body
        protocol = some.choice((_OPTIONS, _HOP_BY_HOP))
    return struct.pack("!IHBB", 6 << 28 | number, len(body), protocol, 64) + ends + body


def checksummed(four: bytes) -> bytes:
    total = sum(struct.unpack("!10H", four[:20]))
    total = (total & 0xFFFF) + (total >> 16)
    return four[:10] + struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF) + four[12:]


# --- both


def passes(fabric: Fabric, sid: str, inside: bytes) -> bool:
    """True if the firewall accepts the packet when it arrives at the SID, with another SID behind it."""
    bits = int(IPv6Network(sid).network_address) | 0x0300 << 48
    kind = 41 if inside[0] >> 4 == 6 else 4
    outer = (
        struct.pack("!IHBB", 6 << 28, len(inside), kind, 64)
        + IPv6Address("fcff:1::1").packed
        + IPv6Address(bits).packed
    )
    told = fabric.call("POST", "/srv6/firewalls/rules/trace", {"hex": (outer + inside).hex()}).expect(200)
    assert told.get("dropped") in (None, "malformed"), told
    return bool(told.get("verdict") == "accept" and "dropped" not in told)


_FORMATS: dict[str, tuple[str, list[str], Callable[[Random, bool], str], tuple[bool, ...]]] = {
    "ip6tables": ("ip6tables-save", ["ip6tables-legacy-restore"], iptables, (True,)),
    "iptables": ("iptables-save", ["iptables-legacy-restore"], iptables, (False,)),
    "nft": ("nft", ["nft", "-f", "-"], nft, (True, False)),
}


def imported(fabric: Fabric, peer: Kernel, kind: str, rules: Callable[[], str]) -> tuple[str, Json]:
    """Rules that the kernel takes, and a firewall has room for, and the import's result for them."""
    spelling, command, _, _ = _FORMATS[kind]
    chain = "forward" if kind == "nft" else "FORWARD"
    query = f"format={spelling}&chain={chain}&name=rules&node=nfv&partial=true"
    while True:
        text = rules()
        if kind == "nft" and not peer.takes([*command, "-c"], text):  # such as a rule of both families
            continue
        answer = fabric.rest.call("POST", f"/srv6/firewalls/import?{query}", text.encode(), kind="text/plain")
        if answer.status == 422 and "rows" in str(answer.body):
            continue
        return text, answer.expect(200, 201)


@pytest.mark.parametrize("kind", _FORMATS)
def test_random_rules_judge_as_the_kernel_does(fabric: Fabric, peer: Kernel, kind: str) -> None:
    _, command, rules, families = _FORMATS[kind]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not on PATH: apt-get install iptables nftables")
    seed = int(os.environ.get("SEXTANT_IMPORT_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"SEXTANT_IMPORT_SEED={seed}")
    some = random.Random(seed)
    files = passed = dropped = 0
    while files < _FILES or min(passed, dropped) <= _FILES * _PACKETS // 20:
        assert files < _MOST_FILES, "the packets meet too few rules"
        files += 1
        text, told = imported(fabric, peer, kind, partial(rules, some, families[0]))
        refused = {one["line"] for one in told["refused"]}
        assert len(refused) < _RULES, told["refused"]
        kept = [line for at, line in enumerate(text.splitlines(), 1) if at not in refused]
        packets = [packet(some, some.choice(families), number, fragments=kind != "nft") for number in range(_PACKETS)]
        packets = [one if one[0] >> 4 == 6 else checksummed(one) for one in packets]
        sid = fabric.rest.get("/srv6/firewalls/rules")["sid"]
        of_sets = [line for line in kept if line.startswith(("create ", "add "))]
        if of_sets:
            peer.load(["ipset", "restore"], "\n".join(of_sets) + "\n")
        rest = [line for line in kept if line not in of_sets]
        peer.load(command, ("flush ruleset\n" if kind == "nft" else "") + "\n".join(rest) + "\n")
        came = peer.forwarded(packets)
        for one in packets:
            here = passes(fabric, sid, one)
            lines = "\n".join(kept)
            became = f"{told['refused']}\n{told['firewall']['rules']}"
            assert here == (still(one) in came), f"seed {seed}: here {here}: {one.hex()}\n{became}\n{lines}"
            passed, dropped = passed + here, dropped + (not here)
        if kind == "nft":
            peer.load(command, "flush ruleset\n")
        else:
            peer.load(command, "*filter\n:FORWARD ACCEPT [0:0]\nCOMMIT\n")
            if _HAS_IPSET:
                peer.load(["ipset", "destroy"], "")
