// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import org.sextant.core.port.Coordination;
import org.sextant.core.port.Subscription;

/** The only controller there is acts for every key. */
final class AlwaysMine implements Coordination {
    @Override
    public boolean isMine(String key) {
        return true;
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return () -> {};
    }
}
