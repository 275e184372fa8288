// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.sera.Rule;
import org.sextant.sera.imports.Importer.Format;

/**
 * The output of firewall programs with their rule sets; the first lines of each file name tool and release. The file
 * beside it, with the suffix {@code .import}, has the result: rules, and remarks with their lines.
 * {@code -Drulesets.update=true} rewrites it.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RulesetCorpusTest {
    private static final Path FOLDER = Path.of("src/test/resources/rulesets");
    private static final Interfaces BEHIND = Interfaces.parse("eth0=2001:db8:1::/64,198.51.100.0/24,"
            + "eth1=2001:db8:2::/64,10.0.2.0/24,docker0=172.17.0.0/16,fd00:dead:beef::/64,"
            + "br-7f3a=172.18.0.0/16,fd00:dead:cafe::/64");

    static Stream<String> files() throws IOException {
        try (Stream<Path> paths = Files.list(FOLDER)) {
            return paths
                    .map(path -> path.getFileName().toString())
                    .filter(name -> !name.endsWith(".import"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void each_line_is_imported_or_refused_with_a_sentence(String file) throws IOException {
        Format format = file.endsWith(".nft") ? Format.NFT : file.endsWith(".v6") ? Format.IP6TABLES : Format.IPTABLES;
        String chain = file.equals("firewalld.nft") ? "filter_FORWARD" : format == Format.NFT ? "forward" : "FORWARD";
        String text = Files.readString(FOLDER.resolve(file));
        ImportResult imported = Importer.read(format, text, chain, "fw", "l2", BEHIND);
        List<String> lines = text.lines().toList();
        assertThat(Stream.concat(imported.refused().stream(), imported.warnings().stream()))
                .allSatisfy(remark -> assertThat(lines.get(remark.line() - 1)).contains(remark.text()));
        String result = result(imported);
        Path expected = FOLDER.resolve(file + ".import");
        if (Boolean.getBoolean("rulesets.update")) {
            Files.writeString(expected, result);
        }
        assertThat(result).isEqualTo(Files.readString(expected));
    }

    private static String result(ImportResult imported) {
        List<String> texts = new ArrayList<>();
        texts.add("# SPDX-License-Identifier: Apache-2.0");
        List<Rule> rules = imported.firewall().rules();
        List<String> bodies = RuleTexts.of(imported);
        for (int i = 0; i < rules.size(); i++) {
            texts.add("rule " + rules.get(i).called(i) + ": "
                    + rules.get(i)
                            .family()
                            .map(family -> family.spelling() + " ")
                            .orElse("") + bodies.get(i));
        }
        texts.add("default: " + imported.firewall().otherwise().spelling());
        texts.addAll(remarks("refused", imported.refused()));
        texts.addAll(remarks("warning", imported.warnings()));
        return texts.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    private static List<String> remarks(String kind, List<ImportResult.Remark> remarks) {
        return remarks.stream()
                .sorted(Comparator.comparingInt(ImportResult.Remark::line))
                .map(remark -> kind + " " + remark.line() + ": " + remark.why() + " (" + remark.text() + ")")
                .toList();
    }
}
