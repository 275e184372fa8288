// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.table.FlowMatch;
import org.sextant.kit.HopsJson;
import org.sextant.kit.OuterHeader;

/**
 * The complete explanation of a plan as JSON; docs/reference/policies.md describes its fields. It is computed on
 * request; a plan contains a {@link Summary}.
 */
final class Explanation {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Explanation() {}

    static ObjectNode whole(List<PlannedPath> planned, List<Placed> entries, List<String> warnings) {
        ObjectNode json = NODES.objectNode();
        ArrayNode directions = json.putArray("directions");
        planned.forEach(one -> directions.add(whole(one)));
        json.set("entries", Entries.json(entries));
        ArrayNode texts = json.putArray("warnings");
        warnings.forEach(texts::add);
        return json;
    }

    private static ObjectNode whole(PlannedPath one) {
        ObjectNode json = Summary.Way.of(one).json();
        Encapsulation cost = one.encapsulation();
        json.putObject("crh16")
                .put("bytes", cost.crh16Bytes())
                .put("savingPercent", Summary.tenth(cost.savingPercent(cost.crh16Bytes())));
        json.putObject("crh32")
                .put("bytes", cost.crh32Bytes())
                .put("savingPercent", Summary.tenth(cost.savingPercent(cost.crh32Bytes())));
        if (one.branch().nestedBytes() > 0) {
            json.put("nestedBytes", one.branch().nestedBytes());
        }
        ArrayNode steering = json.putArray("steering");
        one.direction().steering().stream().map(IpPrefix::toString).forEach(steering::add);
        if (!one.direction().flows().isEmpty()) {
            ArrayNode flows = json.putArray("flows");
            one.direction().flows().stream().map(FlowMatch::toString).forEach(flows::add);
        }
        json.set("outerHeader", outerHeader(one));
        json.set("mtu", one.mtu().json());
        json.set("doubleReallocation", one.reallocation().json());
        json.set("hops", HopsJson.of(one.trace()));
        if (!one.branch().passings().isEmpty()) {
            json.set("branches", HopsJson.branches(one.trace()));
        }
        return json;
    }

    private static ObjectNode outerHeader(PlannedPath one) {
        ObjectNode json = NODES.objectNode();
        OuterHeader outer = OuterHeader.of(
                one.direction().family(), one.segments(), one.encapsulation().reduced());
        one.direction()
                .headend()
                .srv6()
                .map(Srv6::encapSource)
                .ifPresent(source -> json.put("source", source.toString()));
        json.put("destination", one.segments().get(0).toString())
                .put("nextHeader", outer.nextHeader())
                .put("srhBytes", outer.srh().length);
        return json.put("srhHex", outer.srhHex());
    }
}
