// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.sextant.core.durable.DurableFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the trail, to which lines are added. {@link #sync} makes lines durable and then writes the {@link Head} that names the
 * last of them; threads that sync at the same time share that. So the head never names a line that a crash can take away, and a
 * crash leaves lines too many and never one too few.
 *
 * <p>Changes of the files while none was open are found when they are opened: then a new chain begins, whose first line
 * says why, and fixes the lines that it found. These stay as they are.
 */
final class AuditLogWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLogWriter.class);

    private final AuditLogSettings settings;
    private final Supplier<String> clock;
    private final List<Path> files;
    private final HeadFile head;
    private final Object disk = new Object();
    private LineFile file;
    private long seq;
    private String hash;
    private Head durable;

    private AuditLogWriter(
            AuditLogSettings settings,
            Supplier<String> clock,
            HeadFile head,
            List<Path> files,
            Head end,
            long fileBytes)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.head = head;
        this.files = files;
        this.seq = end.last();
        this.hash = end.hash();
        this.durable = end;
        this.file = new LineFile(files.get(files.size() - 1), fileBytes);
    }

    /**
     * Opens the trail, looks it through, and adds how it begins or goes on.
     *
     * @param clock the time of a line
     * @throws IOException if the folder cannot be read and written
     */
    static AuditLogWriter open(AuditLogSettings settings, Supplier<String> clock) throws IOException {
        DurableFile.createFolders(settings.folder());
        byte[] key = AuditLogFiles.key(settings.key());
        List<Path> files = AuditLogFiles.in(settings.folder());
        Path headFile = AuditLogFiles.head(settings.folder());
        if (files.isEmpty() && Files.notExists(headFile)) {
            return begin(settings, clock, HeadFile.make(headFile, key), files, 0, Optional.empty());
        }
        List<String> problems = new ArrayList<>();
        Optional<Head> head = head(headFile, key, problems);
        Inspection found = Inspection.of(files, head);
        problems.addAll(found.problems());
        if (problems.isEmpty()) {
            HeadFile opened = HeadFile.open(headFile, key, head.orElseThrow());
            return found.last().isPresent()
                    ? goOn(settings, clock, opened, files, found)
                    : begin(settings, clock, opened, files, 0, Optional.empty());
        }
        long last = Math.max(
                head.map(Head::last).orElse(0L),
                Math.max(
                        found.last().map(Chain.Link::seq).orElse(0L),
                        files.stream().mapToLong(AuditLogFiles::first).max().orElse(0)));
        Optional<Fault> fault = Optional.of(new Fault(problems, found.ends()));
        return begin(settings, clock, HeadFile.replacing(headFile, key), files, last, fault);
    }

    /** Why a chain begins anew, and the ends of the stretches that were found. */
    private record Fault(List<String> problems, List<ChainEnd> ends) {}

    private static Optional<Head> head(Path file, byte[] key, List<String> problems) throws IOException {
        try {
            return Optional.of(Head.parse(Files.readString(file), key));
        } catch (NoSuchFileException e) {
            problems.add(file.getFileName() + ", which says where the trail ends, is missing");
        } catch (IllegalArgumentException e) {
            problems.add(file.getFileName() + ", which says where the trail ends, is not as it was written: "
                    + e.getMessage());
        }
        return Optional.empty();
    }

    /** A new chain in a new file. */
    private static AuditLogWriter begin(
            AuditLogSettings settings,
            Supplier<String> clock,
            HeadFile head,
            List<Path> files,
            long last,
            Optional<Fault> fault)
            throws IOException {
        Path first = AuditLogFiles.beginningWith(settings.folder(), last + 1);
        DurableFile.create(first, DurableFile.OWNER_ONLY);
        if (!files.contains(first)) {
            files.add(first);
        }
        Head end = new Head(AuditLogFiles.first(files.get(0)), last, Chain.NOTHING);
        AuditLogWriter ledger = new AuditLogWriter(settings, clock, head, files, end, 0);
        ObjectNode line = JsonNodeFactory.instance.objectNode().put("event", "chain");
        if (fault.isEmpty()) {
            line.putArray("because").add("the first start");
        } else {
            List<String> problems = fault.get().problems();
            problems.forEach(line.putArray("because")::add);
            ChainEnd.write(fault.get().ends(), line.putArray("bound"));
            LOG.error(
                    "the audit trail in {} was cut or edited; a new chain begins with line {}: {}",
                    settings.folder(),
                    last + 1,
                    String.join("; ", problems));
        }
        ledger.addOrClose(line);
        return ledger;
    }

    private static AuditLogWriter goOn(
            AuditLogSettings settings, Supplier<String> clock, HeadFile head, List<Path> files, Inspection found)
            throws IOException {
        Chain.Link last = found.last().orElseThrow();
        Head end = new Head(AuditLogFiles.first(files.get(0)), last.seq(), last.hash());
        // Nothing of the torn end was acknowledged: it is cut off.
        AuditLogWriter ledger = new AuditLogWriter(settings, clock, head, files, end, found.wholeBytes());
        ObjectNode line = JsonNodeFactory.instance.objectNode().put("event", "start");
        if (found.tornBytes() > 0) {
            line.put("unfinishedBytes", found.tornBytes());
        }
        if (found.behindHead() > 0) {
            line.put("behindHead", found.behindHead());
        }
        ledger.addOrClose(line);
        return ledger;
    }

    private void addOrClose(ObjectNode line) throws IOException {
        try {
            acknowledge(add(line));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Adds a line, which survives the process from then on.
     *
     * @return its sequence number
     * @throws IOException if the disk does not take it; then the files are as they were
     */
    synchronized long add(ObjectNode what) throws IOException {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("seq", seq + 1).put("prev", hash).put("time", clock.get()).setAll(what);
        String text = Chain.seal(line);
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        if (file.size() > 0 && file.size() + bytes.length > settings.maxBytes()) {
            rotate();
        }
        file.append(bytes);
        seq++;
        hash = text.substring(text.length() - 66, text.length() - 2);
        return seq;
    }

    /**
     * Another file follows. The head is durable first: a crash may then take the oldest files away or leave them, and neither looks
     * like a cut.
     */
    private void rotate() throws IOException {
        Path next = AuditLogFiles.beginningWith(settings.folder(), seq + 1);
        file.sync();
        List<Path> stay = new ArrayList<>(files);
        stay.add(next);
        List<Path> go = new ArrayList<>(stay.subList(0, Math.max(0, stay.size() - settings.maxFiles())));
        stay.removeAll(go);
        head.write(new Head(AuditLogFiles.first(stay.get(0)), seq, hash));
        head.sync();
        DurableFile.create(next, DurableFile.OWNER_ONLY);
        LineFile opened = new LineFile(next, 0);
        file.close();
        file = opened;
        files.clear();
        files.addAll(stay);
        for (Path old : go) {
            Files.deleteIfExists(old);
        }
    }

    /** Returns when the line, and all before it, survive a power cut. */
    void sync(long line) throws IOException {
        synchronized (disk) {
            syncLines(line);
        }
    }

    /** As {@link #sync}, and the head that names the line survives, too: from then on a cut of it is seen. */
    void acknowledge(long line) throws IOException {
        synchronized (disk) {
            syncLines(line);
            head.sync();
        }
    }

    private void syncLines(long line) throws IOException {
        if (durable.last() >= line) {
            return;
        }
        LineFile current;
        Head now;
        synchronized (this) {
            current = file;
            now = new Head(AuditLogFiles.first(files.get(0)), seq, hash);
        }
        current.sync();
        head.write(now);
        durable = now;
    }

    /** The last line that is durable, under the trail's key. */
    ObjectNode anchor(String time) {
        synchronized (disk) {
            return head.anchor(new Anchor(time, durable.last(), durable.hash()));
        }
    }

    /** Oldest first. */
    synchronized List<Path> files() {
        return List.copyOf(files);
    }

    @Override
    public void close() throws IOException {
        try {
            acknowledge(seqNow());
        } finally {
            synchronized (this) {
                file.close();
                head.close();
            }
        }
    }

    private synchronized long seqNow() {
        return seq;
    }
}
