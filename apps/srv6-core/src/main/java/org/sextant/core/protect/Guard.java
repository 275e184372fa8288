// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.List;
import java.util.Optional;
import org.sextant.core.net.Protection;

/**
 * The protection of a node against the loss of its routes to some destinations.
 *
 * @param covers the failures that they are protected from; only requested ones are covered
 * @param failure the failure that the repair avoids; empty without one
 * @param repair empty if there are other links that are as good, or nothing to be done
 * @param gaps the requested protection that is impossible
 */
public record Guard(Protection covers, Optional<Failure> failure, Optional<Repair> repair, List<Gap> gaps) {
    public Guard {
        gaps = List.copyOf(gaps);
        if (failure.isPresent() != repair.isPresent()) {
            throw new IllegalArgumentException("a repair is one of a failure");
        }
    }

    /** Other links that are as good take over without a repair. */
    public boolean byEqualLinks() {
        return covers.link() && repair.isEmpty();
    }
}
