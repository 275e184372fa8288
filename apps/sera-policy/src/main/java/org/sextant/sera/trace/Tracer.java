// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Program;
import org.sextant.core.sid.Seen;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;
import org.sextant.core.table.SeraStateful;
import org.sextant.sera.Firewall;
import org.sextant.sera.Groups;
import org.sextant.sera.Rule;
import org.sextant.sera.Verb;
import org.sextant.sera.plan.RuleRows;
import org.sextant.sera.plan.Rules;

/**
 * Traces a packet through a firewall: the rule that matches it, the first field in which it differs from each other
 * one, and the action.
 */
public final class Tracer {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Firewall firewall;
    private final MySid sid;
    private final Sera sera;
    private final RuleSet rules;

    /** @param sid of the firewall on its node */
    public Tracer(Firewall firewall, MySid sid) {
        this.firewall = firewall;
        this.sid = sid;
        this.sera = sid.behavior() instanceof SeraStateful stateful ? stateful.firewall() : (Sera) sid.behavior();
        this.rules = Rules.asWritten(firewall);
    }

    /** @throws ProblemException if the request is invalid, or its packet does not arrive at this firewall */
    public ObjectNode trace(JsonNode request) {
        return trace(TraceRequest.read(request));
    }

    /** As {@link #trace(JsonNode)}, for a decoded request. */
    public ObjectNode trace(TraceRequest asked) {
        Packet packet = asked.packet((Ipv6) sid.sid().address(), sera);
        packet.header().ifPresent(header -> here(header, asked.hex().isPresent()));
        return answer(packet);
    }

    /** Traces a packet that arrives with this outer header. */
    ObjectNode passing(HostPacket sent, Header header, Ipv6 source, boolean established) {
        return answer(
                sent.whole()
                        ? Packet.of(ParsedPacket.of(CapturedPacket.parse(sent.hex(header, source))), sera, established)
                        : new Packet(
                                Seen.pushed(sent.facts().with(KeyField.OUTER_SRC, source), sera, header),
                                Optional.of(header),
                                Optional.empty(),
                                Optional.empty()));
    }

    private void here(Header header, boolean hex) {
        if (!sid.sid().contains(header.destination())) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    hex ? "/hex" : "/packet/destinationAddress",
                    "the packet is on its way to " + header.destination() + ", and this firewall's SID is " + sid.sid(),
                    "give the packet as it comes to node " + firewall.node()));
        }
    }

    private ObjectNode answer(Packet packet) {
        ObjectNode json = NODES.objectNode();
        if (packet.malformed().isPresent()) {
            json.put("verdict", "drop")
                    .put("dropped", "malformed")
                    .put("why", packet.malformed().get());
            before(packet, json);
            return json;
        }
        RuleSet.Row row = rules.judge(packet.facts()).orElseThrow();
        int index = Rules.index(row.priority());
        said(firewall, index, json);
        Verdict done = firewall.audit() && row.verdict() == Verdict.DROP ? Verdict.GO_NEXT : row.verdict();
        json.set("passed", passed(packet, index < 0 ? firewall.rules().size() : index));
        before(packet, json);
        after(packet, done, json);
        return json;
    }

    /** Writes the verdict, its rule and the enforced action if that differs; -1: the default. */
    static void said(Firewall firewall, int index, ObjectNode json) {
        Verb verb =
                index < 0 ? firewall.otherwise() : firewall.rules().get(index).verb();
        json.put("verdict", verb.spelling());
        ObjectNode rule = json.putObject("rule");
        if (index >= 0) {
            rule.put("index", index);
        }
        rule.put(
                "name",
                index < 0 ? Rules.DEFAULT_RULE : firewall.rules().get(index).called(index));
        if (firewall.audit() && verb == Verb.DROP) {
            json.put("enforced", Verb.ACCEPT.spelling());
        }
    }

    private ArrayNode passed(Packet packet, int end) {
        ArrayNode passed = NODES.arrayNode();
        Groups groups = new Groups(firewall.groups());
        for (int i = 0; i < end; i++) {
            Rule rule = firewall.rules().get(i);
            passed.addObject()
                    .put("rule", i)
                    .put("name", rule.called(i))
                    .put(
                            "differs",
                            new RuleRows(rule, groups).differs(packet.facts()).orElse(""));
        }
        return passed;
    }

    private static void before(Packet packet, ObjectNode json) {
        packet.header().ifPresent(header -> {
            ObjectNode before = header(json.putObject("before"), header);
            packet.bytes().ifPresent(bytes -> before.put("hex", bytes.packet().hex()));
        });
    }

    static ObjectNode header(ObjectNode json, Header header) {
        json.put("destinationAddress", header.destination().toString());
        header.srh().ifPresent(srh -> json.put("segmentsLeft", srh.segmentsLeft()));
        return json.put("hopLimit", header.hopLimit());
    }

    private void after(Packet packet, Verdict done, ObjectNode json) {
        if (done == Verdict.DROP || packet.header().isEmpty()) {
            return;
        }
        Header header = packet.header().get();
        Optional<Verdict> verdict = done == Verdict.EVAL_ARGS
                ? Verdict.ofArguments(Program.arguments(sera, header.destination()))
                : Optional.of(done);
        if (verdict.isEmpty()) {
            dropped(
                    json,
                    "badArguments",
                    "no action has the arguments " + Program.arguments(sera, header.destination())
                            + "; the sender gets an ICMPv6 Parameter Problem");
        } else if (header.hopLimit() <= 1) {
            dropped(json, "lastHop", "its hop limit ends here");
        } else {
            moved(packet, verdict.get(), header, json);
        }
    }

    private void moved(Packet packet, Verdict verdict, Header header, ObjectNode json) {
        Optional<Header> next = Program.after(verdict, sera, header);
        if (next.isEmpty()) {
            dropped(json, "unable", "there is no function to go to behind this one");
            return;
        }
        ObjectNode after = header(json.putObject("after"), next.get());
        packet.bytes()
                .ifPresent(bytes -> after.put(
                        "hex",
                        bytes.packet()
                                .moved(
                                        next.get().destination(),
                                        next.get().hopLimit(),
                                        bytes.srhAt(),
                                        next.get().segmentsLeft())
                                .hex()));
    }

    private static void dropped(ObjectNode json, String reason, String why) {
        json.put("dropped", reason).put("why", why);
    }
}
