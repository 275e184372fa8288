// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Totals;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;
import org.sextant.usid.Candidate;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.WeightedHops;

/**
 * The results of a policy's candidate paths: each is computed if it is dynamic, then compiled and traced like a policy
 * of its own; the best one without problems is active (RFC 9256, 2.9).
 *
 * @param tried the best first
 */
record CandidatePaths(List<Tried> tried) {
    CandidatePaths {
        tried = List.copyOf(tried);
    }

    /**
     * The result of one candidate path.
     *
     * @param index in the policy
     * @param way the computed path of a dynamic one
     * @param lists the compiled lists; none after a problem
     * @param loops the probe paths of a valid one with liveness detection, one per planned path
     */
    record Tried(
            int index,
            Candidate candidate,
            Optional<DynamicPath.Way> way,
            List<WeightedHops> lists,
            List<PlannedPath> planned,
            List<Loop> loops,
            Findings findings) {
        /** The worst sums of the metrics of a computed path. */
        Optional<Totals> computed() {
            return way.map(DynamicPath.Way::totals);
        }

        /** The reserved bandwidth by link id, in kbit/s. */
        Map<String, Long> reserved() {
            return way.<Map<String, Long>>map(DynamicPath.Way::reserved).orElse(Map.of());
        }

        boolean valid() {
            return findings.clean();
        }
    }

    /**
     * The candidate paths to install: down to the first valid one, or all with liveness detection.
     *
     * @param proposed true if the policy is submitted or explained now, so that its operator can correct it
     */
    static CandidatePaths wanted(
            NumberedIntent<Policy> policy, Candidates form, CompileContext context, boolean proposed) {
        return form.terms().liveness().isPresent()
                ? all(policy, form, context, proposed)
                : best(policy, form, context, proposed);
    }

    private static CandidatePaths best(
            NumberedIntent<Policy> policy, Candidates form, CompileContext context, boolean proposed) {
        Trial trial = new Trial(policy, form, context, proposed);
        List<Tried> tried = new ArrayList<>();
        for (int index : trial.bestFirst()) {
            tried.add(trial.attempt(index));
            if (tried.get(tried.size() - 1).valid()) {
                break;
            }
        }
        return new CandidatePaths(tried);
    }

    /** The results of all candidate paths, also of those behind the active one. */
    static CandidatePaths all(
            NumberedIntent<Policy> policy, Candidates form, CompileContext context, boolean proposed) {
        Trial trial = new Trial(policy, form, context, proposed);
        return new CandidatePaths(trial.bestFirst().stream().map(trial::attempt).toList());
    }

    /** The valid ones, the best first; the first is the active one. */
    List<Tried> valid() {
        return tried.stream().filter(Tried::valid).toList();
    }

    Optional<Tried> active() {
        return tried.stream().filter(Tried::valid).findFirst();
    }

    /** The bandwidth that the active path reserves, by link id, in kbit/s. */
    Map<String, Long> reserved() {
        return active().map(Tried::reserved).orElse(Map.of());
    }

    /** The plan of the active path, with warnings about better ones; without an active path, the problems of each. */
    List<PlannedPath> taken(Findings findings) {
        Optional<Tried> active = active();
        if (active.isEmpty()) {
            tried.forEach(one -> findings.add(one.findings().problems()));
            return List.of();
        }
        Tried taken = active.get();
        for (Tried better : tried.subList(0, tried.indexOf(taken))) {
            findings.warn("candidate path " + better.candidate().preference() + " is not valid, "
                    + taken.candidate().preference() + " is taken: "
                    + better.findings().problems().get(0).message());
        }
        taken.findings().warnings().forEach(findings::warn);
        return taken.planned();
    }

    /** The candidate paths, the best first: each with its state, its metrics and its links, or its problem. */
    ArrayNode json(Underlay underlay) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        Optional<Tried> active = active();
        for (Tried one : tried) {
            ObjectNode path = json.addObject()
                    .put("index", one.index())
                    .put("preference", one.candidate().preference())
                    .put("protocolOrigin", one.candidate().origin().spelling())
                    .put("originator", one.candidate().origin().originator())
                    .put("discriminator", one.candidate().discriminator())
                    .put("origin", origin(one.candidate().choice()))
                    .put("state", !one.valid() ? "INVALID" : active.get() == one ? "ACTIVE" : "VALID");
            if (one.valid()) {
                cost(one, underlay, path.putObject("cost"));
                TreeSet<String> links = new TreeSet<>();
                one.planned().forEach(planned -> links.addAll(planned.trace().links()));
                ArrayNode texts = path.putArray("links");
                links.forEach(texts::add);
            }
            if (one.valid() && !one.loops().isEmpty()) {
                ArrayNode probes = path.putArray("probes");
                one.loops().forEach(loop -> {
                    ArrayNode containers = probes.addArray();
                    loop.segments().forEach(segment -> containers.add(segment.toString()));
                });
            }
            ArrayNode why = path.putArray("why");
            one.findings().problems().stream().map(Problem::message).forEach(why::add);
        }
        return json;
    }

    private static String origin(Candidate.Choice choice) {
        if (choice instanceof Candidate.Composite) {
            return "composite";
        }
        return choice instanceof Candidate.Explicit ? "explicit" : "dynamic";
    }

    private static void cost(Tried one, Underlay underlay, ObjectNode json) {
        Totals totals = one.computed()
                .orElseGet(() -> one.planned().stream()
                        .map(planned -> Totals.over(links(planned, underlay)))
                        .reduce(Totals::orMore)
                        .orElseThrow());
        json.put("igp", totals.of(Metric.IGP)).put("te", totals.of(Metric.TE)).put("hops", totals.of(Metric.HOPS));
        boolean known = one.planned().stream()
                .flatMap(planned -> planned.trace().links().stream())
                .allMatch(id -> underlay.link(id)
                        .filter(link -> link.knownDelayMicros() > 0)
                        .isPresent());
        if (known) {
            json.put("delayMicros", totals.of(Metric.DELAY));
        }
    }

    /** The links of the path that the trace shows. */
    private static List<Link> links(PlannedPath planned, Underlay underlay) {
        return planned.trace().hops().stream()
                .flatMap(hop -> hop.link().stream())
                .flatMap(id -> underlay.link(id).stream())
                .toList();
    }
}
