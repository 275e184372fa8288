// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

/** An endpoint behavior with its arguments. Lengths are in bits. */
public sealed interface Behavior {

    /** The my_sid action of the contract, as P4Info spells it. */
    String action();

    /** End with NEXT-CSID: shift by {@code csidLength} while the argument is not zero (RFC 9800, 4.1.1). */
    record Un(int blockLength, int csidLength) implements Behavior {
        @Override
        public String action() {
            return "un";
        }
    }

    /** End.X with NEXT-CSID (RFC 9800, 4.1.2); {@code csidLength} counts node and function where they are fused. */
    record Ua(int blockLength, int csidLength, int nextHop) implements Behavior {
        @Override
        public String action() {
            return "ua";
        }
    }

    /** RFC 8986, 4.1; with {@code psp} the flavor of 4.16.1. */
    record End(boolean psp) implements Behavior {
        @Override
        public String action() {
            return psp ? "end_psp" : "end";
        }
    }

    /** RFC 8986, 4.2. */
    record EndX(int nextHop) implements Behavior {
        @Override
        public String action() {
            return "end_x";
        }
    }

    /** Decapsulate and look the inner packet up in a VRF (RFC 8986, 4.6 to 4.8). */
    record Udt(Family family, int vrf) implements Behavior {
        @Override
        public String action() {
            return "udt" + family.suffix;
        }
    }

    /** Decapsulate and cross-connect to an adjacency (RFC 8986, 4.4 and 4.5); {@code family} is not BOTH. */
    record Udx(Family family, int nextHop) implements Behavior {
        public Udx {
            if (family == Family.BOTH) {
                throw new IllegalArgumentException("a cross-connect carries one address family");
            }
        }

        @Override
        public String action() {
            return "udx" + family.suffix;
        }
    }

    /** Binding SID (RFC 8986, 4.14). */
    record B6EncapsRed(int sidList) implements Behavior {
        @Override
        public String action() {
            return "b6_encaps_red";
        }
    }

    /** What a decapsulating behavior accepts inside. */
    enum Family {
        IPV6("6"),
        IPV4("4"),
        BOTH("46");

        private final String suffix;

        Family(String suffix) {
            this.suffix = suffix;
        }
    }
}
