// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.sextant.core.port.Subscription;

/**
 * What an app has to tell all who listen to the stream of events beside its intents' states; an OSGi service. The source
 * keeps what is new until it is asked for, within bounds of its own, and says how much it left out.
 */
public interface NewsSource {

    /**
     * Somebody listens: from now on {@code anew} is called, from any thread, when there is something to {@link #take}. Ends
     * when the subscription is closed.
     */
    Subscription listen(Runnable anew);

    /** The news since the last call, which are forgotten by it; quick, called from one thread ten times a second at most. */
    List<Told> take();

    /**
     * One event of the stream.
     *
     * @param kind letters only, and none that others have; a name of the app's own in front keeps it apart
     */
    record Told(String kind, JsonNode data) {
        public Told {
            if (!kind.matches("[a-z][A-Za-z]{0,39}")) {
                throw new IllegalArgumentException("no kind of event: " + kind);
            }
        }
    }
}
