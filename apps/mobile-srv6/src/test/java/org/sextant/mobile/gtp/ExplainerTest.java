// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.mobile.Mobile.anchored;
import static org.sextant.mobile.Mobile.between;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ProblemException;
import org.sextant.mobile.session.Sessions;

/** The explanations of captured packets; the golden one is a G-PDU of TS 29.281 from a live run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExplainerTest {
    private static final String OUTER = "45b800500000400040114dafc0000201c633640108680868003c0000";
    private static final String GTP = "34ff002c12345678 00000085 01100900";
    private static final String INSIDE = "45000024000100004011aa720a3c0001c6120007 1234000700100000 73657874616e7421";
    private static final String PACKET = OUTER + GTP + INSIDE;

    private final Sessions sessions = new Sessions();

    @AfterEach
    void close() {
        sessions.close();
    }

    private ObjectNode explain(String hex) {
        return new Explainer(sessions.slices.intents(), sessions.app.intents()).explain(hex);
    }

    private static final String SESSION =
            "{'id': 'a', 'ue': ['10.60.0.1'], 'uplink': {'endpoint': '198.51.100.1', 'teid':"
                    + " '0x12345678'}, 'downlink': {'endpoint': '192.0.2.1', 'teid': 7}}";

    @Test
    void a_session_s_packet_becomes_the_sid_that_gives_it_back() {
        sessions.slice(between(""));
        sessions.client.post("slices/s/sessions", SESSION);
        ObjectNode json = explain(PACKET);
        assertThat(json.get("packet").toString())
                .contains("\"message\":\"G-PDU\"", "\"dscp\":46", "\"teid\":305419896", "\"qfi\":9", "\"uplink\"");
        assertThat(json.at("/packet/inside/source").textValue()).isEqualTo("10.60.0.1");
        assertThat(json.get("gateways")).hasSize(1);
        JsonNode gateway = json.at("/gateways/0");
        assertThat(gateway.get("gateway").textValue()).isEqualTo("l1");
        assertThat(gateway.get("slice").textValue()).isEqualTo("s");
        assertThat(gateway.get("session").textValue()).isEqualTo("a");
        assertThat(gateway.get("segments")).hasSize(1);
        assertThat(gateway.at("/segments/0").textValue()).isEqualTo("fcbb:bbbb:305:c633:6401:2412:3456:7800");
        assertThat(gateway.get("sourceAddress").textValue()).startsWith("fcbb:bbbb:104:c000:201:");
        assertThat(gateway.get("arguments").textValue()).isEqualTo("2412345678");
        assertThat(gateway.get("then").textValue()).startsWith("l3 gives GTP-U back, from 192.0.2.1 to 198.51.100.1");
        assertThat(Explainer.text(json)).contains("at l1: slice s, session a, uplink");
    }

    @Test
    void what_has_no_session_and_no_match_is_routed_as_it_is() {
        sessions.slice(between(""));
        assertThat(explain(PACKET).get("gateways")).isEmpty();
        assertThat(Explainer.text(explain(PACKET))).contains("no slice takes it");
    }

    @Test
    void a_match_takes_what_no_session_has_and_an_anchor_ends_gtp() {
        sessions.slice(anchored(", 'match': [{'qfi': 9}]"));
        JsonNode gateway = explain(PACKET).at("/gateways/0");
        assertThat(gateway.get("slice").textValue()).isEqualTo("s");
        assertThat(gateway.has("session")).isFalse();
        assertThat(gateway.get("then").textValue()).startsWith("GTP-U ends at l3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "34fe002c12345678 00000085 01100900 | it is no G-PDU",
                "54ff002c12345678 00000085 01100900 | it is GTP of version 2",
                "24ff002c12345678 00000085 01100900 | it is GTP' (TS 32.295)",
                "34ff002c00000000 00000085 01100900 | TEID 0 is reserved",
                "34ff002d12345678 00000085 01100900 | GTP says that 45 bytes follow its header, and there are 44",
                "34ff002c12345678 00000085 00100900 | an extension header has length 0, or is missing",
                "34ff002c12345678 00000085 ff100900 | an extension header is longer than the packet",
                "34ff002c12345678 00000085 01200900 | its PDU Session Container is of type 2",
                "34ff002c12345678 00000085 01104900 | its PDU Session Container says more than QFI and RQI",
                "34ff002c12345678 00000020 01100900 | it has an extension header of type 0x20",
                "34ff002c12345678 00000085 02100900 | its PDU Session Container has more than one word",
            })
    void what_srv6_cannot_say_says_why_and_is_carried_whole(String gtp, String why) {
        sessions.slice(between(", 'default': true"));
        ObjectNode json = explain(OUTER + gtp + INSIDE);
        assertThat(json.at("/packet/notTranslated/0").textValue()).isEqualTo(why);
        assertThat(json.at("/gateways/0/action").textValue()).startsWith("carry");
        assertThat(json.at("/gateways/0/then").textValue()).startsWith("the whole packet comes out at l3");
    }

    /** RFC 9433, 6.1: the end of the uplink would write an uplink container, without RQI. */
    @Test
    void a_container_of_the_other_direction_is_carried_whole() {
        sessions.slice(between(", 'default': true"));
        ObjectNode json = explain(OUTER + "34ff002c12345678 00000085 01004900" + INSIDE);
        assertThat(json.at("/packet/container/direction").textValue()).isEqualTo("downlink");
        assertThat(json.at("/packet/notTranslated")).isEmpty();
        assertThat(json.at("/gateways/0/direction").textValue()).isEqualTo("uplink");
        assertThat(json.at("/gateways/0/action").textValue()).startsWith("carry");
        assertThat(json.at("/gateways/0/then").textValue())
                .isEqualTo(
                        "the whole packet comes out at l3 and is routed on: its PDU Session Container is of the other"
                                + " direction");
    }

    @Test
    void a_container_of_the_other_direction_is_dropped_where_the_slice_discards_what_is_not_translated() {
        sessions.slice(between(", 'default': true, 'unrepresentable': 'discard'"));
        JsonNode gateway =
                explain(OUTER + "34ff002c12345678 00000085 01004900" + INSIDE).at("/gateways/0");
        assertThat(gateway.get("action").textValue()).isEqualTo("gtp_discard");
        assertThat(gateway.get("then").textValue())
                .isEqualTo("it is dropped: its PDU Session Container is of the other direction");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zz | that is not a packet in hexadecimal digits",
                "35 | an IP packet begins with 4 or 6, not 3",
                "4500 | the IP header has 20 bytes, and 2 are left",
                "450000500000400040064dafc0000201c6336401 | the IPv4 packet has 80 bytes, and 20 are left",
                "450000140000400040064dafc0000201c6336401 | it is not UDP but protocol 6: no gateway touches it",
                "450000140000000140114dafc0000201c6336401 | it is a later fragment: it has no GTP header, and is carried whole",
                "4500001c0000400040114dafc0000201c6336401 08680869 0008 0000 | it is UDP to port 2153, and GTP-U goes to"
                        + " 2152: no gateway touches it",
                "4500001c0000400040114dafc0000201c6336401 08680868 0009 0000 | UDP says that it has 9 bytes, and there are 8",
                "4500001c0000400040114dafc0000201c6336401 08680868 0008 0000 | the GTP header has 8 bytes, and 0 are left",
            })
    void what_is_no_gtp_u_says_what_it_is(String hex, String why) {
        assertThatThrownBy(() -> explain(hex))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problems().get(0).message()).isEqualTo(why));
    }
}
