// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Protection;
import org.sextant.core.net.Srv6;
import org.sextant.core.protect.Failure;
import org.sextant.core.protect.Gap;
import org.sextant.core.protect.Guard;
import org.sextant.core.protect.ProtectionPlanner;
import org.sextant.core.protect.Repair;
import org.sextant.core.protect.RepairLinks;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.table.Standby;
import org.sextant.core.underlay.Underlay;

/** The protection of nodes from failures next to them, as REST and CLI show it (docs/reference/protection.md). */
public final class ProtectionView {

    /** The largest packet that hosts send unless configured otherwise, in a policy's header of one container. */
    private static final int LARGEST_BYTES = 1500 + Encapsulation.reducedBytes(1);

    private ProtectionView() {}

    /**
     * @param node only this one
     * @throws org.sextant.core.ProblemException if there is no such node
     */
    public static ObjectNode of(CompileContext context, @Nullable String node) {
        Network network = context.network();
        ProtectionPlanner guarding = new ProtectionPlanner(context.underlay());
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        ArrayNode nodes = view.putArray("nodes");
        List<Node> shown = node == null
                ? List.copyOf(network.nodes().values())
                : List.of(network.node(node).orElseThrow(() -> NodeView.unknown(network, node)));
        shown.forEach(one -> nodes.add(one(context, guarding, one)));
        return view;
    }

    /** With an outage; coverage is only of the node that is asked for. */
    public static ObjectNode with(ObjectNode outage, CompileContext context, @Nullable String node) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        if (node == null) {
            view.putArray("nodes");
        } else {
            view = of(context, node);
        }
        return view.set("outage", outage);
    }

    private static ObjectNode one(CompileContext context, ProtectionPlanner guarding, Node node) {
        Protection wanted = node.srv6().map(Srv6::protection).orElse(Protection.NONE);
        boolean offered = context.capabilities(node.name())
                .map(capabilities -> capabilities.offers(Standby.TABLE, "repair"))
                .orElse(true);
        Told told = new Told(context.underlay(), node.name(), offered);
        guarding.of(node).forEach(told::add);
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("node", node.name()).put("offered", offered);
        view.set("wanted", words(wanted));
        view.put("destinations", told.destinations);
        view.putObject("protectedFrom")
                .put("link", told.link)
                .put("node", told.node)
                .put("srlg", told.srlg);
        view.put("byEqualLinks", told.byEqualLinks);
        ArrayNode repairs = view.putArray("repairs");
        told.repairs.values().forEach(repairs::add);
        view.set("uncovered", told.uncovered);
        return view;
    }

    private static ObjectNode words(Protection protection) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("link", protection.link())
                .put("node", protection.node())
                .put("srlg", protection.srlg());
    }

    /** The destinations of a node, summed up. */
    private static final class Told {
        private final Underlay underlay;
        private final Network network;
        private final String self;
        private final boolean offered;
        private final Map<String, ObjectNode> repairs = new TreeMap<>();
        private final ArrayNode uncovered = JsonNodeFactory.instance.arrayNode();
        private final OptionalInt narrowest;
        private int destinations;
        private int link;
        private int node;
        private int srlg;
        private int byEqualLinks;

        Told(Underlay underlay, String self, boolean offered) {
            this.underlay = underlay;
            this.network = underlay.network();
            this.self = self;
            this.offered = offered;
            this.narrowest = RepairLinks.room(network.links(), 0);
        }

        void add(String destination, Guard guard) {
            destinations++;
            List<Gap> gaps = new ArrayList<>(guard.gaps());
            Optional<Repair> repair = guard.repair();
            if (repair.isPresent() && !offered) {
                gaps.add(0, new Gap(Gap.What.LINK, Gap.Why.NOT_OFFERED));
            } else {
                link += guard.covers().link() ? 1 : 0;
                node += guard.covers().node() ? 1 : 0;
                srlg += guard.covers().srlg() ? 1 : 0;
                byEqualLinks += guard.byEqualLinks() ? 1 : 0;
                repair.ifPresent(one -> add(destination, one, guard.failure().orElseThrow()));
            }
            boolean avoidsSome = guard.failure()
                    .filter(failure -> !failure.srlgs().isEmpty())
                    .isPresent();
            for (Gap gap : gaps) {
                ObjectNode told =
                        uncovered(destination, gap.what().text(), gap.why().text());
                if (!gap.srlgs().isEmpty() && (avoidsSome || gap.srlgs().size() > 1)) {
                    gap.srlgs().forEach(told.withArray("srlgs")::add);
                }
            }
        }

        private ObjectNode uncovered(String destination, String from, String why) {
            return uncovered
                    .addObject()
                    .put("destination", destination)
                    .put("from", from)
                    .put("why", why);
        }

        private void add(String destination, Repair repair, Failure failure) {
            List<Ipv6> segments = repair.segments(destination, network);
            int bytes = Encapsulation.reducedBytes(segments.size());
            ObjectNode view = repair(repair, failure).withArray("destinations").addObject();
            view.put("node", destination)
                    .put("usids", repair.usids(destination))
                    .put("bytes", bytes);
            ArrayNode list = view.putArray("segments");
            segments.forEach(segment -> list.add(segment.toString()));
            room(destination, repair, failure, bytes).ifPresent(room -> {
                view.put("roomBytes", room);
                if (room < LARGEST_BYTES) {
                    uncovered(
                            destination,
                            "link",
                            "links of the repair take packets of " + room
                                    + " bytes at most, and those of policies have up to " + LARGEST_BYTES);
                }
            });
        }

        /** Only where some link of the network is too narrow there may be one on the way: most networks have none. */
        private OptionalInt room(String destination, Repair repair, Failure failure, int bytes) {
            return narrowest.isPresent() && narrowest.getAsInt() < LARGEST_BYTES + bytes
                    ? RepairLinks.room(RepairLinks.of(underlay.paths(), self, failure, repair, destination), bytes)
                    : OptionalInt.empty();
        }

        private ObjectNode repair(Repair repair, Failure failure) {
            return repairs.computeIfAbsent(failure + " " + repair.text(), key -> {
                ObjectNode view = JsonNodeFactory.instance.objectNode();
                ArrayNode links = view.putArray("links");
                failure.links().forEach(links::add);
                failure.node().ifPresent(one -> view.put("avoidsNode", one));
                ArrayNode risks = view.putArray("avoidsSrlgs");
                failure.srlgs().forEach(risks::add);
                return view.put("way", repair.text()).put("release", repair.release());
            });
        }
    }
}
