// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.List;
import org.sextant.core.history.Reading;

/**
 * Periodic measurements of an app for the controller's history; an OSGi service. The controller keeps an hour of
 * readings, within bounds, and serves them by name in REST, shell and map.
 */
public interface Measures {

    /** The kind before the colon in the names of its readings, lower case; that of the intents if it measures these. */
    String kind();

    /**
     * The latest reading of every measured object. Called every ten seconds, unless the call before is still running;
     * from a thread that may wait for nodes, but not much longer than that.
     */
    List<Reading> measure();
}
