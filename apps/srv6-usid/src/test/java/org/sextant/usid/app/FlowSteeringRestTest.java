// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.table.FlowSteering;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.probe.Probes;

/** Flows in several policies of one headend. */
class FlowSteeringRestTest {
    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    private Answer post(String name, String headend, String steering) {
        return client.post(
                "policies",
                "{'name':'%s','headend':'%s','endpoint':'l3','steering':[%s],'candidatePaths':[{'dynamic':{}}]}"
                        .formatted(name, headend, steering));
    }

    private long held(String node) {
        return controller.dataPlane.held(node).values().stream()
                .filter(FlowSteering.class::isInstance)
                .count();
    }

    @Test
    void the_same_flow_at_one_headend_is_a_conflict_that_names_the_other_policy_and_the_field() {
        assertThat(post("voice", "l1", "{'destination':'h31','dscp':46}").status())
                .isEqualTo(201);
        Answer answer = post("other", "l1", "'2001:db8::/32',{'destination':'h31','dscp':46}");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo("/steering/1");
        assertThat(answer.json().at("/errors/0/message").textValue())
                .contains("flow_steering_", "on node l1 belongs to policy \"voice\"");
        assertThat(post("elsewhere", "l2", "{'destination':'h31','dscp':46}").status())
                .isEqualTo(201);
        assertThat(held("l1")).isEqualTo(2);
        client.delete("policies/voice");
        controller.settle();
        assertThat(held("l1")).isZero();
        assertThat(post("other", "l1", "'2001:db8::/32',{'destination':'h31','dscp':46}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void overlapping_flows_and_the_destination_itself_may_have_policies_of_their_own() {
        assertThat(post("all", "l1", "'h31'").status()).isEqualTo(201);
        assertThat(post("web", "l1", "{'destination':'h31','protocol':'tcp','destinationPort':443}")
                        .status())
                .isEqualTo(201);
        assertThat(post("bulk", "l1", "{'destination':'h31','protocol':'tcp','priority':5}")
                        .status())
                .isEqualTo(201);
        assertThat(client.get("policies?destination=h31").json()).hasSize(3);
        assertThat(client.get("policies/web").json().at("/policy/steering").toString())
                .isEqualTo("[{\"destination\":\"h31\",\"protocol\":\"tcp\",\"destinationPort\":443}]");
    }

    @Test
    void flows_that_two_policies_send_to_each_other_are_refused() {
        String flow =
                "{'name':'%s','headend':'%s','hops':['l2','%s'],'steering':[{'destination':'2001:db8::/32','%s':%d}]}";
        assertThat(client.post("policies", flow.formatted("a", "l1", "l3", "dscp", 1))
                        .status())
                .isEqualTo(201);
        assertThat(client.post("policies", flow.formatted("b", "l3", "l1", "protocol", 6))
                        .status())
                .as("a TCP packet may have DSCP 1")
                .isEqualTo(422);
        Answer answer = client.post("policies", flow.formatted("b", "l3", "l1", "dscp", 2));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().at("/errors/0/message").textValue()).contains("go round", "policy \"a\"");
    }
}
