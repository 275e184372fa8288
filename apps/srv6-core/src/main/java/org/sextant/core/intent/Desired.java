// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An intent as it is to be, at one moment: every change makes another one.
 *
 * @param stored digest of its text in the store, of which there are too many to keep; null if it is not stored
 * @param compiled its plan, whatever other intents want
 * @param plan its plan as it is admitted: {@code compiled}, or one that installs nothing and has the problems against it
 */
public record Desired(Numbered<Object> intent, @Nullable Digest stored, Plan compiled, Plan plan) {
    private static final Plan NONE = new Plan(List.of(), Explained.NOTHING, List.of(), List.of(), Dependence.NOTHING);

    /** Neither compiled nor admitted. */
    public Desired(Numbered<Object> intent, @Nullable Digest stored) {
        this(intent, stored, NONE, NONE);
    }

    public boolean isCompiled() {
        return compiled != NONE;
    }

    /** True if it was decided whether it is admitted. */
    public boolean isDecided() {
        return plan != NONE;
    }

    public Desired with(Numbered<Object> other) {
        return new Desired(other, stored, compiled, plan);
    }

    public Desired withStored(@Nullable Digest digest) {
        return new Desired(intent, digest, compiled, plan);
    }

    public Desired withCompiled(Plan other) {
        return new Desired(intent, stored, other, plan);
    }

    public Desired withPlan(Plan other) {
        return new Desired(intent, stored, compiled, other);
    }
}
