// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Totals;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;
import org.sextant.usid.Candidate;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.Policy.WeightedHops;

/**
 * What comes of the candidate paths of a policy: each is computed if it has to be, compiled and walked like a policy of its
 * own; the best without a problem is the active one (RFC 9256, 2.9).
 */
final class CandidatePaths {
    private final Policy policy;
    private final Candidates form;
    private final CompileContext context;
    private final List<Tried> tried = new ArrayList<>();

    private CandidatePaths(Policy policy, Candidates form, CompileContext context) {
        this.policy = policy;
        this.form = form;
        this.context = context;
    }

    static CandidatePaths of(Policy policy, Candidates form, CompileContext context) {
        return new CandidatePaths(policy, form, context);
    }

    /**
     * One of them.
     *
     * @param index in the policy
     * @param computed what a computed one sums up to at most
     */
    private record Tried(
            int index, Candidate candidate, Optional<Totals> computed, List<Planned> planned, Findings findings) {
        boolean valid() {
            return findings.clean();
        }
    }

    /** Tries them from the best on until one is valid: what has to be installed needs no more. */
    CandidatePaths best() {
        for (int index : bestFirst()) {
            tried.add(attempt(index));
            if (tried.get(tried.size() - 1).valid()) {
                break;
            }
        }
        return this;
    }

    /** Tries all, for those who want to know of the others, too. */
    CandidatePaths all() {
        for (int index : bestFirst()) {
            tried.add(attempt(index));
        }
        return this;
    }

    private List<Integer> bestFirst() {
        return IntStream.range(0, form.paths().size())
                .boxed()
                .sorted(Comparator.comparing(form.paths()::get, Candidate.BEST_FIRST))
                .toList();
    }

    private Tried attempt(int index) {
        Findings findings = new Findings();
        Candidate candidate = form.paths().get(index);
        String at = "/candidatePaths/" + index;
        if (candidate.choice() instanceof Candidate.Explicit explicit) {
            return new Tried(index, candidate, Optional.empty(), along(explicit.lists(), at, findings), findings);
        }
        DynamicPath dynamic =
                new DynamicPath(form, (Candidate.Dynamic) candidate.choice(), context.underlay(), findings);
        Optional<DynamicPath.Way> way = dynamic.find(at + "/dynamic");
        List<Planned> planned = new ArrayList<>();
        way.ifPresent(found -> {
            planned.addAll(along(List.of(new WeightedHops(1, found.hops())), at + "/dynamic", findings));
            found.prove(planned, at + "/dynamic", findings);
        });
        return new Tried(index, candidate, way.map(DynamicPath.Way::totals), planned, findings);
    }

    private List<Planned> along(List<WeightedHops> lists, String at, Findings findings) {
        Explicit path = new Explicit(form.headend(), lists, Optional.of(form.endpoint()), form.steering());
        Policy one = new Policy(policy.name(), path, policy.decap(), policy.family(), policy.reduced());
        return PolicyCompiler.attempt(one, at, context, findings);
    }

    private Optional<Tried> active() {
        return tried.stream().filter(Tried::valid).findFirst();
    }

    /** The plan of the active one, and what is to be said of better ones; without an active one what is wrong with each. */
    List<Planned> taken(Findings findings) {
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

    /** The best first: its state, what it costs and where it leads, or why it does not. */
    ArrayNode json(Underlay underlay) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        Optional<Tried> active = active();
        for (Tried one : tried) {
            ObjectNode path = json.addObject()
                    .put("index", one.index())
                    .put("preference", one.candidate().preference())
                    .put("discriminator", one.candidate().discriminator())
                    .put("origin", one.candidate().choice() instanceof Candidate.Explicit ? "explicit" : "dynamic")
                    .put("state", !one.valid() ? "INVALID" : active.get() == one ? "ACTIVE" : "VALID");
            if (one.valid()) {
                cost(one, underlay, path.putObject("cost"));
                TreeSet<String> links = new TreeSet<>();
                one.planned().forEach(planned -> links.addAll(planned.trace().links()));
                ArrayNode texts = path.putArray("links");
                links.forEach(texts::add);
            }
            ArrayNode why = path.putArray("why");
            one.findings().problems().stream().map(Problem::message).forEach(why::add);
        }
        return json;
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
                .allMatch(id ->
                        underlay.link(id).filter(link -> link.delayMicros() > 0).isPresent());
        if (known) {
            json.put("delayMicros", totals.of(Metric.DELAY));
        }
    }

    /** Those of the way that the plan shows. */
    private static List<Link> links(Planned planned, Underlay underlay) {
        return planned.trace().hops().stream()
                .flatMap(hop -> hop.link().stream())
                .flatMap(id -> underlay.link(id).stream())
                .toList();
    }
}
