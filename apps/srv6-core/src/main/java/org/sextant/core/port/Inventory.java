// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.function.BiConsumer;
import org.sextant.core.net.Network;

/** Port: the inventory of nodes, links and hosts. */
public interface Inventory {

    /** The present network; immutable. */
    Network snapshot();

    /** Calls {@code listener} with the network before and after each change, in order, from one thread at a time. */
    Subscription onChange(BiConsumer<Network, Network> listener);
}
