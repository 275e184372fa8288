// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.history.Amount;
import org.sextant.core.history.Reading;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.LivenessTelemetry.Delay;
import org.sextant.core.port.LivenessTelemetry.Measured;
import org.sextant.core.port.LivenessTelemetry.Seen;
import org.sextant.core.port.LivenessTelemetry.Status;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Liveness;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Steering;
import org.sextant.northbound.rest.Client;

@Timeout(120)
@DisplayNameGeneration(ReplaceUnderscores.class)
class PolicyMeasuresTest {
    private static final String POLICY = "{'name':'gold','headend':'l1','endpoint':'l3','liveness':{},"
            + "'steering':['2001:db8::/48','2001:db9::/48'],'candidatePaths':[{'hops':['l2','l3']}]}";

    private final Controller controller = new Controller();
    private final PolicyMeasures measures = new PolicyMeasures();

    @BeforeEach
    void begin() {
        measures.engine = controller.engine;
        measures.dataPlane = controller.dataPlane;
        measures.liveness = controller.app.liveness;
        assertThat(Client.of(controller.app).post("policies", POLICY).status()).isEqualTo(201);
        controller.settle();
    }

    @AfterEach
    void close() {
        measures.deactivate();
        controller.close();
    }

    private List<Steering> rows() {
        return controller.dataPlane.held("l1").values().stream()
                .filter(Steering.class::isInstance)
                .map(Steering.class::cast)
                .toList();
    }

    private void probed() {
        controller.dataPlane.held("l1").values().stream()
                .filter(Liveness.class::isInstance)
                .map(Liveness.class::cast)
                .forEach(list -> controller.nodes.say(new Seen(
                        "l1",
                        list.sidList(),
                        Status.UP,
                        Optional.empty(),
                        0,
                        new Measured(100, 97, 3, Optional.of(new Delay(210, 220, 900, 12))))));
    }

    @Test
    void what_is_steered_into_a_policy_is_what_it_carries() {
        rows().forEach(row -> controller.dataPlane.count("l1", row.key(), new Counters(10, 1000)));
        assertThat(measures.measure()).singleElement().satisfies(reading -> {
            assertThat(reading.of()).isEqualTo("policy:gold");
            assertThat(reading.amounts())
                    .containsEntry("packetsPerSecond", new Amount.Counter(10L * rows().size()))
                    .containsEntry("bytesPerSecond", new Amount.Counter(1000L * rows().size()));
        });
    }

    @Test
    void a_part_of_the_rows_is_not_what_it_carries() {
        controller.dataPlane.count("l1", rows().get(0).key(), new Counters(10, 1000));
        assertThat(rows()).hasSizeGreaterThan(1);
        assertThat(measures.measure()).isEmpty();
    }

    @Test
    void a_headend_that_does_not_answer_is_a_gap() {
        rows().forEach(row -> controller.dataPlane.count("l1", row.key(), new Counters(10, 1000)));
        controller.dataPlane.disconnect("l1", "gone");
        controller.settle();
        assertThat(measures.measure()).isEmpty();
    }

    private void boundToo() {
        String bound = POLICY.replace("'liveness':{}", "'liveness':{},'bindingSid':'auto'");
        assertThat(Client.of(controller.app).post("policies", bound).status()).isEqualTo(200);
        controller.settle();
    }

    private MySid binding() {
        return controller.dataPlane.held("l1").values().stream()
                .filter(MySid.class::isInstance)
                .map(MySid.class::cast)
                .filter(sid -> sid.behavior() instanceof Behavior.B6EncapsRed)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void what_comes_by_the_binding_SID_is_carried_too_and_counted_once() {
        boundToo();
        rows().forEach(row -> controller.dataPlane.count("l1", row.key(), new Counters(10, 1000)));
        controller.dataPlane.count("l1", binding().key(), new Counters(7, 900));
        assertThat(measures.measure())
                .singleElement()
                .satisfies(reading -> assertThat(reading.amounts())
                        .containsEntry("packetsPerSecond", new Amount.Counter(10L * rows().size() + 7))
                        .containsEntry("bytesPerSecond", new Amount.Counter(1000L * rows().size() + 900)));
    }

    @Test
    void a_node_that_does_not_count_its_SIDs_tells_what_it_steers_and_the_difference_is_no_traffic() {
        boundToo();
        rows().forEach(row -> controller.dataPlane.count("l1", row.key(), new Counters(10, 1000)));
        Reading without = measures.measure().get(0);
        assertThat(without.amounts()).containsEntry("packetsPerSecond", new Amount.Counter(10L * rows().size()));
        controller.dataPlane.count("l1", binding().key(), new Counters(7, 900));
        assertThat(measures.measure().get(0).source()).isNotEqualTo(without.source());
    }

    @Test
    void probes_tell_delay_and_loss() {
        probed();
        List<Reading> readings = measures.measure();
        assertThat(readings).singleElement().satisfies(reading -> {
            assertThat(reading.amounts()).containsEntry("delayMicros", new Amount.Level(220));
            Amount.Share loss = (Amount.Share) reading.amounts().get("lossPercent");
            assertThat(loss.part() * 100).isEqualTo(loss.whole() * 3);
        });
    }
}
