// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.port.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable store of the stand-alone host: one file. A write is first applied in memory, then one of the waiting
 * writers commits and syncs for all that came before it (group commit); only then the calls return and listeners hear
 * of it. What was acknowledged survives kill -9 and power loss; what was not may or may not. Where the disk takes no
 * more, the writers of that commit are told and memory goes back to what the disk holds; reading goes on.
 *
 * <p>The lock order is {@code data} before {@code disk}; a put changes all its keys under {@code data}, which also a
 * commit takes, so that a commit never holds half a put.
 */
public final class MvStore implements Store, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MvStore.class);
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

    private final Path path;
    private final VersionMark mark;
    private final Map<String, List<Consumer<Change>>> listeners = new ConcurrentHashMap<>();
    private final Object data = new Object();
    private final ReentrantLock disk = new ReentrantLock();
    private MVStore file;
    private boolean closed;
    private volatile boolean disturbed;
    private Batch batch = new Batch();

    /**
     * Opens or creates the file and reads it once from end to end, so that damage shows now and not in the middle of a
     * change.
     *
     * @throws UncheckedIOException if it cannot be used; a damaged file is kept aside beside it and named in the message,
     *     never replaced by an empty one without anybody asking for it
     */
    public MvStore(Path path) {
        this.path = path;
        this.mark = new VersionMark(path);
        this.file = renewed(openWhole(path, mark));
    }

    /**
     * The same store with two versions more on disk. Seen now and then of one that was killed while it wrote: it opened as it
     * was, was closed without another version, and opened the next time some versions older. Most likely its last version named
     * a chunk that nobody needed, into whose room the torn one was written.
     */
    private MVStore renewed(MVStore opened) {
        try {
            for (int version = 0; version < 2; version++) {
                opened.setStoreVersion(1 - opened.getStoreVersion());
                opened.commit();
            }
            opened.sync();
            return opened;
        } catch (MVStoreException e) {
            // The disk takes no more; what is there can be read.
            opened.closeImmediately();
            return openWhole(path, mark);
        }
    }

    private static MVStore openWhole(Path path, VersionMark mark) {
        MVStore opened = null;
        try {
            create(path);
            if (Files.size(path) == 0) {
                throw new MVStoreException(DataUtils.ERROR_FILE_CORRUPT, "the file is empty");
            }
            opened = open(path);
            mark.check(opened.getCurrentVersion());
            for (String map : opened.getMapNames()) {
                opened.<String, String>openMap(map).forEach((key, value) -> {});
            }
            return opened;
        } catch (MVStoreException e) {
            if (opened != null) {
                opened.closeImmediately();
            }
            throw unusable(path, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the store " + path + ": " + e.getMessage(), e);
        }
    }

    private static MVStore open(Path path) {
        MVStore opened = new MVStore.Builder()
                .fileName(path.toString())
                .autoCommitDisabled()
                .open();
        // Old chunks may be overwritten at once: sync orders the writes, and the file would grow twenty-fold otherwise.
        opened.setRetentionTime(0);
        return opened;
    }

    /** A new file appears under its name only when it is a valid store: an empty file is always damage. */
    private static void create(Path path) throws IOException {
        if (Files.notExists(path)) {
            Files.createDirectories(path.toAbsolutePath().getParent());
            Path unfinished = path.resolveSibling(path.getFileName() + ".new");
            Files.deleteIfExists(unfinished);
            MVStore empty = open(unfinished);
            empty.commit();
            empty.sync();
            empty.close();
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static UncheckedIOException unusable(Path path, MVStoreException cause) {
        if (cause.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) {
            return new UncheckedIOException(new IOException(
                    "the store " + path
                            + " is in use by another process; stop it, or give this one its own SEXTANT_DATA",
                    cause));
        }
        String kept;
        try {
            Path copy = path.resolveSibling(path.getFileName() + ".damaged-" + STAMP.format(Instant.now()));
            if (Files.notExists(copy)) {
                Files.copy(path, copy);
            }
            kept = "a copy is kept in " + copy;
        } catch (IOException e) {
            kept = "it could not be copied either: " + e;
        }
        return new UncheckedIOException(new IOException(
                "the store " + path + " is damaged and was not opened; " + kept
                        + "; put a backup in its place, or remove it to start empty",
                cause));
    }

    @Override
    public Optional<String> get(String map, String key) {
        synchronized (data) {
            return Optional.ofNullable(map(map).get(key));
        }
    }

    @Override
    public SortedMap<String, String> all(String map) {
        synchronized (data) {
            return Collections.unmodifiableSortedMap(new TreeMap<>(map(map)));
        }
    }

    @Override
    public SortedMap<String, String> getAll(String map, Collection<String> keys) {
        SortedMap<String, String> some = new TreeMap<>();
        synchronized (data) {
            MVMap<String, String> all = map(map);
            for (String key : keys) {
                String value = all.get(key);
                if (value != null) {
                    some.put(key, value);
                }
            }
        }
        return Collections.unmodifiableSortedMap(some);
    }

    @Override
    public void put(String map, Map<String, String> values) {
        Batch mine;
        synchronized (data) {
            map(map).putAll(values);
            mine = batch.with(true);
        }
        makeDurable(mine);
        new TreeMap<>(values).forEach((key, value) -> tell(new Change(map, key, Optional.of(value))));
    }

    @Override
    public boolean putIfAbsent(String map, String key, String value) {
        return putOver(map, key, null, value);
    }

    @Override
    public boolean replace(String map, String key, String expected, String value) {
        return putOver(map, key, expected, value);
    }

    private boolean putOver(String map, String key, @Nullable String expected, String value) {
        Batch mine;
        boolean written;
        synchronized (data) {
            MVMap<String, String> all = map(map);
            written = Objects.equals(all.get(key), expected);
            if (written) {
                all.put(key, value);
            }
            mine = batch.with(written);
        }
        // Also a refusal waits: it tells of a value, which must then not be lost.
        makeDurable(mine);
        if (written) {
            tell(new Change(map, key, Optional.of(value)));
        }
        return written;
    }

    @Override
    public boolean remove(String map, String key) {
        return remove(map, key, Objects::nonNull);
    }

    @Override
    public boolean remove(String map, String key, String expected) {
        return remove(map, key, expected::equals);
    }

    private boolean remove(String map, String key, Predicate<@Nullable String> those) {
        Batch mine;
        boolean present;
        synchronized (data) {
            MVMap<String, String> all = map(map);
            present = those.test(all.get(key));
            if (present) {
                all.remove(key);
            }
            mine = batch.with(present);
        }
        // Also a refusal waits, as that of a value that is not replaced.
        makeDurable(mine);
        if (present) {
            tell(new Change(map, key, Optional.empty()));
        }
        return present;
    }

    @Override
    public void removeAll(String map, Collection<String> keys) {
        Batch mine;
        List<String> removed;
        synchronized (data) {
            removed = keys.stream().filter(key -> map(map).remove(key) != null).toList();
            mine = batch.with(!removed.isEmpty());
        }
        makeDurable(mine);
        removed.forEach(key -> tell(new Change(map, key, Optional.empty())));
    }

    @Override
    public Subscription onChange(String map, Consumer<Change> listener) {
        List<Consumer<Change>> all = listeners.computeIfAbsent(map, name -> new CopyOnWriteArrayList<>());
        all.add(listener);
        return () -> all.remove(listener);
    }

    /** Returns when the batch is on disk; whoever gets the lock first does it for the others. */
    private void makeDurable(Batch mine) {
        disk.lock();
        try {
            if (mine.changed && !mine.settled) {
                commit();
            }
            if (mine.failure != null) {
                throw unavailable("write");
            }
        } finally {
            disk.unlock();
        }
    }

    /** What the disk does not take or give now; {@link #disturbed} and {@link #commit} told the log why. */
    private StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(
                "the controller cannot " + what + " the store " + path
                        + "; is the disk full? If something was to be stored, look whether it is there before you send it again");
    }

    private void commit() {
        Batch committed = new Batch();
        try {
            synchronized (data) {
                committed = nextBatch();
                file.commit();
            }
            file.sync();
            mark.reached(file.getCurrentVersion());
            healthy();
        } catch (MVStoreException e) {
            disturbed(e);
            synchronized (data) {
                committed.failure = e;
                // What came since then stood in the same memory.
                Batch since = nextBatch();
                since.failure = e;
                since.settled = true;
                file.closeImmediately();
            }
        }
        committed.settled = true;
    }

    private Batch nextBatch() {
        Batch last = batch;
        batch = new Batch();
        return last;
    }

    private void disturbed(Exception fault) {
        if (!disturbed) {
            disturbed = true;
            LOG.warn("store={} usable=false reason=\"{}\"; what is stored is kept", path, fault.getMessage());
        }
    }

    private void healthy() {
        if (disturbed) {
            disturbed = false;
            LOG.info("store={} usable=true", path);
        }
    }

    /**
     * Called under {@code data}. After a failed commit, the file is read again: memory had more than the disk.
     *
     * @throws StoreUnavailableException if it cannot be read
     */
    private MVMap<String, String> map(String name) {
        try {
            if (file.isClosed() && !closed) {
                file = openWhole(path, mark);
            }
            return file.openMap(name);
        } catch (UncheckedIOException | MVStoreException e) {
            disturbed(e);
            throw unavailable("read");
        }
    }

    private void tell(Change change) {
        listeners.getOrDefault(change.map(), List.of()).forEach(listener -> listener.accept(change));
    }

    @Override
    public void close() {
        disk.lock();
        try {
            synchronized (data) {
                closed = true;
                if (!file.isClosed()) {
                    mark.write(file.getCurrentVersion());
                    file.close();
                }
            }
        } finally {
            disk.unlock();
        }
    }

    /** The writers that one commit settles, for better or worse. Guarded by {@code disk} once it is no longer current. */
    private static final class Batch {
        private boolean changed;
        private boolean settled;
        private @Nullable MVStoreException failure;

        private Batch with(boolean change) {
            changed |= change;
            return this;
        }
    }
}
