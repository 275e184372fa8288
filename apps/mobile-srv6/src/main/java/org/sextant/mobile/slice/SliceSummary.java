// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.intent.Explained;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Arguments;
import org.sextant.kit.Family;
import org.sextant.kit.HopsJson;
import org.sextant.kit.OuterHeader;
import org.sextant.kit.Reallocation;
import org.sextant.mobile.Slice;

/**
 * The effect of a slice on packets; docs/reference/slices.md describes the fields.
 *
 * @param handle the exports to its sessions
 */
public record SliceSummary(SliceHandle handle, List<SlicePath> ways, List<String> warnings) implements Explained {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    public SliceSummary {
        ways = List.copyOf(ways);
        warnings = List.copyOf(warnings);
    }

    @Override
    public ObjectNode json() {
        ObjectNode json = NODES.objectNode().put("class", handle.sessionClass());
        ArrayNode directions = json.putArray("ways");
        ways.forEach(way -> directions.add(way(way)));
        ArrayNode texts = json.putArray("warnings");
        warnings.forEach(texts::add);
        return json;
    }

    private ObjectNode way(SlicePath way) {
        Slice slice = handle.slice();
        ObjectNode json = NODES.objectNode();
        json.put("direction", way.direction().word())
                .put("from", way.direction().from().name())
                .put("to", way.direction().to().name())
                .put("packets", way.ending().text());
        texts(json.putArray("segments"), way.template());
        if (way.argumentsAt() > 0) {
            json.put("argumentsAt", way.argumentsAt());
        }
        way.sample().ifPresent(arguments -> json.set("sample", sample(way, arguments)));
        int gtp = Gtp.bytes(slice);
        json.put("encapsulationBytes", way.bytes()).put("gtpBytes", gtp);
        json.put("moreThanGtpBytes", way.ending() == EndTreatment.WHOLE ? way.bytes() : way.bytes() - gtp);
        json.set("mtu", way.mtu().json());
        json.set(
                "doubleReallocation",
                Reallocation.ofGateway(way.direction().from(), way.sent().size())
                        .json());
        return json.set("hops", HopsJson.of(way.trace()));
    }

    /** The traced packet. */
    private ObjectNode sample(SlicePath way, Arguments arguments) {
        ObjectNode json = NODES.objectNode();
        OuterHeader outer =
                OuterHeader.of(way.ending() == EndTreatment.IPV6 ? Family.IPV6 : Family.IPV4, way.sent(), true);
        json.put("arguments", hex(arguments));
        texts(json.putArray("segments"), way.sent());
        return json.put("nextHeader", outer.nextHeader()).put("srhHex", outer.srhHex());
    }

    private static String hex(Arguments arguments) {
        Ipv6 bits = arguments.bits();
        return String.format("%016x%016x", bits.high(), bits.low()).substring(0, arguments.length() / 4);
    }

    private static void texts(ArrayNode array, List<Ipv6> segments) {
        segments.forEach(segment -> array.add(segment.toString()));
    }
}
