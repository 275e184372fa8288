// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;

/**
 * Nodes without SIDs, which only forward: x lies between a and t, where the path by b is shorter.
 *
 * <pre>
 *   s --1-- a --1-- b --1-- t
 *           a --5-- x --1-- t
 * </pre>
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransitNodeTest {
    private static final String NODES = """
            {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {
               "device:s": {"basic": {"name": "s"}, "srv6": {"uSid": "0100"}},
               "device:a": {"basic": {"name": "a"}, "srv6": {"uSid": "0200"}},
               "device:b": {"basic": {"name": "b"}, "srv6": {"uSid": "0300"}},%s
               "device:t": {"basic": {"name": "t"}, "srv6": {"uSid": "0600"}}},
             "links": {
               "device:s/1-device:a/1": {"srv6": {"igpMetric": 1}},
               "device:a/2-device:b/1": {"srv6": {"igpMetric": 1}},%s
               "device:b/2-device:t/1": {"srv6": {"igpMetric": 1}}}}
            """;
    private static final Network WITHOUT_X =
            NetworkFile.parse(NODES.formatted("", "")).orThrow();
    private static final Network NETWORK =
            NetworkFile.parse(NODES.formatted("""
            "device:x": {"basic": {"name": "x"}},""", """
            "device:a/3-device:x/1": {"srv6": {"igpMetric": 5}},
            "device:x/2-device:t/2": {"srv6": {"igpMetric": 1}},""")).orThrow();

    private static final String COMPUTED =
            "{'headend':'s','endpoint':'t','steering':['2001:db8:1::/48'],'candidatePaths':[{'dynamic':{%s}}]}";
    private static final String WRITTEN = "{'headend':'s','steering':['2001:db8:1::/48'],'hops':[%s]}";

    private static List<String> problems(String policy) {
        return Fig4.problems(policy, NETWORK, Map.of()).stream()
                .map(problem -> problem.field() + ": " + problem.message())
                .toList();
    }

    @Test
    void a_computed_path_pins_a_link_into_one() {
        Plan plan = Fig4.plan(COMPUTED.formatted("'exclude':{'nodes':['b']}"), NETWORK, Map.of());
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.explanation().at("/candidatePaths/0/links"))
                .hasToString("[\"a/3-x/1\",\"s/1-a/1\",\"x/2-t/2\"]");
    }

    @Test
    void so_does_a_written_one() {
        assertThat(problems(WRITTEN.formatted("'a',{'link':'a-x'},'t'"))).isEmpty();
        assertThat(problems(WRITTEN.formatted("{'link':'a-x','loose':true},'t'")))
                .isEmpty();
        assertThat(problems(WRITTEN.formatted("{'usids':['0200','e003'],'block':'fcbb:bbbb::/32'},'t'")))
                .isEmpty();
    }

    @Test
    void none_is_a_uSID_nor_pins_a_link_nor_decapsulates() {
        assertThat(problems(WRITTEN.formatted("'a','x','t'")))
                .containsExactly("/hops/1: node x has no SRv6 configuration");
        assertThat(problems(WRITTEN.formatted("'a',{'link':'x-t'},'t'")))
                .containsExactly("/hops/1: node x has no SRv6 configuration");
        assertThat(problems(WRITTEN.formatted("'a',{'link':'a-x'}")))
                .containsExactly(
                        "/decap: the path ends at node x, which has no SRv6 configuration to decapsulate with");
        assertThat(problems(WRITTEN.formatted("{'usids':['0200','e003'],'block':'fcbb:bbbb::/32'}")))
                .containsExactly(
                        "/decap: the path ends at node x, which has no SRv6 configuration to decapsulate with");
    }

    @Test
    void one_is_excluded_as_any_other() {
        Plan plan = Fig4.plan(COMPUTED.formatted("'exclude':{'nodes':['x']}"), NETWORK, Map.of());
        assertThat(plan.problems()).isEmpty();
        assertThat(problems(COMPUTED.formatted("'exclude':{'nodes':['x','b']}")))
                .singleElement()
                .asString()
                .contains("exclude node b stands in the way; without it there is one of IGP metric 3 over s, t");
    }

    /** An installed policy, compiled again, as after a restart, changed and explained. */
    @Test
    void an_excluded_node_that_is_gone_is_no_error() {
        NumberedIntent<Policy> policy = new NumberedIntent<>(
                "test", 7, Fig4.policy(COMPUTED.formatted("'exclude':{'nodes':['x','0x0900'],'links':['a-x']}")));
        CompileContext gone = new CompileContext(WITHOUT_X, Map.of());
        Plan installed = Fig4.kind().compile(policy, gone);
        for (Plan plan : List.of(
                installed,
                Fig4.kind().admit(policy, gone.after(installed)),
                Fig4.kind().explain(policy, installed, gone))) {
            assertThat(plan.problems()).isEmpty();
            assertThat(plan.warnings())
                    .anyMatch(
                            warning -> warning.contains("there is no node \"x\", so nothing is excluded by that name"))
                    .anyMatch(warning -> warning.contains("there is no link a-x"));
        }
    }

    @Test
    void of_a_new_policy_it_is_taken_for_a_mistake() {
        CompileContext gone = new CompileContext(WITHOUT_X, Map.of());
        Policy policy = Fig4.policy(COMPUTED.formatted("'exclude':{'nodes':['x']}"));
        assertThat(Fig4.kind()
                        .admit(new NumberedIntent<>("test", 7, policy), gone)
                        .problems())
                .extracting(Problem::field)
                .containsExactly("/candidatePaths/0/dynamic/exclude/nodes");
    }
}
