// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Policies with a forwarding loop, which no data plane would end. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CirclingPolicyTest {
    private static List<String> problems(String policy) {
        return Fig4.problems(policy).stream()
                .map(problem -> problem.code() + " " + problem.field() + ": " + problem.message())
                .toList();
    }

    @Test
    void a_path_back_to_its_headend() {
        assertThat(problems("{'from':'h11','to':'h12','nodes':['l1','l2','l1'],'symmetry':'one-way'}"))
                .containsExactly(
                        "UNFEASIBLE /nodes: packets to fd00:0:12::2 come out at l1, where they went in, and would be steered again:"
                                + " they would go round for ever");
        assertThat(problems("{'from':'h11','to':'h12','nodes':['l1','l2','l1']}"))
                .singleElement()
                .asString()
                .contains("for ever");
    }

    @Test
    void a_host_to_itself() {
        assertThat(problems("{'from':'h11','to':'h11','nodes':['l1','l2','l1']}"))
                .singleElement()
                .asString()
                .contains("for ever");
        assertThat(problems("{'from':'h11','to':'h11','nodes':['l1','l1']}")).isNotEmpty();
    }

    @Test
    void two_ends_that_are_the_same_prefix() {
        assertThat(problems("{'from':'2001:db8:77::/64','to':'2001:db8:77::/64','nodes':['l1','l3']}"))
                .containsExactly(
                        "UNFEASIBLE /nodes: packets to 2001:db8:77:: would go round for ever: the way there takes them from l1 to l3,"
                                + " the way back from l3 to l1");
    }

    @Test
    void everything_one_way_and_a_network_in_it_the_other() {
        assertThat(problems("{'from':'::/0','to':'2001:db8:77::/64','nodes':['l1','l3']}"))
                .singleElement()
                .asString()
                .contains("packets to 2001:db8:77:: would go round for ever");
        assertThat(problems("{'from':'::/0','to':'h31','nodes':['l1','l3']}"))
                .as("h31 is attached at l3: it is delivered there")
                .isEmpty();
        assertThat(problems("{'from':'::/0','to':'2001:db8:77::/64','nodes':['l1','l3'],'symmetry':'one-way'}"))
                .isEmpty();
    }

    @Test
    void a_list_among_weighted_ones_that_ends_at_the_headend() {
        assertThat(problems(
                        "{'headend':'l1','segmentLists':[{'weight':1,'hops':['l2','l3']},{'weight':1,'hops':['l2','l1']}],"
                                + "'steering':['2001:db8:77::/64']}"))
                .singleElement()
                .asString()
                .contains("come out at l1");
    }
}
