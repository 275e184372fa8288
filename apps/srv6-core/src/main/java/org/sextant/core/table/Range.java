// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import org.sextant.core.ip.IpPrefix;

/** The ranges that the contract's widths and conventions leave, as a refusal with the value in it. */
final class Range {
    private Range() {}

    static void require(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " " + value + " is not within " + min + " to " + max);
        }
    }

    static void vrf(int vrf) {
        require("VRF", vrf, 0, 0xffff);
    }

    static void nextHop(int id) {
        require("next hop id", id, 1, 0xffff);
    }

    /** 511 is the port where v1model drops. */
    static void port(int port) {
        require("port", port, 1, 510);
    }

    static void ipv6(IpPrefix prefix) {
        if (!prefix.isIpv6()) {
            throw new IllegalArgumentException(prefix + " is not IPv6");
        }
    }

    static void path(int path) {
        require("path", path, 1, 15);
    }

    /** The parameters of GTP-U: the type of its PDU Session Container, when there is one, and the UDP source port. */
    static void gtp(int pduType, int container, int udpSource) {
        require("PDU type", pduType, 0, 1);
        require("container", container, 0, 2);
        require("UDP source port", udpSource, 0, 0xffff);
    }

    /** The place of something that is written into an address, in bits; 0 is not written. */
    static void place(String what, int at, int bits) {
        require(what, at, 0, 128 - bits);
    }

    /** A SID's block and the uSIDs of it that this node matches, in bits. */
    static void lengths(int blockLength, int csidLength) {
        require("block length", blockLength, 1, 127);
        require("uSID length", csidLength, 1, 128 - blockLength);
    }
}
