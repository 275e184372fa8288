// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Submission;
import org.sextant.core.net.Network;
import org.sextant.usid.Policy;
import org.sextant.usid.plan.PolicyKind;

/** The policies of a running controller. Callable from any thread. */
public final class Policies {
    private final Intents intents;
    private final PolicyKind kind;

    public Policies(Intents intents, PolicyKind kind) {
        this.intents = intents;
        this.kind = kind;
    }

    /** Stores and installs; see {@link Intents#submit}. */
    public Submission<Policy> submit(List<Policy> policies) {
        return intents.submit(kind, policies);
    }

    /**
     * The whole plan that submitting would install; changes nothing.
     *
     * @throws ProblemException if it would be rejected
     */
    public Plan dryRun(Policy policy) {
        DryRun<Policy> tried = intents.dryRun(kind, policy);
        if (!tried.plan().feasible()) {
            throw new ProblemException(tried.plan().problems());
        }
        return explained(tried.intent());
    }

    /**
     * The whole plan of a stored policy in the present network.
     *
     * @throws ProblemException if the policy is not there, or does not compile any more
     */
    public Plan plan(String id) {
        return explained(get(id).intent());
    }

    private Plan explained(Numbered<Policy> policy) {
        Plan plan = kind.explain(policy, intents.context());
        if (!plan.feasible()) {
            throw new ProblemException(plan.problems());
        }
        return plan;
    }

    /** @throws ProblemException if the policy is not there */
    public IntentStatus<Policy> get(String id) {
        return find(id).orElseThrow(() -> new ProblemException(new Problem(
                Code.UNKNOWN, "/id", "there is no policy \"" + id + "\"", "list the policies to see what there is")));
    }

    public Optional<IntentStatus<Policy>> find(String id) {
        return intents.get(kind, id);
    }

    /** Whether there is such a policy, and it was not deleted. */
    public boolean present(String id) {
        return find(id).filter(status -> status.state() != IntentState.REMOVING).isPresent();
    }

    /** A policy that was deleted, as long as nodes may have entries of it. */
    public Optional<IntentStatus<Policy>> leaving(String id) {
        return find(id).filter(status -> status.state() == IntentState.REMOVING);
    }

    /** By id; deleted ones of which nodes may have entries included. */
    public List<IntentStatus<Policy>> find(PolicyQuery query) {
        Network network = network();
        return query.equals(PolicyQuery.ALL)
                ? intents.list(kind)
                : intents.find(kind, policy -> query.matches(policy, network));
    }

    /**
     * The one policy between two ends.
     *
     * @throws ProblemException if an end is not given, if there is none, or if there are several
     */
    public IntentStatus<Policy> only(PolicyQuery query) {
        if (query.source().isEmpty() || query.destination().isEmpty()) {
            String missing = query.source().isEmpty() ? "/source" : "/destination";
            throw new ProblemException(new Problem(
                    Code.INVALID,
                    missing,
                    "which policy is meant? " + missing.substring(1) + " is missing",
                    "give source and destination, or the policy's id"));
        }
        List<IntentStatus<Policy>> all = find(query);
        List<IntentStatus<Policy>> present = all.stream()
                .filter(status -> status.state() != IntentState.REMOVING)
                .toList();
        List<IntentStatus<Policy>> found = present.isEmpty() ? all : present;
        if (found.isEmpty()) {
            throw new ProblemException(new Problem(
                    Code.UNKNOWN,
                    "/source",
                    "there is no policy from " + query.source().get() + " to "
                            + query.destination().get(),
                    "list the policies to see what there is"));
        }
        if (found.size() > 1) {
            throw new ProblemException(new Problem(
                    Code.CONFLICT,
                    "/source",
                    "several policies match: "
                            + String.join(
                                    ", ", found.stream().map(IntentStatus::id).toList()),
                    "give nodes too, or the policy's id"));
        }
        return found.get(0);
    }

    /** Completes when the entries are gone, or remembered for a node that cannot be reached. */
    public CompletableFuture<Void> remove(Collection<String> ids) {
        return intents.withdraw(kind, ids);
    }

    public Network network() {
        CompileContext context = intents.context();
        return context.network();
    }
}
