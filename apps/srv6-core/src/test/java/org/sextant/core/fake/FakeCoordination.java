// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Subscription;

/** One controller's share of the keys: at first all of them. */
public final class FakeCoordination implements Coordination {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> mine = key -> true;
    private volatile boolean shared;

    public void mine(Predicate<String> keys) {
        secretly(keys);
        listeners.forEach(Runnable::run);
    }

    /** The news of it gets lost. */
    public void secretly(Predicate<String> keys) {
        mine = keys;
        shared = true;
    }

    @Override
    public boolean isMine(String key) {
        return mine.test(key);
    }

    /** Once shares were given out. */
    @Override
    public boolean shared() {
        return shared;
    }

    @Override
    public Subscription onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
