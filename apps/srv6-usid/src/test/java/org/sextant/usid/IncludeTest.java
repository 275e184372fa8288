// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;

/** Paths that visit given nodes and links, on Figure 4. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IncludeTest {
    private static Policy policy(String dynamic) {
        String json = "{'headend':'l2','endpoint':'l3','steering':['2001:db8:1::/48'],'candidatePaths':[{'dynamic':{"
                + dynamic + "}}]}";
        try {
            return PolicyShape.POLICY.decode(new ObjectMapper().readTree(json.replace('\'', '"')));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static Plan plan(String dynamic) {
        return Fig4.kind()
                .explain(new NumberedIntent<>("x", 1, policy(dynamic)), new CompileContext(Fig4.NETWORK, Map.of()));
    }

    private static String links(String include) {
        Plan plan = plan("'include':[" + include + "]");
        assertThat(plan.problems()).isEmpty();
        JsonNode path = plan.explanation().at("/candidatePaths/0");
        assertThat(path.get("state").textValue()).isEqualTo("ACTIVE");
        return path.get("links").toString();
    }

    private static String problem(String dynamic) {
        Plan plan = plan(dynamic);
        assertThat(plan.feasible()).isFalse();
        return plan.problems().get(0).field() + " " + plan.problems().get(0).message();
    }

    @Test
    void a_node_in_any_of_the_ways_to_write_it() {
        assertThat(links("'p6'")).contains("-p6/").isEqualTo(links("{'node':'0x0600'}"));
    }

    @Test
    void a_link_in_its_direction() {
        assertThat(links("{'link':'p6-v4'}")).contains("p6/1-v4/3");
        assertThat(links("{'link':'v4-p6'}")).contains("v4/3-p6/1");
    }

    @Test
    void the_order_means_something() {
        assertThat(links("'p6','v4'")).contains("p6/1-v4/3").doesNotContain("v4/3-p6/1");
        assertThat(links("'v4','p6'")).contains("v4/3-p6/1");
    }

    @Test
    void why_there_is_none() {
        assertThat(problem("'include':['p6'],'bounds':{'hops':1}"))
                .contains("no path from l2 to l3 meets all constraints: include node p6 stands in the way");
    }

    @Test
    void what_makes_no_sense() {
        assertThat(problem("'include':['p6'],'exclude':{'nodes':['0x0600']}"))
                .isEqualTo("/candidatePaths/0/dynamic/include/0 node p6 is included and excluded");
        assertThat(problem("'include':[{'link':'p6-v4'}],'exclude':{'links':['v4-p6']}"))
                .isEqualTo("/candidatePaths/0/dynamic/include/0 link p6-v4 is included and excluded");
        assertThat(problem("'include':[{'link':'p6-v4'}],'exclude':{'nodes':['v4']}"))
                .isEqualTo("/candidatePaths/0/dynamic/include/0 link p6-v4 is included and excluded");
        assertThat(problem("'include':['p6','l3']"))
                .isEqualTo("/candidatePaths/0/dynamic/include/1 the path begins or ends at l3 anyway");
        assertThat(problem("'include':['l2']")).contains("the path begins or ends at l2 anyway");
        assertThat(problem("'include':[{'link':'p6-l3'}]")).contains("there is no link p6-l3");
        assertThat(problem("'include':['p66']")).contains("p66");
        assertThatThrownBy(() -> policy("'include':['p6','p6']"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("follows itself");
        assertThatThrownBy(() -> policy("'include':[{'node':'p6','link':'p6-v4'}]"))
                .hasMessageContaining("a node or a link");
        assertThatThrownBy(() -> policy("'include':[" + "'p6','p7',".repeat(8) + "'p6']"))
                .hasMessageContaining("17 are more than 16");
    }

    @Test
    void the_written_form_keeps_the_order() {
        Policy policy = policy("'include':['v4',{'link':'p7-p6'},{'node':'p6'}]");
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
        assertThat(PolicyShape.POLICY.write(policy).at("/candidatePaths/0/dynamic/include"))
                .hasToString("[{\"node\":\"v4\"},{\"link\":\"p7-p6\"},{\"node\":\"p6\"}]");
    }
}
