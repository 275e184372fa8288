// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the trail, to which lines are added. Adding a line writes it and then the {@link Head}, so a kill in between leaves
 * a line too many and never one too few. {@link #sync} waits until lines survive a power loss; who waits at the same time shares that.
 *
 * <p>What was done to the files while none was open is found when they are opened: then a new chain begins, whose first line says
 * why. The old lines stay as they are. Plain files and no channels, which an interrupted thread would close.
 */
final class Ledger implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

    private final TrailSettings settings;
    private final Supplier<String> clock;
    private final byte[] key;
    private final List<Path> files;
    private final RandomAccessFile head;
    private final Object disk = new Object();
    private RandomAccessFile file;
    private long size;
    private long seq;
    private String hash;
    private long synced;

    private Ledger(TrailSettings settings, Supplier<String> clock, byte[] key, List<Path> files, long seq, String hash)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.key = key;
        this.files = files;
        this.seq = seq;
        this.hash = hash;
        this.head = new RandomAccessFile(TrailFiles.head(settings.folder()).toFile(), "rw");
        this.file = open(files.get(files.size() - 1));
        this.size = file.length();
    }

    /**
     * Opens the trail, looks it through, and adds how it begins or goes on.
     *
     * @param clock the time of a line
     * @throws IOException if the folder cannot be read and written
     */
    static Ledger open(TrailSettings settings, Supplier<String> clock) throws IOException {
        Files.createDirectories(settings.folder());
        byte[] key = TrailFiles.key(settings.key());
        List<Path> files = TrailFiles.in(settings.folder());
        Path headFile = TrailFiles.head(settings.folder());
        if (files.isEmpty() && Files.notExists(headFile)) {
            TrailFiles.make(headFile);
            return begin(settings, clock, key, files, 0, List.of());
        }
        List<String> problems = new ArrayList<>();
        Optional<Head> head = head(headFile, key, problems);
        Inspection found = Inspection.of(files, head);
        problems.addAll(found.problems());
        if (problems.isEmpty() && found.last().isPresent()) {
            return goOn(settings, clock, key, files, found);
        }
        long last = Math.max(
                head.map(Head::last).orElse(0L),
                Math.max(
                        found.last().map(Chain.Link::seq).orElse(0L),
                        files.stream().mapToLong(TrailFiles::first).max().orElse(0)));
        return begin(settings, clock, key, files, last, problems);
    }

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
    private static Ledger begin(
            TrailSettings settings,
            Supplier<String> clock,
            byte[] key,
            List<Path> files,
            long last,
            List<String> problems)
            throws IOException {
        Path first = TrailFiles.beginningWith(settings.folder(), last + 1);
        if (Files.notExists(first)) {
            TrailFiles.make(first);
            files.add(first);
        }
        Ledger ledger = new Ledger(settings, clock, key, files, last, Chain.NOTHING);
        ObjectNode line = JsonNodeFactory.instance.objectNode().put("event", "chain");
        if (problems.isEmpty()) {
            line.putArray("because").add("the first start");
        } else {
            problems.forEach(line.putArray("because")::add);
            LOG.error(
                    "the audit trail in {} was cut or edited; a new chain begins with line {}: {}",
                    settings.folder(),
                    last + 1,
                    String.join("; ", problems));
        }
        ledger.addOrClose(line);
        return ledger;
    }

    private static Ledger goOn(
            TrailSettings settings, Supplier<String> clock, byte[] key, List<Path> files, Inspection found)
            throws IOException {
        Chain.Link last = found.last().orElseThrow();
        Ledger ledger = new Ledger(settings, clock, key, files, last.seq(), last.hash());
        ObjectNode line = JsonNodeFactory.instance.objectNode().put("event", "start");
        if (found.torn() > 0) {
            // Its end never came: nobody was told that what it says is done.
            ledger.size -= found.torn();
            ledger.file.setLength(ledger.size);
            line.put("unfinishedBytes", found.torn());
        }
        if (found.behindHead() > 0) {
            line.put("behindHead", found.behindHead());
        }
        ledger.addOrClose(line);
        return ledger;
    }

    private void addOrClose(ObjectNode line) throws IOException {
        try {
            sync(add(line));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static RandomAccessFile open(Path file) throws IOException {
        return new RandomAccessFile(file.toFile(), "rw");
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
        if (size > 0 && size + bytes.length > settings.maxBytes()) {
            rotate();
        }
        append(bytes);
        seq++;
        hash = text.substring(text.length() - 66, text.length() - 2);
        head.seek(0);
        head.write(new Head(TrailFiles.first(files.get(0)), seq, hash).text(key).getBytes(StandardCharsets.US_ASCII));
        return seq;
    }

    private void append(byte[] bytes) throws IOException {
        try {
            file.seek(size);
            file.write(bytes);
            size += bytes.length;
        } catch (IOException e) {
            file.setLength(size);
            throw e;
        }
    }

    private void rotate() throws IOException {
        Path next = TrailFiles.beginningWith(settings.folder(), seq + 1);
        file.getFD().sync();
        TrailFiles.make(next);
        RandomAccessFile opened = open(next);
        file.close();
        file = opened;
        size = 0;
        files.add(next);
        while (files.size() > settings.maxFiles()) {
            Files.deleteIfExists(files.remove(0));
        }
    }

    /** Returns when the line, and all before it, survive a power loss. */
    void sync(long line) throws IOException {
        synchronized (disk) {
            if (synced >= line) {
                return;
            }
            RandomAccessFile current;
            long now;
            synchronized (this) {
                current = file;
                now = seq;
            }
            try {
                current.getFD().sync();
            } catch (IOException e) {
                if (current.getFD().valid()) {
                    throw e; // otherwise it was synced and closed, as another file followed
                }
            }
            synced = now;
        }
    }

    /** Oldest first. */
    synchronized List<Path> files() {
        return List.copyOf(files);
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
        head.close();
    }
}
