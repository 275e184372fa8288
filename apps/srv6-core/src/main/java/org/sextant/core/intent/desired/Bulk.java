// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.StoredChange;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.port.Store;

/** The changes of a bulk so far; undone in reverse if the store refuses it. */
final class Bulk {
    /** Stored texts of the intents that it replaces, by key. */
    final Map<String, String> before;

    /** The new values of intents that others refer to, if all of the bulk is accepted. */
    final Map<IntentRef, ReferencedIntent> together;

    /** The precondition of its one intent. */
    final Precondition only;

    /** Keys that another controller was found to have changed at the same moment. */
    final Set<String> overtaken;

    /** Intents that change with the bulk or not at all. */
    final Set<TrackedIntent> replaced = new HashSet<>();

    final Map<String, String> values = new LinkedHashMap<>();
    final Set<TrackedIntent> accepted = new LinkedHashSet<>();
    final List<Orphan> orphans = new ArrayList<>();
    final Deque<Runnable> undo = new ArrayDeque<>();

    Bulk(
            Map<String, String> before,
            Map<IntentRef, ReferencedIntent> together,
            Precondition only,
            Set<String> overtaken,
            Runnable undo) {
        this.before = before;
        this.together = together;
        this.only = only;
        this.overtaken = overtaken;
        this.undo.push(undo);
    }

    /** An intent is written only over the stored text that it was compared with. */
    List<Store.Write> writes() {
        List<Store.Write> writes = new ArrayList<>();
        values.forEach((key, value) -> writes.add(
                before.containsKey(key)
                        ? Store.Write.replace(StoredIntent.MAP, key, before.get(key), value)
                        : Store.Write.create(StoredIntent.MAP, key, value)));
        return writes;
    }

    void report(Predicate<TrackedIntent> stored, List<StoredChange> changes) {
        for (TrackedIntent intent : accepted) {
            String key = intent.ref().toString();
            if (stored.test(intent)) {
                changes.add(new StoredChange(
                        intent.ref(), Optional.ofNullable(before.get(key)), Optional.ofNullable(values.get(key))));
            }
        }
    }

    /** True if the tracked intent is the stored one, or this bulk has changed it. */
    boolean knows(TrackedIntent existing) {
        String key = existing.ref().toString();
        return accepted.contains(existing)
                || !overtaken.contains(key)
                        && Optional.ofNullable(before.get(key))
                                .map(Digest::of)
                                .equals(Optional.ofNullable(existing.desired().stored()));
    }
}
