// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.passage.Packets;
import org.sextant.core.passage.Passage;
import org.sextant.core.passage.Place;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Ternary;
import org.sextant.kit.Family;
import org.sextant.kit.MtuCheck;
import org.sextant.livelive.Traffic;

/** One direction of a flow with all computed values. */
record Direction(FlowEnds ends, Numbers numbers, List<Way> ways) {
    /** Flows do not overlap, so all have the same priority. */
    private static final int PRIORITY = 10;

    Direction {
        ways = List.copyOf(ways);
    }

    /**
     * Unsigned: the group, which is unique in the network, and 16 bits of its ingress. A flow that moves to another
     * ingress, whose sequence numbers are unrelated, is therefore a new one at the egress (docs/reference/livelive.md).
     */
    int flowId() {
        int ingress = ends.ingress().name().hashCode();
        return numbers.group() << Short.SIZE | (ingress ^ ingress >>> Short.SIZE) & 0xffff;
    }

    /** A path with its segment list, and the trace of a copy on it. */
    record Way(NumberedPath path, List<Ipv6> segments, MySid dedup, Trace trace, int bytes, MtuCheck mtu) {
        Way {
            segments = List.copyOf(segments);
        }
    }

    /** The entries, those of the egress first. */
    List<Placed> entries() {
        List<Placed> entries = new ArrayList<>();
        String ingress = ends.ingress().name();
        String egress = ends.egress().name();
        ways.forEach(way -> entries.add(new Placed(egress, way.dedup())));
        entries.add(new Placed(egress, new DedupFlow(flowId(), numbers.window())));
        for (Way way : ways) {
            int path = way.path().number();
            int list = numbers.lists() + path;
            entries.add(new Placed(ingress, new SidList(list, List.of(new SidList.Member(1, way.segments())))));
            entries.add(new Placed(ingress, new Copy(numbers.group(), path, list)));
        }
        matches().forEach(match -> entries.add(new Placed(ingress, match)));
        return entries;
    }

    /** The passages of its packets: all paths leave at the same place. */
    List<Passage> passages() {
        Place ingress = new Place(ends.ingress().name(), 0);
        SortedSet<Place> exits = Passage.exits(ways.stream().map(Way::trace).toList());
        Traffic traffic = ends.traffic();
        List<Passage> passages = new ArrayList<>();
        for (Family family : ends.families()) {
            for (IpPrefix source : ends.from().of(family)) {
                for (IpPrefix destination : ends.to().of(family)) {
                    Packets packets = new Packets(
                            source, destination, traffic.protocol(), traffic.sourcePort(), traffic.destinationPort());
                    passages.add(new Passage(ingress, packets, Passage.Rule.BEFORE_ROUTES, exits));
                }
            }
        }
        return passages;
    }

    private List<Flow> matches() {
        int copies = ways.stream().mapToInt(way -> way.path().number()).max().orElseThrow();
        Traffic traffic = ends.traffic();
        List<Flow> flows = new ArrayList<>();
        for (Family family : ends.families()) {
            for (IpPrefix source : ends.from().of(family)) {
                for (IpPrefix destination : ends.to().of(family)) {
                    flows.add(new Flow(
                            PRIORITY,
                            0,
                            source,
                            destination,
                            traffic.protocol().map(value -> new Ternary(value, 0xff)),
                            traffic.sourcePort().map(Direction::port),
                            traffic.destinationPort().map(Direction::port),
                            flowId(),
                            numbers.group(),
                            copies));
                }
            }
        }
        return flows;
    }

    private static Ternary port(int port) {
        return new Ternary(port, 0xffff);
    }
}
