// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int explain(String... arguments) {
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private String file(String json) throws IOException {
        return Files.writeString(folder.resolve("policy.json"), json.replace('\'', '"'))
                .toString();
    }

    @Test
    void prints_tables() {
        assertThat(explain("--network", "../../lab/fig4.json", "../../lab/policies/paper.json"))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "h11 -> h31 (ipv6): l1 pushes with H.Encaps.Red, l3 decapsulates",
                        "containers    fcbb:bbbb:200:700:600:500:400:0",
                        "v4    uN, next segment  fcbb:bbbb:400::                  1   v4/1-l3/2");
    }

    @Test
    void prints_the_object_of_the_dry_run_as_json() throws IOException {
        assertThat(explain("--json", "--network", "../../lab/fig4.json", "../../lab/policies/paper.json"))
                .isZero();
        JsonNode json = new ObjectMapper().readTree(out.toByteArray());
        assertThat(json.at("/directions/0/hops/6/behavior").textValue()).isEqualTo("uDT6");
    }

    @Test
    void an_infeasible_policy_is_explained_field_by_field() throws IOException {
        assertThat(explain(
                        "--network", "../../lab/fig4.json", file("{'from':'h11','to':'h31','nodes':['l1','x9','l3']}")))
                .isEqualTo(1);
        assertThat(err)
                .hasToString("/nodes/1: there is no node \"x9\"\n    the nodes are l1, l2, l3, p6, p7, v4, v5, v8\n");
        assertThat(explain(
                        "--json",
                        "--network",
                        "../../lab/fig4.json",
                        file("{'from':'h11','to':'h31','nodes':['l1','x9','l3']}")))
                .isEqualTo(1);
        assertThat(new ObjectMapper()
                        .readTree(out.toByteArray())
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/nodes/1");
    }

    @Test
    void what_the_described_pipelines_cannot_do_is_refused() throws IOException {
        String network =
                Files.readString(Path.of("../../lab/fig4.json")).replace("org.sextant.linux", "org.sextant.bmv2");
        String bmv2 = Files.writeString(folder.resolve("bmv2.json"), network).toString();
        String hops = "{'link':'l2-p7'},{'link':'p7-l2'},".repeat(10);
        String policy =
                file("{'headend':'l1','hops':['l2'," + hops + "{'node':'l3'}],'steering':['h31'],'family':'ipv6'}");
        assertThat(explain("--network", "../../lab/fig4.json", policy)).isZero();
        assertThat(explain("--network", bmv2, policy)).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("/hops: the path needs 7 segments, but the pipeline of headend l1 pushes at most 6");
    }

    @Test
    void a_file_that_is_not_there_or_not_json_is_no_stack_trace() throws IOException {
        assertThat(explain(
                        "--network",
                        "../../lab/fig4.json",
                        folder.resolve("none.json").toString()))
                .isEqualTo(1);
        assertThat(explain("--network", folder.resolve("none.json").toString(), "x"))
                .isEqualTo(1);
        assertThat(explain("--network", "../../lab/fig4.json", file("{'from':")))
                .isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("there is no file")
                .contains("not JSON")
                .doesNotContain("Exception");
    }

    /** The numbering takes fifteen uSIDs behind a node's; if the local range begins among them, there is none. */
    @ParameterizedTest
    @ValueSource(strings = {"0301", "0302", "0303", "030f", "0310", "0311", "1000", "e000"})
    void a_local_range_that_begins_right_behind_a_node_is_no_fault(String localStart) throws IOException {
        JsonNode network = new ObjectMapper().readTree(Files.readString(Path.of("../../lab/fig4.json")));
        ((ObjectNode) network.at("/apps/org.sextant.srv6/srv6"))
                .putObject("format")
                .put("block", 32)
                .put("usid", 16)
                .put("localStart", localStart);
        int next = 0x10;
        for (JsonNode device : network.get("devices")) {
            String name = device.at("/basic/name").asText();
            next += name.startsWith("l") ? 0 : 0x10;
            String usid = name.startsWith("l") ? "0" + name.charAt(1) + "00" : String.format("%04x", next);
            ((ObjectNode) device.get("srv6")).put("uSid", usid);
        }
        String described = Files.writeString(folder.resolve("network.json"), network.toString())
                .toString();
        for (String decap : List.of("f00d", "uDT", "numbering")) {
            for (String family : List.of("ipv6", "ipv4")) {
                String policy = file("{'from':'h13','to':'h33','nodes':['l1','l2','l3'],'decap':'" + decap
                        + "','family':'" + family + "'}");
                boolean possible = !decap.equals("numbering") || Integer.parseInt(localStart, 16) >= 0x310;
                assertThat(explain("--network", described, policy))
                        .as(decap + " " + family)
                        .isEqualTo(possible ? 0 : 1);
            }
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("fault", "Exception");
    }

    @Test
    void wrong_usage_is_2_and_help_is_0() {
        assertThat(explain()).isEqualTo(2);
        assertThat(explain("--nonsense", "x")).isEqualTo(2);
        assertThat(explain("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Usage: explain");
    }
}
