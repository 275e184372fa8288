// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.List;
import java.util.Optional;
import org.sextant.core.net.Protection;

/**
 * What a node has against the loss of its way to some destinations.
 *
 * @param covers what they are protected from; what was not asked for is not covered
 * @param failure what the repair stays clear of; empty without one
 * @param repair empty if there are other links that are as good, or nothing to be done
 * @param gaps what was asked for and cannot be had
 */
public record Guard(Protection covers, Optional<Failure> failure, Optional<Repair> repair, List<Gap> gaps) {
    public Guard {
        gaps = List.copyOf(gaps);
        if (failure.isPresent() != repair.isPresent()) {
            throw new IllegalArgumentException("a repair is one of a failure");
        }
    }

    /** Other links that are as good take over by themselves. */
    public boolean byEqualLinks() {
        return covers.link() && repair.isEmpty();
    }
}
