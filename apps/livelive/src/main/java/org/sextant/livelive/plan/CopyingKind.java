// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.sextant.contract.Actions;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Epoch;
import org.sextant.core.table.MulticastGroup;
import org.sextant.core.underlay.Underlay;

/**
 * The entries that a switch needs before it can copy packets of any flow (docs/reference/livelive.md): its epoch, and a
 * multicast group for every number of copies. One intent per node; nodes that are not switches get no entries.
 */
public final class CopyingKind implements DerivedKind<String> {

    /** Copies are looked up again at the port where they wait: any existing port will do. */
    private static final int WAITING_PORT = 1;

    @Override
    public String name() {
        return "livelive-copying";
    }

    @Override
    public SortedMap<String, String> derive(Underlay underlay) {
        SortedMap<String, String> nodes = new TreeMap<>();
        underlay.network().nodes().keySet().forEach(name -> nodes.put(name, name));
        return nodes;
    }

    @Override
    public Plan compile(NumberedIntent<String> intent, CompileContext context) {
        String node = intent.intent();
        List<Plan.Placed> entries = context.capabilities(node).filter(CopyingKind::copies).stream()
                .flatMap(can -> entries(context.life(node)).stream())
                .map(entry -> new Plan.Placed(node, entry))
                .toList();
        return new Plan(entries, Explained.NOTHING, List.of(), List.of(), Dependence.on(Set.of(node)));
    }

    private static boolean copies(Capabilities can) {
        return can.offers(Epoch.TABLE, Actions.SET_EPOCH.name())
                && can.offers(MulticastGroup.TABLE, MulticastGroup.ACTION);
    }

    private static List<Entry> entries(int life) {
        List<Entry> entries = new ArrayList<>();
        entries.add(Epoch.ofLife(life));
        IntStream.rangeClosed(1, NumberedPath.MOST)
                .forEach(copies -> entries.add(new MulticastGroup(copies, WAITING_PORT, copies)));
        return entries;
    }

    /** A switch makes as many copies as it has accepted groups for. */
    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public String identity(String node) {
        return node;
    }

    @Override
    public ObjectNode encode(String node) {
        return JsonNodeFactory.instance.objectNode().put("node", node);
    }

    @Override
    public String decode(JsonNode json) {
        return json.path("node").asText();
    }
}
