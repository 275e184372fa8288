// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

/**
 * How the egress is told to decapsulate.
 *
 * @param vrf whose table the inner packet is looked up in; 0 is the main table, and only UDT knows others
 */
public record Decap(Marker marker, int vrf) {
    public static final Decap F00D = new Decap(Marker.F00D, 0);
    public static final Decap UDT = new Decap(Marker.UDT, 0);
    public static final Decap NUMBERING = new Decap(Marker.NUMBERING, 0);
    public static final Decap NONE = new Decap(Marker.NONE, 0);

    public Decap {
        if (vrf < 0 || vrf > 0xffff) {
            throw new IllegalArgumentException("vrf " + vrf + " is not within 0 and 65535");
        }
        if (vrf != 0 && marker != Marker.UDT) {
            throw new IllegalArgumentException("only uDT knows other VRFs than 0");
        }
    }

    /** How many uSIDs of the egress end a path: its own, and a local one where that decapsulates. */
    public int usids() {
        return marker == Marker.F00D || marker == Marker.UDT ? 2 : 1;
    }

    /** The ways of the uSID paper, V-A and V-B, and of RFC 9800. */
    public enum Marker {
        /** The well-known uSID 0xf00d behind the egress (0xf004 for IPv4). */
        F00D("f00d"),
        /** A local uSID per VRF behind the egress. */
        UDT("uDT"),
        /** The lowest bits of the egress's own uSID: the /44 numbering. */
        NUMBERING("numbering"),
        /** The hops given end in a SID that decapsulates. */
        NONE("none");

        private final String spelling;

        Marker(String spelling) {
            this.spelling = spelling;
        }

        /** As JSON and CLI write it. */
        public String spelling() {
            return spelling;
        }
    }
}
