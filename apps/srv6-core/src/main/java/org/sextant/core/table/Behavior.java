// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import org.sextant.contract.Actions;

/** An endpoint behavior with its arguments. Lengths are in bits. */
public sealed interface Behavior {

    /** The my_sid action of the contract, as P4Info spells it. */
    String action();

    /** End with NEXT-CSID: shift by {@code csidLength} while the argument is not zero (RFC 9800, 4.1.1). */
    record Un(int blockLength, int csidLength) implements Behavior {
        public Un {
            Range.lengths(blockLength, csidLength);
        }

        @Override
        public String action() {
            return Actions.UN.name();
        }
    }

    /** End.X with NEXT-CSID (RFC 9800, 4.1.2); {@code csidLength} counts node and function where they are fused. */
    record Ua(int blockLength, int csidLength, int nextHop) implements Behavior {
        public Ua {
            Range.lengths(blockLength, csidLength);
            Range.nextHop(nextHop);
        }

        @Override
        public String action() {
            return Actions.UA.name();
        }
    }

    /** RFC 8986, 4.1; with {@code psp} the flavor of 4.16.1. */
    record End(boolean psp) implements Behavior {
        @Override
        public String action() {
            return (psp ? Actions.END_PSP : Actions.END).name();
        }
    }

    /** RFC 8986, 4.2. */
    record EndX(int nextHop) implements Behavior {
        public EndX {
            Range.nextHop(nextHop);
        }

        @Override
        public String action() {
            return Actions.END_X.name();
        }
    }

    /** Decapsulate and look the inner packet up in a VRF (RFC 8986, 4.6 to 4.8). */
    record Udt(Family family, int vrf) implements Behavior {
        public Udt {
            Objects.requireNonNull(family);
            Range.vrf(vrf);
        }

        @Override
        public String action() {
            return switch (family) {
                case IPV6 -> Actions.UDT6.name();
                case IPV4 -> Actions.UDT4.name();
                case BOTH -> Actions.UDT46.name();
            };
        }
    }

    /** Decapsulate and cross-connect to an adjacency (RFC 8986, 4.4 and 4.5); {@code family} is not BOTH. */
    record Udx(Family family, int nextHop) implements Behavior {
        public Udx {
            if (family == Family.BOTH) {
                throw new IllegalArgumentException("a cross-connect carries one address family");
            }
            Range.nextHop(nextHop);
        }

        @Override
        public String action() {
            return (family == Family.IPV6 ? Actions.UDX6 : Actions.UDX4).name();
        }
    }

    /** Binding SID (RFC 8986, 4.14). */
    record B6EncapsRed(int sidList) implements Behavior {
        @Override
        public String action() {
            return Actions.B6_ENCAPS_RED.name();
        }
    }

    /**
     * Decapsulate the first copy of a Live-Live packet and look the inner one, of either family, up in a VRF; drop the
     * others (docs/reference/livelive.md). {@code path} is 1 to 15, as in {@link Copy}.
     */
    record Dedup(int vrf, int path) implements Behavior {
        public Dedup {
            Range.vrf(vrf);
            Range.path(path);
        }

        @Override
        public String action() {
            return Actions.DEDUP.name();
        }
    }

    /** What a decapsulating behavior accepts inside. */
    enum Family {
        IPV6,
        IPV4,
        BOTH
    }
}
