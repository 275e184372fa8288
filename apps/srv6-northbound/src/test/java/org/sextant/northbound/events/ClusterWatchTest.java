// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.northbound.cluster.Clusters.lost;
import static org.sextant.northbound.cluster.Clusters.ready;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Subscription;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class ClusterWatchTest {
    private static final Network NETWORK = NetworkFile.parse("""
            {"devices": {"device:a": {"basic": {"name": "a"}}, "device:b": {"basic": {"name": "b"}}}}""").orThrow();

    private final FakeCoordination coordination = new FakeCoordination();
    private final LogKeeper log = new LogKeeper();
    private final ClusterWatch watch = new ClusterWatch();
    private final Semaphore anew = new Semaphore(0);

    @BeforeEach
    void begin() {
        watch.coordination = coordination;
        watch.inventory = new FakeInventory(NETWORK);
        watch.log = log;
        watch.calmMillis = 0;
        watch.activate();
    }

    @AfterEach
    void end() {
        watch.deactivate();
    }

    @Test
    void how_the_cluster_became_another_one_is_told_to_the_log_and_the_stream() throws InterruptedException {
        Subscription listening = watch.listen(anew::release);
        coordination.cluster(List.of(ready("c2")), key -> Optional.of("c2"));
        heard("c2 acts for a, b in place of c1");
        assertThat(watch.take()).singleElement().satisfies(told -> {
            assertThat(told.kind()).isEqualTo("cluster");
            assertThat(told.data()).hasToString("{}");
        });
        assertThat(watch.take()).isEmpty();
        coordination.cluster(List.of(lost("c2")), key -> Optional.of("c1"));
        heard("c1 acts for a, b in place of c2");
        assertThat(texts()).contains("c2 is lost: the other members do not reach it");
        listening.close();
    }

    /** Changes may be looked at in one go or in several. */
    private void heard(String text) throws InterruptedException {
        while (!texts().contains(text)) {
            anew.tryAcquire(1, TimeUnit.SECONDS);
        }
    }

    private List<String> texts() {
        return log.find(LogQuery.parse(null, null, null, null, null, null)).stream()
                .map(LogEvent::text)
                .toList();
    }
}
