// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.Collections;
import java.util.Optional;
import org.sextant.core.ip.IpPrefix;
import org.sextant.mobile.Match;
import org.sextant.mobile.Slice;

/**
 * Packets that match two slices, without an order between these.
 *
 * @param field of the first slice
 */
record Overlap(String field, String what, String remedy) {

    /**
     * Matches conflict with matches, defaults with defaults; a default has a lower priority than matches, and both have
     * a lower one than sessions.
     */
    static Optional<Overlap> of(Slice slice, Slice other) {
        if (!sameGateway(slice, other) || !sameEnds(slice, other)) {
            return Optional.empty();
        }
        if (slice.isDefault() && other.isDefault()) {
            return Optional.of(new Overlap(
                    "/default",
                    "everything between these gNBs and UPFs by default",
                    "let one of them be the default, or distinguish gNBs or UPFs"));
        }
        for (int i = 0; i < slice.matches().size(); i++) {
            for (Match match : other.matches()) {
                if (meets(slice, slice.matches().get(i), other, match)) {
                    return Optional.of(new Overlap(
                            "/match/" + i,
                            "packets of this match",
                            "distinguish the two by teid, qfi, ue, gnb or dscp"));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean sameGateway(Slice slice, Slice other) {
        boolean access = slice.access().gateway().equals(other.access().gateway());
        boolean core = !slice.core().anchor()
                && !other.core().anchor()
                && slice.core().node().equals(other.core().node());
        return access || core;
    }

    private static boolean sameEnds(Slice slice, Slice other) {
        return slice.family() == other.family()
                && !Collections.disjoint(slice.core().upfs(), other.core().upfs())
                && slice.access().gnbs().stream()
                        .anyMatch(gnb -> other.access().gnbs().stream().anyMatch(theirs -> overlap(gnb, theirs)));
    }

    private static boolean meets(Slice slice, Match match, Slice other, Match theirs) {
        return match.meets(theirs)
                && slice.access().gnbs().stream()
                        .filter(gnb -> match.gnb().isEmpty()
                                || overlap(gnb, match.gnb().get()))
                        .anyMatch(gnb -> other.access().gnbs().stream()
                                .filter(one -> theirs.gnb().isEmpty()
                                        || overlap(one, theirs.gnb().get()))
                                .anyMatch(one -> overlap(gnb, one)));
    }

    private static boolean overlap(IpPrefix one, IpPrefix other) {
        return one.contains(other.address()) || other.contains(one.address());
    }
}
