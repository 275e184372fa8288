# SPDX-License-Identifier: Apache-2.0
"""Packets beyond those that are written by hand: valid ones of every shape, and their mutations.

The same seed gives the same packets. Sources are behind port 3, where nothing else leads: a packet that comes out there
is an ICMP error. Every payload ends with the packet's number, so that no two packets are alike.
"""

from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address
from random import Random

from nodes.bench import Bench
from nodes.p4runtime import Action, Value
from nodes.wire import Frame

from .headers import AH, FRAGMENT, HOP_BY_HOP, IPV4, IPV6, OPTIONS, ROUTING, SRH_TYPE

IN_PORT, ERRORS_PORT = 1, 3
_UDP, _TCP, _NONE = 17, 6, 59
_OTHER_NODES = [f"fcbb:bbbb:{n}00:{n}01:f00d::" for n in range(2, 8)]
_UN, _UN_48 = "fcbb:bbbb:100:", "fdaa:1:2:100:"
_OWN = [
    "fcbb:bbbb:100::", "fcbb:bbbb:100:200:300::", "fcbb:bbbb:100:100:100:200::", "fcbb:bbbb:100:f00d::",
    "fcbb:bbbb:100:f004::", "fcbb:bbbb:100:100:f00d::", "fcbb:bbbb:100:100:f004::", "fcbb:bbbb:100:0:0:0:0:1",
    "fcbb:bbbb:100:e002:700::", "fcbb:bbbb:100:e002::", "fcbb:bbbb:e003:700::", "fcbb:bbbb:e003::",
    "fdaa:1:2:100::", "fdaa:1:2:100:200::", "fdaa:1:2:100:100:300::", "fcbb:bbbb:1:e::", "fcbb:bbbb:1:d::",
    "fcbb:bbbb:1:a::", "fcbb:bbbb:1:b::", "fcbb:bbbb:1:6::", "fcbb:bbbb:1:66::", "fcbb:bbbb:1:44::", "fcbb:bbbb:1:46::",
    "fcbb:bbbb:100:8::", "fcbb:bbbb:100:100:8::",
]  # fmt: skip
_HOSTS_V6 = ["2001:db8:2::2", "2001:db8:4::2", "2001:db8:5::2"]
_STEERED_V6 = [f"2001:db8:{n:x}::9" for n in range(0x11, 0x18)]
_HOSTS_V4 = ["10.2.0.2", "10.4.0.2"]
_STEERED_V4 = [f"10.{n}.0.9" for n in range(11, 15)]
_STRANGE_V6 = ["::", "::1", "fe80::9", "ff02::1", "ff0e::7", "::ffff:10.3.0.3", "2001:db8:dead::1", "fcbb:bbbb:8::"]
_STRANGE_V4 = [
    "0.0.0.0",
    "0.1.2.3",
    "127.0.0.1",
    "224.0.0.5",
    "240.1.2.3",
    "255.255.255.255",
    "192.0.2.77",
    "169.254.77.9",
]


def program(bench: Bench) -> None:
    """The tables of the node: every behavior and a policy of every kind; those that it lacks are left out."""
    bench.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    bench.my_sid("fdaa:1:2:100::/64", "un", block_length=48, csid_length=16)
    bench.my_sid("fcbb:bbbb:100:e002::/64", "ua", block_length=32, csid_length=32, next_hop=4)
    bench.my_sid("fcbb:bbbb:e003::/48", "ua", block_length=32, csid_length=16, next_hop=4)
    bench.my_sid("fcbb:bbbb:100:f00d::/64", "udt6", vrf=0)
    bench.my_sid("fcbb:bbbb:100:f004::/64", "udt4", vrf=0)
    for sid, action, parameters in (
        ("e", "end", {}), ("d", "end_psp", {}), ("a", "end_x", {"next_hop": 4}), ("6", "udt6", {"vrf": 7}),
        ("66", "udx6", {"next_hop": 4}), ("44", "udx4", {"next_hop": 4}), ("46", "udt46", {"vrf": 0}),
        ("b", "b6_encaps_red", {"sid_list": 7}),
    ):  # fmt: skip
        if bench.client.offers(action):
            if action == "b6_encaps_red":
                bench.sid_list(7, (1, _OTHER_NODES[:2]))
            bench.my_sid(f"fcbb:bbbb:1:{sid}::/128", action, **parameters)
    lists: list[list[str]] = [
        _OTHER_NODES[:1],
        _OTHER_NODES[:3],
        _OTHER_NODES[:6],
        ["fcbb:bbbb:100:200:f00d::"],  # this node is the first segment
        ["fcbb:bbbb:100:e002:700::", "fcbb:bbbb:300:f00d::"],  # a link of this node
        ["fcbb:bbbb:100:f00d::"],  # the policy ends here
        ["fcbb:bbbb:1:e::", "fcbb:bbbb:100:100:f00d::"],  # the same, on a longer way
    ]
    for number, (destination, segments) in enumerate(zip(_STEERED_V6, lists, strict=True), 1):
        action = "h_encaps" if number % 2 else "h_encaps_red"
        bench.steer(_prefix(destination, 48), action, (1, segments), sid_list=100 + number)
    for number, (destination, segments) in enumerate(zip(_STEERED_V4, lists[:4], strict=True), 1):
        bench.steer(_prefix(destination, 16), "h_encaps_red", (1, segments), sid_list=200 + number)
    bench.steer("fcbb:bbbb:7::/48", "h_encaps_red", (1, _OTHER_NODES[:1]), sid_list=300)  # packets that travel
    for table, prefix, next_hop in (
        ("route_v6", "2001:db8:4::/48", 4), ("route_v6", "fdaa:1:2::/48", 2), ("route_v4", "10.4.0.0/16", 4),
        ("route_v6", "2001:db8:3::/48", ERRORS_PORT), ("route_v4", "10.3.0.0/16", ERRORS_PORT),
        ("route_v6", "2001:db8:11:0:1::/80", 4),
    ):  # fmt: skip
        bench.route(table, prefix, next_hop)
    bench.route("route_v6", "2001:db8:5::/48", 4, vrf=7)


# SIDs of a firewall in every format, in front of programs that meet this node again, or do not.
FIREWALLS = [
    f"fcbb:bbbb:100:f23{args:x}{rest}"
    for args in range(4)
    for rest in ("::", ":200:300::", ":200:e002:300:f00d", ":100:f00d::", ":100:200::", ":e003:700:100:f004", ":0:3::")
] + [f"fdaa:9::f1:{args}" for args in range(4)]  # fmt: skip
_RULES, _CLASSIC_RULES = 3 << 24 | 1, 4 << 24 | 1


def guard(bench: Bench) -> None:
    """The rules of two firewalls, of containers and of classic SIDs: every field, and verdicts of every kind."""
    for sid, rules, lengths in (
        ("fcbb:bbbb:100:f230::/60", _RULES, (32, 32, 16, 4, 0xE000)),
        ("fdaa:9::f1:0/112", _CLASSIC_RULES, (64, 0, 0, 16, 0)),
    ):  # fmt: skip
        names = ("block_length", "csid_length", "usid_length", "args_length", "local_start")
        lengths_of: dict[str, Value] = dict(zip(names, lengths, strict=True))
        bench.my_sid(sid, "sera", firewall=rules, instance=rules >> 24, **lengths_of)
        for priority, (verdict, match) in enumerate(reversed(_RULES_OF_ALL), 1):
            bench.insert(
                "firewall", {"firewall": rules, **match}, Action(f"fw_{verdict}", {"log": 0}), priority=priority
            )


_RULES_OF_ALL: list[tuple[str, dict[str, Value]]] = [
    ("drop", {"has": "1&1", "src_port": "0-4095"}),
    ("drop", {"has": "1&1", "ip_protocol": 6, "tcp_flags": "4&4"}),
    ("go_last", {"ip_version": 4, "has": "2&2", "icmp_type": 128}),
    ("go_next", {"has": "2&2", "icmp_code": "0&255", "src": "2001:db8:3::/65"}),
    ("skip_next", {"has": "4&4", "segments_left": "2-255", "last_entry": "1-3"}),
    ("go_last", {"has": "12&12", "previous_sid": "fcbb:bbbb:100::/48"}),
    ("skip_next", {"has": "16&16", "next_sid": "fcbb:bbbb:200::/48"}),
    ("go_next", {"last_sid": "fcbb:bbbb:100::/48", "outer_src": "2001:db8:3::/126"}),
    ("drop", {"has": "4&4", "srh_hdr_len": "3-3", "srh_flags": "0&255"}),
    ("go_last", {"dst": "::ffff:10.2.0.0/112", "has": "0&4"}),
    ("go_next", {"ip_protocol": 132}),
    ("drop", {"ip_protocol": 255}),
    ("eval_args", {}),
]


def _prefix(address: str, length: int) -> str:
    width = 8 * len(ip_address(address).packed)
    bits = int(ip_address(address)) >> (width - length) << (width - length)
    return f"{type(ip_address(address))(bits)}/{length}"


class Wild:
    """A stream of packets, by a seed; to the node's SIDs, most of them to those of `most` if there are any."""

    def __init__(self, bench: Bench, seed: int, most: Sequence[str] = ()) -> None:
        self._random = Random(seed)
        self._own = _OWN + list(most) * 4
        self._number = seed << 32
        port = bench.target.ports[IN_PORT]
        self._macs = bytes.fromhex(f"{port.mac}{port.neighbor_mac}".replace(":", ""))

    def frames(self, count: int) -> Iterator[Frame]:
        for _ in range(count):
            yield self._frame()

    def _frame(self) -> Frame:
        random = self._random
        shape = random.choices((self._user, self._travelling, self._twice_encapsulated), (3, 7, 1))[0]
        packet = shape()
        for _ in range(random.choices((0, 1, 2, 3), (8, 6, 2, 1))[0]):
            packet = self._mutated(packet)
        ether_type = b"\x08\x00" if packet[:1] and packet[0] >> 4 == 4 else b"\x86\xdd"
        return Frame(IN_PORT, (self._macs + ether_type + packet).ljust(60, b"\0"))

    # --- valid packets

    def _user(self) -> bytes:
        if self._random.random() < 0.4:
            return self._ipv4(self._random.choice(_HOSTS_V4 + _STEERED_V4))
        destination = self._random.choice(_HOSTS_V6 + _STEERED_V6 * 2)
        if destination == _STEERED_V6[0] and self._random.random() < 0.3:
            destination = "2001:db8:11:0:1::9"
        kind, headers, payload = self._extended(self._upper())
        return self._ipv6(destination, kind, headers + payload)

    def _inside(self) -> bytes:
        """The payload of a tunnel: mostly to a host that has a route, sometimes steered again, or to another SID."""
        if self._random.random() < 0.35:
            return self._ipv4(self._random.choice(_HOSTS_V4 * 3 + _STEERED_V4))
        choices = _HOSTS_V6 * 6 + _STEERED_V6 * 2 + [self._random.choice(self._own)]
        return self._ipv6(self._random.choice(choices), *self._upper())

    def _travelling(self, inner: bytes | None = None) -> bytes:
        random = self._random
        inner = inner or self._inside()
        destination = random.choice(self._own * 3 + _OTHER_NODES[:1] + ["fcbb:bbbb:7:7::"])
        kind, headers = (IPV4 if inner[0] >> 4 == 4 else IPV6), b""
        if random.random() < 0.1:
            kind, inner = self._upper()
        kind, headers, inner = self._extended((kind, inner))
        return self._ipv6(destination, kind, headers + inner)

    def _twice_encapsulated(self) -> bytes:
        return self._travelling(self._travelling())

    def _ipv6(self, destination: str, kind: int, payload: bytes) -> bytes:
        random = self._random
        label = random.choice((0, 1, random.getrandbits(20)))
        head = (6 << 28 | random.choice((0, 0xBA)) << 20 | label).to_bytes(4, "big")
        head += (len(payload) & 0xFFFF).to_bytes(2, "big") + bytes([kind, self._hop_limit()])
        source = f"2001:db8:3::{random.randrange(2, 9)}"
        return head + ip_address(source).packed + ip_address(destination).packed + payload

    def _ipv4(self, destination: str) -> bytes:
        random = self._random
        options = random.choice((b"",) * 6 + (b"\x01" * 4, b"\x94\x04\x00\x00", b"\x9e\x03\x07\x00", bytes(40)))
        protocol, payload = self._upper()
        fragment = random.choice((0,) * 5 + (0x4000, 0x2000, 0x2005, 5))
        length = 20 + len(options) + len(payload)
        head = bytes([0x40 | 5 + len(options) // 4, random.choice((0, 0xBA))]) + length.to_bytes(2, "big")
        head += random.randbytes(2) + fragment.to_bytes(2, "big") + bytes([self._hop_limit(), protocol, 0, 0])
        head += ip_address(f"10.3.0.{random.randrange(2, 9)}").packed + ip_address(destination).packed + options
        return with_checksum(head) + payload

    def _hop_limit(self) -> int:
        return self._random.choice((64,) * 8 + (255, 3, 2, 1, 0))

    def _upper(self) -> tuple[int, bytes]:
        """An upper layer: its number and its bytes."""
        self._number += 1
        random, tail = self._random, self._number.to_bytes(8, "big")
        protocol = random.choice((_UDP,) * 4 + (_TCP, 58, _NONE, 132, 255))
        body = b"\x80\x00" + bytes(6) if protocol == 58 else random.randbytes(random.choice((0, 4, 8, 20, 60)))
        return protocol, body + tail

    # --- extension headers

    def _extended(self, payload: tuple[int, bytes]) -> tuple[int, bytes, bytes]:
        """Extension headers in front of a payload: the kind of the first, all of them, and the payload."""
        random = self._random
        chain: list[Callable[[int], tuple[int, bytes]]] = []
        if random.random() < 0.6:
            chain.append(self._srh)
        if random.random() < 0.35:
            others = (self._options, self._ended_routing, self._whole_fragment, self._srh)
            for _ in range(random.choice((1, 1, 1, 2, 3, 7))):
                chain.insert(random.randrange(len(chain) + 1), random.choices(others, (4, 3, 2, 2))[0])
        if random.random() < 0.06:
            chain.append(self._fragment)
        if random.random() < 0.1:
            chain.insert(0, self._hop_by_hop)
        kind, inner = payload
        headers = b""
        for build in reversed(chain):
            kind, header = build(kind)
            headers = header + headers
        return kind, headers, inner

    def _srh(self, next_header: int) -> tuple[int, bytes]:
        random = self._random
        count = random.choice((1, 1, 2, 2, 3, 6))
        segments = [random.choice(self._own + _OTHER_NODES) for _ in range(count)]
        left = random.choice((0, 1, random.randrange(count + 1)))
        return ROUTING, self._routing(next_header, SRH_TYPE, left, segments, self._tlvs())

    def _ended_routing(self, next_header: int) -> tuple[int, bytes]:
        """A routing header of any type without segments left; its other fields mean nothing."""
        kind = self._random.choice((0, 2, 3, SRH_TYPE, SRH_TYPE, 253))
        last_entry = self._random.choice((None, 0, 7, 255))
        return ROUTING, self._routing(next_header, kind, 0, [self._random.choice(self._own)], b"", last_entry)

    @staticmethod
    def _routing(
        next_header: int, kind: int, left: int, segments: Sequence[str], tlvs: bytes, last_entry: int | None = None
    ) -> bytes:
        last = len(segments) - 1 if last_entry is None else last_entry
        fixed = bytes([next_header, 2 * len(segments) + len(tlvs) // 8, kind, left, last, 0, 0, 0])
        return fixed + b"".join(ip_address(segment).packed for segment in segments) + tlvs

    def _tlvs(self) -> bytes:
        random = self._random
        pad_n, opaque = bytes([4, 6, 0, 0, 0, 0, 0, 0]), bytes([124, 14]) + random.randbytes(14)
        pad_1 = bytes([124, 5]) + random.randbytes(5) + b"\0"
        return random.choice((b"",) * 6 + (pad_n, opaque, opaque + pad_n, pad_1))

    def _options(self, next_header: int) -> tuple[int, bytes]:
        return OPTIONS, self._tlvs_of_options(next_header)

    def _hop_by_hop(self, next_header: int) -> tuple[int, bytes]:
        return HOP_BY_HOP, self._tlvs_of_options(next_header)

    def _tlvs_of_options(self, next_header: int) -> bytes:
        random = self._random
        known = (bytes(6), b"\x01\x04" + bytes(4), b"\x1e\x04" + random.randbytes(4))
        strange = (b"\x9e\x04" + bytes(4), b"\x5e\x04" + bytes(4), b"\x01\x04\x00\x07\x00\x00")
        option = random.choice(known * 4 + strange)
        more = random.choice((b"",) * 4 + (b"\x1e\x06" + random.randbytes(6), bytes([0x1E, 22]) + bytes(22)))
        return bytes([next_header, len(more) // 8]) + option + more

    def _whole_fragment(self, next_header: int) -> tuple[int, bytes]:
        return FRAGMENT, bytes([next_header, self._random.choice((0, 0, 9))]) + bytes(2) + self._random.randbytes(4)

    def _fragment(self, next_header: int) -> tuple[int, bytes]:
        place = self._random.choice((1, 0x41, 0x40))
        return FRAGMENT, bytes([next_header, 0]) + place.to_bytes(2, "big") + self._random.randbytes(4)

    # --- mutations

    def _mutated(self, packet: bytes) -> bytes:
        return self._random.choice((
            self._flipped, self._flipped, self._longer, self._shorter, self._other_length, self._other_length,
            self._other_byte, self._other_byte, self._other_byte, self._other_address, self._other_version,
            self._other_next_header, self._other_hop_limit,
        ))(packet)  # fmt: skip

    def _flipped(self, packet: bytes) -> bytes:
        """One bit, mostly of the headers."""
        at = self._random.randrange(min(len(packet), self._random.choice((8, 60, 120))))
        return _with(packet, at, bytes([packet[at] ^ 1 << self._random.randrange(8)]))

    def _longer(self, packet: bytes) -> bytes:
        """Padding of the link that looks like a packet."""
        return packet + self._random.choice((bytes(8), self._inside()))

    def _shorter(self, packet: bytes) -> bytes:
        return packet[: self._random.randrange(20, len(packet) + 1)]

    def _other_length(self, packet: bytes) -> bytes:
        """Payload Length or Total Length: a little more or less, or anything."""
        at = 2 if packet[0] >> 4 == 4 else 4
        length = int.from_bytes(packet[at : at + 2], "big")
        change = self._random.choice((-length, -1, 1, -8, 8, -40, -self._random.randrange(length + 1), 0x7000))
        return self._checksummed(_with(packet, at, (length + change & 0xFFFF).to_bytes(2, "big")))

    def _other_byte(self, packet: bytes) -> bytes:
        """A byte behind the first header: lengths, Segments Left, Last Entry and kinds are there."""
        if len(packet) <= 40:
            return packet
        at = self._random.randrange(40, min(len(packet), self._random.choice((48, 56, 120)) + 1))
        kinds = (IPV4, IPV6, ROUTING, FRAGMENT, AH, OPTIONS, _NONE)
        value = self._random.choice((0, 1, 2, 3, SRH_TYPE, 127, 128, 255, *kinds))
        return _with(packet, at, bytes([value]))

    def _other_address(self, packet: bytes) -> bytes:
        source = self._random.random() < 0.5
        if packet[0] >> 4 == 4:
            strange = ip_address(self._random.choice(_STRANGE_V4)).packed
            return self._checksummed(_with(packet, 12 if source else 16, strange))
        return _with(packet, 8 if source else 24, ip_address(self._random.choice(_STRANGE_V6)).packed)

    def _other_version(self, packet: bytes) -> bytes:
        return bytes([packet[0] & 0xF | self._random.randrange(16) << 4]) + packet[1:]

    def _other_next_header(self, packet: bytes) -> bytes:
        kind = self._random.choice((HOP_BY_HOP, IPV4, IPV6, ROUTING, FRAGMENT, AH, OPTIONS, _NONE, _UDP))
        return self._checksummed(_with(packet, 9 if packet[0] >> 4 == 4 else 6, bytes([kind])))

    def _other_hop_limit(self, packet: bytes) -> bytes:
        hop_limit = bytes([self._random.choice((0, 1, 2))])
        return self._checksummed(_with(packet, 8 if packet[0] >> 4 == 4 else 7, hop_limit))

    def _checksummed(self, packet: bytes) -> bytes:
        """An IPv4 header that is right again, mostly."""
        if packet[0] >> 4 != 4 or self._random.random() < 0.1:
            return packet
        length = max(20, 4 * (packet[0] & 0xF))
        return with_checksum(_with(packet[:length], 10, b"\0\0")) + packet[length:]


def with_checksum(header: bytes) -> bytes:
    """An IPv4 header whose checksum field was 0 (RFC 1071)."""
    total = sum(int.from_bytes(header[at : at + 2].ljust(2, b"\0"), "big") for at in range(0, len(header), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return _with(header, 10, (0xFFFF ^ total).to_bytes(2, "big"))


def _with(packet: bytes, at: int, value: bytes) -> bytes:
    """The packet with other bytes; as long as it was."""
    return (packet[:at] + value + packet[at + len(value) :])[: len(packet)]
