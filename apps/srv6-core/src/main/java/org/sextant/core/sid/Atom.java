// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;

/** The smallest piece of a path that packing may move: it is never cut by the end of a container. */
public sealed interface Atom permits Atom.Compressed, Atom.Full {

    /**
     * A node's uSID and the local uSIDs that only mean something behind it: [n], [n, uA] or [egress, f00d].
     *
     * @param block the locator block, as long as {@code format} requires
     * @param usids the first from the global range (GIB), all others from the local range (LIB)
     * @param argumentBits bits behind the uSIDs that each packet fills with arguments of its own (RFC 9433, 6.1)
     * @param closes nothing may follow in the same container: the last uSID decapsulates or carries arguments
     */
    record Compressed(IpPrefix block, SidFormat format, List<Long> usids, int argumentBits, boolean closes)
            implements Atom {

        /** @throws IllegalArgumentException naming the uSID that cannot stand where it stands */
        public Compressed {
            usids = List.copyOf(usids);
            if (!block.isIpv6() || block.length() != format.blockLength()) {
                throw new IllegalArgumentException("block " + block + " does not fit format " + format.name()
                        + ", which wants /" + format.blockLength());
            }
            if (usids.isEmpty()) {
                throw new IllegalArgumentException("an atom has at least the uSID of its node");
            }
            if (usids.size() > format.capacity()) {
                throw new IllegalArgumentException("the uSIDs " + text(usids) + " belong together, but a container of "
                        + format.name() + " holds " + format.capacity());
            }
            for (int i = 0; i < usids.size(); i++) {
                check(format, usids.get(i), i == 0);
            }
            int free = 128 - format.blockLength() - usids.size() * format.usidLength();
            if (argumentBits < 0 || argumentBits > free) {
                throw new IllegalArgumentException("the uSIDs " + text(usids) + " leave " + free
                        + " bits of a container of " + format.name() + ", and their arguments need " + argumentBits);
            }
            if (argumentBits > 0 && !closes) {
                throw new IllegalArgumentException("arguments end a container");
            }
        }

        /** An atom behind which others may follow. */
        public static Compressed of(IpPrefix block, SidFormat format, long... usids) {
            return new Compressed(
                    block, format, java.util.Arrays.stream(usids).boxed().toList(), 0, false);
        }

        /** The same atom as the end of its container. */
        public Compressed closing() {
            return new Compressed(block, format, usids, argumentBits, true);
        }

        /**
         * The same atom with arguments behind it, which end its container.
         *
         * @throws IllegalArgumentException if a container has no room for them
         */
        public Compressed withArguments(int bits) {
            return new Compressed(block, format, usids, bits, true);
        }

        /** The number of bits that it takes of a container, behind the block. */
        int bits() {
            return usids.size() * format.usidLength() + argumentBits;
        }

        private static void check(SidFormat format, long usid, boolean first) {
            if (usid == 0) {
                throw new IllegalArgumentException("uSID 0 is not a node's or a function's: it ends a container");
            }
            if (first && format.isLocal(usid)) {
                throw new IllegalArgumentException("uSID " + hex(usid) + " is local (LIB of " + format.name()
                        + "): it means nothing without the uSID of its node before it");
            }
            if (!(first ? format.isGlobal(usid) : format.isLocal(usid))) {
                throw new IllegalArgumentException("uSID " + hex(usid) + " is not in the "
                        + (first
                                ? "global range (GIB) of " + format.name() + ", 0x1 to " + hex(format.localStart() - 1)
                                : "local range (LIB) of " + format.name() + ", " + hex(format.localStart()) + " to "
                                        + hex((1L << format.usidLength()) - 1)));
            }
        }

        @Override
        public String toString() {
            return block + " " + text(usids) + (argumentBits > 0 ? "+" + argumentBits + " bits" : "")
                    + (closes ? "." : "");
        }

        private static String text(List<Long> usids) {
            return usids.stream().map(Compressed::hex).collect(Collectors.joining("+"));
        }

        private static String hex(long usid) {
            return "0x" + Long.toHexString(usid);
        }
    }

    /** A SID without the NEXT-C-SID flavor: it takes a segment of its own. */
    record Full(Ipv6 sid) implements Atom {
        public Full {
            Objects.requireNonNull(sid);
            if (sid.isZero()) {
                throw new IllegalArgumentException(":: is not a SID");
            }
        }

        @Override
        public String toString() {
            return sid.toString();
        }
    }
}
