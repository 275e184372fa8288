// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

/**
 * The decapsulation at the egress.
 *
 * @param vrf the VRF of the lookup of the inner packet; 0 is the main table; other tables require UDT
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

    /** The number of the egress's uSIDs at the end of a path: its own, and a local one if that decapsulates. */
    public int usids() {
        return marker == Marker.F00D || marker == Marker.UDT ? 2 : 1;
    }

    /** The markers of decapsulation in the uSID paper, V-A and V-B, and in RFC 9800. */
    public enum Marker {
        /** The well-known uSID 0xf00d behind the egress's uSID (0xf004 for IPv4). */
        F00D("f00d"),
        /** A local uSID per VRF behind the egress's uSID. */
        UDT("uDT"),
        /** The lowest bits of the egress's own uSID: the /44 numbering. */
        NUMBERING("numbering"),
        /** None: the given hops end in a SID that decapsulates. */
        NONE("none");

        private final String spelling;

        Marker(String spelling) {
            this.spelling = spelling;
        }

        /** The spelling in JSON and CLI. */
        public String spelling() {
            return spelling;
        }
    }
}
