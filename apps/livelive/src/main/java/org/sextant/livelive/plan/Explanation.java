// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.net.Link;
import org.sextant.livelive.path.LinkPath;
import org.sextant.livelive.path.SharedResource;

/** The effect of a plan, as JSON; docs/livelive.md describes its fields. */
final class Explanation {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Explanation() {}

    static ObjectNode of(PathChoice choice, List<Direction> directions, List<String> warnings) {
        ObjectNode json = NODES.objectNode();
        if (choice.wanted() > 0) {
            json.put("wanted", choice.wanted());
        }
        json.put("found", choice.paths().size());
        json.put("delaySpreadMicros", spread(choice.paths()));
        ArrayNode relaxed = json.putArray("relaxed");
        choice.relaxed().forEach(sharing -> relaxed.add(relaxed(sharing)));
        ArrayNode all = json.putArray("directions");
        directions.forEach(direction -> all.add(direction(direction)));
        ArrayNode texts = json.putArray("warnings");
        warnings.forEach(texts::add);
        return json;
    }

    private static long spread(List<NumberedPath> paths) {
        long most = paths.stream()
                .mapToLong(path -> path.path().delayMicros())
                .max()
                .orElse(0);
        return most
                - paths.stream()
                        .mapToLong(path -> path.path().delayMicros())
                        .min()
                        .orElse(0);
    }

    private static ObjectNode relaxed(SharedResource sharing) {
        ObjectNode json =
                NODES.objectNode().put("constraint", sharing.kind().spelling()).put("shared", sharing.what());
        ArrayNode paths = json.putArray("paths");
        sharing.paths().forEach(paths::add);
        return json;
    }

    private static ObjectNode direction(Direction direction) {
        FlowEnds ends = direction.ends();
        ObjectNode json = NODES.objectNode();
        json.put("from", ends.from().label())
                .put("to", ends.to().label())
                .put("ingress", ends.ingress().name())
                .put("egress", ends.egress().name())
                .put("flowId", Integer.toUnsignedLong(direction.flowId()))
                .put("group", direction.numbers().group())
                .put("window", direction.numbers().window());
        ArrayNode families = json.putArray("families");
        ends.families().forEach(family -> families.add(family.spelling()));
        ArrayNode paths = json.putArray("paths");
        direction.ways().forEach(way -> paths.add(path(way)));
        return json;
    }

    private static ObjectNode path(Direction.Way way) {
        LinkPath path = way.path().path();
        ObjectNode json = NODES.objectNode().put("path", way.path().number());
        ArrayNode nodes = json.putArray("nodes");
        path.nodes().forEach(nodes::add);
        ArrayNode links = json.putArray("links");
        path.links().stream().map(Link::id).forEach(links::add);
        ArrayNode segments = json.putArray("segments");
        way.segments().forEach(segment -> segments.add(segment.toString()));
        json.put("metric", path.metric());
        if (path.delayKnown()) {
            json.put("delayMicros", path.delayMicros());
        }
        json.put("encapsulationBytes", way.bytes());
        return json.set("mtu", way.mtu().json());
    }
}
