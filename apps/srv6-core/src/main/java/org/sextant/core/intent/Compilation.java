// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.table.Entry;

/** Turns an intent into a plan that no other intent's plan contradicts. */
final class Compilation {
    private final SortedMap<String, NodeTable> nodes;
    private final Events events;

    Compilation(SortedMap<String, NodeTable> nodes, Events events) {
        this.nodes = nodes;
        this.events = events;
    }

    /** Never throws: a compiler's defect becomes a problem of the intent, and an event. */
    Plan compile(IntentKind<Object> kind, Numbered<Object> intent, CompileContext context) {
        try {
            return kind.compile(intent, context);
        } catch (ProblemException e) {
            return refused(e.problems());
        } catch (RuntimeException e) {
            events.emit(new EngineEvent.Fault("compile " + kind.name() + "/" + intent.id(), e));
            Problem problem = new Problem(
                    Problem.Code.UNFEASIBLE, "", "the compiler of kind " + kind.name() + " failed: " + e,
                    "this is a defect; report it with the intent and the network");
            return refused(List.of(problem));
        }
    }

    /** The plan, or one that installs nothing and names the owners of what it wants. */
    Plan withoutConflicts(IntentKind<Object> kind, Tracked self, Object intent, Plan plan) {
        List<Problem> conflicts = new ArrayList<>();
        for (Plan.Placed placed : plan.entries()) {
            NodeTable node = nodes.get(placed.node());
            Row row = node == null ? null : node.rows.get(placed.entry().key());
            if (row != null) {
                conflict(kind, self, intent, row, placed.entry(), conflicts);
            }
        }
        return conflicts.isEmpty() ? plan : refuse(plan.explanation(), conflicts, plan.warnings(), plan.dependsOn());
    }

    private static void conflict(
            IntentKind<Object> kind, Tracked self, Object intent, Row row, Entry entry, List<Problem> conflicts) {
        for (Row.Claim claim : row.claims()) {
            if (claim.owner == self || claim.target == null) {
                continue;
            }
            boolean shared = kind.shares(entry) && claim.owner.kind.shares(entry) && Row.same(entry, claim.target);
            if (!shared) {
                String owner = claim.owner.kind.name() + " \"" + claim.owner.ref.id() + "\"";
                conflicts.add(new Problem(
                        Problem.Code.CONFLICT, kind.field(intent, entry), row.key + " on node " + row.node.name + " belongs to " + owner,
                        "ask for something else, or delete " + owner + " first"));
                return;
            }
        }
    }

    /** A plan that installs nothing. */
    static Plan refused(List<Problem> problems) {
        return refuse(JsonNodeFactory.instance.objectNode(), problems, List.of(), Set.of());
    }

    static boolean isConflict(Plan plan) {
        return plan.problems().stream().anyMatch(problem -> problem.code() == Problem.Code.CONFLICT);
    }

    private static Plan refuse(
            ObjectNode explanation, List<Problem> problems, List<String> warnings, Set<String> dependsOn) {
        return new Plan(List.of(), explanation, problems, warnings, dependsOn);
    }
}
