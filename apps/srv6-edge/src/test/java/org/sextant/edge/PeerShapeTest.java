// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PeerShapeTest {
    private static final String OFFICE =
            "{'name': 'office', 'sources': ['2001:db8:a::/48', '2001:db8:b::1'], 'ports': ['l1/3', 'l3/2']}";

    private static JsonNode json(String text) {
        return new BoundedJson(1 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_peer_survives_its_json() {
        Peer peer = PeerShape.PEER.decode(json(OFFICE));
        assertThat(peer)
                .hasToString("Peer[name=office, sources=[2001:db8:a::/48, 2001:db8:b::1/128], ports=[l1/3, l3/2],"
                        + " metadata=Metadata[description=Optional.empty, labels={}]]");
        assertThat(PeerShape.PEER.decode(PeerShape.PEER.write(peer))).isEqualTo(peer);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'office'          | 'of fice'            | /name      | is no name of a peer",
                "'name': 'office', |                      | /name      | is missing",
                "2001:db8:a::/48   | ::/0                 | /sources/0 | is every address",
                "2001:db8:a::/48   | 10.0.0.0/8           | /sources/0 | reaches no SID anyway",
                "2001:db8:a::/48   | fe80::/64            | /sources/0 | is link-local",
                "2001:db8:a::/48   | ff02::1              | /sources/0 | is multicast",
                "2001:db8:a::/48   | 2001:db8:a::1/48     | /sources/0 | bits set behind its length",
                "2001:db8:a::/48   | 2001:db8:b::/64      | /sources/1 | is covered by 2001:db8:b::/64 at /sources/0",
                "'2001:db8:b::1'   | '2001:db8:a::/48'    | /sources/1 | is covered by",
                "'2001:db8:b::1'   | 7                    | /sources/1 | a string is wanted here",
                "'l1/3'            | 'l1'                 | /ports/0   | is no port of a node",
                "'l1/3'            | 'l1/511'             | /ports/0   | is no port of a node",
                "'l1/3'            | 'l3/2'               | /ports/1   | is covered by l3/2",
                "['l1/3', 'l3/2']  | []                   | /ports     | there are 0 ports, not 1 to 64",
                "['l1/3', 'l3/2']  | 'l1/3'               | /ports     | wants a list",
                "'ports'           | 'port'               | /ports     | is missing",
            })
    void what_is_wrong_is_told_with_its_place(String original, String fault, String field, String message) {
        String text = OFFICE.replace(original, fault == null ? "" : fault);
        ProblemException refused =
                catchThrowableOfType(ProblemException.class, () -> PeerShape.PEER.decode(json(text)));
        assertThat(refused.problems())
                .filteredOn(problem -> problem.field().equals(field))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(Problem.Code.INVALID);
                    assertThat(problem.message()).contains(message);
                    assertThat(problem.remedy()).isNotEmpty();
                });
    }

    @Test
    void a_peer_is_bounded() {
        String many = IntStream.range(0, 65)
                .mapToObj(i -> "'2001:db8:" + i + "::/48'")
                .collect(Collectors.joining(","));
        String text = OFFICE.replace("'2001:db8:a::/48', '2001:db8:b::1'", many);
        ProblemException refused =
                catchThrowableOfType(ProblemException.class, () -> PeerShape.PEER.decode(json(text)));
        assertThat(refused.problems()).extracting(Problem::field).isEqualTo(List.of("/sources"));
    }
}
