// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.livelive.LabNetwork.flow;
import static org.sextant.livelive.LabNetwork.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Allocation;
import org.sextant.core.json.BoundedJson;
import org.sextant.livelive.path.Disjointness;
import org.sextant.livelive.plan.LiveLiveKind;

class LiveLiveShapeTest {

    @Test
    void the_shortest_flow_has_defaults() {
        LiveLive flow = flow("{'from':'a','to':'b','paths':3}");
        assertThat(flow.wish()).isEqualTo(new PathRequest.Found(3, Disjointness.NODE, Shortfall.RELAX));
        assertThat(flow.traffic()).isEqualTo(Traffic.ALL);
        assertThat(flow.symmetric()).isFalse();
        assertThat(LiveLiveShape.FLOW.write(flow))
                .isEqualTo(json("{'from':'a','to':'b','symmetry':'one-way','paths':3,'disjoint':'node',"
                        + "'shortfall':'relax'}"));
    }

    @Test
    void everything_can_be_said() {
        LiveLive flow = flow("{'name':'x','from':'fd00::/64','to':'fd01::1','protocol':'udp','sourcePort':1,"
                + "'destinationPort':65535,'family':'ipv6','symmetry':'symmetric','paths':'disjoint',"
                + "'disjoint':'srlg','ingress':'e1','egress':'e2'}");
        assertThat(flow.traffic()).isEqualTo(new Traffic(Optional.of(17), Optional.of(1), Optional.of(65535)));
        assertThat(flow.wish())
                .isEqualTo(new PathRequest.Found(PathRequest.Found.ALL, Disjointness.SRLG, Shortfall.OFFER));
        assertThat(LiveLiveShape.FLOW.decode(LiveLiveShape.FLOW.write(flow))).isEqualTo(flow);
    }

    static Stream<Path> examples() throws IOException {
        return Files.list(LabNetwork.LAB.resolve("livelive")).sorted();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void every_example_is_written_as_it_is_read_and_feasible_in_the_lab(Path file) throws IOException {
        LiveLive flow = LiveLiveShape.FLOW.decode(new BoundedJson(1 << 16, 8).read(Files.readAllBytes(file)));
        assertThat(LiveLiveShape.FLOW.decode(LiveLiveShape.FLOW.write(flow))).isEqualTo(flow);
        assertThat(LabNetwork.problems(Files.readString(file), LabNetwork.SIX)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "{'to':'b','paths':2}|/from|\"from\" is missing",
                "{'from':'a','to':'b'}|/paths|\"paths\" is missing",
                "{'from':'a','to':'b','paths':1}|/paths|which says neither how many nor which",
                "{'from':'a','to':'b','paths':7}|/paths|which says neither how many nor which",
                "{'from':'a','to':'b','paths':2.5}|/paths|which says neither how many nor which",
                "{'from':'a','to':'b','paths':'all'}|/paths|which says neither how many nor which",
                "{'from':'a','to':'b','paths':[['a','b']]}|/paths|1 paths are given",
                "{'from':'a','to':'b','paths':[['a'],['a','c']]}|/paths/0|a path is a list of 2",
                "{'from':'a','to':'b','paths':[['a','b'],['a','b']]}|/paths/1|listed twice",
                "{'from':'a','to':'b','paths':[['a','b'],['a',7]]}|/paths/1/1|a string is wanted",
                "{'from':'a','to':'b','paths':[['a','b'],['a','c','a','b']]}|/paths/1/2|comes to a twice",
                "{'from':'a','to':'b','paths':[['a','b'],['a','b','c','b']]}|/paths/1/3|comes to b twice",
                "{'from':'a','to':'b','paths':[['a','b'],['a','a/1-b/1','a/2-b/2','b']]}|/paths/1/2|between two nodes",
                "{'from':'a','to':'b','paths':[['a','b'],['a','b','a/1-b/1']]}|/paths/1/2|between two nodes",
                "{'from':'a','to':'b','paths':[['a','b'],['a/1-b/1','a','b']]}|/paths/1/0|between two nodes",
                "{'from':'a','to':'b','paths':[['a','b'],['a','b','c']],'disjoint':'node'}|/disjoint|the paths are given",
                "{'from':'a','to':'b','paths':'disjoint','shortfall':'refuse'}|/shortfall|never fall short",
                "{'from':'a','to':'b','paths':2,'disjoint':'hop'}|/disjoint|none of link, node, srlg",
                "{'from':'a','to':'b','paths':2,'sourcePort':5}|/sourcePort|only TCP and UDP have ports",
                "{'from':'a','to':'b','paths':2,'protocol':58,'destinationPort':5}|/destinationPort|only TCP and UDP",
                "{'from':'a','to':'b','paths':2,'protocol':'sctp'}|/protocol|which is no IP protocol",
                "{'from':'a','to':'b','paths':2,'protocol':256}|/protocol|which is no IP protocol",
                "{'from':'a','to':'b','paths':2,'protocol':6,'sourcePort':0}|/sourcePort|from 1 to 65535",
                "{'from':'a','to':'b','paths':2,'name':'7'}|/name|is not a name",
                "{'from':'a','to':'b','paths':2,'pahts':2}|/pahts|unknown field",
                "{'from':'a/b','to':'b','paths':2}|/from|",
            })
    void what_is_wrong_is_named_with_its_field(String text, String field, String message) {
        assertThatThrownBy(() -> flow(text)).isInstanceOfSatisfying(ProblemException.class, e -> {
            assertThat(e.problems()).extracting(problem -> problem.field()).contains(field);
            assertThat(e.problems().stream().filter(problem -> problem.field().equals(field)))
                    .anyMatch(problem -> message == null || problem.message().contains(message));
        });
    }

    @Test
    void a_stored_flow_comes_back_and_one_of_an_earlier_version_with_its_numbers() {
        LiveLiveKind kind = new LiveLiveKind(LabNetwork.compiler());
        LiveLive flow = flow("{'from':'a','to':'b','paths':2,'symmetry':'symmetric'}");
        assertThat(kind.decode(kind.encode(flow))).isEqualTo(flow);
        assertThat(kind.granted(kind.encode(flow))).isEmpty();
        ObjectNode before = kind.encode(flow);
        before.set("numbers", json("[{'group':1,'window':0},{'group':65535,'window':63}]"));
        assertThat(kind.decode(before)).isEqualTo(flow);
        assertThat(kind.granted(before))
                .containsExactly(
                        new Allocation("livelive.groups", 0, 1, 1),
                        new Allocation("livelive.windows", 0, 0, 1),
                        new Allocation("sid_list", 0, 0x8000_0010L, 16),
                        new Allocation("livelive.groups", 1, 65535, 1),
                        new Allocation("livelive.windows", 1, 63, 1),
                        new Allocation("sid_list", 1, 0x800f_fff0L, 16));
    }
}
