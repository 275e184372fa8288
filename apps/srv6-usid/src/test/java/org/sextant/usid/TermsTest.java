// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Network;

/** The terms of a policy of candidate paths, and their effect on the choice among these. */
class TermsTest {
    private static final String POLICY = "{'headend':'l1','endpoint':'l3','steering':['h31']%s,'candidatePaths':[%s]}";

    private static Policy with(String terms, String paths) {
        return Fig4.policy(POLICY.formatted(terms, paths));
    }

    @Test
    void what_is_as_it_is_by_default_is_not_written() {
        assertThat(PolicyShape.POLICY
                        .write(with(
                                ",'priority':128,'preferInstalled':false",
                                "{'protocolOrigin':'configuration','originator':'0:0','discriminator':0,'dynamic':{}}"))
                        .toString())
                .isEqualTo(PolicyShape.POLICY.write(with("", "{'dynamic':{}}")).toString());
    }

    @Test
    void reading_what_was_written_gives_the_same_policy() {
        Policy policy = with(
                ",'color':4294967295,'priority':0,'preferInstalled':true",
                "{'protocolOrigin':'bgp','originator':'65001:192.0.2.1','dynamic':{}},"
                        + "{'protocolOrigin':77,'originator':'4294967295:2001:db8::1','discriminator':9,'hops':['l3']}");
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
        assertThat(PolicyShape.POLICY.write(policy).toString())
                .contains(
                        "\"color\":4294967295,\"priority\":0,\"preferInstalled\":true",
                        "\"protocolOrigin\":\"bgp\",\"originator\":\"65001:192.0.2.1\"",
                        "\"protocolOrigin\":77,\"originator\":\"4294967295:2001:db8::1\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                ",'color':0 | {'dynamic':{}} | /color",
                ",'color':4294967296 | {'dynamic':{}} | /color",
                ",'color':'gold' | {'dynamic':{}} | /color",
                ",'priority':256 | {'dynamic':{}} | /priority",
                ",'priority':-1 | {'dynamic':{}} | /priority",
                ",'preferInstalled':1 | {'dynamic':{}} | /preferInstalled",
                ",'colour':1 | {'dynamic':{}} | /colour",
                "~~ | {'protocolOrigin':256,'dynamic':{}} | /candidatePaths/0/protocolOrigin",
                "~~ | {'protocolOrigin':'ospf','dynamic':{}} | /candidatePaths/0/protocolOrigin",
                "~~ | {'originator':'65001','dynamic':{}} | /candidatePaths/0/originator",
                "~~ | {'originator':'4294967296:0','dynamic':{}} | /candidatePaths/0/originator",
                "~~ | {'originator':'1:l1','dynamic':{}} | /candidatePaths/0/originator",
                "~~ | {'preference':1,'discriminator':7,'hops':['l3']},{'preference':2,'discriminator':7,'dynamic':{}} | /candidatePaths/1",
                "~~ | {'originator':'1:0','dynamic':{}},{'originator':'1:0.0.0.0','hops':['l3']} | /candidatePaths/1",
            })
    void what_is_wrong_is_told_with_its_place(String terms, String paths, String field) {
        assertThat(Fig4.problems(POLICY.formatted(terms == null ? "" : terms, paths)))
                .extracting(Problem::field)
                .containsExactly(field);
    }

    @Test
    void a_color_belongs_to_policies_of_candidate_paths() {
        assertThat(Fig4.problems("{'headend':'l1','hops':['l3'],'steering':['h31'],'color':7}"))
                .extracting(Problem::field)
                .containsExactly("/color");
    }

    @Test
    void a_binding_sid_belongs_to_policies_of_candidate_paths() {
        assertThat(Fig4.problems("{'headend':'l1','hops':['l3'],'steering':['h31'],'bindingSid':'auto'}"))
                .extracting(Problem::field)
                .containsExactly("/bindingSid");
        assertThat(Fig4.problems("{'headend':'l1','hops':['l3'],'bindingSid':'auto'}"))
                .extracting(Problem::field)
                .containsExactly("/steering", "/bindingSid");
    }

    @Test
    void a_list_of_weight_0_is_told_what_that_means() {
        assertThat(Fig4.problems(POLICY.formatted("", "{'segmentLists':[{'weight':0,'hops':['l3']}]}")))
                .extracting(Problem::message)
                .containsExactly("a list of weight 0 is not valid and takes no packets (RFC 9256, 5.1)");
    }

    /** RFC 9256, 2.9, step by step; the best first. */
    @Test
    void the_better_one_is_taken_by_preference_then_origin_then_originator_then_discriminator() {
        List<String> bestFirst = List.of(
                "{'preference':200,'protocolOrigin':'pcep','originator':'9:0','dynamic':{}}",
                "{'preference':150,'protocolOrigin':31,'originator':'9:0','dynamic':{}}",
                "{'preference':150,'originator':'1:0','discriminator':1,'dynamic':{}}",
                "{'preference':150,'originator':'1:192.0.2.1','discriminator':9,'dynamic':{}}",
                "{'preference':150,'originator':'1:2001:db8::1','discriminator':8,'dynamic':{}}",
                "{'preference':150,'originator':'2:0','discriminator':7,'dynamic':{}}",
                "{'preference':150,'originator':'2:0','discriminator':6,'dynamic':{}}",
                "{'preference':150,'protocolOrigin':'bgp','dynamic':{}}",
                "{'preference':149,'protocolOrigin':255,'dynamic':{}}");
        List<String> worstFirst = new ArrayList<>(bestFirst);
        Collections.reverse(worstFirst);
        Policy.Candidates form =
                (Policy.Candidates) with("", String.join(",", worstFirst)).path();
        assertThat(form.paths().stream()
                        .sorted(Candidate.bestFirst(Optional.empty()))
                        .toList())
                .isEqualTo(((Policy.Candidates)
                                with("", String.join(",", bestFirst)).path())
                        .paths());
    }

    @Test
    void the_installed_one_goes_before_originator_and_discriminator_only() {
        Policy.Candidates form = (Policy.Candidates) with(
                        "",
                        "{'originator':'1:0','dynamic':{}},{'originator':'2:0','dynamic':{}},"
                                + "{'protocolOrigin':40,'hops':['l3']}")
                .path();
        Candidate installed = form.paths().get(1);
        assertThat(form.paths().stream()
                        .sorted(Candidate.bestFirst(Optional.of(installed.key())))
                        .map(form.paths()::indexOf))
                .containsExactly(2, 1, 0);
    }

    @Test
    void where_the_installed_one_is_preferred_it_stays_when_a_better_one_comes_back() {
        String paths = "{'originator':'1:0','hops':['l2','p7','p6','v4','l3']},{'originator':'2:0','hops':['l2','l3']}";
        Network cut = Fig4.withLinks(link -> Fig4.joins(link, "p7", "p6") ? Fig4.down(link) : link);
        for (boolean stays : new boolean[] {true, false}) {
            NumberedIntent<Policy> policy = new NumberedIntent<>("x", 1, with(",'preferInstalled':" + stays, paths));
            Plan first = Fig4.kind().compile(policy, context(Fig4.NETWORK));
            assertThat(container(first)).isEqualTo("fcbb:bbbb:200:700:600:400:300:f00d");
            Plan without = Fig4.kind().compile(policy, context(cut).after(first));
            assertThat(container(without)).isEqualTo("fcbb:bbbb:200:300:f00d::");
            Plan again = Fig4.kind().compile(policy, context(Fig4.NETWORK).after(without));
            assertThat(container(again)).isEqualTo(container(stays ? without : first));
            assertThat(Fig4.kind()
                            .explain(policy, again, context(Fig4.NETWORK))
                            .explanation()
                            .at("/candidatePaths/0/originator")
                            .textValue())
                    .isEqualTo(stays ? "2:0" : "1:0");
        }
    }

    private static CompileContext context(Network network) {
        return new CompileContext(network, Map.of());
    }

    private static String container(Plan plan) {
        return plan.explanation().at("/directions/0/containers/0").textValue();
    }

    @Test
    void priorities_are_those_of_the_policies() {
        assertThat(Stream.of("", ",'priority':0", ",'priority':255")
                        .map(terms -> Fig4.kind().priority(with(terms, "{'dynamic':{}}")))
                        .collect(Collectors.toList()))
                .containsExactly(128, 0, 255);
        assertThat(Fig4.kind().priority(Fig4.policy("{'headend':'l1','hops':['l3'],'steering':['h31']}")))
                .isEqualTo(128);
    }
}
