// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.mobile.Mobile.anchored;
import static org.sextant.mobile.Mobile.between;
import static org.sextant.mobile.Mobile.plan;
import static org.sextant.mobile.Mobile.session;
import static org.sextant.mobile.Mobile.six;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sextant.mobile.Session;

/** Golden entries of sessions: TEID 0x3ea, QFI 9, RQI set: arguments 26000003ea. */
class SliceHandleTest {
    private static final String SESSION = "{'id': 'a', 'ue': ['10.60.0.1'], 'qfi': 9, 'rqi': true,"
            + " 'uplink': {'endpoint': '198.51.100.1', 'teid': '0x1001'},"
            + " 'downlink': {'endpoint': '192.0.2.1', 'teid': 1002}}";

    @Test
    void at_gateways_both_tunnels_have_the_class() {
        assertThat(rows(between(""), session(SESSION)))
                .containsExactly("l1 gtp_tunnel set_class 1", "l3 gtp_tunnel set_class 1");
    }

    @Test
    void at_an_anchor_the_last_sid_says_gnb_and_session() {
        assertThat(rows(anchored(""), session(SESSION)))
                .containsExactly(
                        "l1 gtp_tunnel set_class 1",
                        "l3 ue_v4 send_to sid_list 0 args_at 0 args 0 last fcbb:bbbb:104:c000:201:2600:3:ea00"
                                + " source fcbb:bbbb:305:c633:6401::");
    }

    @Test
    void over_ipv6_the_gnb_is_the_last_segment_and_the_list_has_the_arguments() {
        String six = SESSION.replace("198.51.100.1", "2001:db8:f::1").replace("192.0.2.1", "2001:db8:b::1");
        assertThat(rows(six(anchored(",'uplink':{'hops':['l2']}")), session(six)))
                .anySatisfy(row -> assertThat(row)
                        .startsWith("l3 ue_v4 send_to sid_list 5")
                        .endsWith("args_at 64 args 26000003ea last 2001:db8:b::1 source ::"));
    }

    @Test
    void without_a_gnb_nothing_is_sent_to_the_ue() {
        Session waiting = session(SESSION.replaceAll(", 'downlink'.*", "}"));
        assertThat(rows(anchored(""), waiting)).containsExactly("l1 gtp_tunnel set_class 1");
    }

    @Test
    void what_a_gnb_forwards_goes_to_the_anchor_and_by_end_map_to_the_next_gnb() {
        Session forwarding = session(SESSION.replaceAll(
                "}$",
                ", 'forwarding': {'from': {'endpoint': '198.51.100.1', 'teid': '0x1002'},"
                        + " 'to': {'endpoint': '192.0.2.9', 'teid': '0x2002'}, 'qfis': [9]}}"));
        for (String hops :
                List.of("", ",'uplink':{'hops':['l2']}", ",'uplink':{'hops':['l2',{'node':'p7','loose':true}]}")) {
            List<String> rows = keyed(anchored(hops), forwarding).subList(2, 7);
            assertThat(rows).hasSize(5);
            assertThat(rows.get(0)).isEqualTo("l1 gtp_tunnel vrf 0 198.51.100.1 teid 4098 -> set_class 1");
            assertThat(rows.get(1))
                    .startsWith("l1 gtp_rule priority 70 ")
                    .contains(
                            "198.51.100.1",
                            "teid 1002&ffffffff",
                            "qfi 9&3f",
                            "args_at 64",
                            "source fcbb:bbbb:104:: source_at 48");
            // RQI 0 and 1; the SID has all of gNB 192.0.2.9 and TEID 0x2002.
            assertThat(rows.get(2))
                    .isEqualTo(
                            "l3 my_sid fcbb:bbbb:300:f004:2400:10:200:0/104 -> map fcbb:bbbb:104:c000:209:2400:20:200");
            assertThat(rows.get(3))
                    .isEqualTo(
                            "l3 my_sid fcbb:bbbb:300:f004:2600:10:200:0/104 -> map fcbb:bbbb:104:c000:209:2600:20:200");
            assertThat(rows.get(4)).startsWith("l1 gtp_rule priority 69 ").endsWith("gtp_discard");
        }
    }

    private static List<String> keyed(String slice, Session session) {
        SliceHandle handle = ((SliceSummary) plan(slice).explained()).handle();
        return handle.entries(session).stream()
                .map(placed -> placed.node() + " " + placed.entry().key() + " -> "
                        + placed.entry().actionText())
                .toList();
    }

    private static List<String> rows(String slice, Session session) {
        SliceHandle handle = ((SliceSummary) plan(slice).explained()).handle();
        return handle.entries(session).stream()
                .map(placed -> placed.node() + " " + placed.entry().key().table() + " "
                        + placed.entry().actionText())
                .toList();
    }
}
