// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.northbound.cluster.Clusters.lost;
import static org.sextant.northbound.cluster.Clusters.ready;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.port.Member;
import org.sextant.northbound.cluster.Clusters;
import org.sextant.northbound.cluster.Shares;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusterViewTest {
    private static final CompilerVersions OWN = new CompilerVersions(1, 2);

    @Test
    void members_with_their_nodes_and_the_nodes_of_nobody() {
        Shares shares =
                Clusters.shares(List.of(ready("c2"), lost("c3")), Clusters.byName(), "c2.l2", "c2.l1", "c1.p1", "p9");
        TreeMap<String, CompilerVersions> members = new TreeMap<>(Map.of("c1", OWN, "c3", CompilerVersions.FIRST));
        assertThat(ClusterView.of(shares, new CompilerStatus(1, OWN, members, Optional.empty())))
                .hasToString("{\"answers\":\"c1\",\"settles\":\"c1\","
                        + "\"compiler\":{\"inForce\":1,\"own\":{\"oldest\":1,\"newest\":2},\"heldBackBy\":[\"c3\"]},"
                        + "\"members\":["
                        + "{\"id\":\"c1\",\"state\":\"READY\",\"self\":true,\"since\":\"2026-11-23T06:43:00Z\","
                        + "\"address\":\"192.0.2.1\",\"compilers\":{\"oldest\":1,\"newest\":2},\"count\":1,\"nodes\":[\"c1.p1\"]},"
                        + "{\"id\":\"c2\",\"state\":\"READY\",\"self\":false,\"since\":\"2026-11-23T06:43:00Z\","
                        + "\"address\":\"192.0.2.2\",\"count\":2,\"nodes\":[\"c2.l1\",\"c2.l2\"]},"
                        + "{\"id\":\"c3\",\"state\":\"LOST\",\"self\":false,\"since\":\"2026-11-23T06:43:00Z\","
                        + "\"address\":\"192.0.2.3\",\"compilers\":{\"oldest\":1,\"newest\":1},\"count\":0,\"nodes\":[]}],"
                        + "\"unattended\":[\"p9\"]}");
    }

    @Test
    void a_controller_that_stands_aside_says_why() {
        Shares shares = Clusters.shares(List.of(), Clusters.byName());
        CompilerStatus aside = new CompilerStatus(3, OWN, new TreeMap<>(), Optional.of("it compiles 1 to 2"));
        assertThat(ClusterView.of(shares, aside).at("/compiler/standsAside").textValue())
                .isEqualTo("it compiles 1 to 2");
    }

    @Test
    void a_controller_alone_is_a_cluster_of_one() {
        Member alone = Member.alone("1.2.3", Instant.parse("2026-11-23T06:43:00Z"));
        Shares shares = new Shares(
                List.of(alone), new TreeMap<>(Map.of("l1", Optional.of(alone.id()))), Optional.of(alone.id()));
        assertThat(ClusterView.of(shares, CompilerStatus.single(OWN)))
                .hasToString("{\"answers\":\"controller\",\"settles\":\"controller\","
                        + "\"compiler\":{\"inForce\":2,\"own\":{\"oldest\":1,\"newest\":2},\"heldBackBy\":[]},"
                        + "\"members\":["
                        + "{\"id\":\"controller\",\"state\":\"READY\",\"self\":true,"
                        + "\"since\":\"2026-11-23T06:43:00Z\",\"version\":\"1.2.3\","
                        + "\"compilers\":{\"oldest\":1,\"newest\":2},\"count\":1,\"nodes\":[\"l1\"]}],"
                        + "\"unattended\":[]}");
    }
}
