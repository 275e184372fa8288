// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.Submission.Outcome;
import org.sextant.usid.Policy;

/**
 * What became of posted policies after waiting for the nodes for a while: created, changed, unchanged, or accepted and
 * not (fully) installed yet.
 */
public final class Receipt {
    private final Policies policies;
    private final List<Line> lines;

    /** One posted policy: its status as of now, or why it was rejected. */
    public record Line(Optional<IntentStatus<Policy>> status, int code, List<Problem> problems) {}

    private Receipt(Policies policies, List<Line> lines) {
        this.policies = policies;
        this.lines = lines;
    }

    /**
     * Submits what is readable and waits until it is settled, at most {@code patience}.
     *
     * @throws ProblemException if a single policy is rejected
     */
    public static Receipt submit(Policies policies, PolicyBody body, Duration patience) {
        List<Policy> readable = body.items().stream()
                .filter(PolicyBody.Item::readable)
                .map(PolicyBody.Item::policy)
                .toList();
        Set<String> before = new TreeSet<>();
        readable.stream()
                .flatMap(policy -> policy.name().stream())
                .filter(name -> policies.find(name).isPresent() && policies.leaving(name).isEmpty())
                .forEach(before::add);
        Submission<Policy> submission = policies.submit(readable);
        await(submission.settled(), patience);
        Receipt receipt = new Receipt(policies, new ArrayList<>());
        Iterator<Outcome<Policy>> outcomes = submission.outcomes().iterator();
        for (int i = 0; i < body.items().size(); i++) {
            PolicyBody.Item item = body.items().get(i);
            receipt.lines.add(
                    item.readable()
                            ? receipt.line(outcomes.next(), before, body.bulk() ? "/" + i : "")
                            : rejected(item.problems()));
        }
        if (!body.bulk() && receipt.lines.get(0).status().isEmpty()) {
            throw new ProblemException(receipt.lines.get(0).problems());
        }
        return receipt;
    }

    /** True if it completed in time. */
    public static boolean await(CompletableFuture<Void> future, Duration patience) {
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private Line line(Outcome<Policy> outcome, Set<String> before, String pointer) {
        if (!outcome.accepted()) {
            return rejected(outcome.problems().stream()
                    .map(problem ->
                            new Problem(problem.code(), pointer + problem.field(), problem.message(), problem.remedy()))
                    .toList());
        }
        String id = outcome.intent().orElseThrow().id();
        IntentStatus<Policy> status = policies.find(id).orElse(outcome.intent().get());
        boolean created = outcome.changed() && !before.contains(id);
        int code = !outcome.changed() ? 200 : status.state() != IntentState.INSTALLED ? 202 : created ? 201 : 200;
        return new Line(Optional.of(status), code, List.of());
    }

    private static Line rejected(List<Problem> problems) {
        int code = problems.stream()
                .mapToInt(problem -> switch (problem.code()) {
                    case INVALID -> 400;
                    case UNKNOWN -> 422;
                    case CONFLICT -> 409;
                    case UNFEASIBLE -> 422;
                })
                .max()
                .orElse(400);
        return new Line(Optional.empty(), code, problems);
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /**
     * Of a bulk: 207 if something was rejected; else 202 if something is not installed; else 201 if something is new;
     * else 200.
     */
    public int code() {
        int worst = lines.stream().mapToInt(Line::code).max().orElse(200);
        return worst >= 400 ? 207 : worst;
    }

    /** A list with one line per policy, in the order posted. */
    public ObjectNode summary() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("created", count(201))
                .put("unchangedOrReplaced", count(200))
                .put("pending", count(202))
                .put(
                        "rejected",
                        lines.stream().filter(line -> line.code() >= 400).count());
        ArrayNode items = json.putArray("items");
        for (Line line : lines) {
            ObjectNode item = items.addObject().put("status", line.code());
            line.status()
                    .ifPresent(status -> item.put("id", status.id())
                            .put("state", status.state().name()));
            if (line.status().isEmpty()) {
                item.set("errors", PolicyView.problems(line.problems()));
            }
        }
        return json;
    }

    private long count(int code) {
        return lines.stream().filter(line -> line.code() == code).count();
    }
}
