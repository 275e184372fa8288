// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides which restored links may be used: those that have been up for the network's wait-to-restore without a gap. A
 * link that is lost soon after it was used again waits twice as long the next time, to 32 times as long, and half as
 * long for each calm period that it is used: so a link that flaps moves paths a few times only (as the back-off of RFC
 * 8405, which is for computations). A link that is up waits only where nodes reach each other without it: of links that
 * would wait, those that connect parts of the network which the used ones do not are used at once, the first that is
 * due before others. Immutable; begins with {@link #START}, which has no links. A link that is new is used at once if
 * it is up.
 */
public final class LinkRestoration {
    public static final LinkRestoration START = new LinkRestoration(Map.of());

    static final int MOST_DOUBLINGS = 5;

    /** A link that is used for so long, or for twice its wait, was restored with success. */
    static final Duration CALM = Duration.ofMinutes(1);

    private final Map<String, History> links;

    private LinkRestoration(Map<String, History> links) {
        this.links = links;
    }

    /**
     * The past of one link.
     *
     * @param used since when it is used; empty if it is not
     * @param restores when it is used again if it stays up; empty if it is down, or used
     * @param doublings of its next wait; -1 if it was never lost
     */
    private record History(Optional<Instant> used, Optional<Instant> restores, int doublings) {

        History next(boolean up, Instant now, Duration wait) {
            if (used.isPresent()) {
                return up ? this : new History(Optional.empty(), Optional.empty(), lost(used.get(), now, wait));
            }
            if (!up) {
                return new History(Optional.empty(), Optional.empty(), doublings);
            }
            Instant latest = now.plus(wait.multipliedBy(1L << Math.max(0, doublings)));
            Instant due = restores.filter(latest::isAfter).orElse(latest); // not later, where the clock was put back
            return due.isAfter(now) ? new History(Optional.empty(), Optional.of(due), doublings) : usedAt(now);
        }

        History usedAt(Instant now) {
            return new History(Optional.of(now), Optional.empty(), doublings);
        }

        private int lost(Instant since, Instant now, Duration wait) {
            Duration last = wait.multipliedBy(2L << Math.max(0, doublings));
            Duration calm = last.compareTo(CALM) > 0 ? last : CALM;
            long periods = Duration.between(since, now).dividedBy(calm);
            return periods < 1
                    ? Math.min(doublings + 1, MOST_DOUBLINGS)
                    : (int) Math.max(0, doublings - Math.min(periods, MOST_DOUBLINGS));
        }
    }

    /**
     * The result of one step.
     *
     * @param after the restoration to go on with
     * @param network the network to be used: links that wait are down, and {@link Network#restores} has the ends of
     *     their waits
     */
    public record Step(LinkRestoration after, Network network) {

        /** When the next link is due; empty if none waits. */
        public Optional<Instant> due() {
            return network.restores().values().stream().min(Comparator.naturalOrder());
        }
    }

    /** @param seen the observed network, with its {@link Network#rules} */
    public Step step(Network seen, Instant now) {
        Duration wait = seen.rules().waitToRestore();
        if (wait.isZero()) {
            return new Step(START, seen);
        }
        Map<String, History> next = new TreeMap<>();
        for (Link link : seen.links()) {
            History before = links.get(link.id());
            next.put(link.id(), before == null ? begun(link.up(), now) : before.next(link.up(), now, wait));
        }
        SortedMap<String, Instant> waiting = new TreeMap<>();
        next.forEach((id, history) -> history.restores().ifPresent(due -> waiting.put(id, due)));
        for (String link : onlyConnections(seen, waiting)) {
            next.computeIfPresent(link, (id, history) -> history.usedAt(now));
            waiting.remove(link);
        }
        List<Link> used = seen.links().stream()
                .map(link -> waiting.containsKey(link.id()) ? link.withUp(false) : link)
                .toList();
        return new Step(new LinkRestoration(next), seen.with(used, waiting));
    }

    /** The waiting links without which nodes would not reach each other that do with them, both directions of each. */
    private static Set<String> onlyConnections(Network seen, Map<String, Instant> waiting) {
        if (waiting.isEmpty()) {
            return Set.of();
        }
        Components parts = new Components();
        seen.links().stream()
                .filter(link -> link.up() && !waiting.containsKey(link.id()))
                .forEach(link -> parts.join(link.from().node(), link.to().node()));
        List<Link> inOrder = seen.links().stream()
                .filter(link -> waiting.containsKey(link.id()))
                .sorted(Comparator.comparing((Link link) -> waiting.getOrDefault(link.id(), Instant.MAX))
                        .thenComparing(Link::id))
                .toList();
        Set<Set<Link.End>> connections = inOrder.stream()
                .filter(link -> parts.join(link.from().node(), link.to().node()))
                .map(link -> Set.of(link.from(), link.to()))
                .collect(Collectors.toSet());
        return inOrder.stream()
                .filter(link -> connections.contains(Set.of(link.from(), link.to())))
                .map(Link::id)
                .collect(Collectors.toSet());
    }

    private static History begun(boolean up, Instant now) {
        return new History(up ? Optional.of(now) : Optional.empty(), Optional.empty(), -1);
    }
}
