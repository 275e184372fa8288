// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The constants against the program's own list of ids, which the generator does not read. */
class ContractTest {
    private static final Pattern DEFINE = Pattern.compile("#define (\\w+)_ID +(0x[0-9a-f]{8})");

    @Test
    void ids_are_those_that_the_program_gives() throws IOException {
        Map<String, Integer> expected = new TreeMap<>();
        Matcher define = DEFINE.matcher(Files.readString(Path.of("p4src/fixed/ids.p4")));
        while (define.find()) {
            if (!define.group(1).matches("PACKET_.*|.*_SELECTOR|.*_REGISTER")) {
                expected.put(define.group(1).toLowerCase(Locale.ROOT), Integer.decode(define.group(2)));
            }
        }
        Map<String, Integer> generated = new TreeMap<>();
        Tables.ALL.forEach(table -> generated.put(table.name() + "_table", table.id()));
        Actions.ALL.forEach(action -> generated.put(action.name() + "_action", action.id()));
        Counters.ALL.forEach(counter -> generated.put(counter.name(), counter.id()));
        CounterArrays.ALL.forEach(array -> generated.put(array.name() + "_array", array.id()));
        assertThat(generated).isEqualTo(expected).hasSizeGreaterThan(40);
    }

    @Test
    void fields_have_the_widths_and_kinds_of_the_contract() {
        assertThat(Tables.MY_SID.fields()).containsExactly(new Field(1, "sid", 128, Field.Kind.LPM));
        assertThat(Tables.ROUTE_V4.fields())
                .containsExactly(new Field(1, "vrf", 16, Field.Kind.EXACT), new Field(2, "dst", 32, Field.Kind.LPM));
        assertThat(Tables.PUNT.fields())
                .allSatisfy(field -> assertThat(field.kind()).isEqualTo(Field.Kind.TERNARY));
        assertThat(Tables.FIREWALL.fields())
                .as("bmv2 remembers no flows, Linux does")
                .contains(
                        new Field(8, "dst_port", 16, Field.Kind.RANGE),
                        new Field(23, "established", 1, Field.Kind.TERNARY))
                .hasSize(23);
        assertThat(Tables.ALL.stream().filter(Table::oneShot))
                .containsExactly(Tables.SID_LIST, Tables.ROUTE_V6, Tables.ROUTE_V4);
        assertThat(Actions.FORWARD.params())
                .containsExactly(new Param(1, "port", 9), new Param(2, "src_mac", 48), new Param(3, "dst_mac", 48));
        assertThat(Actions.SEGMENTS_16.params()).hasSize(16);
        assertThat(Counters.ROUTE_V6_COUNTER.table()).isEqualTo(Tables.ROUTE_V6);
        assertThat(PacketMetadata.PACKET_IN_INGRESS_PORT).isEqualTo(new Metadata(1, "ingress_port", 9));
        assertThat(CounterArrays.DEDUP_DELAY.size()).isEqualTo(64 * 16 * 16);
        assertThat(Tables.byName("nothing")).isEmpty();
    }

    @Test
    void a_pipeline_offers_what_its_program_has() {
        Pipeline linux = Pipelines.byName("linux").orElseThrow();
        Pipeline bmv2 = Pipelines.byName("bmv2").orElseThrow();
        assertThat(linux.actionsOfTable().get("encap_source")).containsExactly("set_encap_source");
        assertThat(linux.actionsOfTable()).doesNotContainKey("epoch");
        assertThat(bmv2.actionsOfTable().get("epoch")).containsExactly("set_epoch");
        assertThat(bmv2.sizeOfTable())
                .containsEntry("epoch", 1L)
                .containsOnlyKeys(bmv2.actionsOfTable().keySet());
        assertThat(Pipelines.ALL).extracting(Pipeline::name).containsExactly("bmv2", "linux", "vpp");
    }

    @Test
    void every_name_is_found_again() {
        assertThat(Tables.ALL.stream()
                        .collect(Collectors.toMap(
                                Function.identity(),
                                table -> Tables.byName(table.name()).orElseThrow())))
                .allSatisfy((table, found) -> assertThat(found).isSameAs(table));
    }

    @Test
    void targets_that_disagree_stop_the_build(@TempDir Path directory) throws Exception {
        String info = "actions { preamble { id: 1 alias: \"un\" } params { id: 1 name: \"a\" bitwidth: %d } }";
        Files.writeString(directory.resolve("one.p4info.txtpb"), String.format(info, 8));
        assertThat(generate(directory)).isEmpty();
        Files.writeString(directory.resolve("two.p4info.txtpb"), String.format(info, 9));
        assertThat(generate(directory)).contains("two.p4info.txtpb: un has", "bits=9");
        Files.writeString(directory.resolve("two.p4info.txtpb"), "actions { preamble { id: 1 alias: \"ua\" } }");
        assertThat(generate(directory)).contains("ua has id 0x00000001, but another target has un");
        Files.writeString(directory.resolve("two.p4info.txtpb"), "actions { preamble ! }");
        assertThat(generate(directory)).contains("cannot read P4Info at: ");
    }

    /** The generator's error stream. */
    private static String generate(Path directory) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "src/generator/ContractGenerator.java",
                        directory.toString(),
                        directory.resolve("out").toString())
                .start();
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor() == 0).isEqualTo(errors.isEmpty());
        return errors;
    }
}
