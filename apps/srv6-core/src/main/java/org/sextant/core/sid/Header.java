// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Behavior.Family;

/**
 * The fields of a packet's outer header that SRv6 uses.
 *
 * @param hopLimit 0 to 255
 * @param inner the payload of the header
 */
public record Header(Ipv6 destination, Optional<Srh> srh, int hopLimit, Inner inner) implements Inner {

    /** The default of hosts, and of outer headers around IPv4 on every data plane. */
    public static final int DEFAULT_HOP_LIMIT = 64;

    /** RFC 8200, 3. */
    public static final int MAX_HOP_LIMIT = 255;

    public Header {
        Objects.requireNonNull(destination);
        Objects.requireNonNull(srh);
        Objects.requireNonNull(inner);
        if (hopLimit < 0 || hopLimit > MAX_HOP_LIMIT) {
            throw new IllegalArgumentException("hop limit " + hopLimit + " is not within 0 to 255");
        }
    }

    /**
     * A segment routing header (RFC 8754, 2).
     *
     * @param segments as on the wire: the last segment of the path first
     * @param segmentsLeft index of the active segment; one more than the list holds right behind H.Encaps.Red
     */
    public record Srh(List<Ipv6> segments, int segmentsLeft) {
        public Srh {
            segments = List.copyOf(segments);
            if (segments.isEmpty() || segments.size() > Encapsulation.MAX_SRH_ENTRIES) {
                throw new IllegalArgumentException(
                        "an SRH holds 1 to " + Encapsulation.MAX_SRH_ENTRIES + " segments, not " + segments.size());
            }
            if (segmentsLeft < 0 || segmentsLeft > 255) {
                throw new IllegalArgumentException("segments left " + segmentsLeft + " is not within 0 to 255");
            }
        }

        /** The Last Entry field. */
        public int lastEntry() {
            return segments.size() - 1;
        }
    }

    /**
     * The header that a headend pushes: H.Encaps.Red (RFC 8986, 5.2) if {@code reduced}, else H.Encaps (5.1). One
     * segment of a reduced list needs no SRH.
     *
     * @param path segments in travel order
     * @param hopLimit where it begins: the headend's choice, before the hop that the headend itself takes
     */
    public static Header encapsulated(List<Ipv6> path, boolean reduced, int hopLimit, Inner inner) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("an encapsulation has at least one segment");
        }
        List<Ipv6> onTheWire = new java.util.ArrayList<>(reduced ? path.subList(1, path.size()) : path);
        java.util.Collections.reverse(onTheWire);
        Optional<Srh> srh = onTheWire.isEmpty() ? Optional.empty() : Optional.of(new Srh(onTheWire, path.size() - 1));
        return new Header(path.get(0), srh, hopLimit, inner);
    }

    /** Segments Left, 0 without an SRH. */
    public int segmentsLeft() {
        return srh.map(Srh::segmentsLeft).orElse(0);
    }

    @Override
    public Family family() {
        return Family.IPV6;
    }

    /** The header one hop further, with another destination. */
    Header shifted(Ipv6 to) {
        return new Header(to, srh, hopLimit - 1, inner);
    }

    Header forwarded() {
        return new Header(destination, srh, hopLimit - 1, inner);
    }

    /** The next segment becomes the destination (RFC 8986, 4.1, S12 to S14); {@code psp} drops an SRH that is used up. */
    Header advanced(boolean psp) {
        Srh old = srh.orElseThrow();
        int left = old.segmentsLeft() - 1;
        Optional<Srh> next = psp && left == 0 ? Optional.empty() : Optional.of(new Srh(old.segments(), left));
        return new Header(old.segments().get(left), next, hopLimit - 1, inner);
    }
}
