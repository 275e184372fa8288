# SPDX-License-Identifier: Apache-2.0
"""A packet's fields for a firewall (SERA), and the row that judges it (docs/reference/firewall-node.md).

Written from the contract's words on the table `firewall`, over bytes; where verdicts lead is in sera.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_network

from nodes.oracle import Row
from nodes.p4runtime import Action, Value

from .headers import AH, FRAGMENT, HOP_BY_HOP, IPV4, IPV6, OPTIONS, ROUTING, SRH_TYPE
from .packet import IPV6_BYTES, Discarded, Packet, word
from .sera import ADDRESS_BITS, VERDICTS, Format, moved

PORTS, ICMP_TYPE, SRH, PREVIOUS, NEXT = 1, 2, 4, 8, 16
_EXTENSIONS = (HOP_BY_HOP, ROUTING, FRAGMENT, OPTIONS, AH)
_MOST_EXTENSIONS = 8
_TCP, _WITH_PORTS, _ICMP = 6, (6, 17, 33, 132, 136), (1, 58)
_FLAGS_AT = 13
_MAPPED = 0xFFFF << 32


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise Discarded(f"firewall, malformed: {what}")


@dataclass
class _Walk:
    """Over extension headers. `upper` stands behind them, at `at`; `offset` is a later fragment's, in 8 bytes."""

    upper: int = 0
    at: int = 0
    srh_at: int = 0
    offset: int = 0


def _walk(data: bytes, kind: int, at: int, *, inside: bool) -> _Walk:
    walk = _Walk(kind, at)
    count = 0
    while walk.upper in _EXTENSIONS and not walk.offset:
        count += 1
        kind, at = walk.upper, walk.at
        _check(count <= _MOST_EXTENSIONS and at + 8 <= len(data), "headers")
        if kind == FRAGMENT:
            offset, more = word(data, at + 2) >> 3, data[at + 3] & 1
            _check(inside or not offset and not more, "a piece")
            walk.offset = offset
        if kind == ROUTING and not inside:
            is_srh = data[at + 2] == SRH_TYPE
            _check(is_srh or not data[at + 3], "another routing type")
            walk.srh_at = walk.srh_at or (at if is_srh else 0)
        size = {FRAGMENT: 8, AH: 4 * (data[at + 1] + 2)}.get(kind, 8 * (data[at + 1] + 1))
        walk.upper, walk.at = data[at], at + size
        _check(walk.at <= len(data), "a header longer than the packet")
    return walk


@dataclass
class Facts:
    """The key of a packet, by the names of P4Info; and the list of its SRH."""

    values: dict[str, int] = field(default_factory=lambda: {"has": 0})
    srh_at: int = 0
    left: int = 0
    segments: list[int] = field(default_factory=list)

    def _has(self, bit: int) -> None:
        self.values["has"] |= bit

    @classmethod
    def of(cls, data: bytes, form: Format) -> "Facts":
        facts, destination = cls(), int.from_bytes(data[24:40], "big")
        data = data[: IPV6_BYTES + word(data, 4)]  # also where others read on (Deviation.JUMBO)
        walk = _walk(data, data[6], IPV6_BYTES, inside=False)
        if walk.srh_at:
            facts._read_srh(data, walk.srh_at)
        source = int.from_bytes(data[8:24], "big")
        target = facts.segments[0] if facts.left else destination
        facts.values |= {
            "ip_version": 6, "src": source, "dst": target, "ip_protocol": walk.upper, "outer_src": source,
            "last_sid": facts.segments[0] if facts.srh_at else destination, "args": _arguments(destination, form),
        }  # fmt: skip
        following = moved(form, "go_next", destination, facts.left, facts.segments)
        if following:
            facts.values["next_sid"] = following[0]
            facts._has(NEXT)
        if walk.upper == IPV6:
            facts._read_ipv6(data[walk.at :])
        elif walk.upper == IPV4:
            facts._read_ipv4(data[walk.at :])
        else:
            facts._read_upper(data[walk.at :])
        return facts

    def _read_srh(self, data: bytes, at: int) -> None:
        next_header, units, _, self.left, last, flags = data[at : at + 6]
        _check(2 * (last + 1) <= units and self.left <= last + 1, "a list that contradicts itself")
        self.srh_at = at
        self.segments = [int.from_bytes(data[at + 8 + 16 * n : at + 24 + 16 * n], "big") for n in range(last + 1)]
        self.values |= {
            "srh_next_hdr": next_header, "srh_hdr_len": units, "segments_left": self.left, "last_entry": last,
            "srh_flags": flags, "srh_tag": word(data, at + 6),
        }  # fmt: skip
        self._has(SRH)
        if self.left < last:
            self.values["previous_sid"] = self.segments[self.left + 1]
            self._has(PREVIOUS)

    def _read_ipv6(self, data: bytes) -> None:
        _check(len(data) >= IPV6_BYTES and data[0] >> 4 == 6, "no IPv6 inside")
        end = IPV6_BYTES + word(data, 4)
        _check(end <= len(data), "a torn packet")
        self.values |= {"src": int.from_bytes(data[8:24], "big"), "dst": int.from_bytes(data[24:40], "big")}
        walk = _walk(data[:end], data[6], IPV6_BYTES, inside=True)
        self.values["ip_protocol"] = walk.upper
        self._read_fragment(data[walk.at : end], walk.offset)

    def _read_ipv4(self, data: bytes) -> None:
        _check(len(data) >= 20 and data[0] >> 4 == 4, "no IPv4 inside")
        header, end = 4 * (data[0] & 0xF), word(data, 2)
        _check(20 <= header <= end <= len(data), "a torn packet")
        self.values |= {
            "ip_version": 4, "ip_protocol": data[9], "src": _MAPPED | int.from_bytes(data[12:16], "big"),
            "dst": _MAPPED | int.from_bytes(data[16:20], "big"),
        }  # fmt: skip
        self._read_fragment(data[header:end], word(data, 6) & 0x1FFF)

    def _read_fragment(self, data: bytes, offset: int) -> None:
        # RFC 3128, 2.1: a receiver that lets it overwrite the first fragment takes the flags of TCP from here.
        _check(self.values["ip_protocol"] != _TCP or offset != 1, "TCP behind 8 bytes")
        if offset == 0:
            self._read_upper(data)

    def _read_upper(self, data: bytes) -> None:
        protocol = self.values["ip_protocol"]
        # RFC 1858, 3; RFC 7112, 5: cut before the fields of rules.
        if protocol in _ICMP:
            _check(len(data) >= 2, "no type")
            self.values |= {"icmp_type": data[0], "icmp_code": data[1]}
            self._has(ICMP_TYPE)
        if protocol in _WITH_PORTS:
            _check(len(data) >= (_FLAGS_AT + 1 if protocol == _TCP else 4), "no ports or flags")
            self.values |= {"src_port": word(data, 0), "dst_port": word(data, 2)}
            self.values["tcp_flags"] = data[_FLAGS_AT] if protocol == _TCP else 0
            self._has(PORTS)


def _arguments(destination: int, form: Format) -> int:
    behind = ADDRESS_BITS - form.block - form.csid if form.usid else 0
    return destination >> behind & (1 << form.args) - 1


def format_of(sid: Mapping[str, Value]) -> Format:
    """By the parameters of the SID's row."""
    names = ("block_length", "csid_length", "usid_length", "args_length", "local_start")
    return Format(*(int(sid[name]) for name in names))


def verdict(facts: Facts, rules: int, rows: Sequence[Row]) -> str:
    """The verdict of the row of the highest priority. Raises Discarded for a drop."""
    own = [row for row in rows if row.match["firewall"] == rules and _takes(row, facts.values)]
    if not own:
        raise Discarded("firewall: no rule")
    action = max(own, key=lambda row: row.priority).action
    name = action.name.removeprefix("fw_") if isinstance(action, Action) else ""
    if name == "eval_args":
        args = facts.values["args"]
        name = VERDICTS[args] if args < len(VERDICTS) else "drop"
    if name == "drop":
        raise Discarded("firewall: a rule, or arguments that say nothing")
    return name


def moved_on(packet: Packet, facts: Facts, form: Format, way: str) -> Packet:
    """The packet where a verdict sends it. Raises Discarded if that is nowhere."""
    after = moved(form, way, int.from_bytes(packet.destination, "big"), facts.left, facts.segments)
    if after is None:
        raise Discarded("firewall: unable")
    packet = packet.with_destination(after[0].to_bytes(16, "big"))
    return packet.with_bytes(facts.srh_at + 3, bytes([after[1]])) if facts.srh_at else packet


def _takes(row: Row, values: Mapping[str, int]) -> bool:
    return all(_holds(wanted, values.get(name, 0)) for name, wanted in row.match.items() if name != "firewall")


def _holds(wanted: Value, value: int) -> bool:
    """A match as Client.entry() writes it."""
    text = str(wanted)
    if "/" in text:
        network = ip_network(text)
        return value & int(network.netmask) == int(network.network_address)
    if "&" in text:
        number, mask = map(int, text.split("&"))
        return value & mask == number
    low, _, high = text.partition("-")
    return int(low) <= value <= int(high or low)
