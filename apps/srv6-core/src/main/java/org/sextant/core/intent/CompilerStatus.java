// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The compiler version of this controller and its cluster.
 *
 * @param inForce the version of the plans that the cluster installs; of a single controller its newest
 * @param own the versions that this controller can compile
 * @param members the versions that the members of the cluster have published, by member id
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
}
