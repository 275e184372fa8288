// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

/** Ends a listener's registration; closing twice is harmless. */
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
