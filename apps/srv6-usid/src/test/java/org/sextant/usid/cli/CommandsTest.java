// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.cli.ShellSession;
import org.sextant.usid.service.Controller;

class CommandsTest {
    private final Controller controller = new Controller();

    @AfterEach
    void close() {
        controller.close();
    }

    /** Runs a command and returns what it prints. */
    private String run(PolicyCommand command) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        command.policies = controller.policies;
        command.session = ShellSession.printingTo(out);
        command.execute();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static PolicyAddCommand add(String... words) {
        PolicyAddCommand command = new PolicyAddCommand();
        command.words = List.of(words);
        return command;
    }

    @Test
    void a_policy_is_added_listed_shown_explained_and_removed() throws Exception {
        PolicyAddCommand add = add("h11", "h31", "l1", "l2", "p7", "p6", "v5", "v4", "l3");
        add.name = "gold";
        assertThat(run(add))
                .startsWith("gold  INSTALLED")
                .contains("l1 -> l3  64 bytes  fcbb:bbbb:200:700:600:500:400:0 fcbb:bbbb:300:f00d::");
        assertThat(run(new PoliciesCommand())).isEqualTo("""
            id    state      from  to   nodes                 bytes
            gold  INSTALLED  h11   h31  l1,l2,p7,p6,v5,v4,l3  64
            """);
        PolicyShowCommand show = new PolicyShowCommand();
        show.id = "gold";
        assertThat(run(show)).startsWith("gold  INSTALLED");
        PolicyExplainCommand explain = new PolicyExplainCommand();
        explain.words = List.of("gold");
        assertThat(run(explain)).contains("v4    uN, next segment  fcbb:bbbb:400::");
        PolicyRemoveCommand remove = new PolicyRemoveCommand();
        remove.source = "h11";
        remove.destination = "h31";
        assertThat(run(remove)).isEqualTo("removed gold\n");
        assertThat(run(new PoliciesCommand())).isEqualTo("no policies\n");
        assertThat(controller.held("l1")).isEmpty();
    }

    @Test
    void options_say_what_the_json_says() throws Exception {
        PolicyAddCommand add = add("h11", "h31", "l1,l2,l3");
        add.back = "l3,v4,p6,p7,l2,l1";
        add.decap = "vrf:0";
        add.family = "ipv6";
        add.json = true;
        JsonNode policy = new ObjectMapper().readTree(run(add)).get("policy");
        assertThat(policy.toString())
                .isEqualTo(
                        "{\"from\":\"h11\",\"to\":\"h31\",\"nodes\":[\"l1\",\"l2\",\"l3\"],\"symmetry\":\"asymmetric\","
                                + "\"returnNodes\":[\"l3\",\"v4\",\"p6\",\"p7\",\"l2\",\"l1\"],"
                                + "\"decap\":\"uDT\",\"family\":\"ipv6\",\"encapsulation\":\"reduced\"}");
    }

    @Test
    void the_general_form_comes_from_a_file() throws Exception {
        PolicyAddCommand add = new PolicyAddCommand();
        add.file = "../../lab/policies/links.json";
        assertThat(run(add)).startsWith("links  INSTALLED");
    }

    @Test
    void explaining_a_new_policy_adds_nothing() throws Exception {
        PolicyExplainCommand explain = new PolicyExplainCommand();
        explain.words = List.of("h11", "h31", "l1", "l2", "l3");
        explain.oneWay = true;
        explain.json = true;
        assertThat(new ObjectMapper()
                        .readTree(run(explain))
                        .at("/directions/0/containers/0")
                        .textValue())
                .isEqualTo("fcbb:bbbb:200:300:f00d::");
        assertThat(run(new PoliciesCommand())).isEqualTo("no policies\n");
    }

    @Test
    void errors_are_sentences() {
        fails(add("h11", "h31", "l1", "x9", "l3"), "/nodes/1: there is no node \"x9\"\n    the nodes are l1, l2, l3, p6, p7, v4, v5, v8");
        fails(
                add("h11"),
                "give the two ends and the nodes between, for example: h11 h31 l1 l2 l3; or a policy's JSON with"
                        + " --file");
        PolicyAddCommand missing = new PolicyAddCommand();
        missing.file = "none.json";
        fails(missing, "there is no file none.json that the controller can read");
        PolicyShowCommand show = new PolicyShowCommand();
        show.id = "nothing";
        fails(show, "/id: there is no policy \"nothing\"\n    GET /srv6/policies lists what there is");
        PolicyRemoveCommand both = new PolicyRemoveCommand();
        both.id = "a";
        both.source = "h11";
        fails(both, "give either the id or the two ends, not both");
    }

    private void fails(PolicyCommand command, String message) {
        assertThatThrownBy(() -> run(command))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
