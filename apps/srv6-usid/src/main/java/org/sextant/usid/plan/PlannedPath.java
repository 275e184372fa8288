// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Trace;
import org.sextant.kit.MtuCheck;
import org.sextant.kit.Reallocation;

/**
 * One path of one direction, packed and traced.
 *
 * @param segments containers, in travel order
 */
record PlannedPath(
        Direction direction,
        Direction.Branch branch,
        List<Ipv6> segments,
        Encapsulation encapsulation,
        Trace trace,
        MtuCheck mtu,
        Reallocation reallocation) {}
