// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.List;
import java.util.Objects;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;

/**
 * A step of an explicit path.
 *
 * <p><b>Strict</b> (the default) means: this hop is a direct neighbour of where the packet is after the hop before, and
 * the packet gets there over a link between the two. Where the shortest path of the underlay would go another way, a uA
 * of the node before pins the link. <b>Loose</b> means: any node that can be reached, over whatever shortest path the
 * underlay has at the time (RFC 3209, 4.3.3.1 draws the same line). Raw SIDs and lists of uSIDs are loose unless said
 * otherwise.
 */
public sealed interface Hop {

    boolean loose();

    /** A node's uN. */
    record ToNode(Waypoint node, boolean loose) implements Hop {
        public ToNode {
            Objects.requireNonNull(node);
        }
    }

    /**
     * Over one link: the uA of its near end. The near end is where the packet is already, or, if loose, any node.
     *
     * @param link {@code p7-p6}, or with ports where several links join the two: {@code p7/2-p6/3}
     */
    record OverLink(String link, boolean loose) implements Hop {
        public OverLink {
            String end = "[A-Za-z0-9][A-Za-z0-9._-]*(/[0-9]{1,3})?";
            if (link.length() > 140 || !link.matches(end + "-" + end)) {
                throw new IllegalArgumentException("\"" + link + "\" does not name a link");
            }
        }
    }

    /**
     * Through a firewall.
     *
     * @param id of its intent
     * @param args its SID's arguments, which decide where a rule says so: 0 next, 1 skip next, 2 last
     */
    record Firewall(String id, int args, boolean loose) implements Hop {
        public static final int MAX_ARGS = 15;

        public Firewall {
            if (!id.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
                throw new IllegalArgumentException("\"" + id + "\" does not name a firewall");
            }
            if (args < 0 || args > MAX_ARGS) {
                throw new IllegalArgumentException("arguments " + args + " are not within 0 to " + MAX_ARGS);
            }
        }
    }

    /**
     * Into another policy, by the binding SID at its headend; the path goes on where that policy ends (RFC 9256, 6).
     *
     * @param policy its id
     */
    record Binding(String policy, boolean loose) implements Hop {
        public Binding {
            if (!policy.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
                throw new IllegalArgumentException("\"" + policy + "\" does not name a policy");
            }
        }
    }

    /** A SID as it is: the node's uSID and what stands behind it must exist in the network. */
    record RawSid(Ipv6 sid, boolean loose) implements Hop {
        public RawSid {
            if (sid.isZero()) {
                throw new IllegalArgumentException(":: is not a SID");
            }
        }
    }

    /** uSIDs of one block, as traffic generators write them: a node's, then its local ones, then the next node's. */
    record Usids(IpPrefix block, List<Long> usids, int usidLength, boolean loose) implements Hop {
        public Usids {
            usids = List.copyOf(usids);
            if (!block.isIpv6()) {
                throw new IllegalArgumentException(block + " is not an IPv6 prefix");
            }
            if (usids.isEmpty()) {
                throw new IllegalArgumentException("there is no uSID");
            }
        }
    }
}
