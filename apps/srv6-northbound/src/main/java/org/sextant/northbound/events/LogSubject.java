// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

/**
 * The subject of an event of the log, so that a reader can go there.
 *
 * @param kind {@code link}, {@code node}, {@code host}, {@code controller}, {@code member} of the cluster, or an intent's kind such as {@code policy}
 * @param id of a link as {@link org.sextant.core.net.Link#undirectedId}; "" for all of its kind
 */
public record LogSubject(String kind, String id) {

    /** True if a filter names this: a kind, or a kind and an id ({@code policy}, {@code policy/gold}). */
    boolean matches(String wanted) {
        return wanted.equals(kind) || wanted.equals(kind + "/" + id);
    }
}
