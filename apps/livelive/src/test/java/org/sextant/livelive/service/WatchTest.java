// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.Flow;
import org.sextant.livelive.LabNetwork;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.plan.Taps;

class WatchTest {
    private static final DataPlane WITHOUT_CELLS = (DataPlane) Proxy.newProxyInstance(
            DataPlane.class.getClassLoader(),
            new Class<?>[] {DataPlane.class},
            (proxy, method, arguments) ->
                    method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : List.of());

    private final Taps taps = new Taps("e1", "e2", 14, 5, 3, new TreeSet<>(Set.of(1, 2)), 40_000);
    private final List<Duration> pauses = new ArrayList<>();

    /** Answers by the given steps, and records the requests. */
    private static final class Node implements InvocationHandler {
        final List<String> asked = new ArrayList<>();
        long packets = 1000;
        long delivered = 1000;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("read")) {
                asked.add("ingress");
                Flow flow = new Flow(
                        10,
                        0,
                        IpPrefix.parse("::/0"),
                        IpPrefix.parse("::/0"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        14,
                        5,
                        2);
                return List.of(new Stored(flow, Optional.of(new Counters(packets, 0))));
            }
            asked.add("egress");
            return Map.of(3 * 16 + 1, new Counters(delivered, 0));
        }
    }

    private static DataPlane dataPlane(InvocationHandler node) {
        return (DataPlane)
                Proxy.newProxyInstance(DataPlane.class.getClassLoader(), new Class<?>[] {DataPlane.class}, node);
    }

    private Map<Taps, Reading> read(InvocationHandler node) {
        return new Readings(dataPlane(node), pauses::add).read(List.of(taps), taps -> Optional.empty());
    }

    /** A count of zero would mean that every packet was lost. */
    @Test
    void a_host_that_reads_no_cells_tells_nothing_of_what_arrived() {
        Readings readings = new Readings(WITHOUT_CELLS, pauses::add);
        assertThat(readings.blind()).isFalse();
        assertThat(readings.read(List.of(taps), taps -> Optional.empty()).get(taps))
                .isEqualTo(Reading.NOTHING);
        assertThat(readings.blind()).as("and nobody watches by it").isTrue();
    }

    /** Otherwise packets in flight seem lost: 34 to 292 packets of 1,000 a second, over 40 ms. */
    @Test
    void the_ingress_is_read_first_and_the_egress_when_the_packets_have_had_time_to_arrive() {
        Node node = new Node();
        Reading reading = read(node).get(taps);
        assertThat(node.asked.stream().distinct()).containsExactly("ingress", "egress");
        assertThat(node.asked.get(node.asked.size() - 1)).isEqualTo("ingress");
        assertThat(pauses).containsExactly(Readings.USUAL.plusMillis(40));
        assertThat(reading.before().orElseThrow().packets()).isEqualTo(1000);
        assertThat(reading.arrivals().orElseThrow().delivered()).isEqualTo(1000);
    }

    @Test
    void nothing_is_waited_for_where_nothing_was_sent() {
        Node node = new Node();
        node.packets = 0;
        read(node);
        assertThat(pauses).isEmpty();
    }

    @Test
    void paths_that_were_seen_further_apart_are_waited_for_as_long_but_not_for_ever() {
        Long[] classes = Collections.nCopies(PathCounts.CLASSES, 0L).toArray(Long[]::new);
        classes[12] = 100L;
        TreeMap<Integer, PathCounts> paths = new TreeMap<>();
        paths.put(2, new PathCounts(0, 100, 0, List.of(classes)));
        assertThat(Readings.underWay(taps, Optional.of(new Arrivals(paths))))
                .isEqualTo(Readings.USUAL.plusNanos((1L << 19) * 1000));
        assertThat(Readings.underWay(new Taps("e1", "e2", 14, 5, 3, taps.paths(), 60_000_000), Optional.empty()))
                .isEqualTo(Readings.MOST);
    }

    /** A reading on request may overlap with a periodic one: an older reading after a newer one looks like a fault. */
    @Test
    void a_reading_that_a_later_one_has_overtaken_is_left_out() throws InterruptedException {
        Semaphore asked = new Semaphore(0);
        CountDownLatch go = new CountDownLatch(1);
        Node node = new Node();
        Thread[] slow = new Thread[1];
        DataPlane dataPlane = dataPlane((proxy, method, arguments) -> {
            Object answer = node.invoke(proxy, method, arguments);
            if (Thread.currentThread() == slow[0]) {
                asked.release();
                go.await();
            }
            return answer;
        });
        Watch watch = new Watch(new Readings(dataPlane, pauses::add), Clock.systemUTC(), (flow, event) -> {});
        IntentStatus<LiveLive> flow = flow();
        Taps direction = Taps.of(flow.plan()).get(0);
        slow[0] = new Thread(() -> watch.read(flow.plan(), flow.id()));
        slow[0].start();
        asked.acquire();
        node.delivered = 2000;
        watch.read(flow.plan(), flow.id());
        assertThat(watch.known(direction).arrivals().orElseThrow().delivered()).isEqualTo(2000);
        node.delivered = 500;
        go.countDown();
        slow[0].join();
        assertThat(watch.known(direction).arrivals().orElseThrow().delivered()).isEqualTo(2000);
    }

    private static IntentStatus<LiveLive> flow() {
        Flow match = new Flow(
                10,
                0,
                IpPrefix.parse("::/0"),
                IpPrefix.parse("::/0"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                14,
                5,
                2);
        List<Plan.Placed> entries = List.of(
                new Plan.Placed("e2", new DedupFlow(14, 3)),
                new Plan.Placed("e1", new Copy(5, 1, 1)),
                new Plan.Placed("e1", match));
        Plan plan = new Plan(entries, Explained.NOTHING, List.of(), List.of(), Dependence.NOTHING);
        LiveLive accepted = LabNetwork.flow("{'from':'a','to':'b','paths':2}");
        return new IntentStatus<>(
                "livelive",
                new NumberedIntent<>("video", 1, accepted),
                IntentState.INSTALLED,
                plan,
                List.of(),
                Instant.EPOCH);
    }
}
