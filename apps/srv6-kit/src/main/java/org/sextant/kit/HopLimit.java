// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import java.util.List;
import java.util.function.IntFunction;
import org.sextant.core.filter.Box;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;

/**
 * Checks that the hops of a path are within the hop limit of its packets. The headend chooses the first hop limit of an
 * outer header (RFC 8986, 5.1): {@link Header#DEFAULT_HOP_LIMIT} around IPv4 and on VPP; otherwise that of the packet
 * inside, which its sender sets (docs/reference/conformance.md).
 *
 * @param copied outer headers begin with the hop limit of the packet inside
 */
public record HopLimit(boolean copied, Findings findings) {

    /**
     * The trace of packets with the hop limit of most hosts; where it expires, that of packets with the maximum, with a
     * warning if they arrive.
     */
    public Trace walk(
            Fib fib, String headend, boolean reduced, List<Ipv6> segments, Payload payload, List<Box> traffic) {
        IntFunction<Trace> walk =
                hopLimit -> Walk.encapsulate(fib, headend, reduced, segments, payload, hopLimit, traffic);
        Trace usual = walk.apply(Header.DEFAULT_HOP_LIMIT);
        if (!copied || !expires(usual)) {
            return usual;
        }
        Trace farthest = walk.apply(Header.MAX_HOP_LIMIT);
        if (farthest.arrives()) {
            findings.warn("a path from headend " + headend + " needs a hop limit of " + least(walk)
                    + ", but most hosts send " + Header.DEFAULT_HOP_LIMIT
                    + ", and their packets would be dropped on the way: shorten the path, or let hosts send more");
        }
        return farthest;
    }

    private static int least(IntFunction<Trace> walk) {
        int tooSmall = Header.DEFAULT_HOP_LIMIT;
        int enough = Header.MAX_HOP_LIMIT;
        while (enough - tooSmall > 1) {
            int between = (enough + tooSmall) / 2;
            if (walk.apply(between).arrives()) {
                enough = between;
            } else {
                tooSmall = between;
            }
        }
        return enough;
    }

    public static boolean expires(Trace trace) {
        return trace.failure()
                .filter(failure -> failure.reason() == Trace.Reason.HOP_LIMIT)
                .isPresent();
    }

    public String remedy() {
        return copied
                ? "shorten the path: no hop limit is above " + Header.MAX_HOP_LIMIT
                : "shorten the path: outer headers begin with a hop limit of " + Header.DEFAULT_HOP_LIMIT;
    }
}
