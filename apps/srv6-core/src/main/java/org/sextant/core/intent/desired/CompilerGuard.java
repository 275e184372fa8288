// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.Entry;

/** Runs the compilers of kinds: whatever they throw becomes a plan with problems. */
final class CompilerGuard {
    private final EngineRuntime runtime;
    private final OwnerReferences references;

    CompilerGuard(EngineRuntime runtime, OwnerReferences references) {
        this.runtime = runtime;
        this.references = references;
    }

    /** Intents with a reference cycle would be compiled without end. */
    void requireNoCircle(IntentKind<Object> kind, NumberedIntent<Object> intent) {
        IntentRef own = new IntentRef(kind.name(), intent.id());
        references.circle(own, kind.refersTo(intent.intent())).ifPresent(way -> {
            throw new ProblemException(new Problem(
                    Problem.Code.UNFEASIBLE,
                    "",
                    "it refers to itself by way of "
                            + way.stream()
                                    .map(ref -> ref.kind() + " \"" + ref.id() + "\"")
                                    .collect(Collectors.joining(", ")),
                    "take the reference out of one of them"));
        });
    }

    /** Never throws: a compiler's defect becomes a problem of the intent, and an event. */
    Plan guarded(IntentKind<Object> kind, NumberedIntent<Object> intent, Supplier<Plan> compiler) {
        try {
            requireNoCircle(kind, intent);
        } catch (ProblemException e) {
            return Plan.rejected(e.problems());
        }
        return contained(kind, intent, compiler);
    }

    /**
     * The same for any thread: it reads no state of the engine. Errors of one compiler, a recursion without end or a class
     * that its bundle lacks, must not end a change in the middle, before other intents are compiled.
     */
    Plan contained(IntentKind<Object> kind, NumberedIntent<Object> intent, Supplier<Plan> compiler) {
        try {
            Plan plan = compiler.get();
            if (kind.atomic()) {
                requireOneEntryPerRow(plan);
            }
            return plan;
        } catch (ProblemException e) {
            return Plan.rejected(e.problems());
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            runtime.emit(new EngineEvent.Fault("compile " + kind.name() + "/" + intent.id(), e));
            Problem problem = new Problem(
                    Problem.Code.UNFEASIBLE,
                    "",
                    "the compiler of kind " + kind.name() + " failed: " + e,
                    "this is a defect; report it with the intent and the network");
            return Plan.rejected(List.of(problem));
        }
    }

    /** With two entries for one row, one would never be installed, without any report. */
    private static void requireOneEntryPerRow(Plan plan) {
        Map<String, Map<Entry.Key, Entry>> byNode = new HashMap<>();
        for (Plan.Placed placed : plan.entries()) {
            Entry other = byNode.computeIfAbsent(placed.node(), node -> new HashMap<>())
                    .put(placed.entry().key(), placed.entry());
            if (other != null && !other.equals(placed.entry())) {
                throw new IllegalStateException(
                        "two different entries for " + placed.entry().key() + " on node " + placed.node());
            }
        }
    }
}
