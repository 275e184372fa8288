// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.Map;

/** The load of an app's own probes on links, which is no traffic of users; an OSGi service. */
public interface ProbeLoad {
    /**
     * Bits per second by id of the link, each in its direction: the maximum by the nodes' table entries, not a
     * measurement. A link of each equally short path has all of it, although a flow takes one of them. Links without
     * probes are absent. Quick; from any thread.
     */
    Map<String, Long> bitsPerSecond();
}
