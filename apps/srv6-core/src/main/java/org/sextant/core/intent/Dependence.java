// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the network that a plan depends on: nodes by their names and links by their ids. A controller keeps one
 * with every plan, so it takes no more room than the names, and a plan that any loss may change names none.
 */
public final class Dependence {
    /** Whatever is lost may change the plan: so it is with one that is not feasible, which a detour's end may mend. */
    public static final Dependence EVERYTHING = new Dependence(null, false, true, null);

    public static final Dependence NOTHING = new Dependence(new String[0], false, false, null);

    /** Sorted; null for everything. */
    private final String @Nullable [] names;

    /** Nothing that comes makes the plan a better one. */
    private final boolean only;

    /** Whatever is lost may change the plan. */
    private final boolean anyLoss;

    /** Null: any link that comes may be of use. */
    private final PathCost @Nullable [] costs;

    private Dependence(String @Nullable [] names, boolean only, boolean anyLoss, PathCost @Nullable [] costs) {
        this.names = names;
        this.only = only;
        this.anyLoss = anyLoss;
        this.costs = costs;
    }

    /**
     * The dependence of a plan without paths: it depends on properties of these nodes, not on links, and does not
     * change unless one of them is added, removed or redefined.
     */
    public static Dependence only(Collection<String> nodes) {
        return new Dependence(sorted(nodes), true, false, null);
    }

    public static Dependence on(Collection<String> names) {
        // A hundred thousand plans name the same few thousand nodes and links.
        return names.isEmpty() ? NOTHING : new Dependence(sorted(names), false, false, null);
    }

    /**
     * The dependence of a plan whose paths are the best ones, at these costs. A link that comes does not change it
     * unless one of them could be over that link for no more.
     */
    public Dependence withCosts(Collection<PathCost> paths) {
        return new Dependence(names, only, anyLoss, paths.toArray(PathCost[]::new));
    }

    /**
     * The dependence of a plan that any loss may change, as a better alternative is unused while the underlay takes a
     * detour.
     */
    public Dependence orAnyLoss() {
        return new Dependence(names, only, true, costs);
    }

    private static String[] sorted(Collection<String> names) {
        return names.stream().distinct().sorted().map(String::intern).toArray(String[]::new);
    }

    /** The names; none of {@link #EVERYTHING}. */
    public List<String> names() {
        return names == null ? List.of() : List.of(names);
    }

    /** True if additions or changes in the network may improve the plan. */
    public boolean hopes() {
        return !only;
    }

    /**
     * True if a link that comes may change the plan.
     *
     * @param reaches true of a cost if some path over that link costs no more
     */
    public boolean mayUse(Predicate<PathCost> reaches) {
        return costs == null || Arrays.stream(costs).anyMatch(reaches);
    }

    /** True if the loss of any of these nodes and links may change the plan. */
    public boolean leansOn(Set<String> lost) {
        if (names == null || anyLoss) {
            return !lost.isEmpty();
        }
        if (lost.size() < names.length) {
            return lost.stream().anyMatch(one -> Arrays.binarySearch(names, one) >= 0);
        }
        return Arrays.stream(names).anyMatch(lost::contains);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dependence that
                && only == that.only
                && anyLoss == that.anyLoss
                && Arrays.equals(names, that.names)
                && Arrays.equals(costs, that.costs);
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
