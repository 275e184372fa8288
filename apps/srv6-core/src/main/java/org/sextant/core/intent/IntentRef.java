// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** Names one intent: its kind and its id. */
public record IntentRef(String kind, String id) implements Comparable<IntentRef> {

    @Override
    public int compareTo(IntentRef other) {
        int order = kind.compareTo(other.kind);
        return order != 0 ? order : id.compareTo(other.id);
    }

    /** The key in the store, for example {@code policy/p1}. */
    @Override
    public String toString() {
        return kind + "/" + id;
    }
}
