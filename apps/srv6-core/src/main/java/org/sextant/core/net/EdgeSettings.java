// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

/**
 * The strictness of a node's edge filter (docs/reference/edge.md).
 *
 * @param dropSrh true to drop packets with an SRH at external ports whatever their destination; else those to no SID of
 *     the domain pass unchanged
 * @param knownSources true if packets to SIDs that enter at internal ports must have a source of the domain
 */
public record EdgeSettings(boolean dropSrh, boolean knownSources) {
    public static final EdgeSettings DEFAULT = new EdgeSettings(false, true);
}
