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
import org.sextant.core.passage.PassageLoop.Step;

/**
 * All passages of a network, and the check that no packet in them loops.
 *
 * <p>A walk through them carries a set of packets instead of one. At each place the set is split by the passages that
 * take its parts: flows, routes by longest prefix, hosts that are attached there; each part goes on to the exits of its
 * passage. A part that reaches a place for the second time can loop forever. States that are known to end are not
 * walked twice, which keeps the work proportional to the passages that have packets in common.
 *
 * <p>The answer depends on the set of passages and not on their order, but for passages of one place and one
 * destination.
 *
 * @param <O> the owner of a passage
 */
public final class Passages<O> {

    /** Hosts behind the ports of a place: their routes are longer than those to networks. */
    public interface LocalHosts {
        List<IpAddress> within(Place place, IpPrefix prefix);
    }

    /** A passage and whose it is. */
    record Owned<O>(O owner, Passage passage) {}

    /** The steps on the path to here, latest first. */
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

    /** A forwarding loop that packets of an added or removed passage enter now. */
    public Optional<PassageLoop<O>> circle(Passage changed) {
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

    /** One search; keeps the states that are known to end. */
    private final class Search {
        private final Set<Visit> ending = new HashSet<>();

        Optional<PassageLoop<O>> follow(Place at, Region region, @Nullable Trail<O> trail) {
            PassageTable<O> table = tables.get(at);
            Visit visit = new Visit(at, region);
            if (table == null || ending.contains(visit)) {
                return Optional.empty();
            }
            for (Owned<O> flow : table.flows(region.packets())) {
                Optional<PassageLoop<O>> circle =
                        region.and(flow.passage().packets()).flatMap(part -> take(flow, part, trail));
                if (circle.isPresent()) {
                    return circle;
                }
            }
            IpPrefix destination = region.packets().destination();
            for (IpPrefix inside : table.inside(destination)) {
                Optional<PassageLoop<O>> circle =
                        region.and(Packets.to(inside)).flatMap(part -> longest(at, table, part, inside, trail));
                if (circle.isPresent()) {
                    return circle;
                }
            }
            if (!table.has(destination)) {
                Optional<PassageLoop<O>> circle = longest(at, table, region, destination, trail);
                if (circle.isPresent()) {
                    return circle;
                }
            }
            ending.add(visit);
            return Optional.empty();
        }

        /** The packets to a prefix that take its own route, or the next wider one if it has none. */
        Optional<PassageLoop<O>> longest(
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
                Optional<PassageLoop<O>> circle = take(route, rest.get(), trail);
                if (circle.isPresent()) {
                    return circle;
                }
            }
            return Optional.empty();
        }

        private Optional<PassageLoop<O>> take(Owned<O> passage, Region region, @Nullable Trail<O> trail) {
            for (Place exit : passage.passage().exits()) {
                Trail<O> on = new Trail<>(new Step<>(passage.owner(), passage.passage(), exit), trail);
                Optional<PassageLoop<O>> circle = closed(on, region).or(() -> follow(exit, region, on));
                if (circle.isPresent()) {
                    return circle;
                }
            }
            return Optional.empty();
        }

        /** The loop that the last step closes, if it leads to the start of an earlier step. */
        private Optional<PassageLoop<O>> closed(Trail<O> trail, Region region) {
            List<Step<O>> steps = new ArrayList<>();
            for (Trail<O> part = trail; part != null; part = part.before()) {
                steps.add(0, part.step());
                if (part.step().passage().from().equals(trail.step().exit())) {
                    return Optional.of(new PassageLoop<>(region.example().orElseThrow(), steps));
                }
            }
            return Optional.empty();
        }
    }
}
