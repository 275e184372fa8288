// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Flow;
import org.sextant.livelive.LabNetwork;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;

class LiveLiveRestTest {
    private static final String THREE = "{'name':'three','from':'a','to':'b','paths':3%s}";

    private final LiveController controller = new LiveController();
    private final Client client = Client.of(controller.app);

    @AfterEach
    void close() {
        controller.close();
    }

    private List<Entry> held(String node) {
        return List.copyOf(controller.dataPlane.held(node).values());
    }

    private long copies() {
        return held("e1").stream().filter(entry -> entry instanceof Copy).count();
    }

    private Answer post(String flow) {
        return client.post("livelive", flow);
    }

    @Test
    void a_new_flow_is_installed_and_has_an_address() {
        Answer answer = post(THREE.formatted(""));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.location()).isEqualTo("http://localhost/srv6/livelive/three");
        assertThat(answer.json().get("state").textValue()).isEqualTo("INSTALLED");
        assertThat(answer.json().get("found").intValue()).isEqualTo(3);
        assertThat(answer.json().at("/directions/0/paths/2/nodes").toString()).isEqualTo("[\"e1\",\"c3\",\"e2\"]");
        assertThat(copies()).isEqualTo(3);
        assertThat(client.get("livelive").json().findValuesAsText("id")).containsExactly("three");
    }

    @Test
    void the_same_again_is_no_second_flow_and_a_named_one_is_replaced_with_its_numbers_kept() {
        post(THREE.formatted(""));
        List<Entry> ends =
                held("e2").stream().filter(entry -> entry instanceof DedupFlow).toList();
        assertThat(post(THREE.formatted("")).status()).isEqualTo(200);
        Answer changed = post("{'name':'three','from':'a','to':'b','paths':5,'protocol':'tcp'}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(copies()).isEqualTo(5);
        assertThat(held("e2").stream()
                        .filter(entry -> entry instanceof DedupFlow)
                        .toList())
                .isEqualTo(ends);
        assertThat(client.get("livelive").json()).hasSize(1);
    }

    @Test
    void flows_that_overlap_are_a_conflict_that_names_the_other() {
        post(THREE.formatted(",'protocol':'tcp'"));
        Answer answer = post("{'from':'a','to':'b','paths':2}");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/errors/0/message").textValue()).contains("flow three has packets of this one");
        assertThat(post("{'from':'b','to':'a','paths':2,'symmetry':'symmetric'}")
                        .status())
                .isEqualTo(409);
        assertThat(post("{'from':'a','to':'fd00:0:2::/64','paths':2,'protocol':6,'sourcePort':7}")
                        .status())
                .isEqualTo(409);
        assertThat(post("{'from':'a','to':'b','paths':2,'protocol':'udp'}").status())
                .isEqualTo(201);
        assertThat(post("{'from':'b','to':'a','paths':2}").status()).isEqualTo(201);
    }

    @Test
    void families_tell_flows_apart() {
        assertThat(post("{'from':'a','to':'b','paths':2,'family':'ipv4'}").status())
                .isEqualTo(201);
        assertThat(post("{'from':'a','to':'b','paths':2,'family':'ipv6'}").status())
                .isEqualTo(201);
        List<DedupFlow> ends = held("e2").stream()
                .filter(entry -> entry instanceof DedupFlow)
                .map(entry -> (DedupFlow) entry)
                .toList();
        assertThat(ends).extracting(DedupFlow::window).doesNotHaveDuplicates();
        assertThat(ends).extracting(DedupFlow::flowId).doesNotHaveDuplicates();
        assertThat(held("e1").stream().filter(entry -> entry instanceof Flow).map(entry -> ((Flow) entry).group()))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_dry_run_answers_the_plan_and_changes_nothing() {
        Answer answer = client.post("livelive?dryRun=true", THREE.formatted(""));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/directions/0/paths/0/segments/0").textValue())
                .isEqualTo("fcbb:bbbb:c10:e20:f101::");
        assertThat(client.get("livelive").json()).isEmpty();
        assertThat(held("e1")).isEmpty();
    }

    @Test
    void bad_flows_are_refused_with_the_field_and_store_nothing() {
        assertThat(post("{'from':'a','to':'b','paths':9}").status()).isEqualTo(400);
        assertThat(post("{'from':'a','to':'a','paths':2}")
                        .json()
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/to");
        assertThat(post("{'from':'a','to':'zz','paths':2}").status()).isEqualTo(422);
        assertThat(post("not json").status()).isEqualTo(400);
        controller.inventory.set(LabNetwork.without(LabNetwork.SIX, "e1", "c1"));
        controller.settle();
        Answer refused = post("{'from':'a','to':'b','paths':6,'shortfall':'refuse'}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().at("/errors/0/message").textValue()).contains("only 5 node-disjoint paths");
        assertThat(post("{'from':'a','to':'b','paths':6,'shortfall':'offer'}")
                        .json()
                        .get("found")
                        .intValue())
                .isEqualTo(5);
        assertThat(client.get("livelive").json()).hasSize(1);
    }

    /** Entries of remaining paths are not touched, not even for a moment. */
    @Test
    void a_link_that_fails_replaces_its_path_and_touches_no_other() {
        post(THREE.formatted(",'family':'ipv6'"));
        controller.dataPlane.forgetLog();
        controller.inventory.set(LabNetwork.without(LabNetwork.SIX, "e1", "c2"));
        controller.settle();
        assertThat(client.get("livelive/three").json().get("state").textValue()).isEqualTo("INSTALLED");
        assertThat(held("e1").stream().filter(entry -> entry instanceof Copy).map(entry -> ((Copy) entry).path()))
                .containsExactly(1, 3, 4);
        assertThat(controller.dataPlane.log().stream()
                        .filter(done -> done.entry() instanceof Copy || done.entry() instanceof Flow)
                        .map(done -> done.operation() + " "
                                + done.entry().key().match().replaceAll("group \\d+ ", "")))
                .containsExactlyInAnyOrder(
                        "INSERT path 4", "MODIFY priority 10 vrf 0 fd00:0:1::2/128 fd00:0:2::2/128", "DELETE path 2");
    }

    @Test
    void what_the_paths_deliver_is_shown_and_a_silent_one_reported() {
        post(THREE.formatted(",'family':'ipv6'"));
        int window = held("e2").stream()
                .filter(entry -> entry instanceof DedupFlow)
                .map(entry -> ((DedupFlow) entry).window())
                .findFirst()
                .orElseThrow();
        client.get("livelive/three");
        controller.count("e2", "dedup_first", window, 1, 60);
        controller.count("e2", "dedup_duplicate", window, 1, 35);
        controller.count("e2", "dedup_first", window, 2, 40);
        controller.count("e2", "dedup_late", window, 2, 2);
        assertThat(client.get("livelive/three").json().get("events")).isEmpty();
        controller.count("e2", "dedup_first", window, 1, 60);
        var view = client.get("livelive/three").json();
        assertThat(view.at("/directions/0/delivered").intValue()).isEqualTo(100);
        assertThat(view.at("/directions/0/paths/0/winShare").doubleValue()).isEqualTo(0.6);
        assertThat(view.at("/directions/0/paths/0/lost").intValue()).isEqualTo(5);
        assertThat(view.at("/directions/0/paths/1/late").intValue()).isEqualTo(2);
        assertThat(view.at("/directions/0/paths/1/state").textValue()).isEqualTo("DELIVERING");
        assertThat(view.at("/directions/0/paths/2/state").textValue()).isEqualTo("SILENT");
        assertThat(view.at("/events/0/message").textValue()).contains("path 3 from e1 to e2 delivered none");
        assertThat(controller.told).hasSize(1);
        assertThat(client.get("livelive")
                        .json()
                        .at("/0/directions/0/paths/2/state")
                        .textValue())
                .isEqualTo("SILENT");
    }

    /** Former paths delivered these packets, so they are not lost. */
    @Test
    void what_paths_delivered_that_the_flow_has_no_more_is_counted() {
        JsonNode flow = post(THREE.formatted(",'family':'ipv6'")).json();
        int window = flow.at("/directions/0/window").intValue();
        controller.count("e2", "dedup_first", window, 2, 70);
        controller.count("e2", "dedup_duplicate", window, 1, 70);
        controller.inventory.set(LabNetwork.without(LabNetwork.SIX, "e1", "c2"));
        controller.settle();
        controller.count("e2", "dedup_first", window, 1, 30);
        JsonNode way = client.get("livelive/three").json().at("/directions/0");
        assertThat(way.get("paths").findValuesAsText("path")).containsExactly("1", "3", "4");
        assertThat(way.get("delivered").intValue()).isEqualTo(100);
        assertThat(way.at("/paths/0/winShare").doubleValue()).isEqualTo(0.3);
    }

    /**
     * Beyond 64 flows windows are unique at each egress only, so a flow that moves to another egress may need another
     * window there.
     */
    @Test
    void a_flow_that_is_to_end_at_another_node_has_a_window_of_its_own_there() {
        String flow = "{'name':'f%s','from':'%s','to':'%s','paths':2,'protocol':'udp','destinationPort':%s}";
        for (int port = 1; port <= 63; port++) {
            assertThat(post(flow.formatted(port, "a", "b", port)).status()).isEqualTo(201);
        }
        assertThat(post(flow.formatted(64, "b", "a", 64))
                        .json()
                        .at("/directions/0/window")
                        .intValue())
                .isEqualTo(63);
        assertThat(post(flow.formatted(65, "b", "a", 65))
                        .json()
                        .at("/directions/0/window")
                        .intValue())
                .isZero();
        Answer moved = post(flow.formatted(65, "a", "b", 65));
        assertThat(moved.json().at("/directions/0/egress").textValue()).isEqualTo("e2");
        assertThat(moved.json().at("/directions/0/window").intValue()).isEqualTo(63);
        assertThat(post(flow.formatted(65, "a", "b", 65))
                        .json()
                        .at("/directions/0/window")
                        .intValue())
                .isEqualTo(63);
    }

    @Test
    void deleting_removes_every_entry_and_the_sids_when_the_last_flow_goes() {
        post("{'name':'four','from':'a','to':'b','paths':2,'family':'ipv4'}");
        post("{'name':'six','from':'a','to':'b','paths':2,'family':'ipv6'}");
        assertThat(client.delete("livelive/four").status()).isEqualTo(204);
        assertThat(held("e2")).hasSize(3);
        assertThat(client.delete("livelive/six").status()).isEqualTo(204);
        assertThat(held("e1")).isEmpty();
        assertThat(held("e2")).isEmpty();
        assertThat(client.delete("livelive/six").status()).isEqualTo(404);
        assertThat(client.get("livelive/six").status()).isEqualTo(404);
    }

    @Test
    void a_list_is_taken_flow_by_flow_and_none_overlaps_one_before() {
        String list = "[{'name':'one','from':'a','to':'b','paths':2,'protocol':'tcp'},{'from':7},"
                + "{'name':'two','from':'a','to':'b','paths':2,'protocol':'udp'},"
                + "{'name':'three','from':'a','to':'b','paths':2,'protocol':'udp'}]";
        Answer tried = client.post("livelive?dryRun=true", list);
        assertThat(tried.json().at("/items/0/found").intValue()).isEqualTo(2);
        assertThat(tried.json().at("/items/1/errors/0/field").textValue()).isEqualTo("/1/from");
        assertThat(client.get("livelive").json()).isEmpty();
        Answer answer = post(list);
        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.json().get("items").findValuesAsText("status")).containsExactly("201", "400", "201", "409");
        assertThat(answer.json().at("/items/3/errors/0/field").textValue()).isEqualTo("/3/from");
        assertThat(held("e2").stream()
                        .filter(entry -> entry instanceof DedupFlow)
                        .map(entry -> ((DedupFlow) entry).window()))
                .doesNotHaveDuplicates();
    }

    @Test
    void flows_come_in_pages_by_their_ends_and_go_several_at_once() {
        post("{'name':'one','from':'a','to':'b','paths':2,'protocol':'tcp'}");
        post("{'name':'three','from':'b','to':'a','paths':2}");
        post("{'name':'two','from':'a','to':'b','paths':2,'protocol':'udp'}");
        Answer page = client.get("livelive?limit=2");
        assertThat(page.json().findValuesAsText("id")).containsExactly("one", "three");
        assertThat(page.link()).contains("after=three");
        assertThat(client.get("livelive?source=fd00:0:2::2").json().findValuesAsText("id"))
                .containsExactly("three");
        assertThat(client.get("livelive?nodes=e1").status()).isEqualTo(400);
        assertThat(client.delete("livelive?source=a&destination=b").status()).isEqualTo(409);
        assertThat(client.delete("livelive?source=b&destination=a").status()).isEqualTo(204);
        Answer rest = client.delete("livelive?all=true");
        assertThat(rest.json().toString()).isEqualTo("{\"removed\":[\"one\",\"two\"],\"leaving\":[]}");
        assertThat(held("e1")).isEmpty();
    }

    @Test
    void a_stored_flow_has_a_plan_until_it_is_deleted() {
        post(THREE.formatted(""));
        assertThat(client.get("livelive/three/plan")
                        .json()
                        .at("/directions/0/paths/0/segments/0")
                        .textValue())
                .isEqualTo("fcbb:bbbb:c10:e20:f101::");
        controller.dataPlane.disconnect("e2", "stopped");
        controller.settle();
        assertThat(client.delete("livelive/three").status()).isEqualTo(202);
        assertThat(client.get("livelive/three/plan").status()).isEqualTo(409);
    }

    @Test
    void viewers_look_and_do_not_touch() {
        assertThat(client.as("viewer").post("livelive", THREE.formatted("")).status())
                .isEqualTo(403);
        assertThat(client.as("viewer").get("livelive").status()).isEqualTo(200);
    }
}
