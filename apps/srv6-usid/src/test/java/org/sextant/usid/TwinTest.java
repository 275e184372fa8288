// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;

/**
 * Two disjoint candidate paths of a policy. The network is the classic trap: the shortest path from s to t, by a and b,
 * excludes every second one; s-a-d-t and s-c-b-t are disjoint.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TwinTest {
    private static final Network TRAP = NetworkFile.parse("""
            {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {
               "device:s": {"basic": {"name": "s"}, "srv6": {"uSid": "0100"}},
               "device:a": {"basic": {"name": "a"}, "srv6": {"uSid": "0200"}},
               "device:b": {"basic": {"name": "b"}, "srv6": {"uSid": "0300"}},
               "device:c": {"basic": {"name": "c"}, "srv6": {"uSid": "0400"}},
               "device:d": {"basic": {"name": "d"}, "srv6": {"uSid": "0500"}},
               "device:t": {"basic": {"name": "t"}, "srv6": {"uSid": "0600"}}},
             "links": {
               "device:s/1-device:a/1": {"srv6": {"igpMetric": 1}},
               "device:a/2-device:b/1": {"srv6": {"igpMetric": 1}},
               "device:b/2-device:t/1": {"srv6": {"igpMetric": 1}},
               "device:s/2-device:c/1": {"srv6": {"igpMetric": 1}},
               "device:c/2-device:b/3": {"srv6": {"igpMetric": 4}},
               "device:a/3-device:d/1": {"srv6": {"igpMetric": 4}},
               "device:d/2-device:t/2": {"srv6": {"igpMetric": 1}}}}
            """).orThrow();

    private static Policy policy(String first, String second) {
        String json =
                "{'headend':'s','endpoint':'t','steering':['2001:db8:1::/48'],'candidatePaths':[{'preference':200,"
                        + first + "},{'preference':100," + second + "}]}";
        try {
            return PolicyShape.POLICY.decode(new ObjectMapper().readTree(json.replace('\'', '"')));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode paths(String first, String second) {
        Plan plan = Fig4.kind()
                .explain(new NumberedIntent<>("x", 1, policy(first, second)), new CompileContext(TRAP, Map.of()));
        assertThat(plan.problems()).isEmpty();
        return plan.explanation().get("candidatePaths");
    }

    private static List<String> links(JsonNode path) {
        return StreamSupport.stream(path.get("links").spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }

    private static String twin(int preference, String share) {
        return "'dynamic':{'disjointFrom':[{'candidate':" + preference + ",'share':'" + share + "'}]}";
    }

    private static final List<String> BY_D = List.of("a/3-d/1", "d/2-t/2", "s/1-a/1");
    private static final List<String> BY_C = List.of("b/2-t/1", "c/2-b/3", "s/2-c/1");

    @Test
    void alone_the_better_one_takes_the_shortest() {
        JsonNode paths = paths("'dynamic':{}", "'dynamic':{}");
        assertThat(links(paths.get(0))).containsExactly("a/2-b/1", "b/2-t/1", "s/1-a/1");
    }

    @ParameterizedTest
    @CsvSource({"link", "node", "srlg", "srlg-node"})
    void the_trap_gives_a_pair_whichever_of_them_says_it(String share) {
        for (JsonNode paths : List.of(
                paths("'dynamic':{}", twin(200, share)),
                paths(twin(100, share), "'dynamic':{}"),
                paths(twin(100, share), twin(200, share)))) {
            assertThat(paths.get(0).get("state").textValue()).isEqualTo("ACTIVE");
            assertThat(paths.get(1).get("state").textValue()).isEqualTo("VALID");
            assertThat(List.of(links(paths.get(0)), links(paths.get(1)))).containsExactlyInAnyOrder(BY_D, BY_C);
        }
    }

    @Test
    void other_constraints_of_either_hold() {
        JsonNode paths = paths("'dynamic':{'exclude':{'nodes':['d']}}", twin(200, "node"));
        assertThat(links(paths.get(0))).isEqualTo(BY_C);
        assertThat(links(paths.get(1))).isEqualTo(BY_D);
    }

    @Test
    void where_there_is_no_pair_the_better_one_is_as_if_it_were_alone() {
        JsonNode paths = paths("'dynamic':{'bounds':{'igp':3}}", twin(200, "link"));
        assertThat(links(paths.get(0))).containsExactly("a/2-b/1", "b/2-t/1", "s/1-a/1");
        assertThat(paths.get(1).get("state").textValue()).isEqualTo("INVALID");
        assertThat(paths.get(1).at("/why/0").textValue())
                .contains("disjoint from candidate path 200 (link) stands in the way");
    }

    @Test
    void what_is_written_down_stays_where_it_is() {
        JsonNode paths = paths("'dynamic':{'disjointFrom':[{'candidate':100}]}", "'hops':['c',{'link':'c-b'},'t']");
        assertThat(links(paths.get(1))).isEqualTo(BY_C);
        assertThat(links(paths.get(0))).isEqualTo(BY_D);
    }

    @Test
    void what_makes_no_sense() {
        assertThatThrownBy(() -> policy("'dynamic':{}", twin(300, "link")))
                .hasMessageContaining("there is no candidate path of preference 300");
        assertThatThrownBy(() -> policy("'dynamic':{}", twin(100, "link")))
                .hasMessageContaining("a path is not disjoint from itself");
        assertThatThrownBy(() -> policy(twin(100, "node"), twin(200, "link")))
                .hasMessageContaining("both mean the same by it");
        assertThatThrownBy(() -> policy("'dynamic':{}", twin(200, "link") + "},{'preference':50," + twin(200, "link")))
                .hasMessageContaining("two by two");
        assertThatThrownBy(() ->
                        policy("'dynamic':{}", "'dynamic':{'disjointFrom':[{'candidate':200},{'candidate':100}]}"))
                .hasMessageContaining("two by two");
        assertThatThrownBy(() -> policy("'dynamic':{}", twin(200, "nothing"))).hasMessageContaining("srlg-node");
    }

    @Test
    void the_written_form_means_the_same() {
        Policy policy = policy("'dynamic':{}", twin(200, "srlg"));
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
    }
}
