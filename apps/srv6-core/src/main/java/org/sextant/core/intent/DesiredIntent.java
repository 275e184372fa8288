// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of an intent, at one moment: every change makes another one.
 *
 * @param stored digest of its text in the store, of which there are too many to keep; null if it is not stored
 * @param compiled its plan, without regard to other intents
 * @param plan its admitted plan: {@code compiled}, or one that installs nothing and has the problems against it
 */
public record DesiredIntent(
        NumberedIntent<Object> intent, @Nullable Digest stored, Plan compiled, Plan plan) {
    private static final Plan NONE = new Plan(List.of(), Explained.NOTHING, List.of(), List.of(), Dependence.NOTHING);

    /** Neither compiled nor admitted. */
    public DesiredIntent(NumberedIntent<Object> intent, @Nullable Digest stored) {
        this(intent, stored, NONE, NONE);
    }

    public boolean isCompiled() {
        return compiled != NONE;
    }

    /** True if it was decided whether it is admitted. */
    public boolean isDecided() {
        return plan != NONE;
    }

    public DesiredIntent with(NumberedIntent<Object> other) {
        return new DesiredIntent(other, stored, compiled, plan);
    }

    public DesiredIntent withStored(@Nullable Digest digest) {
        return new DesiredIntent(intent, digest, compiled, plan);
    }

    public DesiredIntent withCompiled(Plan other) {
        return new DesiredIntent(intent, stored, other, plan);
    }

    public DesiredIntent withPlan(Plan other) {
        return new DesiredIntent(intent, stored, compiled, other);
    }
}
