// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.time.Instant;
import java.util.SortedSet;
import org.sextant.core.history.History;
import org.sextant.core.history.StateLog;
import org.sextant.core.net.Network;

/**
 * The history as known at a moment. Moments of the past are given by how long ago they were, from the present time of
 * the clock on the wall: where that jumped meanwhile, they are where they would be if it had always been as it is now.
 *
 * @param nanos the moment, by the clock that never jumps
 * @param now the same by the clock on the wall
 * @param kinds of which there are series
 * @param history the measurements of nodes, links and hosts
 * @param states of nodes, links and hosts
 * @param intents the states of intents, by kind and id
 * @param network as it is now
 */
public record Lookback(
        long nanos,
        Instant now,
        SortedSet<String> kinds,
        History history,
        StateLog states,
        StateLog intents,
        Network network) {

    /** On the wall, as of now. */
    Instant instantOf(long then) {
        return now.minusNanos(nanos - then);
    }
}
