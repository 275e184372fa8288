// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Network;
import org.sextant.core.table.SidList;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;

/** Composite candidate paths (RFC 9256, 2.2 and 5.3), which follow their constituents by color. */
class CompositeRestTest {
    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    private Answer color(int color, String path) {
        return client.post(
                "policies",
                "{'name':'c%d','headend':'l1','endpoint':'l3','color':%d,'steering':['2001:db8:%d::/48'],'candidatePaths':[%s]}"
                        .formatted(color, color, color, path));
    }

    private Answer whole(String of) {
        return whole("whole", "", of);
    }

    private Answer whole(String name, String terms, String of) {
        Answer answer = client.post(
                "policies",
                "{'name':'%s','headend':'0x0100','endpoint':'l3',%s'steering':['2001:db8:ffff::/48'],'candidatePaths':[{'composite':[%s]}]}"
                        .formatted(name, terms, of));
        controller.settle();
        return answer;
    }

    /** Weights by the first segment, of the list into which 2001:db8:ffff::/48 is steered. */
    private String lists() {
        controller.settle();
        TreeMap<String, Integer> weights = new TreeMap<>();
        controller.dataPlane.held("l1").values().stream()
                .filter(entry -> entry.key().toString().equals("steering_v6 vrf 0 2001:db8:ffff::/48"))
                .mapToInt(entry -> entry.sendsInto().orElseThrow())
                .forEach(id -> controller.dataPlane.held("l1").values().stream()
                        .filter(entry ->
                                entry instanceof SidList list && list.listId().orElseThrow() == id)
                        .flatMap(entry -> ((SidList) entry).members().stream())
                        .forEach(member -> weights.put(member.segments().get(0).toString(), member.weight())));
        return weights.toString();
    }

    private String state(String name) {
        return client.get("policies/" + name).json().get("state").textValue();
    }

    private static final String BY_L2 = "fcbb:bbbb:200:300:f00d::";
    private static final String BY_P6 = "fcbb:bbbb:600:300:f00d::";
    private static final String FAR = "fcbb:bbbb:200:700:600:400:300:f00d";

    @Test
    void each_policy_has_its_share_and_what_two_have_is_one() {
        assertThat(color(100, "{'hops':['l2','l3']}").status()).isEqualTo(201);
        assertThat(color(
                                200,
                                "{'segmentLists':[{'weight':2,'hops':[{'node':'l2','loose':true},{'node':'l3','loose':true}]},"
                                        + "{'weight':1,'hops':['l2','p7','p6','v4','l3']}]}")
                        .status())
                .isEqualTo(201);
        assertThat(whole("{'color':100,'weight':3},{'color':200}").status()).isEqualTo(201);
        // 3 : (2/3 : 1/3), of which the first two are the same path.
        assertThat(lists()).isEqualTo("{" + BY_L2 + "=11, " + FAR + "=1}");
        assertThat(client.get("policies/whole/plan")
                        .json()
                        .at("/candidatePaths/0/origin")
                        .textValue())
                .isEqualTo("composite");
    }

    @Test
    void it_follows_its_policies_as_they_change_and_go_and_come() {
        color(100, "{'hops':['l2','l3']}");
        color(200, "{'hops':['l2','p7','p6','v4','l3']}");
        whole("{'color':100},{'color':200}");
        assertThat(lists()).isEqualTo("{" + BY_L2 + "=1, " + FAR + "=1}");
        assertThat(color(100, "{'hops':[{'node':'p6','loose':true},{'node':'l3','loose':true}]}")
                        .status())
                .isEqualTo(200);
        assertThat(lists()).isEqualTo("{" + FAR + "=1, " + BY_P6 + "=1}");
        assertThat(client.delete("policies/c100").status()).isEqualTo(204);
        assertThat(lists()).isEqualTo("{" + FAR + "=1}");
        assertThat(client.get("policies/whole").json().get("warnings").toString())
                .contains("no policy of color 100 from l1 to l3 has a valid path");
        assertThat(client.delete("policies/c200").status()).isEqualTo(204);
        controller.settle();
        assertThat(state("whole")).isEqualTo("FAILED");
        assertThat(lists()).isEqualTo("{}");
        color(200, "{'hops':['l2','l3']}");
        assertThat(lists()).isEqualTo("{" + BY_L2 + "=1}");
        assertThat(state("whole")).isEqualTo("INSTALLED");
    }

    /** Steering by color (RFC 9256, 8.4): prefixes follow the policy with the color. */
    @Test
    void prefixes_are_steered_by_color() {
        color(100, "{'hops':['l2','l3']}");
        whole("{'color':100}");
        assertThat(lists()).isEqualTo("{" + BY_L2 + "=1}");
        client.delete("policies/c100");
        assertThat(lists()).as("the underlay, as it steers nothing").isEqualTo("{}");
        Answer heir = client.post(
                "policies",
                "{'name':'heir','headend':'l1','endpoint':'l3','color':100,'steering':['2001:db8:7::/48'],'candidatePaths':[{'hops':['l2','p7','p6','v4','l3']}]}");
        assertThat(heir.status()).isEqualTo(201);
        assertThat(lists()).isEqualTo("{" + FAR + "=1}");
        assertThat(state("whole")).isEqualTo("INSTALLED");
    }

    @Test
    void a_policy_that_loses_its_path_gives_its_share_to_the_others() {
        color(100, "{'hops':['l2','l3']}");
        color(200, "{'hops':['l2','p7','p6','v4','l3']}");
        whole("{'color':100},{'color':200}");
        Network cut = Fig4.withLinks(link -> Fig4.joins(link, "l2", "l3") ? Fig4.down(link) : link);
        controller.inventory.set(cut);
        controller.settle();
        assertThat(state("c100")).isEqualTo("FAILED");
        assertThat(state("whole")).isEqualTo("INSTALLED");
        assertThat(lists()).isEqualTo("{" + FAR + "=1}");
        controller.inventory.set(Fig4.NETWORK);
        assertThat(lists()).isEqualTo("{" + BY_L2 + "=1, " + FAR + "=1}");
    }

    @Test
    void what_cannot_be_is_refused_with_its_field() {
        color(100, "{'hops':['l2','l3']}");
        color(300, "{'composite':[{'color':100}]}");
        for (List<String> wrong : List.of(
                List.of("{'color':7},{'color':8}", "/candidatePaths/0/composite/0/color", "no policy of color 7"),
                List.of(
                        "{'color':100},{'color':300}",
                        "/candidatePaths/0/composite/1/color",
                        "composed of others itself"),
                List.of("{'color':100},{'color':100}", "/candidatePaths/0/composite/1/color", "named twice"),
                List.of("{'weight':1}", "/candidatePaths/0/composite/0/color", "missing"),
                List.of("{'color':100,'weight':0}", "/candidatePaths/0/composite/0/weight", "1 to 255"),
                List.of("{'color':0}", "/candidatePaths/0/composite/0/color", "4294967295"),
                List.of("'gold'", "/candidatePaths/0/composite/0", "object"),
                List.of("", "/candidatePaths/0/composite", "nothing"))) {
            Answer answer = whole(wrong.get(0));
            assertThat(answer.status()).as(wrong.get(0)).isIn(400, 422);
            assertThat(answer.json().get("errors").toString()).contains("\"" + wrong.get(1) + "\"", wrong.get(2));
        }
        Answer own = whole("own", "'color':100,", "{'color':100}");
        assertThat(own.status()).isEqualTo(400);
        assertThat(own.json().at("/errors/0/field").textValue()).isEqualTo("/candidatePaths/0/composite/0/color");
    }

    @Test
    void two_that_are_composed_of_each_other_have_no_path() {
        color(100, "{'preference':5,'composite':[{'color':200}]},{'hops':['l2','l3']}");
        Answer other = color(200, "{'composite':[{'color':100}]}");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json().at("/errors/0/message").textValue()).contains("composed of others itself");
        assertThat(state("c100")).isEqualTo("INSTALLED");
    }
}
