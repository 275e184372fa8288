// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A controller's store and its way to the storage nodes. */
record Controller(FakeStorage way, OnosStore store) {
    static final Duration PATIENCE = Duration.ofMillis(100);

    private static final ScheduledExecutorService BACKGROUND = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "background");
        thread.setDaemon(true);
        return thread;
    });

    static Controller of(FakeStorage way, String self) {
        return of(way, self, new Storage(way, FakeOnos.APP, BACKGROUND, PATIENCE, Duration.ofMillis(5)));
    }

    /** One that notices by itself that it was away. */
    static Controller beating(FakeStorage way, String self) {
        ScheduledExecutorService own = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "beat");
            thread.setDaemon(true);
            return thread;
        });
        Storage storage = new Storage(way, FakeOnos.APP, own, PATIENCE, Duration.ofMillis(5));
        storage.beat();
        return of(way, self, storage);
    }

    private static Controller of(FakeStorage way, String self, Storage storage) {
        return new Controller(way, new OnosStore(storage, self));
    }

    /** As after a start: unfinished work is done first. */
    static Controller started(FakeStorage.Nodes nodes, String self) {
        Controller controller = of(new FakeStorage(nodes), self);
        controller.store.settle();
        return controller;
    }
}
