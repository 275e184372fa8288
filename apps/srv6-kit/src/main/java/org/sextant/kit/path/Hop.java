// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.List;
import java.util.Objects;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;

/**
 * A step of an explicit path.
 *
 * <p><b>Strict</b> (the default) means: this hop is a direct neighbor of the node at which the hop before ends, and the
 * packet takes a link between the two. Where the shortest path of the underlay takes other links, a uA of the node
 * before pins the link. <b>Loose</b> means: any reachable node, over the underlay's shortest path at the time (RFC
 * 3209, 4.3.3.1 makes the same distinction). Raw SIDs and lists of uSIDs are loose by default.
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
     * One link: the uA of its near end. The near end is the node of the packet, or, if loose, any node.
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
     * A firewall.
     *
     * @param id of its intent
     * @param args its SID's arguments, which select the verdict of rules that refer to them: 0 next, 1 skip next, 2
     *     last
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
     * Another policy, by the binding SID at its headend; the path continues at that policy's endpoint (RFC 9256, 6).
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

    /** A SID in full: the node's uSID and the function behind it must exist in the network. */
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
