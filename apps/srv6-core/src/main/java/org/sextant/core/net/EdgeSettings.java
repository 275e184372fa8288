// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

/**
 * How strict a node is at its edge (docs/reference/edge.md).
 *
 * @param dropSrh whether packets with an SRH are dropped at external ports whatever their destination; else those to no SID
 *     of the domain pass untouched
 * @param knownSources whether packets to SIDs that come in at internal ports must have a source of the domain
 */
public record EdgeSettings(boolean dropSrh, boolean knownSources) {
    public static final EdgeSettings DEFAULT = new EdgeSettings(false, true);
}
