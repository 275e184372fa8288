// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.List;
import org.sextant.core.history.Reading;

/**
 * What an app measures of its things again and again, so that the controller can tell how it was; an OSGi service. Nothing else
 * has to be done for it: what is read is kept for an hour, within bounds, and REST, shell and map find it by name.
 */
public interface Measures {

    /** The word in front of the colon in the names of its readings, small letters; that of its intents if it is about these. */
    String kind();

    /**
     * What is known now, a reading of each thing of which anything is. Called every ten seconds, unless the call before has not
     * come back; from a thread that may wait for nodes, but not much longer than that.
     */
    List<Reading> measure();
}
