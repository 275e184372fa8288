// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.table.Steering;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.probe.Probes;

class PoliciesRestTest {
    private static final String PAPER = "{'from':'h11','to':'h31','nodes':['l1','l2','p7','p6','v5','v4','l3']%s}";

    private final Controller controller = new Controller();
    private final Probes nodes = new Probes();
    private final Client client = Client.of(controller.app, Probes.resource(controller, nodes));

    @AfterEach
    void close() {
        controller.close();
    }

    private String postPaper() {
        return client.post("policies", PAPER.formatted("")).json().get("id").textValue();
    }

    @Test
    void a_new_policy_is_installed_and_has_an_address() {
        Answer answer = client.post("policies", PAPER.formatted(",'name':'gold'"));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.location()).isEqualTo("http://localhost/srv6/policies/gold");
        assertThat(answer.json().get("state").textValue()).isEqualTo("INSTALLED");
        assertThat(answer.json().at("/directions/0/containers/0").textValue())
                .isEqualTo("fcbb:bbbb:200:700:600:500:400:0");
        assertThat(controller.held("l1")).hasSize(4);
        assertThat(controller.held("l3")).hasSize(4);
        assertThat(client.get("policies/gold").json().get("policy").get("to").textValue())
                .isEqualTo("h31");
    }

    @Test
    void the_same_again_is_not_a_second_policy() {
        String id = postPaper();
        Answer again = client.post(
                "policies", "{'to':'h31','nodes':['l1','l2','p7','p6','v5','v4','l3'],'from':'h11','decap':'f00d'}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("id").textValue()).isEqualTo(id);
        assertThat(client.get("policies").json()).hasSize(1);
    }

    private Answer send(String method, String path, String json) {
        return client.call(
                method, path, new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void a_policy_is_changed_in_part_and_as_a_whole() {
        client.post("policies", PAPER.formatted(",'name':'gold'"));
        Answer patched = send("PATCH", "policies/gold", "{'nodes':['l1','l2','l3']}");
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.json().at("/policy/nodes")).hasSize(3);
        assertThat(patched.json().at("/policy/to").textValue()).isEqualTo("h31");
        Answer refused = send("PATCH", "policies/gold", "{'to':null}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("/to");
        Answer put = send("PUT", "policies/gold", PAPER.formatted(",'name':'gold'"));
        assertThat(put.status()).isEqualTo(200);
        assertThat(client.get("policies/gold").json().at("/policy/nodes")).hasSize(7);
        assertThat(client.get("policies").json()).hasSize(1);
    }

    @Test
    void a_named_policy_posted_with_other_nodes_is_replaced() {
        client.post("policies", PAPER.formatted(",'name':'gold'"));
        Answer changed = client.post("policies", "{'name':'gold','from':'h11','to':'h31','nodes':['l1','l2','l3']}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(client.get("policies/gold")
                        .json()
                        .at("/directions/0/containers/0")
                        .textValue())
                .isEqualTo("fcbb:bbbb:200:300:f00d::");
        assertThat(client.get("policies").json()).hasSize(1);
    }

    @Test
    void steering_that_another_policy_owns_is_a_conflict_that_names_it() {
        client.post("policies", PAPER.formatted(",'name':'gold'"));
        Answer answer = client.post(
                "policies", "{'from':'h11','to':'h31','nodes':['l1','l2','l3'],'family':'ipv6','symmetry':'one-way'}");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo("/to");
        assertThat(answer.json().at("/errors/0/message").textValue())
                .isEqualTo("steering_v6 vrf 0 fd00:0:31::2/128 on node l1 belongs to policy \"gold\"");
        assertThat(client.post(
                                "policies",
                                "{'headend':'l3','hops':['l2'],'egress':'l1','steering':['10.0.99.0/24','10.0.11.2']}")
                        .json()
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/steering/1");
        assertThat(client.get("policies").json()).hasSize(1);
    }

    @Test
    void a_dry_run_answers_the_plan_and_changes_nothing() {
        Answer answer = client.post("policies?dryRun=true", PAPER.formatted(""));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/directions/0/hops/6/behavior").textValue())
                .isEqualTo("uDT6");
        assertThat(client.get("policies").json()).isEmpty();
        assertThat(controller.held("l1")).isEmpty();
        assertThat(client.post("policies?dryRun=true", "{'from':'h11','to':'h31','nodes':['l1','x','l3']}")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void the_plan_of_a_stored_policy_is_the_dry_runs() {
        JsonNode dry = client.post("policies?dryRun=true", PAPER.formatted("")).json();
        String id = postPaper();
        assertThat(client.get("policies/" + id + "/plan").json().get("directions"))
                .isEqualTo(dry.get("directions"));
    }

    @Test
    void policies_are_found_by_their_ends() {
        String id = postPaper();
        client.post("policies", "{'headend':'l1','hops':['l2'],'egress':'l3','steering':['h32'],'name':'general'}");
        assertThat(client.get("policies?source=h11&destination=h31").json().findValuesAsText("id"))
                .containsExactly(id);
        assertThat(client.get("policies?source=10.0.11.2").json().findValuesAsText("id"))
                .containsExactly(id);
        assertThat(client.get("policies?destination=h32").json().findValuesAsText("id"))
                .containsExactly("general");
        assertThat(client.get("policies?source=l1").json().findValuesAsText("id"))
                .containsExactly("general");
        assertThat(client.get("policies?source=h51").json()).isEmpty();
        assertThat(client.get("policies?source=1.2.3.4/99").status()).isEqualTo(400);
    }

    @Test
    void deleting_removes_every_entry() {
        String id = postPaper();
        assertThat(client.delete("policies/" + id).status()).isEqualTo(204);
        assertThat(controller.held("l1")).isEmpty();
        assertThat(controller.held("l3")).isEmpty();
        assertThat(client.get("policies/" + id).status()).isEqualTo(404);
        assertThat(client.delete("policies/" + id).status()).isEqualTo(404);
    }

    @Test
    void a_dry_run_over_a_lost_node_warns() {
        controller.dataPlane.disconnect("p7", "UNAVAILABLE: io exception");
        controller.dataPlane.disconnect("l1", "UNAVAILABLE: io exception");
        controller.settle();
        JsonNode plan = client.post("policies?dryRun=true", PAPER.formatted("")).json();
        List<String> warnings = new ArrayList<>();
        plan.get("warnings").forEach(warning -> warnings.add(warning.textValue()));
        assertThat(warnings)
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith("l1 does not answer since ")
                        .endsWith(" entries would wait for it"))
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith("p7 does not answer since ")
                        .endsWith(": it is on the way, and whether it forwards is not observed"))
                .noneSatisfy(warning -> assertThat(warning).contains("UNAVAILABLE"));
    }

    @Test
    void what_a_lost_node_may_still_have_of_a_deleted_policy_is_shown_until_it_is_gone() {
        String id = postPaper();
        controller.dataPlane.disconnect("l1", "stopped");
        controller.settle();
        Answer deleted = client.delete("policies/" + id);
        assertThat(deleted.status()).isEqualTo(202);
        assertThat(deleted.json().at("/state").asText()).isEqualTo("REMOVING");
        assertThat(deleted.json().at("/troubles").findValuesAsText("node")).containsOnly("l1");
        assertThat(deleted.json().at("/troubles/0/reason").asText()).startsWith("l1 does not answer since ");
        assertThat(deleted.json().at("/troubles/0/waitsFor").asText()).isEqualTo("l1");
        assertThat(client.get("policies").json().findValuesAsText("state")).contains("REMOVING");
        Answer plan = client.get("policies/" + id + "/plan");
        assertThat(plan.status()).as("it installs nothing any more").isEqualTo(409);
        assertThat(plan.json().at("/detail").textValue())
                .isEqualTo("/id: policy \"" + id + "\" was deleted: it has no plan any more; look at the policy itself:"
                        + " troubles says what nodes may still have of it");
        assertThat(client.delete("policies?source=h11&destination=h31").status())
                .as("it goes on")
                .isEqualTo(202);
        controller.dataPlane.connect("l1");
        controller.settle();
        assertThat(client.get("policies/" + id).status()).isEqualTo(404);
        assertThat(controller.held("l1")).isEmpty();
    }

    @Test
    void a_dry_run_prints_the_entries_that_posting_would_install() {
        postPaper();
        String other = "{'from':'h12','to':'h32','nodes':['l1','l2','l3']}";
        Answer tried = client.post("policies?dryRun=true", other);
        client.post("policies", other);
        assertThat(tried.json().at("/entries").findValuesAsText("sidList"))
                .isNotEmpty()
                .allSatisfy(list -> assertThat(controller.held("l1").toString() + controller.held("l3"))
                        .contains("sidList=" + list));
    }

    @Test
    void policies_that_would_lead_packets_round_are_refused_and_name_each_other() {
        assertThat(client.post(
                                "policies",
                                "{'headend':'l1','hops':['l2','l3'],'steering':['2001:db8:77::/64'],'name':'there'}")
                        .status())
                .isEqualTo(201);
        Answer refused = client.post(
                "policies", "{'headend':'l3','hops':['l2','l1'],'steering':['2001:db8:77::/64'],'name':'back'}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("/steering/0");
        assertThat(refused.json().at("/errors/0/message").asText())
                .isEqualTo("packets to 2001:db8:77:: would go round for ever: this one takes them from l3 to l1, policy"
                        + " \"there\" from l1 to l3");
    }

    @Test
    void deleting_by_the_parameters_needs_exactly_one_match() {
        client.post("policies", "{'from':'h11','to':'h31','nodes':['l1','l2','l3'],'family':'ipv6','name':'six'}");
        client.post(
                "policies",
                "{'from':'h11','to':'h31','nodes':['l1','l2','p7','p6','v4','l3'],'family':'ipv4','name':'four'}");
        assertThat(client.delete("policies?source=h11").status()).isEqualTo(400);
        assertThat(client.delete("policies?source=h11&destination=h99").status())
                .isEqualTo(404);
        Answer several = client.delete("policies?source=h11&destination=h31");
        assertThat(several.status()).isEqualTo(409);
        assertThat(several.json().at("/errors/0/message").textValue()).isEqualTo("several policies match: four, six");
        assertThat(client.delete("policies?source=h11&destination=h31&nodes=l1,l2,l3")
                        .status())
                .isEqualTo(204);
        assertThat(client.get("policies").json().findValuesAsText("id")).containsExactly("four");
    }

    @Test
    void several_are_deleted_at_once_by_id_by_end_or_all() {
        for (String name : List.of("a", "b", "c", "d")) {
            client.post(
                    "policies",
                    "{'headend':'l1','hops':['l2','p7',{'node':'v8'}],'steering':['2001:db8:" + name
                            + "::/48'],'name':'" + name + "'}");
        }
        client.post("policies", PAPER.formatted(",'name':'paper'"));
        assertThat(client.delete("policies?ids=a,x").status()).isEqualTo(404);
        assertThat(client.delete("policies?ids=a&source=l1").status()).isEqualTo(400);
        assertThat(client.delete("policies?ids=a&all=true").status()).isEqualTo(400);
        assertThat(client.delete("policies?all=yes").status()).isEqualTo(400);
        assertThat(client.get("policies").json()).hasSize(5);
        Answer two = client.delete("policies?ids=a,b,a");
        assertThat(two.status()).isEqualTo(200);
        assertThat(two.json().toString()).isEqualTo("{\"removed\":[\"a\",\"b\"],\"leaving\":[]}");
        assertThat(client.delete("policies?source=l1&all=true").json().get("removed"))
                .hasSize(2);
        controller.dataPlane.disconnect("l3", "stopped");
        controller.settle();
        Answer rest = client.delete("policies?all=true");
        assertThat(rest.status()).isEqualTo(202);
        assertThat(rest.json().toString()).isEqualTo("{\"removed\":[\"paper\"],\"leaving\":[\"paper\"]}");
        controller.dataPlane.connect("l3");
        controller.settle();
        assertThat(client.delete("policies?all=true").json().get("removed")).isEmpty();
    }

    @Test
    void a_policy_whose_headend_is_lost_is_stored_and_says_what_it_waits_for() {
        controller.dataPlane.disconnect("l3", "connection refused");
        controller.settle();
        Answer answer = client.post("policies", PAPER.formatted(""));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().get("troubles").findValuesAsText("node")).contains("l3");
        controller.dataPlane.connect("l3");
        controller.settle();
        assertThat(client.get("policies/" + answer.json().get("id").textValue())
                        .json()
                        .get("state")
                        .textValue())
                .isEqualTo("INSTALLED");
    }

    @Test
    void a_refused_entry_leaves_nothing_half_installed_and_its_reason() {
        controller.dataPlane.refuse(
                "l3", update -> update.entry() instanceof Steering, Code.RESOURCE_EXHAUSTED, "the table is full");
        Answer answer = client.post("policies", PAPER.formatted(""));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().get("state").textValue()).isEqualTo("FAILED");
        assertThat(answer.json().get("troubles").findValuesAsText("reason")).contains("the table is full");
        assertThat(controller.held("l1")).isEmpty();
        assertThat(controller.held("l3")).isEmpty();
    }

    @Test
    void a_node_that_dies_between_the_first_and_the_last_entry_leaves_no_traffic_in_half_a_policy() {
        controller.dataPlane.loseAfter("l3", 1);
        Answer answer = client.post("policies", PAPER.formatted(""));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().get("state").textValue()).isNotEqualTo("INSTALLED");
        controller.dataPlane.connect("l3");
        controller.settle();
        assertThat(client.get("policies/" + answer.json().get("id").textValue())
                        .json()
                        .get("state")
                        .textValue())
                .isEqualTo("INSTALLED");
        assertThat(controller.held("l1")).hasSize(4);
        assertThat(controller.held("l3")).hasSize(4);
    }

    @Test
    void a_list_is_taken_policy_by_policy() {
        Answer answer = client.post(
                "policies",
                "[" + PAPER.formatted(",'name':'gold'") + ",{'from':'h12','to':'h99','nodes':['l1','l3']},{'from':7},"
                        + "{'from':'h12','to':'h32','nodes':['l1','l2','l3']}]");
        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.json().get("items").findValuesAsText("status")).containsExactly("201", "422", "400", "201");
        assertThat(answer.json().at("/items/1/errors/0/field").textValue()).isEqualTo("/1/to");
        assertThat(answer.json().at("/items/2/errors/0/field").textValue()).isEqualTo("/2/from");
        assertThat(client.get("policies").json()).hasSize(2);
        Answer fine = client.post("policies", "[" + PAPER.formatted(",'name':'gold'") + "]");
        assertThat(fine.status()).isEqualTo(200);
        assertThat(client.post("policies?dryRun=true", "[" + PAPER.formatted(",'name':'gold'") + ",{'from':7}]")
                        .json()
                        .at("/items/1/errors/0/field")
                        .textValue())
                .isEqualTo("/1/from");
    }

    @Test
    void a_thousand_policies_go_in_one_request() {
        String list = IntStream.range(0, 1000)
                .mapToObj(i -> "{'headend':'l1','hops':['l2','p7',{'node':'v8'}],'steering':['2001:db8:"
                        + Integer.toHexString(i) + "::/48']}")
                .collect(Collectors.joining(",", "[", "]"));
        Answer answer = client.post("policies", list);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().get("created").intValue()).isEqualTo(1000);
        assertThat(controller.held("l1")).hasSize(2000);
    }

    @Test
    void of_a_hundred_thousand_mistakes_the_first_are_explained_and_the_rest_counted() {
        Answer answer = client.post("policies", "[" + "{},".repeat(99_999) + "{}]");
        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.json().get("rejected").intValue()).isEqualTo(100_000);
        assertThat(answer.json().get("errorsLeftOut").intValue()).isEqualTo(99_900);
        assertThat(answer.json().get("items")).hasSize(100_000);
        assertThat(answer.json().at("/items/99/errors/0/field").textValue()).isEqualTo("/99/from");
        assertThat(answer.json().at("/items/100").toString()).isEqualTo("{\"status\":400}");
        assertThat(answer.bytes()).isLessThan(2_000_000);
    }

    @Test
    void a_list_that_is_no_json_at_its_end_stores_nothing_of_its_beginning() {
        String fine = PAPER.formatted(",'name':'gold'");
        assertThat(client.post("policies", "[" + fine + ",{'name':").status()).isEqualTo(400);
        assertThat(client.post("policies", "[" + fine + "] x").status()).isEqualTo(400);
        assertThat(client.get("policies").json()).isEmpty();
    }

    @Test
    void a_name_that_stands_twice_in_a_list_is_one_policy_and_was_created_once() {
        Answer answer = client.post(
                "policies",
                "[" + PAPER.formatted(",'name':'gold'")
                        + ",{'name':'gold','from':'h11','to':'h31','nodes':['l1','l2','l3']}]");
        assertThat(answer.json().get("items").findValuesAsText("status")).containsExactly("201", "200");
        assertThat(client.get("policies").json()).hasSize(1);
    }

    @Test
    void policies_come_in_pages_that_link_to_each_other() {
        for (String name : List.of("a", "b", "c")) {
            client.post(
                    "policies",
                    "{'headend':'l1','hops':['l2','p7',{'node':'v8'}],'steering':['2001:db8:" + name
                            + "::/48'],'name':'" + name + "'}");
        }
        Answer first = client.get("policies?source=l1&limit=2");
        assertThat(first.json().findValuesAsText("id")).containsExactly("a", "b");
        assertThat(first.link())
                .startsWith("<http://localhost/srv6/policies?")
                .contains("source=l1", "limit=2", "after=b", "; rel=\"next\"");
        Answer second = client.get("policies?source=l1&limit=2&after=b");
        assertThat(second.json().findValuesAsText("id")).containsExactly("c");
        assertThat(second.link()).isNull();
        assertThat(client.get("policies?limit=many")
                        .json()
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/limit");
    }

    @Test
    void a_viewer_reads_and_does_not_write() {
        String id = postPaper();
        Client viewer = client.as("viewer");
        assertThat(viewer.get("policies").status()).isEqualTo(200);
        assertThat(viewer.get("policies/" + id + "/plan").status()).isEqualTo(200);
        assertThat(viewer.post("policies", PAPER.formatted("")).status()).isEqualTo(403);
        assertThat(viewer.post("policies?dryRun=true", PAPER.formatted("")).status())
                .isEqualTo(403);
        assertThat(viewer.delete("policies/" + id).status()).isEqualTo(403);
        assertThat(viewer.delete("policies?source=h11&destination=h31").status())
                .isEqualTo(403);
        assertThat(client.as("nobody").get("policies").status()).isEqualTo(403);
    }

    @Test
    void a_probe_has_each_headend_ping_a_host_that_it_steers_to() {
        client.post("policies", PAPER.formatted(",'name':'gold','family':'ipv6'"));
        JsonNode probe = client.post("policies/gold/probe?count=3", "").json();
        assertThat(nodes.pinged)
                .containsExactlyInAnyOrder("l1 fcff:1::1 fd00:0:31::2 3", "l3 fcff:3::1 fd00:0:11::2 3");
        assertThat(probe.get("answered").booleanValue()).isTrue();
        assertThat(probe.at("/tries/0"))
                .hasToString("{\"headend\":\"l1\",\"prefix\":\"fd00:0:31::2/128\","
                        + "\"destination\":\"fd00:0:31::2\",\"host\":\"h31\",\"source\":\"fcff:1::1\",\"sent\":3,\"received\":3,"
                        + "\"roundTripMicros\":{\"min\":1,\"mean\":2000,\"max\":3000000}}");
    }

    @Test
    void a_probe_says_who_got_no_answer_and_who_could_not_ask() {
        client.post("policies", PAPER.formatted(",'name':'gold','family':'ipv6'"));
        nodes.silent = "l3";
        JsonNode probe = client.post("policies/gold/probe", "").json();
        assertThat(probe.get("answered").booleanValue()).isFalse();
        assertThat(probe.at("/tries/1/received").intValue()).isZero();
        assertThat(probe.at("/tries/1").has("roundTripMicros")).isFalse();
        nodes.unable = "l3";
        JsonNode oneSided = client.post("policies/gold/probe", "").json();
        assertThat(oneSided.get("answered").booleanValue()).isTrue();
        assertThat(oneSided.at("/tries/1/failure").textValue()).contains("cannot send");
        nodes.unable = "l1";
        assertThat(client.post("policies/gold/probe?destination=h31", "")
                        .json()
                        .get("answered")
                        .booleanValue())
                .as("nothing was sent")
                .isFalse();
    }

    @Test
    void a_probe_of_a_wide_prefix_tries_a_host_behind_the_policy_and_none_beside_its_headend() {
        client.post(
                "policies",
                "{'name':'wide','headend':'l1','hops':[{'node':'v5','loose':true}],'steering':['fd00::/16']}");
        client.post("policies/wide/probe", "");
        assertThat(nodes.pinged).containsExactly("l1 fcff:1::1 fd00:0:51::2 5");
        nodes.pinged.clear();
        JsonNode local = client.post("policies/wide/probe?destination=h12", "").json();
        assertThat(nodes.pinged).isEmpty();
        assertThat(local.get("answered").booleanValue()).isFalse();
        assertThat(local.at("/tries/0/failure").textValue())
                .isEqualTo("h12 is attached to l1 itself: packets to it do not enter the policy");
    }

    @Test
    void a_probe_tries_what_it_is_told_to() {
        client.post(
                "policies",
                "{'name':'net','headend':'l1','hops':['l2','l3'],'steering':['fd01::/64','10.9.0.0/16','h31']}");
        JsonNode all = client.post("policies/net/probe", "").json();
        assertThat(all.findValuesAsText("failure"))
                .containsExactlyInAnyOrder(
                        "no host is known in fd01::/64; name an address there as destination",
                        "no host is known in 10.9.0.0/16; name an address there as destination",
                        "replies would not find l1, which has no IPv4 address that others route or this policy steers"
                                + " to");
        nodes.pinged.clear();
        JsonNode one = client.post("policies/net/probe?destination=fd01::7", "").json();
        assertThat(nodes.pinged).containsExactly("l1 fcff:1::1 fd01::7 5");
        assertThat(one.at("/tries/0").has("host")).isFalse();
    }

    @Test
    void what_cannot_be_probed_is_refused() {
        client.post("policies", PAPER.formatted(",'name':'gold'"));
        assertThat(client.post("policies/tin/probe", "").status()).isEqualTo(404);
        assertThat(client.post("policies/gold/probe?destination=h51", "").status())
                .isEqualTo(422);
        for (String bad :
                List.of("count=0", "count=101", "count=-1", "count=", "count=x", "destination=h99", "destination=")) {
            assertThat(client.post("policies/gold/probe?" + bad, "").status())
                    .as(bad)
                    .isEqualTo(400);
        }
        assertThat(client.as("viewer").post("policies/gold/probe", "").status()).isEqualTo(403);
        assertThat(nodes.pinged).isEmpty();
    }

    @Test
    void malformed_huge_and_deep_bodies_are_refused() {
        refuses("", "empty");
        refuses("{'from':", "not JSON");
        refuses("7", "an object is wanted here");
        refuses("{} {}", "behind the JSON value");
        refuses("{'from':'h11','from':'h12'}", "'from' is there twice");
        refuses("{'a':" + "[".repeat(50_000), "nested deeper than 32 levels");
        refuses("[" + "[".repeat(100_000), "nested deeper than 32 levels");
        refuses("{'from':'" + "x".repeat(70_000) + "'}", "larger than 65536 bytes");
        refuses("[{'from':'" + "x".repeat(200_000) + "'}]", "an element of the list is larger than 65536 bytes");
        assertThat(client.get("policies").json()).isEmpty();
    }

    private void refuses(String body, String message) {
        Answer answer = client.post("policies", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/message").textValue()).contains(message);
    }

    @Test
    void a_body_that_is_not_utf_8_is_refused() {
        for (String body : List.of("{'name':'\u00ff\u00fe'}", "[{'name':'\u00ff\u00fe'}]")) {
            byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.ISO_8859_1);
            assertThat(client.call("POST", "policies", new ByteArrayInputStream(bytes))
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void a_body_without_end_is_cut_off() {
        InputStream endless = new InputStream() {
            private boolean first = true;

            @Override
            public int read() {
                int next = first ? '[' : ' ';
                first = false;
                return next;
            }
        };
        Answer answer = client.call("POST", "policies", endless);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/message").textValue()).contains("larger than");
    }
}
