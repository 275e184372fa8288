// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.Map;

/** What an app's own probes put on links, so that they are told apart from users' packets; an OSGi service. */
public interface ProbeLoad {
    /**
     * Bits per second by id of the link, each in its direction: what nodes send by their tables while no probe is lost, not
     * what was counted. Links without probes are not there. Quick; from any thread.
     */
    Map<String, Long> bitsPerSecond();
}
