// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.sextant.core.port.Subscription;

/**
 * Events of an app in the stream of events, beside its intents' states; an OSGi service. The source queues events until
 * {@link #take}, within bounds of its own, and reports the number of dropped ones.
 */
public interface EventSource {

    /**
     * Subscribes to new events: {@code anew} is called, from any thread, when {@link #take} has some. Ends when the
     * subscription is closed.
     */
    Subscription listen(Runnable anew);

    /** Removes and returns the events since the last call; quick, called from one thread ten times a second at most. */
    List<Told> take();

    /**
     * One event of the stream.
     *
     * @param kind letters only, unique in the controller; the name of the app as a prefix makes it so
     */
    record Told(String kind, JsonNode data) {
        public Told {
            if (!kind.matches("[a-z][A-Za-z]{0,39}")) {
                throw new IllegalArgumentException("no kind of event: " + kind);
            }
        }
    }
}
