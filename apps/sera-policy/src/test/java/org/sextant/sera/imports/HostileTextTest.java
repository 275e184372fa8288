// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.Ipv6;
import org.sextant.sera.imports.Importer.Format;

/** Texts in other encodings, of other releases, and larger than any firewall: each line is imported or refused. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HostileTextTest {
    private static final String SAVED = "*filter\n:FORWARD DROP [0:0]\n-A FORWARD -i eth7 -j ACCEPT\n"
            + "-A FORWARD -p tcp -m comment --comment \"Büro\" -j ACCEPT\nCOMMIT\n";

    private static ImportResult six(String text) {
        return Importer.read(Format.IP6TABLES, text, "FORWARD", "fw", "l2");
    }

    private static List<Integer> refused(ImportResult imported) {
        return imported.refused().stream().map(ImportResult.Remark::line).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "ISO-8859-1"})
    void the_encoding_of_a_text_does_not_matter(String encoding) throws Exception {
        ImportResult imported = six(TextEncoding.decode(SAVED.getBytes(encoding)));
        assertThat(refused(imported)).containsExactly(3);
        assertThat(RuleTexts.of(imported)).containsExactly("protocol tcp action accept");
        assertThat(TextEncoding.decode("\ufeff*filter".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("*filter");
        assertThatThrownBy(() -> TextEncoding.decode(new byte[] {1, 0, 0, 3}))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("no text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void lines_end_as_they_do_elsewhere(String end) {
        assertThat(refused(six(SAVED.replace("\n", end)))).containsExactly(3);
        ImportResult nft = Importer.read(
                Format.NFT,
                "table inet x {\nchain forward {\ntype filter hook forward priority 0; policy drop;\nmark 1 drop\naccept\n}\n}\n"
                        .replace("\n", end),
                "forward",
                "fw",
                "l2");
        assertThat(refused(nft)).containsExactly(4);
        assertThat(RuleTexts.of(nft)).containsExactly("action accept");
    }

    @Test
    void a_set_of_a_million_members_is_refused_and_one_that_just_fits_the_text_has_its_rule_refused() {
        String million = "create all hash:ip family inet6\n" + "add all 2001:db8::1\n".repeat(1_000_000) + SAVED;
        assertThatThrownBy(() -> six(million))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("more than 1048576 bytes");
        String many = IntStream.range(0, 30_000)
                .mapToObj(i -> "add all " + new Ipv6(0x2001_0db8_0000_0000L, 2L * i))
                .collect(Collectors.joining(
                        "\n", "create all hash:ip family inet6\n", "\n*filter\n:FORWARD DROP [0:0]\n"));
        ImportResult imported =
                six(many + "-A FORWARD -m set --match-set all src -j DROP\n-A FORWARD -p tcp -j ACCEPT\nCOMMIT\n");
        assertThat(imported.refused()).singleElement().satisfies(remark -> {
            assertThat(remark.line()).isEqualTo(30_004);
            assertThat(remark.why()).contains("set all: its addresses are more than 4096 prefixes");
        });
        assertThat(RuleTexts.of(imported)).containsExactly("protocol tcp action accept");
    }

    @Test
    void a_chain_that_jumps_to_itself_is_refused_by_its_line() {
        ImportResult imported =
                six("*filter\n:FORWARD DROP [0:0]\n:web - [0:0]\n-A FORWARD -j web\n-A web -s 2001:db8::1 -j web\n"
                        + "-A web -j web\n-A web -p tcp -j ACCEPT\nCOMMIT\n");
        assertThat(imported.refused())
                .extracting(ImportResult.Remark::why)
                .allMatch(why -> why.contains("leads back to this line"));
        assertThat(refused(imported)).containsOnly(5, 6);
        assertThat(RuleTexts.of(imported)).containsExactly("protocol tcp action accept");
    }

    @Test
    void an_nft_file_of_a_newer_syntax_loses_the_new_lines_only() {
        ImportResult imported = Importer.read(Format.NFT, """
                table inet x {
                	owner-of "somebody" {
                		flags a, b; size { 1 }
                	}
                	chain forward {
                		type filter hook forward priority filter; policy drop;
                		ip6 saddr 2001:db8::1 teleport to { a : b } accept
                		tcp option mptcp subtype 1 accept
                		ip6 dscp and 0x3 == 1 accept
                		inner vxlan ip6 saddr 2001:db8::1 drop
                		tcp dport 80 accept
                		udp dport 53 jump { ip6 saddr 2001:db8::2 accept }
                	}
                }
                destroy table inet y
                """, "forward", "fw", "l2");
        assertThat(refused(imported)).containsExactly(2, 7, 8, 9, 10, 12, 15);
        assertThat(RuleTexts.of(imported)).containsExactly("protocol tcp destinationPorts 80 action accept");
    }

    @Test
    void two_negated_addresses_are_exceptions_in_front_of_the_rule() {
        ImportResult imported = six(
                "*filter\n:FORWARD ACCEPT [0:0]\n:web - [0:0]\n-A FORWARD -p tcp -j web\n-A FORWARD -p udp -j DROP\n"
                        + "-A web ! -s 2001:db8::1 ! -d 2001:db8::2 -j DROP\n-A web -p tcp --dport 80 -j ACCEPT\n-A web -j DROP\nCOMMIT\n");
        assertThat(imported.refused()).isEmpty();
        assertThat(RuleTexts.of(imported))
                .containsExactly(
                        "source [2001:db8::1/128] protocol tcp destinationPorts 80 action accept",
                        "source [2001:db8::1/128] protocol tcp action drop",
                        "destination [2001:db8::2/128] protocol tcp destinationPorts 80 action accept",
                        "destination [2001:db8::2/128] protocol tcp action drop",
                        "protocol tcp action drop",
                        "protocol udp action drop");
    }

    /** Each refused line causes the refusal of others, more often than the import has passes. */
    @Test
    void a_text_whose_lines_are_refused_again_and_again_is_refused_line_by_line() {
        StringBuilder text = new StringBuilder("*filter\n:FORWARD DROP [0:0]\n");
        for (int i = 0; i < 12; i++) {
            text.append("-A FORWARD ! -s 2001:db8::").append(i).append("/128 ! -p udp -j RETURN\n");
            text.append("-A FORWARD -s 2001:db8::")
                    .append(i)
                    .append("/128 -p tcp -m tcp ! --tcp-flags SYN SYN -j DROP\n");
        }
        ImportResult imported = six(text + "COMMIT\n");
        assertThat(imported.refused())
                .allSatisfy(remark -> assertThat(remark.line()).isPositive());
        assertThat(RuleTexts.of(imported)).hasSizeLessThan(4096);
    }

    @Test
    void lines_that_return_within_each_other_without_end_are_refused() {
        StringBuilder text = new StringBuilder("*filter\n:FORWARD DROP [0:0]\n");
        for (int i = 0; i < 3000; i++) {
            text.append("-A FORWARD -p tcp -j web").append(i).append('\n');
            text.append("-A web")
                    .append(i)
                    .append(" -p tcp -m tcp --sport ")
                    .append(i)
                    .append(": -j RETURN\n");
        }
        ImportResult imported = six(text + "COMMIT\n");
        assertThat(imported.refused())
                .isNotEmpty()
                .allSatisfy(remark -> assertThat(remark.line()).isPositive());
        String loop = IntStream.range(0, 3000)
                .mapToObj(i -> "-A c" + i + " -j c" + (i + 1) % 3000)
                .collect(Collectors.joining("\n", "*filter\n:FORWARD DROP [0:0]\n-A FORWARD -j c0\n", "\nCOMMIT\n"));
        assertThat(refused(six(loop))).as("and the line that leads to them").hasSize(3001);
    }
}
