// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of the network a plan leans on: nodes by their names and links by their ids. A controller keeps one with every
 * plan, so it takes no more room than the names, and a plan that any loss may change names none.
 */
public final class Dependence {
    /** Whatever is lost may change the plan: so it is with one that is not feasible, which a detour's end may mend. */
    public static final Dependence EVERYTHING = new Dependence(null, false);

    public static final Dependence NOTHING = new Dependence(new String[0], false);

    /** Sorted; null for everything. */
    private final String @Nullable [] names;

    /** Nothing that comes makes the plan a better one. */
    private final boolean only;

    private Dependence(String @Nullable [] names, boolean only) {
        this.names = names;
        this.only = only;
    }

    /**
     * Of a plan in which no path is: it is about what these nodes are, not how they are connected, and does not change unless
     * one of them comes, goes, or is described otherwise.
     */
    public static Dependence only(Collection<String> nodes) {
        return new Dependence(sorted(nodes), true);
    }

    public static Dependence on(Collection<String> names) {
        // A hundred thousand plans name the same few thousand nodes and links.
        return names.isEmpty() ? NOTHING : new Dependence(sorted(names), false);
    }

    private static String[] sorted(Collection<String> names) {
        return names.stream().distinct().sorted().map(String::intern).toArray(String[]::new);
    }

    /** The names; none of {@link #EVERYTHING}. */
    public List<String> names() {
        return names == null ? List.of() : List.of(names);
    }

    /** Whether what comes or changes may make the plan a better one. */
    public boolean hopes() {
        return !only;
    }

    /** Whether the loss of any of these nodes and links may change the plan. */
    public boolean leansOn(Set<String> lost) {
        if (names == null) {
            return !lost.isEmpty();
        }
        if (lost.size() < names.length) {
            return lost.stream().anyMatch(one -> Arrays.binarySearch(names, one) >= 0);
        }
        return Arrays.stream(names).anyMatch(lost::contains);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dependence that && only == that.only && Arrays.equals(names, that.names);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(names);
    }

    @Override
    public String toString() {
        return names == null ? "everything" : (only ? "only " : "") + Arrays.toString(names);
    }
}
