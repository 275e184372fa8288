// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.net.Link;
import org.sextant.core.net.Overload;
import org.sextant.core.text.Moments;

/**
 * The changes since the last look, each object once with its latest state: a link that flapped ten times is one line.
 * Not thread-safe.
 */
final class PendingEvents {
    /** More intents than this are not listed: clients ask for the list, which is shorter. */
    static final int MAX_INTENTS = 500;

    private boolean redrawn;

    /** Another compiler version is in force, or members compile other ones. */
    private boolean versions;

    private final SortedMap<String, NetworkDiff.LinkState> links = new TreeMap<>();
    private final SortedMap<NetworkDiff.PortRef, Boolean> ports = new TreeMap<>();
    private final SortedMap<String, NodeStatus> nodes = new TreeMap<>();
    private final SortedMap<String, Optional<Overload>> overloads = new TreeMap<>();
    private final SortedMap<IntentRef, Optional<IntentState>> intents = new TreeMap<>();
    private final SortedMap<String, EngineEvent.IntentReported> reports = new TreeMap<>();
    private final SortedSet<String> written = new TreeSet<>();
    private final SortedMap<NetworkDiff.PortRef, Rates.Rate> traffic = new TreeMap<>();
    private final Supplier<Probes> probes;

    /** @param probes of ports whose nodes do not count them separately */
    PendingEvents(Supplier<Probes> probes) {
        this.probes = probes;
    }

    void add(NetworkDiff diff) {
        redrawn |= diff.redrawn() || diff.faster();
        links.putAll(diff.links());
        ports.putAll(diff.ports());
        overloads.putAll(diff.overloads());
    }

    void add(EngineEvent event) {
        if (event instanceof EngineEvent.IntentChanged changed) {
            intents.put(changed.intent(), Optional.of(changed.state()));
        } else if (event instanceof EngineEvent.IntentRemoved removed) {
            intents.put(removed.intent(), Optional.empty());
        } else if (event instanceof EngineEvent.IntentReported report) {
            reports.put(report.intent() + " " + report.subject(), report);
        } else if (event instanceof EngineEvent.NodeChanged changed) {
            nodes.put(changed.node().node(), changed.node());
        } else if (event instanceof EngineEvent.EntriesWritten entries) {
            written.add(entries.node());
        } else if (event instanceof EngineEvent.EntryRefused refused) {
            written.add(refused.node());
        } else if (event instanceof EngineEvent.CompilerVersionChanged
                || event instanceof EngineEvent.CompilerMembersChanged) {
            versions = true;
        }
    }

    void add(String node, SortedMap<Integer, Rates.Rate> rates) {
        rates.forEach((port, rate) -> traffic.put(new NetworkDiff.PortRef(node, port), rate));
    }

    /** The news as server-sent events; forgets them. */
    List<String> take() {
        List<String> events = new ArrayList<>();
        if (redrawn) {
            events.add(event("network", JsonNodeFactory.instance.objectNode()));
        }
        if (versions) {
            events.add(event("cluster", JsonNodeFactory.instance.objectNode()));
        }
        if (!links.isEmpty() || !ports.isEmpty() || !nodes.isEmpty() || !overloads.isEmpty()) {
            events.add(event("status", status()));
        }
        if (!intents.isEmpty()) {
            events.add(event("intents", intents()));
        }
        if (!reports.isEmpty()) {
            events.add(event("reports", reports()));
        }
        if (!written.isEmpty()) {
            ObjectNode entries = JsonNodeFactory.instance.objectNode();
            ArrayNode names = entries.putArray("nodes");
            written.forEach(names::add);
            events.add(event("entries", entries));
        }
        if (!traffic.isEmpty()) {
            events.add(event("traffic", traffic()));
        }
        forget();
        return events;
    }

    private void forget() {
        redrawn = false;
        versions = false;
        links.clear();
        ports.clear();
        nodes.clear();
        overloads.clear();
        intents.clear();
        reports.clear();
        written.clear();
        traffic.clear();
    }

    private ObjectNode status() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode nodeList = json.putArray("nodes");
        nodes.values().forEach(node -> node(nodeList.addObject(), node));
        ArrayNode linkList = json.putArray("links");
        links.forEach((id, link) -> {
            ObjectNode told = linkList.addObject().put("id", id).put("up", link.up());
            link.restores().ifPresent(due -> told.put("restores", Moments.iso(due)));
        });
        ArrayNode portList = json.putArray("ports");
        ports.forEach((port, up) -> portList.addObject()
                .put("node", port.node())
                .put("port", port.port())
                .put("up", up));
        if (!overloads.isEmpty()) {
            ArrayNode overloadList = json.putArray("overloads");
            overloads.forEach((name, overload) -> {
                ObjectNode told = overloadList.addObject().put("name", name);
                overload.ifPresent(one ->
                        told.put("overloadedSince", Moments.iso(one.since())).put("drained", one.drained()));
            });
        }
        return json;
    }

    private static void node(ObjectNode json, NodeStatus node) {
        NodeStatus.Contact contact = node.contact();
        json.put("name", node.node())
                .put("state", node.state().name())
                .put("reason", node.reason())
                .put("entries", node.entries())
                .put("waiting", contact.waiting());
        contact.since().ifPresent(time -> json.put("since", Moments.iso(time)));
        contact.lastSeen().ifPresent(time -> json.put("lastSeen", Moments.iso(time)));
    }

    private ObjectNode intents() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        boolean many = intents.size() > MAX_INTENTS;
        json.put("many", many);
        ArrayNode changed = json.putArray("changed");
        ArrayNode removed = json.putArray("removed");
        if (!many) {
            intents.forEach((ref, state) -> {
                ObjectNode line = (state.isPresent() ? changed : removed).addObject();
                line.put("kind", ref.kind()).put("id", ref.id());
                state.ifPresent(known -> line.put("state", known.name()));
            });
        }
        return json;
    }

    private ObjectNode reports() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray("reports");
        reports.values()
                .forEach(report -> list.addObject()
                        .put("kind", report.intent().kind())
                        .put("id", report.intent().id())
                        .put("subject", report.subject())
                        .put("trouble", report.trouble())
                        .put("message", report.message()));
        return json;
    }

    private ObjectNode traffic() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode list = json.putArray("ports");
        Probes known = probes.get();
        traffic.forEach((port, rate) -> {
            ObjectNode line = list.addObject()
                    .put("node", port.node())
                    .put("port", port.port())
                    .put("inBitsPerSecond", rate.inBitsPerSecond())
                    .put("outBitsPerSecond", rate.outBitsPerSecond());
            Rates.Rate part = rate.probes().orElseGet(() -> known.of(new Link.End(port.node(), port.port()), rate));
            if (part.inBitsPerSecond() + part.outBitsPerSecond() > 0) {
                line.put("inProbeBitsPerSecond", part.inBitsPerSecond())
                        .put("outProbeBitsPerSecond", part.outBitsPerSecond());
            }
        });
        return json;
    }

    /** One event of the stream (HTML standard, 9.2.6); JSON without line breaks is one data line. */
    static String event(String name, JsonNode data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }
}
