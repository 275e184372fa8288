// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.DataPlane;
import org.sextant.livelive.plan.Taps;

class WatchTest {
    private static final DataPlane WITHOUT_CELLS = (DataPlane) Proxy.newProxyInstance(
            DataPlane.class.getClassLoader(),
            new Class<?>[] {DataPlane.class},
            (proxy, method, arguments) -> InvocationHandler.invokeDefault(proxy, method, arguments));

    private final Taps taps = new Taps("e1", "e2", 14, 5, 3, new TreeSet<>(Set.of(1, 2)));

    /** Nothing counted would mean that every packet was lost. */
    @Test
    void a_host_that_reads_no_cells_tells_nothing_of_what_arrived() {
        Watch watch = new Watch(WITHOUT_CELLS, Clock.systemUTC(), (flow, event) -> {});
        assertThat(watch.read("video", taps)).isEmpty();
        assertThat(watch.known(taps)).isEmpty();
    }

    /** A page that is looked at reads as well as the clock: an older reading behind a newer one looks like silence. */
    @Test
    void two_readings_of_a_flow_do_not_overtake_each_other() throws InterruptedException {
        Semaphore reading = new Semaphore(0);
        CountDownLatch answer = new CountDownLatch(1);
        DataPlane slow = (DataPlane) Proxy.newProxyInstance(
                DataPlane.class.getClassLoader(), new Class<?>[] {DataPlane.class}, (proxy, method, arguments) -> {
                    reading.release();
                    answer.await();
                    return Map.of();
                });
        Watch watch = new Watch(slow, Clock.systemUTC(), (flow, event) -> {});
        Thread one = new Thread(() -> watch.read("video", taps));
        Thread other = new Thread(() -> watch.read("video", taps));
        one.start();
        reading.acquire();
        other.start();
        while (other.getState() != Thread.State.BLOCKED && reading.availablePermits() == 0) {
            Thread.onSpinWait();
        }
        assertThat(reading.availablePermits()).as("readings beside the first").isZero();
        answer.countDown();
        one.join();
        other.join();
    }
}
