// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.Problem;

class CandidateShapeTest {
    private static final String POLICY = "{'headend':'l1','endpoint':'l3','steering':['h31'],'candidatePaths':[%s]}";

    @Test
    void what_is_not_said_is_written_out() {
        assertThat(PolicyShape.POLICY
                        .write(Fig4.policy(POLICY.formatted("{'dynamic':{}}")))
                        .get("candidatePaths")
                        .toString())
                .isEqualTo("[{\"preference\":100,\"dynamic\":{\"metric\":\"igp\"}}]");
    }

    @Test
    void reading_what_was_written_gives_the_same_policy() {
        Policy policy = Fig4.policy(
                POLICY.formatted(
                        "{'preference':4294967295,'discriminator':7,'dynamic':{'metric':'te',"
                                + "'bounds':{'delayMicros':8000,'hops':5,'igp':90,'te':70},"
                                + "'affinity':{'includeAny':['gold','blue'],'includeAll':['fast'],'excludeAny':['red']},"
                                + "'exclude':{'nodes':['p7'],'links':['p6-v8','l1/1-l2/1'],'srlg':[9,3]}}},"
                                + "{'preference':0,'segmentLists':[{'weight':2,'hops':['l2']},{'weight':1,'hops':['p7','l3']}]}"));
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
        assertThat(PolicyShape.POLICY
                        .write(policy)
                        .at("/candidatePaths/0/dynamic/exclude/srlg")
                        .toString())
                .isEqualTo("[3,9]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'preference':4294967296,'hops':['l3']} | /candidatePaths/0/preference",
                "{'preference':-1,'hops':['l3']} | /candidatePaths/0/preference",
                "{'hops':['l3']},{'hops':['l2','l3']} | /candidatePaths/1",
                "{'segmentLists':[{'weight':0,'hops':['l3']}]} | /candidatePaths/0/segmentLists/0/weight",
                "{'dynamic':{},'hops':['l3']} | /candidatePaths/0/dynamic",
                "{} | /candidatePaths/0/hops",
                "{'dynamic':{'metric':'latency'}} | /candidatePaths/0/dynamic/metric",
                "{'dynamic':{'bounds':{'delayMicros':0}}} | /candidatePaths/0/dynamic/bounds/delayMicros",
                "{'dynamic':{'bounds':{'delay':9}}} | /candidatePaths/0/dynamic/bounds/delay",
                "{'dynamic':{'affinity':{'includeAll':['red'],'excludeAny':['red']}}} | /candidatePaths/0/dynamic/affinity/excludeAny/0",
                "{'dynamic':{'affinity':{'includeAny':['red'],'excludeAny':['red']}}} | /candidatePaths/0/dynamic/affinity/excludeAny/0",
                "{'dynamic':{'affinity':{'includeAny':['']}}} | /candidatePaths/0/dynamic/affinity/includeAny/0",
                "{'dynamic':{'exclude':{'links':['p6']}}} | /candidatePaths/0/dynamic/exclude/links/0",
                "{'dynamic':{'exclude':{'srlg':['x']}}} | /candidatePaths/0/dynamic/exclude/srlg/0",
                "{'dynamic':{'disjointFrom':[{}]}} | /candidatePaths/0/dynamic/disjointFrom/0/policy",
                "{'dynamic':{'disjointFrom':[{'share':'node'}]}} | /candidatePaths/0/dynamic/disjointFrom/0/policy",
                "{'dynamic':{'disjointFrom':[{'candidate':null}]}} | /candidatePaths/0/dynamic/disjointFrom/0/policy",
                "{'dynamic':{'bandwidth':1}} | /candidatePaths/0/dynamic/bandwidth",
                "{'dynamic':[]} | /candidatePaths/0/dynamic",
            })
    void what_is_wrong_is_told_with_its_place(String candidates, String field) {
        assertThat(Fig4.problems(POLICY.formatted(candidates)))
                .extracting(Problem::field)
                .contains(field);
    }

    @Test
    void a_policy_without_a_path_or_with_too_many_is_refused() {
        assertThat(Fig4.problems(POLICY.formatted("")))
                .extracting(Problem::field)
                .contains("/candidatePaths");
        String many = String.join(",", Collections.nCopies(17, "{'hops':['l3']}"));
        assertThat(Fig4.problems(POLICY.formatted(many)))
                .extracting(Problem::message)
                .contains("17 candidate paths are more than 16");
    }

    @Test
    void forms_are_not_mixed_and_the_endpoint_is_another_node() {
        assertThat(Fig4.problems("{'headend':'l1','endpoint':'l3','steering':['h31'],'hops':['l3'],"
                        + "'candidatePaths':[{'dynamic':{}}]}"))
                .extracting(Problem::message)
                .contains("two forms of a policy are mixed");
        assertThat(Fig4.problems(
                        "{'headend':'l1','endpoint':'l1','steering':['h31'],'candidatePaths':[{'dynamic':{}}]}"))
                .extracting(Problem::field)
                .containsExactly("/endpoint");
        assertThat(Fig4.problems(
                        "{'headend':'l1','endpoint':'0x0100','steering':['h31'],'candidatePaths':[{'dynamic':{}}]}"))
                .extracting(Problem::field)
                .containsExactly("/endpoint");
        assertThat(Fig4.problems("{'headend':'l1','endpoint':'l3','steering':['h31'],'decap':'none',"
                        + "'candidatePaths':[{'dynamic':{}}]}"))
                .extracting(Problem::field)
                .contains("/decap");
    }
}
