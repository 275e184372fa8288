// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sextant.contract.Actions;
import org.sextant.core.net.Node;
import org.sextant.core.net.Protection;
import org.sextant.core.net.Srv6;
import org.sextant.core.protect.Wires.Arc;
import org.sextant.core.underlay.Underlay;

/** What the nodes of a network have against failures next to them, as its description asks for. Pure; for one thread. */
public final class Guarding {
    private final Wires wires;
    private final List<String> destinations;
    private final int mostSegments = mostSegments();

    /** @param underlay of the network as it is, whose paths are those that packets take until nodes have others */
    public Guarding(Underlay underlay) {
        wires = new Wires(underlay);
        destinations = List.copyOf(underlay.network().nodes().keySet());
    }

    /** The longest list that any data plane pushes. */
    private static int mostSegments() {
        int most = 0;
        while (Actions.byName("segments_" + (most + 1)).isPresent()) {
            most++;
        }
        return most;
    }

    /** Whether the description asks for anything. */
    public static boolean wants(Node node) {
        return node.srv6().map(srv6 -> srv6.protection().link()).orElse(false);
    }

    /** As the description asks for; a node without SRv6 configuration asks for nothing. */
    public NodeGuards of(Node node) {
        return of(node, node.srv6().map(Srv6::protection).orElse(Protection.NONE));
    }

    NodeGuards of(Node node, Protection wanted) {
        int self = wires.place(node.name());
        NodeGuards.Builder guards = new NodeGuards.Builder(destinations);
        Map<List<Integer>, Bundle> bundles = new HashMap<>();
        for (int place = 0; place < wires.size(); place++) {
            int destination = place;
            List<Arc> members =
                    wanted.link() && place != self && wires.hasSids(place) ? wires.nextHops(self, place) : List.of();
            guards.add(
                    members.isEmpty()
                            ? Optional.empty()
                            : Optional.of(bundles.computeIfAbsent(
                                            members.stream().map(Arc::number).toList(),
                                            key -> new Bundle(self, wanted, members))
                                    .guard(destination)));
        }
        return guards.build();
    }

    /** A failure, and the ways around it once somebody asks. */
    private final class Tier {
        private final int self;
        private final Failure failure;
        private final IdentityHashMap<Repair, Boolean> shorts = new IdentityHashMap<>();
        private @Nullable Detours detours;

        Tier(int self, Failure failure) {
            this.self = self;
            this.failure = failure;
        }

        Detours detours() {
            if (detours == null) {
                detours = new Detours(wires, self, failure);
            }
            return detours;
        }

        /** The destination's own uSIDs take one container more at most; so most destinations need not be looked at. */
        private boolean isShort(Repair repair, int destination) {
            return shorts.computeIfAbsent(repair, one -> segments(one, one.release()) < mostSegments)
                    || segments(repair, wires.node(destination).name()) <= mostSegments;
        }

        private int segments(Repair repair, String destination) {
            return repair.segments(destination, wires::node).size();
        }

        /** Empty if there is one. */
        Optional<Gap.Why> gap(int destination, Optional<Repair> repair) {
            if (repair.filter(one -> isShort(one, destination)).isPresent()) {
                return Optional.empty();
            }
            if (detours().distance(destination) == Wires.FAR) {
                return Optional.of(Gap.Why.CUT);
            }
            return Optional.of(repair.isPresent() ? Gap.Why.TOO_LONG : Gap.Why.NO_SIDS);
        }
    }

    /** The destinations that a node reaches by the same links. */
    private final class Bundle {
        private final Protection wanted;
        private final boolean several;
        private final int neighbor;
        private final List<Tier> tiers;
        private final List<Tier> tiersToNeighbor;
        private final List<Guard> guards = new ArrayList<>();
        private final IdentityHashMap<Repair, Guard> complete = new IdentityHashMap<>();

        Bundle(int self, Protection wanted, List<Arc> members) {
            this.wanted = wanted;
            this.several = members.size() > 1;
            Failure all = Failure.of(members.stream().map(Arc::link).toList(), wanted);
            this.neighbor = all.node().map(wires::place).orElse(-1);
            this.tiers = tiers(self, all);
            this.tiersToNeighbor = tiers(self, all.withoutNode());
        }

        private List<Tier> tiers(int self, Failure failure) {
            return failure.milder().stream().map(one -> new Tier(self, one)).toList();
        }

        Guard guard(int destination) {
            Map<Gap.What, Gap.Why> gaps = new EnumMap<>(Gap.What.class);
            if (destination == neighbor) {
                gaps.put(Gap.What.NODE, Gap.Why.DESTINATION);
            }
            for (Tier tier : destination == neighbor ? tiersToNeighbor : tiers) {
                Failure failure = tier.failure;
                boolean equalLinks = several && failure.isPlain();
                Optional<Repair> repair =
                        equalLinks ? Optional.empty() : tier.detours().to(destination);
                Optional<Gap.Why> gap = equalLinks ? Optional.empty() : tier.gap(destination, repair);
                if (gap.isEmpty()) {
                    failure.node().ifPresent(node -> gaps.remove(Gap.What.NODE));
                    if (!failure.srlgs().isEmpty()) {
                        gaps.remove(Gap.What.SRLG);
                    }
                    return known(failure, repair, gaps);
                }
                failure.node().ifPresent(node -> gaps.putIfAbsent(Gap.What.NODE, gap.get()));
                if (!failure.srlgs().isEmpty()) {
                    gaps.putIfAbsent(Gap.What.SRLG, gap.get());
                }
                if (failure.isPlain()) {
                    gaps.put(Gap.What.LINK, gap.get());
                }
            }
            return known(null, Optional.empty(), gaps);
        }

        /** The guard that others have, too, if they have the same. */
        private Guard known(@Nullable Failure failure, Optional<Repair> repair, Map<Gap.What, Gap.Why> gaps) {
            if (gaps.isEmpty() && repair.isPresent()) {
                return complete.computeIfAbsent(repair.get(), key -> made(failure, repair, gaps));
            }
            return made(failure, repair, gaps);
        }

        private Guard made(@Nullable Failure failure, Optional<Repair> repair, Map<Gap.What, Gap.Why> gaps) {
            List<Gap> all = gaps.entrySet().stream()
                    .map(gap -> new Gap(gap.getKey(), gap.getValue()))
                    .toList();
            for (Guard guard : guards) {
                if (guard.repair().orElse(null) == repair.orElse(null)
                        && guard.covers().link() == (failure != null)
                        && guard.gaps().equals(all)) {
                    return guard;
                }
            }
            Protection covers = failure == null
                    ? Protection.NONE
                    : new Protection(
                            true,
                            wanted.node() && !gaps.containsKey(Gap.What.NODE),
                            wanted.srlg() && !gaps.containsKey(Gap.What.SRLG));
            Guard guard = new Guard(covers, repair.map(found -> Objects.requireNonNull(failure)), repair, all);
            guards.add(guard);
            return guard;
        }
    }
}
