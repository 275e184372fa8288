// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.sextant.karaf.host.crash.Disk.Crash;
import org.sextant.karaf.host.crash.Trace.Operation;

/**
 * Builds the states that a crash can leave of a folder from a recording of its writes, truncations, renames and syncs, and opens
 * each twice: it must have its content after one of its steps, none earlier than acknowledged, both times the same. Equal
 * states are opened once.
 */
final class CrashChecker {
    private static final Set<String> NO_PART_OF_IT = Set.of("acks", "sextant.lock");

    /** REFUSED: does not open; LOST: an acknowledged step is missing; HALF: no step's content; UNSTEADY: two openings differ. */
    enum Verdict {
        FINE,
        REFUSED,
        LOST,
        HALF,
        UNSTEADY
    }

    /** A durable thing. */
    interface Subject {
        /** Opens it as a start of the controller does, closes it, and returns its content. */
        Map<String, String> open(Path folder) throws Exception;

        /** Its content after the first {@code steps} steps; after 0, that of a first start. */
        Map<String, String> after(int steps);

        /** If a crash may come before the first acknowledgement: the thing is made anew then. */
        default boolean fromNothing() {
            return true;
        }

        /** If a second opening may find {@code second} where the first found {@code first}. */
        default boolean isSteady(Map<String, String> first, Map<String, String> second) {
            return first.equals(second);
        }

        /** @param acknowledged so many steps */
        default Verdict judge(Map<String, String> content, int acknowledged) {
            if (content.equals(after(acknowledged)) || content.equals(after(acknowledged + 1))) {
                return Verdict.FINE;
            }
            for (int step = 0; step < acknowledged; step++) {
                if (content.equals(after(step))) {
                    return Verdict.LOST;
                }
            }
            return Verdict.HALF;
        }
    }

    private final Path scratch;
    private final long seed;

    CrashChecker(Path scratch, long seed) {
        this.scratch = scratch;
        this.seed = seed;
    }

    /** The operations of a process that makes {@code steps} steps of a kind. */
    List<Operation> record(String kind, int steps) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(scratch.resolve("recorded"));
        return Trace.record(
                scratch,
                folder,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StepWriter.class.getName(),
                        folder.toString(),
                        kind,
                        Integer.toString(steps)));
    }

    /** As {@link #record}, of a process whose syncs of a kind, s or d, do nothing. */
    static List<Operation> without(char sync, List<Operation> trace) {
        Predicate<Operation> other = operation -> operation.kind() != sync;
        return trace.stream().filter(other).toList();
    }

    /** So many states of each kind of crash, by their verdicts. */
    Map<Verdict, Integer> verdicts(String kind, List<Operation> trace, int states, Subject subject) throws Exception {
        Map<Verdict, Integer> found = new EnumMap<>(Verdict.class);
        StringBuilder said = new StringBuilder("crash " + kind + ": seed " + seed);
        for (Crash crash : Crash.values()) {
            Map<Verdict, Integer> those = judge(trace, crash, states, subject);
            those.forEach((verdict, count) -> found.merge(verdict, count, Integer::sum));
            said.append(", ").append(crash).append(' ').append(those);
        }
        System.out.println(said.append(", each opened twice"));
        return found;
    }

    private Map<Verdict, Integer> judge(List<Operation> trace, Crash crash, int states, Subject subject)
            throws Exception {
        Random random = new Random(seed + crash.ordinal());
        Map<Verdict, Integer> found = new EnumMap<>(Verdict.class);
        Map<String, Verdict> known = new HashMap<>();
        int first = subject.fromNothing() ? 0 : indexOfFirstAck(trace);
        int[] points = random.ints(states, first, trace.size()).sorted().toArray();
        Disk disk = new Disk();
        int played = 0;
        for (int point : points) {
            while (played <= point) {
                disk.play(trace.get(played++));
            }
            Map<String, byte[]> left = new TreeMap<>(disk.after(crash, trace.get(point), random));
            left.keySet().removeIf(name -> NO_PART_OF_IT.contains(name) || name.startsWith("native/"));
            int acknowledged = acknowledged(disk);
            String state = acknowledged + " " + digest(left);
            Verdict verdict = known.get(state);
            if (verdict == null) {
                verdict = judge(left, acknowledged, subject);
                known.put(state, verdict);
            }
            found.merge(verdict, 1, Integer::sum);
        }
        return found;
    }

    private static int indexOfFirstAck(List<Operation> trace) {
        for (int i = 0; i < trace.size(); i++) {
            if (trace.get(i).kind() == 'w' && trace.get(i).name().equals("acks")) {
                return i;
            }
        }
        throw new IllegalStateException("the recorded process acknowledged nothing");
    }

    private static int acknowledged(Disk disk) {
        String acks = new String(disk.seen("acks"), StandardCharsets.US_ASCII).strip();
        return acks.isEmpty() ? 0 : Integer.parseInt(acks.substring(acks.lastIndexOf('\n') + 1));
    }

    private static String digest(Map<String, byte[]> files) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        files.forEach((name, bytes) -> {
            digest.update((name + "\0" + bytes.length + "\0").getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private Verdict judge(Map<String, byte[]> left, int acknowledged, Subject subject) throws IOException {
        Path state = Files.createDirectories(scratch.resolve("state"));
        try {
            Disk.write(left, state);
            List<Map<String, String>> read = new ArrayList<>();
            for (int time = 0; time < 2; time++) {
                try {
                    read.add(subject.open(state));
                } catch (Exception refused) {
                    return Verdict.REFUSED;
                }
            }
            return subject.isSteady(read.get(0), read.get(1))
                    ? subject.judge(read.get(0), acknowledged)
                    : Verdict.UNSTEADY;
        } finally {
            remove(state);
        }
    }

    static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
