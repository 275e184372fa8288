// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.probe.Probes;

/** Headend, color and endpoint name a policy (RFC 9256, 2.1): no two have the same. */
class ColorRestTest {
    private static final String POLICY = "{'name':'%s','headend':'%s','endpoint':'%s','color':%d,'steering':['%s'],"
            + "'candidatePaths':[{'dynamic':{}}]}";

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    private Answer post(String name, String headend, String endpoint, int color, String prefix) {
        return client.post("policies", POLICY.formatted(name, headend, endpoint, color, prefix));
    }

    @Test
    void a_color_that_another_policy_has_is_a_conflict_that_names_it() {
        assertThat(post("gold", "l1", "l3", 100, "2001:db8:1::/48").status()).isEqualTo(201);
        Answer answer = post("other", "0x0100", "l3", 100, "2001:db8:2::/48");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo("/color");
        assertThat(answer.json().at("/errors/0/message").textValue())
                .isEqualTo("color 100 from l1 to l3 belongs to policy \"gold\"");
        assertThat(client.get("policies").json()).hasSize(1);
    }

    @Test
    void to_another_endpoint_from_another_headend_and_of_another_color_it_is_another_policy() {
        assertThat(post("a", "l1", "l3", 100, "2001:db8:1::/48").status()).isEqualTo(201);
        assertThat(post("b", "l1", "v5", 100, "2001:db8:2::/48").status()).isEqualTo(201);
        assertThat(post("c", "l2", "l3", 100, "2001:db8:3::/48").status()).isEqualTo(201);
        assertThat(post("d", "l1", "l3", 101, "2001:db8:4::/48").status()).isEqualTo(201);
    }

    @Test
    void the_color_of_a_policy_that_was_deleted_or_has_another_now_is_free() {
        post("a", "l1", "l3", 100, "2001:db8:1::/48");
        assertThat(post("a", "l1", "l3", 200, "2001:db8:1::/48").status()).isEqualTo(200);
        assertThat(post("b", "l1", "l3", 100, "2001:db8:2::/48").status()).isEqualTo(201);
        client.delete("policies/a");
        assertThat(post("c", "l1", "l3", 200, "2001:db8:3::/48").status()).isEqualTo(201);
    }
}
