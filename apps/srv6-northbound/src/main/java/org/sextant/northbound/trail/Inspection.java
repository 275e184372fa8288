// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether files are the trail as it was written. What a chain that began later tells of earlier lines was told then: only the newest
 * chain counts.
 */
final class Inspection {
    /** Who sees ten places knows. */
    private static final int MOST = 10;

    private final List<String> problems = new ArrayList<>();
    private Chain.@Nullable Link first;
    private Chain.@Nullable Link last;
    private long torn;
    private boolean passedHead;
    private long behindHead;

    private Inspection() {}

    /** @param head what it is to be held against; empty if there is none */
    static Inspection of(List<Path> files, Optional<Head> head) {
        Inspection inspection = new Inspection();
        for (Path file : files) {
            inspection.read(file, head, file.equals(files.get(files.size() - 1)));
        }
        head.ifPresent(inspection::compare);
        return inspection;
    }

    /** What is wrong, with file and line; empty if nothing is. */
    List<String> problems() {
        return problems;
    }

    Optional<Chain.Link> last() {
        return Optional.ofNullable(last);
    }

    /** The sequence number of the first line; 1 if there is none. */
    long first() {
        return first == null ? 1 : first.seq();
    }

    /** How many bytes of a line that was not finished stand at the end. */
    long torn() {
        return torn;
    }

    /** How many lines stand behind the one that the head names: the controller was killed between, or somebody else wrote them. */
    long behindHead() {
        return behindHead;
    }

    private void read(Path file, Optional<Head> head, boolean newest) {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            StringBuilder line = new StringBuilder();
            int number = 1;
            for (int read = lines.read(); read >= 0; read = lines.read()) {
                if (read == '\n') {
                    take(file, number++, utf8(line), head);
                    line.setLength(0);
                } else {
                    line.append((char) read);
                }
            }
            if (line.length() > 0) {
                unfinished(file, number, line.length(), newest);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String utf8(StringBuilder bytes) {
        return new String(bytes.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private void unfinished(Path file, int number, int length, boolean newest) {
        if (newest) {
            torn = length;
        } else {
            problem(file, number, "the line is not finished");
        }
    }

    private void take(Path file, int number, String line, Optional<Head> head) {
        Optional<Chain.Link> read = Chain.read(line);
        if (read.isEmpty()) {
            problem(file, number, "the line is not as it was written");
            last = null;
            return;
        }
        Chain.Link link = read.get();
        if (first == null) {
            first = link;
        }
        if (link.prev().equals(Chain.NOTHING)
                && head.isPresent()
                && link.seq() <= head.get().last()) {
            problems.clear(); // behind the head anybody may have written it
        } else if (last != null && (!link.prev().equals(last.hash()) || link.seq() != last.seq() + 1)) {
            problem(file, number, "line " + link.seq() + " does not follow line " + last.seq());
        }
        last = link;
        if (passedHead) {
            behindHead++;
        } else if (head.isPresent() && head.get().last() == link.seq()) {
            passedHead = head.get().hash().equals(link.hash());
        }
    }

    private void compare(Head head) {
        if (!passedHead) {
            problems.add("line " + head.last() + ", which was the last one, is missing"
                    + (last == null ? "" : "; the files end with line " + last.seq()));
        }
        if (first != null && first.seq() > head.first()) {
            problems.add("lines " + head.first() + " to " + (first.seq() - 1) + " are missing at the beginning");
        }
    }

    private void problem(Path file, int number, String what) {
        if (problems.size() < MOST) {
            problems.add(file.getFileName() + ", line " + number + ": " + what);
        }
    }
}
