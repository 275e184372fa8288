// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Arguments;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.table.GtpRule.Does;
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.SidList;
import org.sextant.kit.app.AppIntents;
import org.sextant.mobile.Session;
import org.sextant.mobile.Session.Tunnel;
import org.sextant.mobile.Slice;

/** Explains the treatment of a captured packet, by the present entries of slices and sessions. */
final class Explainer {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int SESSION_BITS = 40;

    private final AppIntents<Slice> slices;
    private final AppIntents<Session> sessions;

    Explainer(AppIntents<Slice> slices, AppIntents<Session> sessions) {
        this.slices = slices;
        this.sessions = sessions;
    }

    /** @throws org.sextant.core.ProblemException if it is not a GTP-U packet */
    ObjectNode explain(String hex) {
        GtpPacket packet = GtpPacket.decode(hex);
        ObjectNode json = NODES.objectNode();
        json.set("packet", described(packet));
        ArrayNode gateways = json.putArray("gateways");
        List<IntentStatus<Session>> having = having(packet);
        candidates(packet, having).forEach((node, takings) -> {
            takings.sort(MatchingGtpRule.FIRST);
            gateways.add(taken(packet, takings.get(0), having));
        });
        return json;
    }

    private static ObjectNode described(GtpPacket packet) {
        ObjectNode json = NODES.objectNode()
                .put("source", packet.source().toString())
                .put("destination", packet.destination().toString())
                .put("dscp", packet.dscp())
                .put("message", packet.typeText())
                .put("teid", Integer.toUnsignedLong(packet.teid()))
                .put("sequenced", packet.sequenced());
        packet.container()
                .ifPresent(container -> json.putObject("container")
                        .put("direction", container.uplink() ? "uplink" : "downlink")
                        .put("qfi", container.qfi())
                        .put("rqi", container.rqi()));
        packet.inside()
                .ifPresent(inside -> json.putObject("inside")
                        .put("source", inside.source().toString())
                        .put("destination", inside.destination().toString()));
        ArrayNode obstacles = json.putArray("notTranslated");
        packet.obstacles().forEach(obstacles::add);
        return json;
    }

    /** The sessions with this tunnel, in either direction. */
    private List<IntentStatus<Session>> having(GtpPacket packet) {
        if (packet.teid() == 0) {
            return List.of();
        }
        Tunnel tunnel = new Tunnel(packet.destination(), packet.teid());
        return sessions.list(
                session -> session.uplink().equals(tunnel) || session.downlink().equals(Optional.of(tunnel)));
    }

    /** The rules that match the packet, by gateway: the match depends on the gateway that it reaches. */
    private SortedMap<String, List<MatchingGtpRule>> candidates(GtpPacket packet, List<IntentStatus<Session>> having) {
        SortedMap<String, List<MatchingGtpRule>> byGateway = new TreeMap<>();
        for (IntentStatus<Slice> slice : slices.list()) {
            if (slice.state() == IntentState.REMOVING) {
                continue;
            }
            for (Plan.Placed placed : slice.plan().entries()) {
                MatchingGtpRule.of(slice, placed, packet, sessionClass(placed.node(), packet, having))
                        .ifPresent(taking -> byGateway
                                .computeIfAbsent(taking.gateway(), node -> new ArrayList<>())
                                .add(taking));
            }
        }
        return byGateway;
    }

    private static int sessionClass(String node, GtpPacket packet, List<IntentStatus<Session>> having) {
        return session(node, packet, having)
                .flatMap(session -> tunnel(session, node, packet))
                .map(GtpTunnel::sessionClass)
                .orElse(0);
    }

    private static Optional<IntentStatus<Session>> session(
            String node, GtpPacket packet, List<IntentStatus<Session>> having) {
        return having.stream()
                .filter(session -> tunnel(session, node, packet).isPresent())
                .findFirst();
    }

    private static Optional<GtpTunnel> tunnel(IntentStatus<Session> session, String node, GtpPacket packet) {
        return session.plan().entries().stream()
                .filter(placed -> placed.node().equals(node))
                .map(Plan.Placed::entry)
                .filter(GtpTunnel.class::isInstance)
                .map(GtpTunnel.class::cast)
                .filter(row -> row.endpoint().equals(packet.destination()) && row.teid() == packet.teid())
                .findFirst();
    }

    private static ObjectNode taken(GtpPacket packet, MatchingGtpRule taking, List<IntentStatus<Session>> having) {
        Slice slice = taking.slice().intent().intent();
        boolean up = taking.gateway().equals(slice.access().gateway());
        ObjectNode json = NODES.objectNode()
                .put("gateway", taking.gateway())
                .put("direction", up ? "uplink" : "downlink")
                .put("slice", slice.name());
        session(taking.gateway(), packet, having)
                .ifPresent(
                        session -> json.put("session", session.intent().intent().id()));
        json.put("rule", taking.rule().key().match())
                .put("action", taking.rule().actionText());
        Does does = taking.rule().does();
        if (does instanceof Does.Translate translate) {
            travels(json, translated(packet, translate, list(taking, translate.sidList())));
            json.put("sourceAddress", source(packet, translate).toString());
            json.put("arguments", String.format("%010x", arguments(packet)));
            json.put(
                    "then",
                    up && slice.core().anchor()
                            ? "GTP-U ends at " + slice.core().node() + ", which looks up what is inside"
                            : (up ? slice.core().node() : slice.access().gateway()) + " gives GTP-U back, from "
                                    + packet.source() + " to " + packet.destination() + ", TEID "
                                    + Integer.toUnsignedLong(packet.teid()) + ", QFI " + packet.qfi());
        } else if (does instanceof Does.Carry carry) {
            travels(json, list(taking, carry.sidList()));
            json.put(
                    "then",
                    "the whole packet comes out at "
                            + (up ? slice.core().node() : slice.access().gateway()) + " and is routed on"
                            + otherDirection(packet, up));
        } else {
            json.put("then", "it is dropped" + otherDirection(packet, up));
        }
        return json;
    }

    /**
     * The reason why a rule of the direction has not translated a packet that the other direction's would
     * (docs/reference/mobile-node.md).
     */
    private static String otherDirection(GtpPacket packet, boolean up) {
        return packet.container()
                .filter(container -> container.uplink() != up)
                .map(container -> ": its PDU Session Container is of the other direction")
                .orElse("");
    }

    private static void travels(ObjectNode json, List<Ipv6> segments) {
        if (segments.isEmpty()) {
            return;
        }
        ArrayNode array = json.putArray("segments");
        segments.forEach(segment -> array.add(segment.toString()));
        json.put("encapsulationBytes", Encapsulation.reducedBytes(segments.size()));
    }

    private static List<Ipv6> list(MatchingGtpRule taking, int id) {
        return taking.slice().plan().entries().stream()
                .filter(placed -> placed.node().equals(taking.gateway()))
                .map(Plan.Placed::entry)
                .filter(SidList.class::isInstance)
                .map(SidList.class::cast)
                .filter(list -> list.id() == id)
                .flatMap(list -> list.members().stream().limit(1))
                .flatMap(member -> member.segments().stream())
                .toList();
    }

    private static long arguments(GtpPacket packet) {
        return Session.arguments(packet.qfi(), packet.rqi(), packet.teid());
    }

    /** The segments after translation, as {@code gtp_d} in docs/reference/mobile-node.md. */
    private static List<Ipv6> translated(GtpPacket packet, Does.Translate translate, List<Ipv6> listed) {
        List<Ipv6> segments = new ArrayList<>(listed);
        if (!segments.isEmpty()) {
            Ipv6 last = segments.remove(segments.size() - 1);
            if (translate.addressAt() > 0 && packet.destination() instanceof Ipv4 address) {
                last = four(address).in(last, translate.addressAt());
            }
            if (translate.argsAt() > 0) {
                last = Arguments.of(arguments(packet), SESSION_BITS).in(last, translate.argsAt());
            }
            segments.add(last);
        }
        if (translate.keepDestination() && packet.destination() instanceof Ipv6 destination) {
            segments.add(destination);
        }
        return segments;
    }

    private static Ipv6 source(GtpPacket packet, Does.Translate translate) {
        return translate.sourceAt() > 0 && packet.source() instanceof Ipv4 address
                ? four(address).in(translate.source(), translate.sourceAt())
                : translate.source();
    }

    private static Arguments four(Ipv4 address) {
        return Arguments.of(Integer.toUnsignedLong(address.value()), Integer.SIZE);
    }

    /** The explanation as text for a shell. */
    static String text(ObjectNode json) {
        StringBuilder text = new StringBuilder();
        var packet = json.get("packet");
        text.append(packet.get("message").asText())
                .append(" from ")
                .append(packet.get("source").asText());
        text.append(" to ").append(packet.get("destination").asText());
        text.append(", TEID ").append(packet.get("teid").asText());
        if (packet.has("container")) {
            text.append(", QFI ").append(packet.at("/container/qfi").asText());
            text.append(packet.at("/container/rqi").asBoolean() ? ", RQI, " : ", ");
            text.append(packet.at("/container/direction").asText());
        }
        text.append('\n');
        packet.get("notTranslated")
                .forEach(why ->
                        text.append("  not translated: ").append(why.asText()).append('\n'));
        if (json.get("gateways").isEmpty()) {
            text.append("  no slice takes it: it is routed as it is\n");
        }
        for (var gateway : json.get("gateways")) {
            text.append("  at ").append(gateway.get("gateway").asText()).append(": slice ");
            text.append(gateway.get("slice").asText());
            text.append(
                    gateway.has("session")
                            ? ", session " + gateway.get("session").asText()
                            : "");
            text.append(", ").append(gateway.get("direction").asText()).append('\n');
            text.append("    ").append(gateway.get("rule").asText()).append(" -> ");
            text.append(gateway.get("action").asText()).append('\n');
            gateway.path("segments")
                    .forEach(segment ->
                            text.append("    ").append(segment.asText()).append('\n'));
            text.append("    ").append(gateway.get("then").asText()).append('\n');
        }
        return text.toString();
    }
}
