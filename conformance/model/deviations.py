# SPDX-License-Identifier: Apache-2.0
"""How data planes are known to deviate from the RFCs. docs/reference/conformance.md calls them by these names."""

from enum import Enum


class Deviation(Enum):
    """How a data plane is known to differ, as docs/reference/conformance.md calls it."""

    # bmv2 and Linux
    ONE_HOP = "a node costs one hop"
    NO_DESTINATION_OPTIONS = "destination options are not processed at a SID"
    # bmv2
    ANY_MAC = "frames to another node are forwarded"
    NO_OPTIONS = "hop-by-hop options are not processed at a SID"
    NO_IPV4_OPTIONS = "IPv4 options are not looked at"
    STEERING_FIRST = "steering stands before routes"
    NOT_STEERED_AGAIN = "what this node has pushed or moved on is not steered"
    SOURCE_AT_END = "sources are checked where a packet ends, too"
    EXTENSIONS = "six extension headers"
    PASSES = "32 passes"
    # Linux
    OPTIONS_ON_THE_WAY = "hop-by-hop options are processed on the way"
    INNER_STAYS = "the inner hop limit stays"
    TTL_ENTERS = "TTL 0 and 1 enter a policy behind a SID"
    SOURCES_ENTER = "link-local sources enter a policy behind a SID"
    OUTER_OF_IPV4 = "traffic class 0 and flow label 0 around IPv4"
    NO_LABEL = "flow label 0 around flow label 0"
    LATE_EXPIRY = "hop limits expire only where a packet leaves"
    FIRST_ROUTING_HEADER = "a decapsulation looks at the first routing header only"
    TLVS = "TLVs are validated"
    INNER_UNCHECKED = "inner packets are not checked"
    FIRST_FRAGMENTS = "first fragments are read"
    ANY_ORDER = "hop-by-hop and authentication headers are stepped over"
    PSP_FIRST = "End with PSP does not get at every SRH"
    JUMBO = "Payload Length 0 before hop-by-hop options is none"
    MARTIANS = "network 0 and class E are forwarded"
    LINK_LOCAL_V4 = "link-local IPv4 sources are forwarded"
    END_OF_OPTIONS = "what stands behind the end of IPv4 options becomes 0"
    NESTED = "nine tunnels within a node"
    FIREWALLS_FIRST = "firewalls stand before the node"


_BMV2_AND_LINUX = {Deviation.ONE_HOP, Deviation.NO_DESTINATION_OPTIONS}
_BMV2 = {
    Deviation.ANY_MAC, Deviation.NO_OPTIONS, Deviation.NO_IPV4_OPTIONS, Deviation.STEERING_FIRST,
    Deviation.NOT_STEERED_AGAIN, Deviation.SOURCE_AT_END, Deviation.EXTENSIONS, Deviation.PASSES,
}  # fmt: skip
DEVIATIONS = {
    "bmv2": frozenset(_BMV2_AND_LINUX | _BMV2),
    "linux": frozenset(set(Deviation) - _BMV2),
}
