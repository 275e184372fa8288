// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
 * Compares files with the trail that was written. A chain that began anew reported the faults before it, and fixed the lines that it
 * found: behind it these count, and the faults no more.
 *
 * <p>The head names a line that was durable before the head was. So a fault before that line is a cut or an edit, and no crash leaves it;
 * from the first fault behind it on, the newest file is the torn end that a crash leaves, of which nothing was acknowledged.
 */
final class Inspection {
    /** Ten places are enough to look for the rest. */
    private static final int MOST = 10;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Optional<Head> head;
    private final List<String> problems = new ArrayList<>();
    private final List<ChainEnd> ends = new ArrayList<>();
    private Chain.@Nullable Link first;
    private Chain.@Nullable Link last;
    /** The line before, whatever was wrong between: {@link #ends} are made of these. */
    private Chain.@Nullable Link before;

    private long wholeBytes;
    private long tornBytes;
    private boolean torn;
    private boolean passedHead;
    private long behindHead;

    private Inspection(Optional<Head> head) {
        this.head = head;
        this.passedHead = head.isPresent() && head.get().last() == 0;
    }

    /** @param head the head to compare the files with; empty if there is none */
    static Inspection of(List<Path> files, Optional<Head> head) {
        Inspection inspection = new Inspection(head);
        for (Path file : files) {
            inspection.read(file, file.equals(files.get(files.size() - 1)));
        }
        head.ifPresent(inspection::compare);
        return inspection;
    }

    /** The faults, with file and line; empty if there are none. */
    List<String> problems() {
        return problems;
    }

    Optional<Chain.Link> last() {
        return Optional.ofNullable(last);
    }

    /** Where the lines of the newest file end, in bytes. */
    long wholeBytes() {
        return wholeBytes;
    }

    /** How many bytes of lines that were not finished, or do not follow, stand behind those. */
    long tornBytes() {
        return tornBytes;
    }

    /** How many lines stand behind the one that the head names: a crash was between, or another program wrote them. */
    long behindHead() {
        return behindHead;
    }

    /** The ends of all stretches, in their order. */
    List<ChainEnd> ends() {
        List<ChainEnd> all = new ArrayList<>(ends);
        if (before != null) {
            all.add(new ChainEnd(before.seq(), before.hash()));
        }
        return all;
    }

    private void read(Path file, boolean newest) {
        wholeBytes = 0;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            StringBuilder line = new StringBuilder();
            int number = 1;
            for (int read = lines.read(); read >= 0; read = lines.read()) {
                if (read == '\n') {
                    take(file, number++, line, newest);
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
        stretch(null);
        if (newest) {
            tornBytes += length;
        } else {
            problem(file, number, "the line is not finished");
        }
    }

    private void take(Path file, int number, StringBuilder bytes, boolean newest) {
        String text = utf8(bytes);
        Chain.@Nullable Link link = Chain.read(text).orElse(null);
        torn |= newest && passedHead && (link == null || !follows(last, link));
        if (torn) {
            tornBytes += bytes.length() + 1;
        } else {
            wholeBytes += bytes.length() + 1;
            if (link == null) {
                problem(file, number, "the line is not as it was written");
                last = null;
            } else {
                take(file, number, text, link);
            }
        }
        stretch(link);
    }

    private void take(Path file, int number, String text, Chain.Link link) {
        if (first == null) {
            first = link;
        }
        if (beginsChain(link) && head.isPresent() && link.seq() <= head.get().last()) {
            problems.clear(); // behind the head any program may have written it
            compareEnds(file, number, text);
        } else if (last != null && !follows(last, link)) {
            problem(file, number, "line " + link.seq() + " does not follow line " + last.seq() + why(last, link));
        }
        last = link;
        if (passedHead) {
            behindHead++;
        } else if (head.isPresent() && head.get().last() == link.seq()) {
            passedHead = head.get().hash().equals(link.hash());
        }
    }

    private static boolean beginsChain(Chain.Link link) {
        return link.prev().equals(Chain.NOTHING);
    }

    private static boolean follows(Chain.@Nullable Link before, Chain.Link link) {
        return before == null ? beginsChain(link) : link.prev().equals(before.hash()) && link.seq() == before.seq() + 1;
    }

    private static String why(Chain.Link before, Chain.Link link) {
        long missing = link.seq() - before.seq() - 1;
        if (missing <= 0) {
            return ": one of them was changed";
        }
        return missing == 1
                ? ": line " + (before.seq() + 1) + " is missing"
                : ": lines " + (before.seq() + 1) + " to " + (link.seq() - 1) + " are missing";
    }

    private void stretch(Chain.@Nullable Link link) {
        if (before != null && (link == null || !follows(before, link))) {
            ends.add(new ChainEnd(before.seq(), before.hash()));
        }
        before = link;
    }

    /** The lines before a chain are those that it found. */
    private void compareEnds(Path file, int number, String text) {
        JsonNode bound = json(text).path("bound");
        if (!bound.isArray() || first == null) {
            return; // the first chain, or one of a release that bound nothing
        }
        long oldest = first.seq();
        List<ChainEnd> then =
                ChainEnd.read(bound).stream().filter(end -> end.seq() >= oldest).toList();
        List<ChainEnd> now = ends().stream().filter(end -> end.seq() >= oldest).toList();
        if (bound.size() == ChainEnd.MOST) {
            now = now.subList(Math.max(0, now.size() - then.size()), now.size());
        }
        if (!then.equals(now)) {
            problem(file, number, "the lines before this chain are not those that it found" + difference(then, now));
        }
    }

    private static String difference(List<ChainEnd> then, List<ChainEnd> now) {
        return then.stream()
                .filter(end -> !now.contains(end))
                .findFirst()
                .or(() -> now.stream().filter(end -> !then.contains(end)).findFirst())
                .map(end -> ": look at line " + end.seq() + " and those before it")
                .orElse("");
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return MAPPER.missingNode();
        }
    }

    private void compare(Head named) {
        if (!passedHead) {
            problems.add("line " + named.last() + ", which was the last one, is missing"
                    + (last == null ? "" : "; the files end with line " + last.seq()));
        }
        if (first != null && first.seq() > named.first()) {
            problems.add("lines " + named.first() + " to " + (first.seq() - 1) + " are missing at the beginning");
        }
    }

    private void problem(Path file, int number, String what) {
        if (problems.size() < MOST) {
            problems.add(file.getFileName() + ", line " + number + ": " + what);
        }
    }
}
