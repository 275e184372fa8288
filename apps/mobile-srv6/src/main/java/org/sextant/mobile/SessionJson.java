// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.NeverForwarded;
import org.sextant.core.json.Fields;
import org.sextant.mobile.Session.IndirectForwarding;
import org.sextant.mobile.Session.Tunnel;

/** The JSON form of sessions, both ways; the slice is where a session is posted, and not in it. */
public final class SessionJson {
    private static final int MOST_UES = 16;

    private SessionJson() {}

    /** @throws org.sextant.core.ProblemException with every problem of the document */
    public static Session decode(String slice, JsonNode json) {
        Fields fields = new Fields(json, "", new ArrayList<>());
        fields.require("id", "give an id that is unique in the slice, such as \"imsi-001010000000001-5\"");
        Optional<String> id = fields.parsed("id", "begin with a letter or digit; 31 characters at most", text -> {
            Session.checkId(text);
            return text;
        });
        List<IpPrefix> ues = fields.list("ue", (node, at) -> SliceJson.prefix(node, at, fields));
        if (ues.size() > MOST_UES) {
            fields.invalid("/ue", ues.size() + " prefixes are given", "list " + MOST_UES + " at most");
        }
        int qfi = (int) fields.integer("qfi", 0, 63, 0);
        boolean rqi = fields.bool("rqi", false);
        fields.require("uplink", "write {\"endpoint\": where the gNB sends to, \"teid\": the TEID it uses}");
        Optional<Tunnel> uplink = tunnel(fields, "uplink");
        Optional<Tunnel> downlink = tunnel(fields, "downlink");
        Optional<IndirectForwarding> forwarding = forwarding(fields);
        fields.finishOrThrow();
        return new Session(slice, id.orElseThrow(), ues, qfi, rqi, uplink.orElseThrow(), downlink, forwarding);
    }

    private static Optional<IndirectForwarding> forwarding(Fields fields) {
        Optional<JsonNode> node = fields.node("forwarding");
        if (node.isEmpty()) {
            return Optional.empty();
        }
        Fields inner = new Fields(node.get(), fields.pointer("forwarding"), fields.problems());
        inner.require("from", "write {\"endpoint\": where the source gNB sends to, \"teid\": the TEID it uses}");
        inner.require("to", "write {\"endpoint\": where the target gNB receives, \"teid\": the TEID there}");
        inner.require("qfis", "list the QoS flows that are forwarded, such as [9]");
        Optional<Tunnel> from = tunnel(inner, "from");
        Optional<Tunnel> to = tunnel(inner, "to");
        List<Integer> qfis = inner.list("qfis", (one, at) -> qfi(one, at, inner));
        if (inner.has("qfis") && inner.node("qfis").filter(JsonNode::isEmpty).isPresent()) {
            inner.invalid(inner.pointer("qfis"), "at least one QoS flow is wanted", "list it, or leave forwarding out");
        }
        if (node.get().isObject()) {
            inner.finish();
        }
        return from.isPresent() && to.isPresent() && !qfis.isEmpty()
                ? Optional.of(new IndirectForwarding(from.get(), to.get(), qfis))
                : Optional.empty();
    }

    private static Optional<Integer> qfi(JsonNode node, String at, Fields fields) {
        if (node.isIntegralNumber() && node.canConvertToInt() && node.intValue() >= 0 && node.intValue() <= 63) {
            return Optional.of(node.intValue());
        }
        fields.invalid(at, node + " is no QFI", "write a number from 0 to 63");
        return Optional.empty();
    }

    private static Optional<Tunnel> tunnel(Fields fields, String name) {
        Optional<JsonNode> node = fields.node(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        Fields inner = new Fields(node.get(), fields.pointer(name), fields.problems());
        inner.require("endpoint", "give the address that GTP-U is sent to");
        inner.require("teid", "give the TEID");
        Optional<IpAddress> endpoint =
                inner.parsed("endpoint", "give an address", text -> NeverForwarded.refuse(IpAddress.parse(text)));
        Optional<Integer> teid = inner.node("teid")
                .filter(JsonNode::isIntegralNumber)
                .map(JsonNode::asText)
                .or(() -> inner.text("teid"))
                .flatMap(text -> inner.parse(
                        text,
                        inner.pointer("teid"),
                        "write a number from 1 to 4294967295, or \"0x1001\"",
                        SessionJson::teid));
        if (node.get().isObject()) {
            inner.finish();
        }
        return endpoint.isPresent() && teid.isPresent()
                ? Optional.of(new Tunnel(endpoint.get(), teid.get()))
                : Optional.empty();
    }

    private static int teid(String text) {
        long teid = TeidRange.teid(text);
        return (int) new TeidRange(teid, teid).first();
    }

    /** Canonical: the same fields in the same order for equal sessions. */
    public static ObjectNode encode(Session session) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("id", session.id());
        if (!session.ues().isEmpty()) {
            ArrayNode ues = json.putArray("ue");
            session.ues().forEach(ue -> ues.add(ue.toString()));
        }
        json.put("qfi", session.qfi()).put("rqi", session.rqi());
        tunnel(json.putObject("uplink"), session.uplink());
        session.downlink().ifPresent(tunnel -> tunnel(json.putObject("downlink"), tunnel));
        session.forwarding().ifPresent(forwarding -> {
            ObjectNode object = json.putObject("forwarding");
            tunnel(object.putObject("from"), forwarding.from());
            tunnel(object.putObject("to"), forwarding.to());
            ArrayNode qfis = object.putArray("qfis");
            forwarding.qfis().forEach(qfis::add);
        });
        return json;
    }

    private static void tunnel(ObjectNode json, Tunnel tunnel) {
        json.put("endpoint", tunnel.endpoint().toString()).put("teid", Integer.toUnsignedLong(tunnel.teid()));
    }
}
