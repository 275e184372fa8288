// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Network;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.DoubleReallocation;
import org.sextant.core.sid.DoubleReallocation.Mode;
import org.sextant.core.sid.DoubleReallocation.Verdict;
import org.sextant.core.sid.Encapsulation;

/**
 * What a plan does to the bytes, as JSON: what dry run, {@code explain}, the CLI's tables and the map show. The fields
 * are described in docs/reference/policies.md.
 */
record Explanation(Network network, Findings findings) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    ObjectNode of(List<Planned> planned, List<Placed> entries) {
        ObjectNode json = NODES.objectNode();
        ArrayNode directions = json.putArray("directions");
        planned.forEach(one -> directions.add(direction(one)));
        json.set("entries", Entries.json(entries));
        ArrayNode warnings = json.putArray("warnings");
        findings.warnings().forEach(warnings::add);
        return json;
    }

    private ObjectNode direction(Planned one) {
        Direction direction = one.direction();
        ObjectNode json = NODES.objectNode();
        json.put("from", direction.from())
                .put("to", direction.to())
                .put("family", direction.family().spelling())
                .put("headend", direction.headend().name())
                .put("egress", one.trace().arrival().orElseThrow().node())
                .put("encapsulation", direction.reduced() ? "H.Encaps.Red" : "H.Encaps");
        if (direction.branches().size() > 1) {
            json.put("weight", one.branch().weight());
        }
        ArrayNode steering = json.putArray("steering");
        direction.steering().stream().map(IpPrefix::toString).forEach(steering::add);
        ArrayNode containers = json.putArray("containers");
        one.segments().forEach(segment -> containers.add(segment.toString()));
        costs(one.encapsulation(), json);
        json.set("outerHeader", outerHeader(one));
        json.set("mtu", new MtuCheck(network, findings).json(one));
        json.set("doubleReallocation", doubleReallocation(one));
        json.set("hops", HopsJson.of(one.trace()));
        return json;
    }

    private static void costs(Encapsulation cost, ObjectNode json) {
        json.put("encapsulationBytes", cost.bytes())
                .put("plainSrv6Bytes", cost.plainSrv6Bytes())
                .put("savingPercent", tenth(cost.savingPercent()));
        json.putObject("crh16").put("bytes", cost.crh16Bytes()).put("savingPercent", tenth(cost.savingPercent(cost.crh16Bytes())));
        json.putObject("crh32").put("bytes", cost.crh32Bytes()).put("savingPercent", tenth(cost.savingPercent(cost.crh32Bytes())));
    }

    /** One decimal place. */
    private static double tenth(double percent) {
        return Math.round(percent * 10) / 10.0;
    }

    private static ObjectNode outerHeader(Planned one) {
        ObjectNode json = NODES.objectNode();
        OuterHeader outer = OuterHeader.of(one);
        one.direction().headend().srv6().map(Srv6::encapSource).ifPresent(source -> json.put("source", source.toString()));
        json.put("destination", one.segments().get(0).toString()).put("nextHeader", outer.nextHeader()).put("srhBytes", outer.srh().length);
        return json.put("srhHex", outer.srhHex());
    }

    private ObjectNode doubleReallocation(Planned one) {
        int segments = one.containers().size();
        boolean reduced = one.direction().reduced();
        Verdict verdict = DoubleReallocation.X86_I40E.verdict(reduced ? Mode.RED : Mode.ENCAP, segments);
        boolean otherTwice = DoubleReallocation.X86_I40E.verdict(reduced ? Mode.ENCAP : Mode.RED, segments).twice();
        ObjectNode json = NODES.objectNode().put("node", one.direction().headend().name()).put("headerBytes", verdict.headerBytes()).put("twice", verdict.twice());
        if (verdict.twice()) {
            String other = reduced ? "full" : "reduced";
            String remedy = otherTwice ? "a path of another length" : "\"encapsulation\": \"" + other + "\"";
            json.put("avoidedBy", remedy);
            findings.warn("headend " + one.direction().headend().name() + " would move every packet twice in memory to push " + verdict.headerBytes()
                    + " bytes, if its kernel is older than 6.14 (reference: x86, i40e); avoided by " + remedy);
        }
        return json;
    }
}
