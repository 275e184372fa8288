// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.intent.Explained;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Encapsulation;

/**
 * What a compiled policy does to the bytes, in short: the containers and their cost. A controller has as many of these
 * as policies, so they share what they can with the plan's entries, and become JSON when somebody looks.
 */
record Summary(List<Way> ways) implements Explained {

    /**
     * @param weight 0 for the only path of its direction
     * @param bare as {@link Encapsulation#reduced}
     * @param uncompressed as {@link Encapsulation#uncompressed}
     */
    record Way(
            String from,
            String to,
            String family,
            String headend,
            String egress,
            boolean reduced,
            int weight,
            List<Ipv6> segments,
            boolean bare,
            int uncompressed) {

        static Way of(Planned one) {
            Direction direction = one.direction();
            return new Way(
                    direction.from(),
                    direction.to(),
                    direction.family().spelling(),
                    direction.headend().name(),
                    one.trace().arrival().orElseThrow().node(),
                    direction.reduced(),
                    direction.branches().size() > 1 ? one.branch().weight() : 0,
                    one.segments(),
                    one.encapsulation().reduced(),
                    one.encapsulation().uncompressed());
        }

        ObjectNode json() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("from", from)
                    .put("to", to)
                    .put("family", family)
                    .put("headend", headend)
                    .put("egress", egress)
                    .put("encapsulation", reduced ? "H.Encaps.Red" : "H.Encaps");
            if (weight > 0) {
                json.put("weight", weight);
            }
            ArrayNode containers = json.putArray("containers");
            segments.forEach(segment -> containers.add(segment.toString()));
            Encapsulation cost = new Encapsulation(bare, segments.size(), uncompressed);
            return json.put("encapsulationBytes", cost.bytes())
                    .put("plainSrv6Bytes", cost.plainSrv6Bytes())
                    .put("savingPercent", tenth(cost.savingPercent()));
        }
    }

    static Summary of(List<Planned> planned) {
        return new Summary(planned.stream().map(Way::of).toList());
    }

    @Override
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode directions = json.putArray("directions");
        ways.forEach(way -> directions.add(way.json()));
        return json;
    }

    /** One decimal place. */
    static double tenth(double percent) {
        return Math.round(percent * 10) / 10.0;
    }
}
