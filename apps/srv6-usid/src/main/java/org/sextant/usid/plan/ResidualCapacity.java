// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.PreemptionKey;
import org.sextant.core.intent.Reserved;
import org.sextant.core.net.Link;
import org.sextant.core.te.Constraint.Bandwidth;
import org.sextant.kit.path.PolicyOffer;
import org.sextant.usid.Candidate.Demand;
import org.sextant.usid.Policy;

/**
 * The residual capacity of links for a computed path. Packets of one policy may all take the same one of several
 * equally short paths, so each of these needs capacity for all of them.
 */
record ResidualCapacity(Demand demand, Reserved reserved) {
    private static final int NAMED = 3;

    static ResidualCapacity of(NumberedIntent<Policy> policy, Demand demand, CompileContext context) {
        PreemptionKey seat = new PreemptionKey(
                new IntentRef(PolicyOffer.KIND, policy.id()),
                policy.number(),
                demand.standing(),
                PolicyKind.references(policy.intent()));
        return new ResidualCapacity(demand, context.reserved(seat));
    }

    Bandwidth constraint() {
        return new Bandwidth(demand.kbps(), reserved.lacking(demand.kbps()));
    }

    /** The constraint without those links, too. */
    static Bandwidth less(Bandwidth bandwidth, Collection<Link> links) {
        return new Bandwidth(
                bandwidth.kbps(),
                Stream.concat(bandwidth.lacking().stream(), links.stream().map(Link::id))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** The links that packets may use more than once, with capacity for once only. */
    List<Link> overdrawn(SortedMap<Link, Integer> links) {
        return links.entrySet().stream()
                .filter(one -> one.getValue() > 1 && lacks(one.getKey(), demand.kbps() * one.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** By link id, in kbit/s. */
    SortedMap<String, Long> shares(SortedMap<Link, Integer> links) {
        SortedMap<String, Long> shares = new TreeMap<>();
        links.forEach((link, times) -> shares.put(link.id().intern(), demand.kbps() * times));
        return shares;
    }

    private boolean lacks(Link link, long kbps) {
        return link.capacityKbps() < kbps || reserved.lacking(kbps).contains(link.id());
    }

    private long left(Link link) {
        return link.capacityKbps() - reserved.sum(link.id());
    }

    /** The constraint without the reservations that preempted this one; equal to {@code now} if there are none. */
    Bandwidth withoutPreempting(Bandwidth now) {
        Set<String> lacking = now.lacking().stream()
                .filter(link -> preempting(link).isEmpty())
                .collect(Collectors.toUnmodifiableSet());
        return new Bandwidth(now.kbps(), lacking);
    }

    private List<Reserved.Share> preempting(String link) {
        return reserved.shares(link).stream().filter(Reserved.Share::preempting).toList();
    }

    /** The policies that preempted this one on these links; empty if there are none. */
    String preempted(Collection<Link> links, Bandwidth now) {
        return links.stream()
                .filter(link -> now.lacking().contains(link.id())
                        && !preempting(link.id()).isEmpty())
                .limit(NAMED)
                .map(link -> "by " + names(preempting(link.id())) + " on " + link.id())
                .collect(Collectors.joining(", "));
    }

    /** The links without capacity, with the rest and the policies that reserve it; some of them if there are many. */
    String missing(Collection<Link> links) {
        return links.stream()
                .filter(link -> left(link) < demand.kbps())
                .limit(NAMED)
                .map(this::missing)
                .collect(Collectors.joining("; "));
    }

    private String missing(Link link) {
        if (link.capacityKbps() == 0) {
            return link.id() + " is of unknown capacity";
        }
        List<Reserved.Share> shares = reserved.shares(link.id());
        return link.id() + " has " + Math.max(0, left(link)) + " of " + link.capacityKbps() + " kbit/s left"
                + (shares.isEmpty() ? "" : ", the rest has " + names(shares));
    }

    private static String names(List<Reserved.Share> shares) {
        int more = shares.size() - NAMED;
        return shares.stream()
                        .limit(NAMED)
                        .map(share -> "policy \"" + share.intent().id() + "\" (" + share.kbps() + ")")
                        .collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
