// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpPrefix;

/**
 * GTP-U that a slice carries without a session: packets that match all given fields.
 *
 * @param teids tunnels of their destination
 * @param qfis QoS flows, any of them; empty: all
 * @param ue addresses of UEs: the inner source towards the core, the inner destination in reverse
 * @param gnb of the slice's gNBs, those of this prefix
 * @param dscp of the outer header, 6 bits
 */
public record Match(
        Optional<TeidRange> teids,
        List<Integer> qfis,
        Optional<IpPrefix> ue,
        Optional<IpPrefix> gnb,
        Optional<Integer> dscp) {

    /** Matches all packets. */
    public static final Match ALL =
            new Match(Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty());

    public Match {
        qfis = List.copyOf(qfis);
        if (qfis.stream().anyMatch(qfi -> qfi < 0 || qfi > 63)) {
            throw new IllegalArgumentException("a QFI has 6 bits");
        }
        if (dscp.filter(value -> value < 0 || value > 63).isPresent()) {
            throw new IllegalArgumentException("a DSCP has 6 bits");
        }
    }

    /** Is true if some packet matches both. */
    public boolean meets(Match other) {
        return both(teids, other.teids, TeidRange::meets)
                && (qfis.isEmpty() || other.qfis.isEmpty() || qfis.stream().anyMatch(other.qfis::contains))
                && both(ue, other.ue, Match::overlap)
                && both(gnb, other.gnb, Match::overlap)
                && both(dscp, other.dscp, Integer::equals);
    }

    private static <T> boolean both(Optional<T> one, Optional<T> other, java.util.function.BiPredicate<T, T> meet) {
        return one.isEmpty() || other.isEmpty() || meet.test(one.get(), other.get());
    }

    static boolean overlap(IpPrefix one, IpPrefix other) {
        return one.isIpv6() == other.isIpv6() && (one.contains(other.address()) || other.contains(one.address()));
    }
}
