// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;

/**
 * The SIDs that nodes have rejected as never supported. A pipeline reports its behaviors, but not their lengths: that a
 * VPP cannot shift by 64 bits shows when its uA is written. The compiler needs the refusals as well, or a policy would
 * steer packets to a SID that does not exist.
 */
public final class Refusals {
    private final Map<String, Map<Entry.Key, String>> byNode = new HashMap<>();
    private final Set<String> changed = new TreeSet<>();

    /** Records the result of writing a desired row; {@code failure} is null if it was written. */
    void note(String node, Entry.Key row, @Nullable Failure failure) {
        if (!row.table().equals(MySid.TABLE)) {
            return;
        }
        Map<Entry.Key, String> refused = byNode.computeIfAbsent(node, name -> new HashMap<>());
        String why = failure != null && failure.code() == Code.UNIMPLEMENTED ? failure.reason() : null;
        String before = why != null ? refused.put(row, why) : refused.remove(row);
        if (!Objects.equals(why, before)) {
            changed.add(node);
        }
    }

    /** The nodes whose refusals changed since the last call. */
    public Set<String> takeChanged() {
        Set<String> nodes = Set.copyOf(changed);
        changed.clear();
        return nodes;
    }

    /** The SIDs by node, with the node's reasons. */
    public Map<String, Map<Entry.Key, String>> all() {
        return byNode;
    }
}
