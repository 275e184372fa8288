// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Seen;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.kit.Family;
import org.sextant.kit.path.FirewallFib;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.sera.Firewall;
import org.sextant.sera.plan.Rules;

/**
 * One packet along a policy, from the headend through all firewalls on its path to its end. If several links are
 * equally good all of them are traced, and the hops are those of the first, or of the first on which the packet is
 * lost.
 */
public final class PacketTrace {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Fib without;
    private final List<FirewallHandle> handles;
    private final Map<String, Firewall> firewalls;

    /**
     * @param without the table entries of nodes without firewalls
     * @param firewalls by id, those of the handles
     */
    public PacketTrace(Fib without, List<FirewallHandle> handles, Map<String, Firewall> firewalls) {
        this.without = without;
        this.handles = List.copyOf(handles);
        this.firewalls = Map.copyOf(firewalls);
    }

    /** The header that a headend pushes for a policy; {@code copies}: the hop limit is that of an inner IPv6 packet. */
    public record Pushed(String headend, Ipv6 source, boolean reduced, List<Ipv6> segments, boolean copies) {}

    /** The destination of the inner packet, which selects the steering. */
    public static IpAddress destination(TraceRequest asked) {
        return asked.sent().destination();
    }

    /**
     * Traces a packet through every node, in full at {@code firewall} if it arrives there.
     *
     * @param firewall one of the handles
     */
    public ObjectNode follow(TraceRequest asked, Pushed pushed, FirewallHandle firewall) {
        HostPacket sent = asked.sent();
        Facts facts = sent.facts().with(KeyField.OUTER_SRC, pushed.source());
        int hopLimit = pushed.copies() && sent.family() == Family.IPV6 ? sent.hopLimit() : Header.DEFAULT_HOP_LIMIT;
        Trace trace = Walk.follow(
                new FirewallFib(without, handles),
                pushed.headend(),
                pushed.reduced(),
                pushed.segments(),
                Payload.to(sent.destination()),
                hopLimit,
                facts);
        ObjectNode json = NODES.objectNode();
        trace.hops().stream()
                .filter(hop -> is(firewall, hop))
                .findFirst()
                .map(hop -> new Tracer(rulesOf(firewall.id()), firewall.sid())
                        .passing(sent, hop.arriving(), pushed.source(), asked.established()))
                .ifPresent(json::setAll);
        json.set("hops", hops(trace, sent, facts, pushed.source()));
        json.set("end", end(trace));
        return json;
    }

    private static boolean is(FirewallHandle firewall, Trace.Hop hop) {
        return firewall.node().equals(hop.node()) && firewall.sid().sid().contains(hop.destinationAddress());
    }

    private ArrayNode hops(Trace trace, HostPacket sent, Facts facts, Ipv6 source) {
        ArrayNode hops = NODES.arrayNode();
        for (Trace.Hop hop : trace.hops()) {
            ObjectNode json = hops.addObject().put("node", hop.node()).put("behavior", hop.behavior());
            if (hops.size() > 1) {
                header(json.putObject("before"), hop.arriving(), sent, source);
            }
            hop.departing().ifPresent(header -> header(json.putObject("after"), header, sent, source));
            judged(hop, facts).ifPresent(said -> json.set("firewall", said));
            hop.link().ifPresent(link -> json.put("link", link));
            if (!hop.otherLinks().isEmpty()) {
                ArrayNode others = json.putArray("otherLinks");
                hop.otherLinks().forEach(others::add);
            }
        }
        return hops;
    }

    private static void header(ObjectNode json, Header header, HostPacket sent, Ipv6 source) {
        Tracer.header(json, header).put("header", sent.outer(header, source));
    }

    /** The verdict of the firewall at a hop: that of the rule which the trace matched. */
    private Optional<ObjectNode> judged(Trace.Hop hop, Facts facts) {
        return handles.stream()
                .filter(one -> is(one, hop))
                .findFirst()
                .flatMap(handle -> handle.rules()
                        .judge(Seen.pushed(facts, handle.sera(), hop.arriving()))
                        .map(row -> said(handle.id(), Rules.index(row.priority()))));
    }

    private ObjectNode said(String id, int rule) {
        ObjectNode said = NODES.objectNode().put("id", id);
        Tracer.said(rulesOf(id), rule, said);
        return said;
    }

    private Firewall rulesOf(String id) {
        return Objects.requireNonNull(firewalls.get(id), id);
    }

    private static ObjectNode end(Trace trace) {
        ObjectNode end = NODES.objectNode();
        trace.arrival().ifPresent(arrival -> {
            end.put("outcome", "delivered").put("node", arrival.node());
            arrival.delivery().ifPresent(to -> end.put("to", to.neighbor()).put("link", to.link()));
        });
        trace.failure()
                .ifPresent(failure -> end.put("outcome", failure.reason() == Trace.Reason.DROPPED ? "dropped" : "lost")
                        .put("node", failure.node())
                        .put("reason", failure.reason().name())
                        .put("why", failure.message()));
        return end;
    }
}
