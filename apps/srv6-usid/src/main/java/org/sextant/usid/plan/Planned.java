// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Trace;

/** One path of one direction, packed and walked. */
record Planned(Direction direction, Direction.Branch branch, List<Container> containers, Encapsulation encapsulation, Trace trace) {

    /** In travel order. */
    List<Ipv6> segments() {
        return containers.stream().map(Container::sid).toList();
    }
}
