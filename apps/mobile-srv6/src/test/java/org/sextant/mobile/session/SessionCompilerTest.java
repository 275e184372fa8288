// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.mobile.Mobile.anchored;
import static org.sextant.mobile.Mobile.between;
import static org.sextant.mobile.Mobile.session;
import static org.sextant.mobile.Mobile.six;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.mobile.Mobile;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionCompilerTest {
    private static final String FOUR =
            "{'id': 'a', 'ue': ['10.60.0.1/32'], 'qfi': 9, 'uplink': {'endpoint': '198.51.100.1', 'teid':"
                    + " 4097}, 'downlink': {'endpoint': '192.0.2.1', 'teid': '0x12345678'}}";
    private static final String SIX =
            FOUR.replace("198.51.100.1", "2001:db8:f::1").replace("192.0.2.1", "2001:db8:b::1");

    private static Plan plan(String slice, String session) {
        Plan offering = Mobile.plan(slice);
        assertThat(offering.problems()).isEmpty();
        CompileContext context = new CompileContext(Mobile.FIG4, Map.of())
                .seeing(ref -> ref.toString().equals("slice/s")
                        ? Optional.of(new ReferencedIntent(Optional.ofNullable(offering.offer())))
                        : Optional.empty());
        return new SessionKind().compile(new NumberedIntent<>("s/a", 9, session(session)), context);
    }

    private static List<String> rows(Plan plan) {
        assertThat(plan.problems()).isEmpty();
        return plan.entries().stream()
                .map(placed -> placed.node() + " " + placed.entry().key() + " -> "
                        + placed.entry().actionText())
                .toList();
    }

    private static String problem(String slice, String session) {
        Plan plan = plan(slice, session);
        assertThat(plan.entries()).isEmpty();
        assertThat(plan.problems()).hasSize(1);
        return plan.problems().get(0).field() + ": " + plan.problems().get(0).message();
    }

    @Test
    void between_two_gateways_each_tunnel_sets_the_class_where_it_enters() {
        assertThat(rows(plan(between(""), FOUR)))
                .containsExactly(
                        "l1 gtp_tunnel vrf 0 198.51.100.1 teid 4097 -> set_class 1",
                        "l3 gtp_tunnel vrf 0 192.0.2.1 teid 305419896 -> set_class 1");
        assertThat(rows(plan(six(between("")), SIX)))
                .containsExactly(
                        "l1 gtp_tunnel vrf 0 2001:db8:f::1 teid 4097 -> set_class 1",
                        "l3 gtp_tunnel vrf 0 2001:db8:b::1 teid 305419896 -> set_class 1");
    }

    @Test
    void at_an_anchor_packets_to_the_ue_are_given_the_session() {
        List<String> four = rows(plan(anchored(""), FOUR));
        assertThat(four).hasSize(2);
        assertThat(four.get(1))
                .startsWith("l3 ue_v4 vrf 0 10.60.0.1/32 -> send_to")
                .contains("c000:201:2412:3456:7800"); // 192.0.2.1, QFI 9, TEID 0x12345678
        List<String> six =
                rows(plan(six(anchored("")), SIX.replace("'10.60.0.1/32'", "'10.60.0.1/32', '2001:db8:60::/64'")));
        assertThat(six).hasSize(3);
        assertThat(six.get(1)).startsWith("l3 ue_v4 vrf 0 10.60.0.1/32").contains("2001:db8:b::1");
        assertThat(six.get(2)).startsWith("l3 ue_v6 vrf 0 2001:db8:60::/64").contains("2001:db8:b::1");
    }

    @Test
    void as_long_as_the_gnb_is_not_known_only_the_uplink_is_installed() {
        String half = FOUR.replaceAll(", 'downlink'.*", "}");
        assertThat(rows(plan(between(""), half))).hasSize(1);
        assertThat(rows(plan(anchored(""), half))).hasSize(1);
    }

    @Test
    void what_the_slice_would_never_carry_is_refused() {
        assertThat(problem(between(""), FOUR.replace("198.51.100.1", "198.51.100.2")))
                .isEqualTo("/uplink/endpoint: 198.51.100.2 is none of the UPFs of slice s (198.51.100.1)");
        assertThat(problem(between(""), FOUR.replace("198.51.100.1", "2001:db8:f::1")))
                .startsWith("/uplink/endpoint: 2001:db8:f::1 is none of the UPFs");
        assertThat(problem(between(""), FOUR.replace("192.0.2.1", "192.0.3.1")))
                .isEqualTo("/downlink/endpoint: 192.0.3.1 is none of the gNBs of slice s (192.0.2.0/24)");
        assertThat(problem(between(""), FOUR.replace("192.0.2.1", "2001:db8:b::1")))
                .startsWith("/downlink/endpoint: 2001:db8:b::1 is none of the gNBs");
    }

    @Test
    void an_anchor_wants_the_address_of_the_ue_and_a_gateway_does_not() {
        String without = FOUR.replace("'ue': ['10.60.0.1/32'], ", "");
        assertThat(problem(anchored(""), without)).startsWith("/ue: slice s ends at the anchor l3");
        assertThat(rows(plan(between(""), without))).hasSize(2);
        assertThat(problem(anchored(""), FOUR.replace("'10.60.0.1/32'", "'10.60.0.1/32', '10.60.0.1'")))
                .isEqualTo("/ue/1: 10.60.0.1/32 is given twice");
    }

    private static String forwarding(String session, String from, String to) {
        return session.replaceAll(
                "}$",
                ", 'forwarding': {'from': {'endpoint': '" + from + "', 'teid': 4099}, 'to': {'endpoint': '" + to
                        + "', 'teid': 7}, 'qfis': [9]}}");
    }

    @Test
    void a_handover_forwards_where_the_slice_ends_at_an_anchor_over_ipv4() {
        String four = forwarding(FOUR, "198.51.100.1", "192.0.2.9");
        assertThat(rows(plan(anchored(""), four))).hasSize(2 + 5);
        assertThat(problem(between(""), four)).startsWith("/forwarding: slice s does not forward from gNB to gNB");
        assertThat(problem(six(anchored("")), forwarding(SIX, "2001:db8:f::1", "2001:db8:b::9")))
                .startsWith("/forwarding: slice s does not forward from gNB to gNB: its GTP-U goes over IPv6");
        assertThat(problem(anchored(""), forwarding(FOUR, "198.51.100.2", "192.0.2.9")))
                .startsWith("/forwarding/from/endpoint: 198.51.100.2 is none of the UPFs");
        assertThat(problem(anchored(""), forwarding(FOUR, "198.51.100.1", "192.0.3.9")))
                .startsWith("/forwarding/to/endpoint: 192.0.3.9 is none of the gNBs");
        assertThat(problem(anchored(""), four.replace("4099", "4097"))).startsWith("/forwarding/from: ");
    }

    @Test
    void a_session_without_its_slice_says_so() {
        CompileContext nothing = new CompileContext(Mobile.FIG4, Map.of());
        NumberedIntent<org.sextant.mobile.Session> session = new NumberedIntent<>("s/a", 9, session(FOUR));
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new SessionKind().compile(session, nothing))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("there is no slice \"s\"");
    }

    @Test
    void other_hops_of_the_slice_are_no_news_to_its_sessions() {
        Object offer = Mobile.plan(between("")).offer();
        assertThat(Mobile.plan(between(", 'uplink': {'hops': [{'node': 'p7', 'loose': true}]}"))
                        .offer())
                .isEqualTo(offer);
        assertThat(Mobile.plan(between(", 'match': [{'qfi': 9}], 'default': true"))
                        .offer())
                .isEqualTo(offer);
        assertThat(Mobile.plan(between("").replace("192.0.2.0/24", "192.0.2.0/25"))
                        .offer())
                .isNotEqualTo(offer);
    }

    @Test
    void a_session_is_stored_with_its_slice_and_read_back() {
        SessionKind kind = new SessionKind();
        org.sextant.mobile.Session session = session(FOUR);
        assertThat(kind.encode(session).get("slice").textValue()).isEqualTo("s");
        assertThat(kind.decode(kind.encode(session))).isEqualTo(session);
        assertThat(kind.suggestedId(session)).contains("s/a");
        assertThat(kind.refersTo(session)).isEqualTo(Set.of(new org.sextant.core.intent.IntentRef("slice", "s")));
    }
}
