// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.mobile.Mobile.session;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ProblemException;

class SessionShapeTest {
    private static final String WHOLE =
            "{'id': 'imsi-1', 'ue': ['10.60.0.1', '2001:db8:60::/64'], 'qfi': 9, 'rqi': true,"
                    + " 'uplink': {'endpoint': '198.51.100.1', 'teid': 4097},"
                    + " 'downlink': {'endpoint': '192.0.2.1', 'teid': '0xffffffff'}}";

    @Test
    void what_is_written_is_read_back() {
        Session session = session(WHOLE);
        assertThat(session.downlink().orElseThrow().teid()).isEqualTo(-1);
        assertThat(SessionShape.in("s").decode(SessionShape.in(session.slice()).write(session)))
                .isEqualTo(session);
        Session waiting = session("{'id': 'a', 'uplink': {'endpoint': '198.51.100.1', 'teid': 1}}");
        assertThat(SessionShape.in("s").decode(SessionShape.in(waiting.slice()).write(waiting)))
                .isEqualTo(waiting);
    }

    private static final String FORWARDS = ", 'forwarding': {'from': {'endpoint': '198.51.100.1', 'teid': 4099},"
            + " 'to': {'endpoint': '192.0.2.9', 'teid': 7}, 'qfis': [9, 0, 9]}}";

    @Test
    void forwarding_is_read_back_with_its_flows_in_order() {
        Session session = session(WHOLE.replaceAll("}$", FORWARDS));
        assertThat(session.forwarding().orElseThrow().qfis()).containsExactly(0, 9);
        assertThat(SessionShape.in("s").decode(SessionShape.in(session.slice()).write(session)))
                .isEqualTo(session);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "[9, 0, 9] | [64]        | /forwarding/qfis/0      | is no QFI",
                "[9, 0, 9] | [1.5]       | /forwarding/qfis/0      | is no QFI",
                "[9, 0, 9] | []          | /forwarding/qfis        | at least one",
                "'teid': 7 | 'teid': 0   | /forwarding/to/teid     | not a range",
                "'from'    | 'form'      | /forwarding/from        | is missing",
            })
    void what_is_wrong_with_forwarding_is_named(String from, String to, String field, String message) {
        assertThatThrownBy(() -> session(WHOLE.replaceAll("}$", FORWARDS.replace(from, to))))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problems()).anySatisfy(problem -> {
                            assertThat(problem.field()).isEqualTo(field);
                            assertThat(problem.message()).contains(message);
                        }));
    }

    /** RFC 9433, 6.1: QFI in six bits, R, U, then 32 bits. */
    @Test
    void arguments_have_forty_bits() {
        assertThat(Session.arguments(9, false, 0x12345678)).isEqualTo(0x24_1234_5678L);
        assertThat(Session.arguments(9, true, 0x3ea)).isEqualTo(0x26_0000_03eaL);
        assertThat(Session.arguments(63, true, -1)).isEqualTo(0xfe_ffff_ffffL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "4097            | 0                | /uplink/teid      | not a range",
                "4097            | 4294967296       | /uplink/teid      | not a range",
                "4097            | 'x'              | /uplink/teid      | is not a TEID",
                "'198.51.100.1'  | '224.0.0.1'      | /uplink/endpoint  | routers do not forward",
                "9,              | 64,              | /qfi              | not an integer from 0 to 63",
                "'10.60.0.1'     | '10.60.0.300'    | /ue/0             | 10.60.0.300",
                "'imsi-1'        | 'a b'            | /id               | is not an id",
                "'uplink'        | 'uplnk'          | /uplink           | is missing",
            })
    void what_is_wrong_is_named(String from, String to, String field, String message) {
        assertThatThrownBy(() -> session(WHOLE.replace(from, to)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problems()).anySatisfy(problem -> {
                            assertThat(problem.field()).isEqualTo(field);
                            assertThat(problem.message()).contains(message);
                        }));
    }
}
