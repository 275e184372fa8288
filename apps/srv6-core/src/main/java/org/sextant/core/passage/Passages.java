// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.passage.Circle.Step;

/**
 * All passages of a network, and the question whether a packet that enters one comes back to where it was.
 *
 * <p>A walk through them carries a set of packets instead of one. At each place the set is split by what takes its parts:
 * flows, routes by longest prefix, hosts that are attached there; each part goes on to the exits of its passage. A part
 * that comes to a place for the second time can do so for ever. What is known to come to an end is not walked twice,
 * which keeps the work proportional to the passages that have packets in common.
 *
 * <p>The answer depends on what was added and not on the order of it, but for passages of one place and one destination.
 *
 * @param <O> whose a passage is
 */
public final class Passages<O> {

    /** Hosts behind the ports of a place: routes to them are longer than what leads to networks. */
    public interface LocalHosts {
        List<IpAddress> within(Place place, IpPrefix prefix);
    }

    /** A passage and whose it is. */
    record Owned<O>(O owner, Passage passage) {}

    /** The steps on the way here, latest first. */
    private record Trail<O>(Step<O> step, @Nullable Trail<O> before) {}

    private record Visit(Place place, Region region) {}

    private final Map<Place, PassageTable<O>> tables = new HashMap<>();
    private final LocalHosts hosts;

    public Passages(LocalHosts hosts) {
        this.hosts = hosts;
    }

    public void add(O owner, Passage passage) {
        tables.computeIfAbsent(passage.from(), place -> new PassageTable<>()).add(new Owned<>(owner, passage));
    }

    public void remove(O owner, Passage passage) {
        PassageTable<O> table = tables.get(passage.from());
        if (table != null && table.remove(new Owned<>(owner, passage))) {
            tables.remove(passage.from());
        }
    }

    /** A circle that packets of a passage, one that was added or one that was removed, get into now. */
    public Optional<Circle<O>> circle(Passage changed) {
        Search search = new Search();
        Region all = Region.of(changed.packets());
        if (changed.rule() == Passage.Rule.BEFORE_ROUTES) {
            return search.follow(changed.from(), all, null);
        }
        PassageTable<O> table = tables.get(changed.from());
        return table == null
                ? Optional.empty()
                : search.longest(changed.from(), table, all, changed.packets().destination(), null);
    }

    /** One search; remembers what it has found to come to an end. */
    private final class Search {
        private final Set<Visit> ending = new HashSet<>();

        Optional<Circle<O>> follow(Place at, Region region, @Nullable Trail<O> trail) {
            PassageTable<O> table = tables.get(at);
            Visit visit = new Visit(at, region);
            if (table == null || ending.contains(visit)) {
                return Optional.empty();
            }
            for (Owned<O> flow : table.flows(region.packets())) {
                Optional<Circle<O>> circle =
                        region.and(flow.passage().packets()).flatMap(part -> take(flow, part, trail));
                if (circle.isPresent()) {
                    return circle;
                }
            }
            IpPrefix destination = region.packets().destination();
            for (IpPrefix inside : table.inside(destination)) {
                Optional<Circle<O>> circle =
                        region.and(Packets.to(inside)).flatMap(part -> longest(at, table, part, inside, trail));
                if (circle.isPresent()) {
                    return circle;
                }
            }
            if (!table.has(destination)) {
                Optional<Circle<O>> circle = longest(at, table, region, destination, trail);
                if (circle.isPresent()) {
                    return circle;
                }
            }
            ending.add(visit);
            return Optional.empty();
        }

        /** Of the packets to a prefix those that go by its own route, or by the next wider one if it has none. */
        Optional<Circle<O>> longest(
                Place at, PassageTable<O> table, Region region, IpPrefix prefix, @Nullable Trail<O> trail) {
            List<Owned<O>> routes = table.route(prefix);
            if (routes.isEmpty()) {
                return Optional.empty();
            }
            List<IpPrefix> others = new ArrayList<>(table.inside(prefix));
            others.remove(prefix);
            if (routes.get(0).passage().packets().destination().length()
                    < prefix.address().bits()) {
                hosts.within(at, prefix).forEach(host -> others.add(new IpPrefix(host, host.bits())));
            }
            Optional<Region> rest = region.except(others);
            for (Owned<O> route : rest.isPresent() ? routes : List.<Owned<O>>of()) {
                Optional<Circle<O>> circle = take(route, rest.get(), trail);
                if (circle.isPresent()) {
                    return circle;
                }
            }
            return Optional.empty();
        }

        private Optional<Circle<O>> take(Owned<O> passage, Region region, @Nullable Trail<O> trail) {
            for (Place exit : passage.passage().exits()) {
                Trail<O> on = new Trail<>(new Step<>(passage.owner(), passage.passage(), exit), trail);
                Optional<Circle<O>> circle = closed(on, region).or(() -> follow(exit, region, on));
                if (circle.isPresent()) {
                    return circle;
                }
            }
            return Optional.empty();
        }

        /** Whether the last step leads to where some step before began. */
        private Optional<Circle<O>> closed(Trail<O> trail, Region region) {
            List<Step<O>> steps = new ArrayList<>();
            for (Trail<O> part = trail; part != null; part = part.before()) {
                steps.add(0, part.step());
                if (part.step().passage().from().equals(trail.step().exit())) {
                    return Optional.of(new Circle<>(region.example().orElseThrow(), steps));
                }
            }
            return Optional.empty();
        }
    }
}
