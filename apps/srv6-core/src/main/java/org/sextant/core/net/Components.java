// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.HashMap;
import java.util.Map;

/** The connected components of a graph whose links come one by one (Tarjan's disjoint sets, with path halving). */
final class Components {
    private final Map<String, String> parents = new HashMap<>();

    /** @return true if the two were in different components */
    boolean join(String a, String b) {
        String one = rootOf(a);
        String other = rootOf(b);
        if (one.equals(other)) {
            return false;
        }
        parents.put(one, other);
        return true;
    }

    private String rootOf(String node) {
        String at = node;
        for (String next = parentOf(at); !next.equals(at); next = parentOf(at)) {
            parents.put(at, parentOf(next));
            at = next;
        }
        return at;
    }

    private String parentOf(String node) {
        return parents.getOrDefault(node, node);
    }
}
