// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.table.Entry;
import org.sextant.northbound.rest.Client;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;

/** The table entries of nodes while a policy has no valid path. */
class WhenInvalidRestTest {
    private static final String POLICY = "{'name':'gold','headend':'l1','endpoint':'l3','whenInvalid':'%s',"
            + "'steering':['2001:db8::/48'],'candidatePaths':[{'hops':['l2','l3']}]}";

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    private void cut(boolean cut) {
        controller.inventory.set(
                cut ? Fig4.withLinks(link -> Fig4.joins(link, "l2", "l3") ? Fig4.down(link) : link) : Fig4.NETWORK);
        controller.settle();
    }

    private List<String> steering() {
        return controller.dataPlane.held("l1").values().stream()
                .filter(entry -> entry.key().table().startsWith("steering")
                        || entry.listId().isPresent())
                .map(Entry::actionText)
                .sorted()
                .toList();
    }

    @Test
    void drop_takes_the_row_of_the_steering_and_the_list_leaves() {
        client.post("policies", POLICY.formatted("drop"));
        List<String> before = steering();
        assertThat(before).hasSize(2).last().asString().startsWith("h_encaps_red");
        cut(true);
        assertThat(steering()).containsExactly("drop_steered");
        JsonNode policy = client.get("policies/gold").json();
        assertThat(policy.get("state").textValue()).isEqualTo("INSTALLED");
        assertThat(policy.get("fallback").textValue()).isEqualTo("drop");
        assertThat(policy.at("/warnings/0").textValue()).contains("is dropped at l1");
        assertThat(client.get("policies/gold/plan")
                        .json()
                        .at("/candidatePaths/0/state")
                        .textValue())
                .isEqualTo("INVALID");
        cut(false);
        assertThat(steering()).isEqualTo(before);
        assertThat(client.get("policies/gold").json().has("fallback")).isFalse();
        cut(true);
        client.delete("policies/gold");
        assertThat(steering()).isEmpty();
    }

    @Test
    void keep_writes_nothing() {
        client.post("policies", POLICY.formatted("keep"));
        List<String> before = steering();
        cut(true);
        assertThat(steering()).isEqualTo(before).hasSize(2);
        JsonNode policy = client.get("policies/gold").json();
        assertThat(policy.get("state").textValue()).isEqualTo("INSTALLED");
        assertThat(policy.get("fallback").textValue()).isEqualTo("keep");
    }

    @Test
    void underlay_takes_everything_off() {
        client.post("policies", POLICY.formatted("underlay"));
        cut(true);
        assertThat(steering()).isEmpty();
        assertThat(client.get("policies/gold").json().get("state").textValue()).isEqualTo("FAILED");
    }

    @Test
    void while_nothing_is_valid_another_policy_cannot_take_what_is_dropped() {
        client.post("policies", POLICY.formatted("drop"));
        cut(true);
        assertThat(client.post("policies", "{'headend':'l1','hops':['l2'],'egress':'p7','steering':['2001:db8::/48']}")
                        .status())
                .isEqualTo(409);
    }
}
