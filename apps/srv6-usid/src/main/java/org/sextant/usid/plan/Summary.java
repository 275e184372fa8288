// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Encapsulation;
import org.sextant.usid.Candidate;
import org.sextant.usid.WhenInvalid;

/**
 * The effect of a compiled policy in short: the containers and their cost. A controller has one per policy, so it
 * shares instances with the plan's entries, and becomes JSON on request.
 *
 * @param active the key of the active candidate path, if the next plan depends on it
 * @param fallback the treatment of traffic while no path is valid
 * @param binding the SID by which packets of other policies enter
 * @param reserved by link id, in kbit/s
 * @param liveness of a policy with liveness detection
 */
record Summary(
        List<Way> ways,
        Optional<Candidate.Key> active,
        Optional<WhenInvalid> fallback,
        Optional<Ipv6> binding,
        Map<String, Long> reserved,
        Optional<Liveness> liveness)
        implements Explained {

    /** A policy without reservations and liveness detection. */
    Summary(List<Way> ways, Optional<Candidate.Key> active, Optional<WhenInvalid> fallback, Optional<Ipv6> binding) {
        this(ways, active, fallback, binding, Map.of(), Optional.empty());
    }

    /**
     * @param lists the lists with their candidate paths, the active one's first
     * @param way the nodes and links that packets may use, without the return path of probes
     * @param probeLoad bits per second of the probes, by id of the link
     */
    record Liveness(List<LivenessList> lists, Dependence way, Map<String, Long> probeLoad) {
        Liveness {
            lists = List.copyOf(lists);
            probeLoad = Map.copyOf(probeLoad);
        }
    }

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

        static Way of(PlannedPath one) {
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

    static Summary of(
            List<PlannedPath> planned,
            Optional<Candidate.Key> active,
            Optional<Ipv6> binding,
            Map<String, Long> reserved,
            Optional<Liveness> liveness) {
        return new Summary(
                planned.stream().map(Way::of).toList(), active, Optional.empty(), binding, reserved, liveness);
    }

    /** The lists of a plan with liveness detection, the active candidate path's first; none without it. */
    static List<LivenessList> watched(Plan plan) {
        return plan.explained() instanceof Summary summary
                ? summary.liveness.map(Liveness::lists).orElse(List.of())
                : List.of();
    }

    /** The load of a plan's probes in bits per second, by id of the link; empty without liveness detection. */
    static Map<String, Long> probeLoad(Plan plan) {
        return plan.explained() instanceof Summary summary
                ? summary.liveness.map(Liveness::probeLoad).orElse(Map.of())
                : Map.of();
    }

    /** The nodes and links that packets may use. */
    static Dependence way(Plan plan) {
        Optional<Liveness> liveness = plan.explained() instanceof Summary summary ? summary.liveness : Optional.empty();
        return liveness.map(Liveness::way).orElse(plan.dependsOn());
    }

    /** The bandwidth that a plan reserves, by link id, in kbit/s. */
    static Map<String, Long> reserved(Plan plan) {
        return plan.explained() instanceof Summary summary ? summary.reserved : Map.of();
    }

    /** The treatment of traffic in a plan without a valid path. */
    static Optional<WhenInvalid> fallback(Plan plan) {
        return plan.explained() instanceof Summary summary ? summary.fallback : Optional.empty();
    }

    /** The active candidate path of a plan, if the next one depends on it. */
    static Optional<Candidate.Key> active(Plan plan) {
        return plan.explained() instanceof Summary summary ? summary.active : Optional.empty();
    }

    @Override
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode directions = json.putArray("directions");
        ways.forEach(way -> directions.add(way.json()));
        binding.ifPresent(sid -> json.put("bindingSid", sid.toString()));
        fallback.ifPresent(what -> json.put("fallback", what.spelling()));
        liveness.ifPresent(watched -> {
            ArrayNode lists = json.putArray("watched");
            watched.lists()
                    .forEach(list -> lists.addObject()
                            .put("index", list.index())
                            .put("preference", list.preference())
                            .put("headend", list.headend())
                            .put("family", list.family())
                            .put("sidList", Integer.toUnsignedLong(list.sidList())));
        });
        return json;
    }

    /** One decimal place. */
    static double tenth(double percent) {
        return Math.round(percent * 10) / 10.0;
    }
}
