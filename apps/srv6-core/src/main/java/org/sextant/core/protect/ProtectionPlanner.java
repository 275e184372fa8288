// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sextant.contract.Actions;
import org.sextant.core.net.Node;
import org.sextant.core.net.Protection;
import org.sextant.core.net.Srv6;
import org.sextant.core.protect.Wires.Arc;
import org.sextant.core.underlay.Underlay;

/**
 * Plans the protection of a network's nodes against failures next to them, as its configuration requests. Pure; for one
 * thread.
 */
public final class ProtectionPlanner {
    private final Wires wires;
    private final List<String> destinations;
    private final int mostSegments = mostSegments();

    /** @param underlay of the present network, whose paths packets take until nodes have others */
    public ProtectionPlanner(Underlay underlay) {
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

    /** True if the node's configuration requests protection. */
    public static boolean wants(Node node) {
        return node.srv6().map(srv6 -> srv6.protection().link()).orElse(false);
    }

    /** The protection that the node's configuration requests; none without SRv6 configuration. */
    public NodeGuards of(Node node) {
        return of(node, node.srv6().map(Srv6::protection).orElse(Protection.NONE));
    }

    NodeGuards of(Node node, Protection wanted) {
        int self = wires.place(node.name());
        NodeGuards.Builder guards = new NodeGuards.Builder(destinations);
        Map<List<Integer>, Bundle> bundles = new HashMap<>();
        for (int place = 0; place < wires.size(); place++) {
            int destination = place;
            List<Arc> members = wanted.link() && place != self && wires.isDestination(place)
                    ? wires.nextHops(self, place)
                    : List.of();
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

    /** A failure, and the backup paths around it once they are needed. */
    private final class Tier {
        private final int self;
        private final Failure failure;
        private final boolean equalLinks;
        private final IdentityHashMap<Repair, Boolean> shorts = new IdentityHashMap<>();
        private @Nullable RepairPaths detours;

        /** @param equalLinks true if links are left that are as good, and no repair is needed */
        Tier(int self, Failure failure, boolean equalLinks) {
            this.self = self;
            this.failure = failure;
            this.equalLinks = equalLinks;
        }

        private RepairPaths detours() {
            if (detours == null) {
                detours = new RepairPaths(wires, self, failure);
            }
            return detours;
        }

        Cover to(int destination) {
            if (equalLinks) {
                return new Cover(failure, Optional.empty(), Optional.empty());
            }
            if (!wires.hasSids(destination)) {
                return new Cover(failure, Optional.empty(), Optional.of(Gap.Why.NO_REPAIR_USID));
            }
            Optional<Repair> repair = detours().to(destination);
            return new Cover(failure, repair, gap(destination, repair));
        }

        /** The destination's own uSIDs take one container more at most; so most destinations need no check. */
        private boolean isShort(Repair repair, int destination) {
            return shorts.computeIfAbsent(repair, one -> segments(one, one.release()) < mostSegments)
                    || segments(repair, wires.node(destination).name()) <= mostSegments;
        }

        private int segments(Repair repair, String destination) {
            return repair.segments(destination, wires::node).size();
        }

        /** Empty if there is a repair that the node can push. */
        private Optional<Gap.Why> gap(int destination, Optional<Repair> repair) {
            if (repair.filter(one -> isShort(one, destination)).isPresent()) {
                return Optional.empty();
            }
            if (detours().distance(destination) == Wires.FAR) {
                return Optional.of(Gap.Why.CUT);
            }
            return Optional.of(repair.isPresent() ? Gap.Why.TOO_LONG : Gap.Why.NO_SIDS);
        }
    }

    /**
     * The repair of a destination for one failure.
     *
     * @param repair empty if there is none, or none is needed
     * @param missing why it is not covered; empty if it is
     */
    private record Cover(Failure failure, Optional<Repair> repair, Optional<Gap.Why> missing) {
        boolean holds() {
            return missing.isEmpty();
        }
    }

    /** The destinations that a node reaches by the same links. */
    private final class Bundle {
        private final Protection wanted;
        private final int neighbor;
        private final Failure all;
        private final Function<Failure, Tier> tiers;
        private final List<Guard> guards = new ArrayList<>();
        private final IdentityHashMap<Repair, Guard> complete = new IdentityHashMap<>();

        Bundle(int self, Protection wanted, List<Arc> members) {
            this.wanted = wanted;
            this.all = Failure.of(members.stream().map(Arc::link).toList(), wanted);
            this.neighbor = all.node().map(wires::place).orElse(-1);
            Map<Failure, Tier> known = new HashMap<>();
            this.tiers = failure ->
                    known.computeIfAbsent(failure, one -> new Tier(self, one, members.size() > 1 && one.isPlain()));
        }

        Guard guard(int destination) {
            Failure most = destination == neighbor ? all.withoutNode() : all;
            Cover best = tiers.apply(most).to(destination);
            if (best.holds() && destination != neighbor) {
                return known(best, List.of());
            }
            List<Gap> gaps = new ArrayList<>();
            if (destination == neighbor) {
                gaps.add(new Gap(Gap.What.NODE, Gap.Why.DESTINATION));
            }
            if (!best.holds()) {
                best = lesser(destination, most, gaps);
            }
            return known(best, gaps);
        }

        /** The best that can be had where not all can: {@link Failure#milder}. */
        private Cover lesser(int destination, Failure most, List<Gap> gaps) {
            Cover plain = tiers.apply(most.plain()).to(destination);
            plain.missing().ifPresent(why -> gaps.add(new Gap(Gap.What.LINK, why)));
            Map<Failure, Gap.Why> hopeless = new LinkedHashMap<>();
            for (Failure single : most.singles()) {
                plain.missing()
                        .or(() -> tiers.apply(single).to(destination).missing())
                        .ifPresent(why -> hopeless.put(single, why));
            }
            Cover best = plain.holds() ? combined(destination, most, hopeless.keySet()) : plain;
            for (Failure single : most.singles()) {
                if (!best.holds() || !single.isWithin(best.failure())) {
                    add(gaps, single, hopeless.getOrDefault(single, Gap.Why.TOGETHER));
                }
            }
            return best;
        }

        /** @param hopeless risks that not even alone can be avoided */
        private Cover combined(int destination, Failure most, Set<Failure> hopeless) {
            return most.milder().stream()
                    .filter(failure -> hopeless.stream().noneMatch(risk -> risk.isWithin(failure)))
                    .map(failure -> tiers.apply(failure).to(destination))
                    .filter(Cover::holds)
                    .findFirst()
                    .orElseThrow();
        }

        private static void add(List<Gap> gaps, Failure single, Gap.Why why) {
            Gap gap = single.node().isPresent()
                    ? new Gap(Gap.What.NODE, why)
                    : new Gap(Gap.What.SRLG, why, single.srlgs());
            for (int i = 0; i < gaps.size(); i++) {
                Gap other = gaps.get(i);
                if (other.what() == gap.what() && other.why() == why) {
                    TreeSet<Integer> both = new TreeSet<>(other.srlgs());
                    both.addAll(gap.srlgs());
                    gaps.set(i, new Gap(gap.what(), why, both));
                    return;
                }
            }
            gaps.add(gap);
        }

        /** The guard that other destinations have, too, if they have the same. */
        private Guard known(Cover cover, List<Gap> gaps) {
            Optional<Repair> repair = cover.repair().filter(one -> cover.holds());
            if (gaps.isEmpty() && repair.isPresent()) {
                return complete.computeIfAbsent(repair.get(), key -> made(cover, repair, gaps));
            }
            return made(cover, repair, gaps);
        }

        private Guard made(Cover cover, Optional<Repair> repair, List<Gap> gaps) {
            for (Guard guard : guards) {
                if (guard.repair().orElse(null) == repair.orElse(null)
                        && guard.covers().link() == cover.holds()
                        && guard.gaps().equals(gaps)) {
                    return guard;
                }
            }
            Protection covers = cover.holds()
                    ? new Protection(
                            true,
                            wanted.node() && gaps.stream().noneMatch(gap -> gap.what() == Gap.What.NODE),
                            wanted.srlg() && gaps.stream().noneMatch(gap -> gap.what() == Gap.What.SRLG))
                    : Protection.NONE;
            Guard guard = new Guard(covers, repair.map(found -> cover.failure()), repair, gaps);
            guards.add(guard);
            return guard;
        }
    }
}
