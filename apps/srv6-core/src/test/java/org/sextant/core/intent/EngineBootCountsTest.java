// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.intent.install.BootCounts;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.table.Epoch;
import org.sextant.core.underlay.Underlay;

/** Nodes that lose everything on restart: each boot has a number, and no number is used twice. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineBootCountsTest {
    private static final Capabilities SWITCH = new Capabilities(Map.of("epoch", Set.of("set_epoch")), Map.of());
    private static final Epoch FIRST = new Epoch(1);

    private Bench bench;

    /** Gives every switch its boot count. */
    private static final class Kind implements DerivedKind<String> {
        @Override
        public SortedMap<String, String> derive(Underlay underlay) {
            SortedMap<String, String> derived = new TreeMap<>();
            underlay.network().nodes().keySet().forEach(node -> derived.put(node, node));
            return derived;
        }

        @Override
        public String name() {
            return "lives";
        }

        @Override
        public ObjectNode encode(String node) {
            return JsonNodeFactory.instance.objectNode().put("node", node);
        }

        @Override
        public String decode(JsonNode json) {
            return json.path("node").asText();
        }

        @Override
        public String identity(String node) {
            return node;
        }

        @Override
        public Plan compile(NumberedIntent<String> intent, CompileContext context) {
            String node = intent.intent();
            Optional<Epoch> epoch = context.capabilities(node)
                    .filter(can -> can.offers(Epoch.TABLE, "set_epoch"))
                    .map(can -> Epoch.ofLife(context.life(node)));
            return new Plan(
                    epoch.stream().map(row -> new Plan.Placed(node, row)).toList(),
                    Explained.NOTHING,
                    List.of(),
                    List.of(),
                    Dependence.on(Set.of(node)));
        }

        @Override
        public boolean atomic() {
            return false;
        }
    }

    @BeforeEach
    void start() {
        bench = Bench.started(Bench.QUIET.withRetryDelay(Duration.ofMillis(5)));
        bench.engine.register(new Kind());
        bench.dataPlane.connect("a", SWITCH);
        bench.settle();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private Epoch held() {
        return (Epoch) bench.dataPlane.held("a").get(FIRST.key());
    }

    private void reconnect() {
        bench.dataPlane.disconnect("a", "away");
        bench.settle();
        bench.dataPlane.connect("a", SWITCH);
        bench.settle();
    }

    private void restartController() {
        bench.close();
        bench.dataPlane.forgetLog();
        bench = new Bench(bench.inventory, bench.dataPlane, bench.store, Bench.QUIET, new Toy.Kind());
        bench.engine.register(new Kind());
        bench.start();
    }

    @Test
    void a_switch_is_told_its_life_and_keeps_it_when_controllers_and_connections_come_and_go() {
        assertThat(held()).isEqualTo(FIRST);
        bench.dataPlane.forgetLog();
        reconnect();
        bench.audit();
        assertThat(bench.log()).isEmpty();
        restartController();
        assertThat(bench.log()).isEmpty();
        assertThat(bench.store.all(BootCounts.MAP)).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void one_that_has_forgotten_lives_its_next_life_whether_it_was_watched_or_not() {
        bench.dataPlane.disconnect("a", "away");
        bench.dataPlane.erase("a", FIRST.key());
        bench.dataPlane.connect("a", SWITCH);
        bench.settle();
        assertThat(held()).isEqualTo(new Epoch(2));
        bench.dataPlane.erase("a", FIRST.key());
        restartController();
        assertThat(held()).isEqualTo(new Epoch(3));
        bench.dataPlane.erase("a", FIRST.key());
        bench.audit();
        bench.settle();
        assertThat(held()).isEqualTo(new Epoch(4));
        bench.audit();
        assertThat(bench.store.all(BootCounts.MAP)).isEqualTo(Map.of("a", "4"));
    }

    @Test
    void what_a_switch_says_of_its_life_counts() {
        bench.dataPlane.plant("a", new Epoch(9));
        bench.audit();
        restartController();
        assertThat(held()).isEqualTo(new Epoch(9));
        bench.dataPlane.erase("a", FIRST.key());
        reconnect();
        assertThat(held()).isEqualTo(new Epoch(10));
    }

    @Test
    void a_life_that_cannot_be_stored_is_not_told_before_it_can() {
        bench.dataPlane.erase("a", FIRST.key());
        bench.dataPlane.disconnect("a", "away");
        bench.settle();
        bench.store.failWith(new StoreUnavailableException("the disk is full"));
        bench.dataPlane.connect("a", SWITCH);
        bench.settle();
        bench.audit();
        assertThat(bench.dataPlane.held("a")).isEmpty();
        bench.store.failWith(null);
        while (bench.dataPlane.held("a").isEmpty()) {
            bench.settle();
        }
        assertThat(held()).isEqualTo(new Epoch(2));
    }
}
