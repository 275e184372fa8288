// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.discovery;

import java.util.Map;
import java.util.Set;
import org.sextant.core.net.Link;

/**
 * The links that LLDP has proved.
 *
 * @param links directions in use: the receiving end by the sending end
 * @param lost sending ends whose frames came once and are missing now
 */
public record DiscoveredLinks(Map<Link.End, Link.End> links, Set<Link.End> lost) {
    public static final DiscoveredLinks NOTHING = new DiscoveredLinks(Map.of(), Set.of());

    public DiscoveredLinks {
        links = Map.copyOf(links);
        lost = Set.copyOf(lost);
    }
}
