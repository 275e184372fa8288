// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.probe.Probes;

/** Labels and descriptions of intents, which have no influence on nodes. */
class LabelsRestTest {
    private static final String NAMED =
            "{'name':'%s','from':'h11','to':'h31','nodes':['l1','l2','l3'],'labels':{'site':'%s','tier':'gold'}}";
    private static final String UNNAMED = "{'from':'h12','to':'h32','nodes':['l1','l2','l3'],'labels':{'site':'%s'}}";

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    private List<String> ids(String selector) {
        return client.get("policies?label=" + selector).json().findValuesAsText("id");
    }

    private Answer patch(String path, String json) {
        return client.call(
                "PATCH", path, new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void lists_are_selected_by_labels() {
        client.post("policies", NAMED.formatted("a", "lab"));
        String unnamed = client.post("policies", UNNAMED.formatted("field"))
                .json()
                .get("id")
                .textValue();
        assertThat(ids("site")).containsExactlyInAnyOrder("a", unnamed);
        assertThat(ids("site=lab")).containsExactly("a");
        assertThat(ids("!tier")).containsExactly(unnamed);
        assertThat(ids("site!=lab,tier=gold")).isEmpty();
    }

    @Test
    void a_change_of_labels_is_a_change_of_the_intent_and_writes_nothing() {
        String before = client.post("policies", NAMED.formatted("a", "lab"))
                .json()
                .get("etag")
                .textValue();
        controller.settle();
        controller.dataPlane.forgetLog();
        Answer answer = patch("policies/a", "{'labels':{'tier':null,'owner':'x'},'description':'to the core'}");
        assertThat(answer.json().at("/policy/labels")).hasToString("{\"owner\":\"x\",\"site\":\"lab\"}");
        assertThat(answer.json().at("/policy/description").textValue()).isEqualTo("to the core");
        assertThat(answer.json().get("etag").textValue()).isNotEqualTo(before);
        controller.settle();
        assertThat(controller.dataPlane.log()).isEmpty();
    }

    @Test
    void an_intent_without_a_name_keeps_its_id_when_its_labels_change() {
        Answer first = client.post("policies", UNNAMED.formatted("lab"));
        Answer second = client.post("policies", UNNAMED.formatted("field"));
        assertThat(second.json().get("id")).isEqualTo(first.json().get("id"));
        assertThat(client.get("policies").json()).hasSize(1);
        assertThat(ids("site=field")).hasSize(1);
    }

    @Test
    void a_label_that_kubernetes_refuses_is_refused() {
        Answer answer = client.post("policies", NAMED.formatted("a", "no spaces"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo("/labels/site");
    }
}
