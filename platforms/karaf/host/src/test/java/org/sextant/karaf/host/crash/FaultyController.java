// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sextant.core.port.Store.Write;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.northbound.audit.AuditLogUnavailableException;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.Outcome;

/**
 * A process that makes the same changes again and again, each time with another call to the disk failing, and compares
 * the files with the acknowledged changes. The files are copied as a kill -9 leaves them, and a controller starts on
 * the copy, twice.
 */
final class FaultyController {
    private static final int CHANGES = 6;
    private static final int ROOM_AFTER = 3;
    private static final int MOST_CALLS = 1 << 12;
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long AGAIN_NANOS = 50_000_000;

    private final Path folder;
    private final DiskFault fault;
    private final Map<String, Boolean> stored = new TreeMap<>();
    private final Set<String> users = new TreeSet<>();
    private final Set<String> tokens = new TreeSet<>();
    private final Set<String> revoked = new TreeSet<>();
    private final Map<String, Boolean> refused = new HashMap<>();

    /** Entries whose write was refused, and whether the store said then that they are there. */
    private final Map<String, Boolean> told = new TreeMap<>();

    private final TreeSet<String> wrong = new TreeSet<>();

    /** A user whose file was not written is acknowledged all the same: the check has to find that. */
    private final boolean planted;

    private FaultyController(Path folder, DiskFault fault, boolean planted) {
        this.folder = folder;
        this.fault = fault;
        this.planted = planted;
    }

    /** @param args a folder, how many calls of each kind of fault at most, a seed, and if a wrong acknowledgement is planted */
    public static void main(String[] args) throws Exception {
        int most = Integer.parseInt(args[1]);
        Random random = new Random(Long.parseLong(args[2]));
        boolean planted = Boolean.parseBoolean(args[3]);
        int calls = calls(Path.of(args[0]));
        int cases = 0;
        int bad = 0;
        for (int error : new int[] {DiskFault.EIO, DiskFault.ENOSPC}) {
            for (boolean once : new boolean[] {true, false}) {
                for (int call : chosen(calls, most, random)) {
                    Set<String> wrong = new FaultyController(
                                    Path.of(args[0], "case" + cases++), new DiskFault(call, error, once), planted)
                            .run();
                    bad += wrong.isEmpty() ? 0 : 1;
                    wrong.forEach(System.out::println);
                }
            }
        }
        System.out.println("faults: seed " + args[2] + ", " + calls + " calls, " + cases + " faults, " + bad + " bad");
        System.exit(bad == 0 ? 0 : 1);
    }

    private static int[] chosen(int calls, int most, Random random) {
        return calls <= most
                ? IntStream.rangeClosed(1, calls).toArray()
                : random.ints(1, calls + 1).distinct().limit(most).sorted().toArray();
    }

    /** How many calls a run makes in which none fails. */
    private static int calls(Path folder) throws IOException {
        int low = 0;
        int high = MOST_CALLS;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (new FaultyController(folder.resolve("count"), new DiskFault(middle, DiskFault.EIO, true), false)
                    .work()) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private Set<String> run() throws IOException {
        work();
        for (int time = 1; time <= 2; time++) {
            restart(killed(), time);
        }
        CrashChecker.remove(killed());
        return wrong;
    }

    private void wrong(String what) {
        wrong.add("BAD " + fault + ": " + what);
    }

    /** The files as they are while the controller has them open. */
    private Path killed() {
        return folder.resolveSibling(folder.getFileName() + "-killed");
    }

    /**
     * Makes the changes, and leaves {@link #killed}.
     *
     * @return if a call failed
     */
    private boolean work() throws IOException {
        Files.createDirectories(folder);
        CrashChecker.remove(Files.createDirectories(killed()));
        boolean made;
        fault.begin();
        try (SmallController controller = new SmallController(folder)) {
            for (int change = 1; change <= CHANGES; change++) {
                if (change == ROOM_AFTER && fault.error() == DiskFault.ENOSPC && !fault.once()) {
                    makeRoom(controller);
                }
                change(controller, change);
            }
            made = DiskFault.isMade();
            DiskFault.end();
            copy();
        } catch (UncheckedIOException refusedStart) { // it acknowledges nothing
            made = DiskFault.isMade();
            DiskFault.end();
            copy();
        }
        CrashChecker.remove(folder);
        return made;
    }

    private void copy() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted().toList()) {
                Files.copy(path, killed().resolve(folder.relativize(path).toString()));
            }
        }
    }

    /** The disk was full: reading works. Now there is room: removing works, and the audit log goes on. */
    private void makeRoom(SmallController controller) {
        for (Map.Entry<String, Boolean> entry : stored.entrySet()) {
            if (entry.getValue()
                    && controller.store().get("left", entry.getKey()).isEmpty()) {
                wrong(entry.getKey() + " is not read on a full disk");
            }
        }
        DiskFault.end();
        for (String key : List.copyOf(stored.keySet())) {
            if (!soon(() -> controller.store().commit(List.of(Write.clear("left", key), Write.clear("right", key))))) {
                wrong(key + " cannot be removed though there is room");
            }
            stored.put(key, false);
        }
        if (!soon(() -> controller.trail().begin(AuditSubject.deed(CHANGES + 1)))) {
            wrong("the audit log takes nothing though there is room");
        }
    }

    private static boolean soon(Runnable change) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < end) {
            try {
                change.run();
                return true;
            } catch (StoreUnavailableException | AuditLogUnavailableException e) {
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }
        return false;
    }

    private void change(SmallController controller, int change) {
        AuditRecord deed = AuditSubject.deed(change);
        try {
            controller.trail().begin(deed);
        } catch (AuditLogUnavailableException e) {
            return;
        }
        Outcome outcome = store(controller, "k" + change) ? Outcome.DONE : Outcome.FAILED;
        controller.trail().end(deed, outcome, outcome == Outcome.DONE ? 201 : 503);
        try {
            controller.putUser("u" + change);
            users.add("u" + change);
        } catch (IOException | UncheckedIOException e) {
            if (planted) {
                users.add("u" + change);
            } else {
                refused.put("u" + change, controller.users().contains("u" + change));
            }
        }
        token(controller);
    }

    private boolean store(SmallController controller, String key) {
        try {
            controller.store().commit(List.of(Write.put("left", key, "1"), Write.put("right", key, "1")));
            stored.put(key, true);
            Optional<String> read = controller.store().get("left", key);
            if (read.isEmpty()) {
                wrong(key + " was acknowledged and is not there");
            }
            return true;
        } catch (StoreUnavailableException e) {
            tell(controller, key);
            return false;
        }
    }

    private void tell(SmallController controller, String key) {
        try {
            told.put(key, controller.store().get("left", key).isPresent());
        } catch (StoreUnavailableException unknown) {
            return; // then it may be there or not
        }
    }

    /** Makes one, and revokes the one before. */
    private void token(SmallController controller) {
        Optional<String> before = tokens.stream().findFirst();
        try {
            tokens.add(controller.makeToken());
        } catch (StoreUnavailableException e) {
            return;
        }
        if (before.isPresent()) {
            tokens.remove(before.get()); // if that is refused, it may be there or not
            try {
                controller.revokeToken(before.get());
                revoked.add(before.get());
            } catch (StoreUnavailableException e) {
                return;
            }
        }
    }

    private void restart(Path copy, int time) {
        try (SmallController controller = new SmallController(copy)) {
            Set<String> left = controller.store().all("left").keySet();
            if (!left.equals(controller.store().all("right").keySet())) {
                wrong("half a step is stored");
            }
            stored.forEach((key, there) -> {
                if (left.contains(key) != there) {
                    wrong(key + (there ? " was acknowledged and is lost" : " was removed and is back"));
                }
            });
            told.forEach((key, there) -> {
                if (left.contains(key) != there) {
                    wrong(key + " is not what the store said of it after the refusal");
                }
            });
            for (String user : users) {
                if (!controller.users().contains(user)) {
                    wrong("user " + user + " was acknowledged and is lost");
                }
            }
            refused.forEach((user, there) -> {
                if (controller.users().contains(user) != there) {
                    wrong("user " + user + " is not what was said of it after the refusal");
                }
            });
            tokens(controller.tokens());
            audit(controller);
        } catch (UncheckedIOException | AuditLogUnavailableException e) {
            wrong("start " + time + " is refused: " + e.getMessage());
        }
    }

    private void tokens(Set<String> there) {
        for (String token : tokens) {
            if (!there.contains(token)) {
                wrong("token " + token + " was acknowledged and is lost");
            }
        }
        for (String token : revoked) {
            if (there.contains(token)) {
                wrong("token " + token + " was revoked and is back");
            }
        }
    }

    /** Each change that was acknowledged has a line, and no second chain reports a cut. */
    private void audit(SmallController controller) {
        String lines = controller.lines();
        if (lines.contains("was the last one")
                || lines.contains("does not follow")
                || lines.contains("not as it was")) {
            wrong("the audit log reports a cut or an edit: " + lines);
        }
        stored.forEach((key, there) -> {
            if (!lines.contains(String.format("policies/p%06d", Integer.parseInt(key.substring(1))))) {
                wrong(key + " was stored and has no line");
            }
        });
    }
}
