// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.kit.app.ExclusiveIntents;
import org.sextant.mobile.Slice;

/** Slices of a running controller, without overlaps. */
final class SliceIntents extends ExclusiveIntents<Slice> {

    SliceIntents(Intents engine, IntentKind<Slice> kind) {
        super(engine, kind);
    }

    @Override
    protected Held<Slice> nothing() {
        return new Taken();
    }

    /** The admitted slices, and a check of their overlaps. */
    private static final class Taken implements Held<Slice> {
        private final List<Slice> slices = new ArrayList<>();

        @Override
        public void add(String id, Slice slice) {
            slices.add(slice);
        }

        @Override
        public boolean isEmpty() {
            return slices.isEmpty();
        }

        @Override
        public List<Problem> against(Slice slice) {
            return slices.stream()
                    .filter(other -> !other.name().equals(slice.name()))
                    .flatMap(other -> against(slice, other).stream())
                    .limit(1)
                    .toList();
        }

        private static Optional<Problem> against(Slice slice, Slice other) {
            return Overlap.of(slice, other)
                    .map(overlap -> new Problem(
                            Code.CONFLICT,
                            overlap.field(),
                            "slice " + other.name() + " takes " + overlap.what() + ", too",
                            overlap.remedy()));
        }
    }
}
