// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.itest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The table of docs/onos.md names the applications of this build, and which of them each one requires. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DocumentedApplicationsTest {
    private static final Path PAGE = Path.of("..", "..", "..", "docs", "onos.md");
    private static final String OURS = "org.sextant.";
    private static final Pattern NAME = Pattern.compile("`(org\\.sextant\\.[a-z0-9-]+)`");

    @Test
    void the_table_has_the_applications_of_the_build() throws IOException {
        SortedMap<String, List<String>> built = new TreeMap<>();
        Oar.all()
                .forEach(oar -> built.put(
                        oar.name(),
                        oar.requiredApps().stream()
                                .filter(name -> name.startsWith(OURS))
                                .sorted()
                                .toList()));
        assertThat(documented()).isEqualTo(built);
    }

    private static SortedMap<String, List<String>> documented() throws IOException {
        SortedMap<String, List<String>> rows = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            String[] cells = line.split("\\|");
            if (cells.length == 4 && cells[1].strip().startsWith("`" + OURS)) {
                rows.put(names(cells[1]).get(0), names(cells[3]));
            }
        }
        return rows;
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell)
                .results()
                .map(found -> found.group(1))
                .sorted()
                .toList();
    }
}
