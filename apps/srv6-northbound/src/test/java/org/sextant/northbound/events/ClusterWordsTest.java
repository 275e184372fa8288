// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.northbound.cluster.Clusters.lost;
import static org.sextant.northbound.cluster.Clusters.ready;
import static org.sextant.northbound.cluster.Clusters.shares;
import static org.sextant.northbound.cluster.Clusters.starting;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.Member;
import org.sextant.northbound.cluster.Shares;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusterWordsTest {
    private static Shares of(Member... others) {
        return shares(List.of(others), key -> Optional.of("c1"));
    }

    private static Shares led(String by, String... nodes) {
        return shares(List.of(ready("c2"), ready("c3")), key -> Optional.of(by).filter(id -> !id.isEmpty()), nodes);
    }

    private static List<String> texts(Shares before, Shares after) {
        return ClusterWords.of(before, after).stream().map(LogEntry::text).toList();
    }

    @Test
    void members_that_come_and_go_are_one_line_each() {
        assertThat(texts(of(), of(ready("c2")))).containsExactly("c2 is a member of the cluster now, and is ready");
        assertThat(texts(of(ready("c2")), of(lost("c2"))))
                .containsExactly("c2 is lost: the other members do not reach it");
        assertThat(texts(of(lost("c2")), of(starting("c2")))).containsExactly("c2 is reachable, and not ready yet");
        assertThat(texts(of(starting("c2")), of(ready("c2")))).containsExactly("c2 is ready");
        assertThat(texts(of(ready("c2")), of(starting("c2")))).containsExactly("c2 is not ready any more");
        assertThat(texts(of(ready("c2")), of())).containsExactly("c2 is no member of the cluster any more");
        assertThat(texts(of(ready("c2")), of(ready("c2")))).isEmpty();
    }

    @Test
    void one_that_is_lost_is_an_error_of_that_member() {
        assertThat(ClusterWords.of(of(ready("c2")), of(lost("c2"))))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.severity()).isEqualTo(Severity.ERROR);
                    assertThat(entry.kind()).isEqualTo(LogKind.CLUSTER);
                    assertThat(entry.subject()).isEqualTo(new LogSubject("member", "c2"));
                });
    }

    @Test
    void nodes_that_change_hands_are_one_line_for_those_who_go_the_same_way() {
        assertThat(texts(led("c2", "l1", "l2"), led("c3", "l1", "l2")))
                .containsExactly("c3 acts for l1, l2 in place of c2");
        assertThat(texts(led("", "l1"), led("c3", "l1")))
                .containsExactly("c3 acts for l1, as no controller did before");
        assertThat(texts(led("c2", "l1"), led("", "l1")))
                .containsExactly("no controller acts for l1 any more; c2 did before");
        assertThat(texts(led("c2"), led("c3", "l1"))).as("a new node").isEmpty();
    }

    @Test
    void however_many_nodes_change_hands_the_line_is_short() {
        String[] nodes = IntStream.range(0, 1000)
                .mapToObj(i -> String.format("n%03d", i))
                .toArray(String[]::new);
        assertThat(texts(led("c2", nodes), led("c1", nodes)))
                .containsExactly("c1 acts for n000, n001, n002, n003, n004, n005, n006, n007 and 992 nodes more"
                        + " in place of c2");
    }
}
