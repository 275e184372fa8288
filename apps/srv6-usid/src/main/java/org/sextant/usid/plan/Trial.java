// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.net.Link;
import org.sextant.core.te.PathSearch;
import org.sextant.kit.Findings;
import org.sextant.usid.Candidate;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.Policy.WeightedHops;
import org.sextant.usid.plan.CandidatePaths.Tried;

/** Compiles candidate paths one by one, each once. Not thread-safe. */
final class Trial {
    private final NumberedIntent<Policy> policy;
    private final Candidates form;
    private final CompileContext context;
    private final boolean proposed;
    private final PathSearch search;
    private final Map<Integer, Tried> tried = new HashMap<>();

    /** @param proposed true if the policy is submitted or explained now, so that its operator can correct it */
    Trial(NumberedIntent<Policy> policy, Candidates form, CompileContext context, boolean proposed) {
        this.policy = policy;
        this.form = form;
        this.context = context;
        this.proposed = proposed;
        boolean pair = IntStream.range(0, form.paths().size())
                .anyMatch(index -> DisjointPeer.of(form.paths(), index).isPresent());
        PathSearch shared = context.underlay().search();
        this.search = pair ? shared.apart() : shared;
    }

    NumberedIntent<Policy> policy() {
        return policy;
    }

    Candidates form() {
        return form;
    }

    CompileContext context() {
        return context;
    }

    /** Other policies do not share searches for pairs of paths, so their results are not cached. */
    PathSearch search() {
        return search;
    }

    /** True if the policy is proposed and was never installed. */
    boolean isNew() {
        return proposed && context.before().isEmpty();
    }

    private SearchBudget budget() {
        return SearchBudget.of(form.paths().stream()
                .filter(one -> one.choice() instanceof Candidate.Dynamic)
                .count());
    }

    /** Their indexes in the policy, in the order of preference. */
    List<Integer> bestFirst() {
        Optional<Candidate.Key> installed =
                form.terms().preferInstalled() ? context.before().flatMap(Summary::active) : Optional.empty();
        return IntStream.range(0, form.paths().size())
                .boxed()
                .sorted(Comparator.comparing(form.paths()::get, Candidate.bestFirst(installed)))
                .toList();
    }

    Tried attempt(int index) {
        Tried known = tried.get(index);
        if (known == null) {
            known = tryOut(index);
            tried.put(index, known);
        }
        return known;
    }

    private Tried tryOut(int index) {
        Findings findings = new Findings();
        Candidate candidate = form.paths().get(index);
        String at = "/candidatePaths/" + index;
        if (candidate.choice() instanceof Candidate.Explicit explicit) {
            return given(index, explicit.lists(), false, at, findings);
        }
        if (candidate.choice() instanceof Candidate.Composite composite) {
            String of = at + "/composite";
            return given(index, new CompositePath(form, context, findings).lists(composite, of), true, of, findings);
        }
        SearchBudget budget = budget();
        DynamicPath dynamic = new DynamicPath(this, (Candidate.Dynamic) candidate.choice(), budget, findings);
        Optional<DynamicPath.Way> way = DisjointPeer.of(form.paths(), index)
                .map(pairing -> paired(dynamic, pairing, budget, at + "/dynamic", findings))
                .orElseGet(() -> dynamic.find(at + "/dynamic", Optional.empty()));
        List<WeightedHops> lists =
                way.map(found -> List.of(new WeightedHops(1, found.hops()))).orElse(List.of());
        List<PlannedPath> planned = new ArrayList<>();
        way.ifPresent(found -> {
            planned.addAll(along(lists, false, at + "/dynamic", findings));
            found.prove(planned, at + "/dynamic", findings);
        });
        return new Tried(index, candidate, way, lists, planned, loops(planned, findings), findings);
    }

    /** The probe paths of each planned path, with liveness detection. */
    private List<Loop> loops(List<PlannedPath> planned, Findings findings) {
        if (form.terms().liveness().isEmpty() || !findings.clean()) {
            return List.of();
        }
        return planned.stream()
                .flatMap(one -> Loop.along(one, context, findings).stream())
                .toList();
    }

    private Optional<DynamicPath.Way> paired(
            DynamicPath dynamic, DisjointPeer pairing, SearchBudget budget, String at, Findings findings) {
        if (pairing.leads()) {
            Candidate.Dynamic other = (Candidate.Dynamic) pairing.candidate().choice();
            return dynamic.find(at, pairing, new DynamicPath(this, other, budget, new Findings()));
        }
        Tried first = attempt(pairing.other());
        if (!first.valid()) {
            findings.warn("candidate path " + pairing.candidate().preference()
                    + " is not valid, so there is nothing to keep away from");
            return dynamic.find(at, Optional.empty());
        }
        Set<Link> links = first.planned().stream()
                .flatMap(one -> one.trace().links().stream())
                .flatMap(id -> context.underlay().link(id).stream())
                .collect(Collectors.toSet());
        return dynamic.find(at, Optional.of(pairing.beside(links)));
    }

    private Tried given(int index, List<WeightedHops> lists, boolean gathered, String at, Findings findings) {
        List<PlannedPath> planned = lists.isEmpty() ? List.of() : along(lists, gathered, at, findings);
        return new Tried(
                index, form.paths().get(index), Optional.empty(), lists, planned, loops(planned, findings), findings);
    }

    private List<PlannedPath> along(List<WeightedHops> lists, boolean gathered, String at, Findings findings) {
        boolean bound = form.terms().binding().isPresent();
        Explicit path = new Explicit(
                form.headend(), lists, Optional.of(form.endpoint()), form.steering(), bound, form.flows(), gathered);
        Policy whole = policy.intent();
        Policy one = new Policy(whole.name(), path, whole.decap(), whole.family(), whole.reduced());
        return PolicyCompiler.attempt(new NumberedIntent<>(policy.id(), policy.number(), one), at, context, findings);
    }
}
