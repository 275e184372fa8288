// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge;

import java.util.List;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Link;
import org.sextant.kit.Metadata;

/**
 * The intent: packets with these sources at these ports may reach SIDs, like packets of the domain's nodes.
 *
 * @param sources IPv6, none within another
 * @param ports each once
 */
public record Peer(String name, List<IpPrefix> sources, List<Link.End> ports, Metadata metadata) {
    public Peer {
        sources = List.copyOf(sources);
        ports = List.copyOf(ports);
    }
}
