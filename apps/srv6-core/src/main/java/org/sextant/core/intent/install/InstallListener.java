// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.List;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.Capabilities;

/** Receives the events of the installation, on the event loop. */
public interface InstallListener {
    /** An intent's state may be another. */
    void changed(TrackedIntent intent);

    /** An intent is about to get {@code next} in place of its entries, and some of its nodes cannot be written. */
    void leaving(TrackedIntent intent, List<Plan.Placed> next);

    /** An update plan was written, as far as nodes answered. */
    void written();

    /** A node supports this, and maybe something else before. */
    void supports(String node, Capabilities capabilities);

    /** A node restarted and lost its entries. */
    void restarted(String node);

    /** A node connected, went, or came to another controller. */
    void changed(NodeTable node);

    /** A node's entries are about to be compared with the desired ones. */
    void reading(NodeTable node);

    /** The entries were compared, and no update is written yet. */
    void read(NodeTable node);

    /** True while entries that an earlier run left may belong to intents that cannot be compiled yet. */
    boolean isOriginUnknown();
}
