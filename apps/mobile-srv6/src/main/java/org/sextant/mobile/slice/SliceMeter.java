// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.sextant.contract.CounterArrays;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpRule;
import org.sextant.mobile.meter.Nodes;
import org.sextant.mobile.meter.Recent;

/** The counters of a slice's rules at its gateways, and these gateways' drops over all slices, by reason. */
final class SliceMeter {
    /** The reasons by their cells (docs/reference/mobile-node.md). */
    private static final List<String> REASONS = List.of(
            "malformed",
            "noRule",
            "segmentsLeft",
            "tooBig",
            "inside",
            "noSource",
            "lastHop",
            "address",
            "noRoom",
            "noList",
            "discarded");

    private final Nodes nodes;
    private final Recent<SortedMap<String, Optional<Gateway>>> recent = new Recent<>();

    SliceMeter(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * The counters of a gateway.
     *
     * @param dropped packets by cell
     */
    private record Gateway(Counters taken, Map<Integer, Counters> dropped) {}

    /** @param plan of the slice */
    void read(String slice, Plan plan) {
        SortedMap<String, List<Entry>> rules = new TreeMap<>();
        plan.entries().stream()
                .filter(placed -> placed.entry() instanceof GtpRule)
                .forEach(placed -> rules.computeIfAbsent(placed.node(), node -> new ArrayList<>())
                        .add(placed.entry()));
        recent.keep(slice, nodes.ask(rules.keySet(), node -> gateway(node, rules.getOrDefault(node, List.of()))));
    }

    private Optional<Gateway> gateway(String node, List<Entry> rules) {
        List<Integer> cells = IntStream.range(0, REASONS.size()).boxed().toList();
        return nodes.counted(node, rules)
                .map(taken -> new Gateway(taken, nodes.cells(node, CounterArrays.GTP_DROPPED.name(), cells)));
    }

    void detail(String slice, ObjectNode view) {
        recent.of(slice).ifPresent(read -> {
            ObjectNode counters = view.putObject("counters");
            read.forEach((node, gateway) -> put(counters.putObject(node), gateway));
        });
    }

    private static void put(ObjectNode json, Optional<Gateway> gateway) {
        json.put("read", gateway.isPresent());
        gateway.ifPresent(read -> {
            json.put("packets", read.taken().packets())
                    .put("bytes", read.taken().bytes());
            ObjectNode dropped = json.putObject("dropped");
            new TreeMap<>(read.dropped()).forEach((cell, counters) -> {
                if (counters.packets() > 0) {
                    dropped.put(REASONS.get(cell), counters.packets());
                }
            });
        });
    }
}
