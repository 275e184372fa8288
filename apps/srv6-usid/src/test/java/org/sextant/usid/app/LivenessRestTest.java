// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.LivenessTelemetry.Delay;
import org.sextant.core.port.LivenessTelemetry.Measured;
import org.sextant.core.port.LivenessTelemetry.Seen;
import org.sextant.core.port.LivenessTelemetry.Status;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Liveness;
import org.sextant.core.table.Steering;
import org.sextant.kit.app.EventSource.Told;
import org.sextant.northbound.rest.Client;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;
import org.sextant.usid.text.PolicyText;

/** From a headend's reports on lists to the view of candidate paths. */
@Timeout(120)
class LivenessRestTest {
    private static final String POLICY = "{'name':'gold','headend':'l1','endpoint':'l3','liveness':{},"
            + "'steering':['2001:db8::/48'],'candidatePaths':[{'preference':200,'hops':['l2','l3']},"
            + "{'hops':['l2','p7','p6','v4','l3']}]}";
    private static final Instant SINCE = Instant.parse("2026-11-23T12:00:00Z");

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));
    private final AtomicInteger anew = new AtomicInteger();

    @AfterEach
    void close() {
        controller.close();
    }

    private List<Liveness> watched() {
        return controller.dataPlane.held("l1").values().stream()
                .filter(Liveness.class::isInstance)
                .map(Liveness.class::cast)
                .sorted((one, other) -> Integer.compareUnsigned(one.sidList(), other.sidList()))
                .toList();
    }

    private void post(String policy) {
        assertThat(client.post("policies", policy).status()).isIn(200, 201);
        controller.settle();
    }

    private void say(int list, Status status, int inUse, Measured measured) {
        controller.nodes.say(new Seen("l1", list, status, Optional.of(SINCE), inUse, measured));
    }

    private JsonNode path(int rank) {
        return client.get("policies/gold").json().at("/candidatePaths/" + rank);
    }

    @Test
    void a_headend_is_asked_while_there_is_a_policy_that_is_watched() {
        assertThat(controller.nodes.heard).isEmpty();
        post(POLICY);
        assertThat(controller.nodes.heard).hasSize(1);
        client.delete("policies/gold");
        controller.settle();
        assertThat(controller.nodes.heard).isEmpty();
        assertThat(watched()).isEmpty();
    }

    @Test
    void a_path_shows_what_its_headend_says_of_it() {
        post(POLICY);
        assertThat(path(0).toString())
                .isEqualTo("{\"index\":0,\"preference\":200,\"inUse\":true,"
                        + "\"liveness\":{\"state\":\"UNKNOWN\",\"sent\":0,\"received\":0,\"lost\":0}}");
        say(watched().get(0).sidList(), Status.UP, watched().get(0).sidList(), measured());
        assertThat(path(0).toString())
                .isEqualTo("{\"index\":0,\"preference\":200,\"inUse\":true,"
                        + "\"liveness\":{\"state\":\"UP\",\"since\":\"2026-11-23T12:00:00Z\",\"sent\":100,\"received\":97,"
                        + "\"lost\":3,\"delayMicros\":{\"min\":210,\"avg\":220,\"max\":900},\"jitterMicros\":12}}");
        assertThat(path(1).get("inUse").booleanValue()).isFalse();
    }

    private static Measured measured() {
        return new Measured(100, 97, 3, Optional.of(new Delay(210, 220, 900, 12)));
    }

    @Test
    void the_path_that_the_headend_uses_in_the_place_of_a_silent_one_is_the_one_in_use() {
        post(POLICY);
        List<Liveness> watched = watched();
        Map<?, ?> before = Map.copyOf(controller.dataPlane.held("l1"));
        say(watched.get(0).sidList(), Status.DOWN, watched.get(1).sidList(), measured());
        controller.settle();
        assertThat(path(0).get("inUse").booleanValue()).isFalse();
        assertThat(path(0).at("/liveness/state").textValue()).isEqualTo("DOWN");
        assertThat(path(1).get("inUse").booleanValue()).isTrue();
        assertThat(controller.dataPlane.held("l1"))
                .as("nothing is written: the silent one would not be watched any more")
                .isEqualTo(before);
        String text = new PolicyText().summary(client.get("policies/gold").json());
        assertThat(text).contains("DOWN").contains("3 of 100").contains("210 / 220 / 900 µs, jitter 12 µs");
        assertThat(text.lines().filter(line -> line.contains("in use")))
                .singleElement()
                .asString()
                .contains("100  ");
    }

    @Test
    void a_headend_that_is_lost_says_nothing_any_more() {
        post(POLICY);
        say(watched().get(0).sidList(), Status.DOWN, watched().get(1).sidList(), measured());
        controller.dataPlane.disconnect("l1", "no power");
        controller.settle();
        controller.settle();
        assertThat(path(0).at("/liveness/state").textValue()).isEqualTo("UNKNOWN");
    }

    @Test
    void who_listens_hears_of_changes_and_not_of_every_measurement() {
        post(POLICY);
        Subscription listening = controller.app.liveness.listen(anew::incrementAndGet);
        int list = watched().get(0).sidList();
        say(list, Status.UP, list, Measured.NOTHING);
        say(list, Status.UP, list, measured());
        say(list, Status.DOWN, watched().get(1).sidList(), measured());
        say(77, Status.DOWN, 77, measured());
        assertThat(anew).hasValue(1);
        List<Told> told = controller.app.liveness.take();
        assertThat(told).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo("policyLiveness");
            assertThat(one.data().at("/policies/0/id").textValue()).isEqualTo("gold");
            assertThat(one.data()
                            .at("/policies/0/candidatePaths/0/liveness/state")
                            .textValue())
                    .isEqualTo("DOWN");
            assertThat(one.data().get("policies")).hasSize(1);
        });
        assertThat(controller.app.liveness.take()).isEmpty();
        say(list, Status.DOWN, watched().get(1).sidList(), Measured.NOTHING);
        assertThat(controller.app.liveness.take()).isEmpty();
        listening.close();
        say(list, Status.UP, list, measured());
        assertThat(controller.app.liveness.take()).isEmpty();
    }

    @Test
    void when_a_path_is_lost_to_the_network_packets_are_steered_into_what_is_there() {
        post(POLICY);
        int next = watched().get(1).sidList();
        controller.inventory.set(Fig4.withLinks(link -> Fig4.joins(link, "l2", "l3") ? Fig4.down(link) : link));
        controller.settle();
        assertThat(watched()).extracting(Liveness::sidList).containsExactly(next);
        assertThat(controller.held("l1"))
                .filteredOn(Steering.class::isInstance)
                .singleElement()
                .extracting(entry -> ((Steering) entry).sidList())
                .isEqualTo(next);
        assertThat(path(0).get("preference").asLong()).isEqualTo(100);
    }

    @Test
    void probes_go_through_another_policy_where_the_path_leads_into_it() {
        post(
                "{'name':'silver','headend':'p7','endpoint':'v5','bindingSid':'auto','candidatePaths':[{'hops':['p6','v5']}]}");
        post("{'name':'gold','headend':'l1','endpoint':'l3','liveness':{},'steering':['2001:db8::/48'],"
                + "'candidatePaths':[{'hops':['l2',{'policy':'silver'}]}]}");
        assertThat(client.get("policies/gold").json().get("state").textValue()).isEqualTo("INSTALLED");
        String binding = client.get("policies/silver").json().get("bindingSid").textValue();
        String usids = binding.replace("fcbb:bbbb:", "").replace("::", "");
        int probe = watched().get(0).probe();
        assertThat(controller.held("l1"))
                .filteredOn(
                        entry -> entry.listId().isPresent() && entry.listId().getAsInt() == probe)
                .singleElement()
                .satisfies(entry -> assertThat(entry.actionText())
                        .startsWith("fcbb:bbbb:200:" + usids)
                        .endsWith(", fcbb:bbbb:300:500:700:100:f00d:0"));
    }

    @Test
    void who_leads_into_a_policy_goes_over_with_it() {
        post(POLICY.replace("'liveness'", "'bindingSid':'auto','liveness'"));
        int active = watched().get(0).sidList();
        assertThat(controller.dataPlane.held("l1").values())
                .anySatisfy(entry -> assertThat(entry.actionText())
                        .isEqualTo("b6_encaps_red sid_list " + Integer.toUnsignedString(active)));
    }

    @Test
    void a_node_that_cannot_send_so_many_probes_is_quoted() {
        controller.dataPlane.refuse(
                "l1",
                update -> update.entry() instanceof Liveness,
                Code.RESOURCE_EXHAUSTED,
                "200000 probes a second are more than 100000");
        assertThat(client.post("policies", POLICY).status()).isEqualTo(202);
        controller.settle();
        assertThat(client.get("policies/gold").json().get("troubles").toString())
                .contains("RESOURCE_EXHAUSTED")
                .contains("200000 probes a second are more than 100000");
    }
}
