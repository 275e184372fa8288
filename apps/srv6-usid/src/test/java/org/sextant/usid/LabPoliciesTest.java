// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.json.BoundedJson;

/** Every example in lab/policies is feasible in lab/fig4.json, except the infeasible one, and does as its name says. */
class LabPoliciesTest {

    static Stream<Path> policies() throws IOException {
        try (Stream<Path> files = Files.list(Fig4.LAB.resolve("policies"))) {
            return files
                    .filter(file -> file.toString().endsWith(".json") && !file.endsWith("infeasible.json"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void is_feasible_and_named_as_its_file(Path file) throws IOException {
        JsonNode json = new BoundedJson(1 << 16, 32).read(Files.readAllBytes(file));
        Policy policy = PolicyShape.POLICY.decode(json);
        Plan plan =
                Fig4.kind().compile(new NumberedIntent<>("x", 1, policy), new CompileContext(Fig4.NETWORK, Map.of()));
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.entries()).isNotEmpty();
        assertThat(policy.name().map(name -> name + ".json"))
                .contains(file.getFileName().toString());
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
    }

    private static JsonNode directions(String name) throws IOException {
        Policy policy = PolicyShape.POLICY.decode(new BoundedJson(1 << 16, 32)
                .read(Files.readAllBytes(Fig4.LAB.resolve("policies").resolve(name + ".json"))));
        return Fig4.kind()
                .explain(new NumberedIntent<>("x", 1, policy), new CompileContext(Fig4.NETWORK, Map.of()))
                .explanation()
                .get("directions");
    }

    private static String container(String name, int direction, int index) throws IOException {
        return directions(name).get(direction).get("containers").get(index).textValue();
    }

    @Test
    void links_become_fused_uas_behind_their_near_end() throws IOException {
        // l1 reaches l2 by itself; l2's port 3 leads to p7, p7's port 2 to p6, p6's port 2 to v5.
        assertThat(container("links", 0, 0)).isEqualTo("fcbb:bbbb:200:e003:700:e002:600:e002");
        assertThat(container("links", 0, 1)).isEqualTo("fcbb:bbbb:500:f00d::");
    }

    @Test
    void raw_sids_are_packed_like_any_other() throws IOException {
        assertThat(directions("raw-sids")).hasSize(1);
        assertThat(container("raw-sids", 0, 0)).isEqualTo("fcbb:bbbb:700:600:800:f00d::");
    }

    @Test
    void udt_names_the_vrf_behind_the_egress() throws IOException {
        assertThat(container("udt", 0, 0)).isEqualTo("fcbb:bbbb:700:600:500:fe00::");
        assertThat(container("udt", 2, 0)).isEqualTo("fcbb:bbbb:700:600:500:fe01::");
    }

    @Test
    void the_way_back_of_an_asymmetric_policy_is_its_own() throws IOException {
        assertThat(container("asymmetric", 1, 0)).isEqualTo("fcbb:bbbb:200:100:f00d::");
    }

    @Test
    void a_one_way_policy_has_one_direction_per_family() throws IOException {
        assertThat(directions("one-way")).hasSize(1);
    }

    @Test
    void ipv4_prefixes_are_steered_with_the_ipv4_marker() throws IOException {
        assertThat(directions("ipv4-prefix")).hasSize(1);
        assertThat(container("ipv4-prefix", 0, 0)).isEqualTo("fcbb:bbbb:600:800:f004::");
    }

    @Test
    void weighted_lists_are_explained_one_by_one() throws IOException {
        assertThat(directions("weighted").findValues("weight").toString()).isEqualTo("[3, 1]");
    }
}
