// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The compiler version of this controller and its cluster.
 *
 * @param inForce the version of the plans that the cluster installs; of a single controller its newest
 * @param own the versions that this controller can compile
 * @param members the versions by which each member of the cluster counts, by member id: those that it has published, version 1 of a
 *     listed member without a record, and {@code own} of this controller; empty without a cluster
 * @param standsAside why this controller writes no node and changes no intent; empty if it works
 */
public record CompilerStatus(
        int inForce, CompilerVersions own, SortedMap<String, CompilerVersions> members, Optional<String> standsAside) {

    public CompilerStatus {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    /** A controller without a cluster. */
    public static CompilerStatus single(CompilerVersions own) {
        return new CompilerStatus(own.newest(), own, new TreeMap<>(), Optional.empty());
    }

    /** The version that this controller compiles; while it stands aside, for readers only. */
    public int compiles() {
        return own.nearest(inForce);
    }

    /**
     * The members that hold the version in force down, sorted: those with the lowest newest version, if another member can compile a
     * newer one; empty if all members can compile the same.
     */
    public SortedSet<String> heldBackBy() {
        IntSummaryStatistics newest =
                members.values().stream().mapToInt(CompilerVersions::newest).summaryStatistics();
        SortedSet<String> holding = new TreeSet<>();
        members.forEach((id, versions) -> {
            if (versions.newest() < newest.getMax() && versions.newest() == newest.getMin()) {
                holding.add(id);
            }
        });
        return holding;
    }
}
