// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.sextant.core.port.Backups;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreTelemetry;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.port.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable store of the stand-alone host: SQLite in WAL mode with {@code synchronous=FULL} (ADR 28). A commit returns
 * when its frames of the log are synced; readers have a connection of their own and do not wait for a sync.
 *
 * <p>A disk without room refuses a write and leaves the rest as it is. After a failed write or sync the file is not
 * trusted any more, as Linux may have dropped the pages and reads them back from its cache: all of it is copied to a new {@linkplain StoreFiles generation} of the file, which is synced and takes its place.
 */
public final class SqliteStore implements Store, Backups, StoreTelemetry, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
    private static final long RENEWAL_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The entry that ./sextant restore writes beside those of the backup. */
    private static final String RESTORE = "restore";

    private static final String REPORT = "report";

    private final StoreFiles files;
    private final CommitMeter meter = new CommitMeter();
    private final Map<String, List<Consumer<Change>>> listeners = new ConcurrentHashMap<>();
    private final Object writing = new Object();
    private final Object reading = new Object();

    /** Keys of refused writes that the suspect file may hold: a start would read them there. Changed under {@code writing}. */
    private final Set<Map.Entry<String, String>> uncertain = ConcurrentHashMap.newKeySet();

    private volatile Path current;
    private SqliteFile writer;
    private SqliteFile reader;
    private boolean suspect;
    private long lastRenewalNanos = System.nanoTime() - RENEWAL_INTERVAL_NANOS;
    private volatile boolean disturbed;

    /**
     * Opens the store of a folder, creates it, or takes over the file of the former one.
     *
     * @throws UncheckedIOException if it cannot be used: in use by another process, damaged, of another program or a later
     *     version, on a read-only disk; the message names the remedy, and nothing is removed
     */
    public SqliteStore(Path folder) {
        files = StoreFiles.open(folder);
        try {
            current = files.current();
            writer = SqliteFile.open(current);
            try {
                reader = SqliteFile.open(current);
            } catch (SQLException e) {
                writer.close();
                throw e;
            }
        } catch (SQLException | IOException e) {
            files.close();
            throw files.unusable(e);
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
        reportRestore();
    }

    /** A restore left a note of its changes; it is logged once. */
    private void reportRestore() {
        try {
            get(RESTORE, REPORT).ifPresent(text -> {
                LOG.info("store={} event=restored report={}", files.folder(), text);
                remove(RESTORE, REPORT, text);
            });
        } catch (StoreUnavailableException e) {
            LOG.debug("the report of a restore stays for the next start", e);
        }
    }

    @Override
    public Optional<String> get(String map, String key) {
        requireCertain(asked -> asked.equals(Map.entry(map, key)));
        return read(file -> Optional.ofNullable(file.value(map, key)));
    }

    @Override
    public SortedMap<String, String> all(String map) {
        requireCertain(asked -> asked.getKey().equals(map));
        return Collections.unmodifiableSortedMap(read(file -> file.all(map)));
    }

    @Override
    public SortedMap<String, String> getAll(String map, Collection<String> keys) {
        Set<String> asked = Set.copyOf(keys);
        requireCertain(one -> one.getKey().equals(map) && asked.contains(one.getValue()));
        return Collections.unmodifiableSortedMap(read(file -> {
            SortedMap<String, String> some = new TreeMap<>();
            file.begin();
            try {
                for (String key : keys) {
                    String value = file.value(map, key);
                    if (value != null) {
                        some.put(key, value);
                    }
                }
            } finally {
                file.rollback();
            }
            return some;
        }));
    }

    private interface Query<T> {
        T from(SqliteFile file) throws SQLException;
    }

    /** Makes the entries asked for certain by a new file, or throws if that cannot be done now. */
    private void requireCertain(Predicate<Map.Entry<String, String>> asked) {
        if (uncertain.stream().anyMatch(asked)) {
            synchronized (writing) {
                renewIfSuspect();
            }
        }
    }

    private <T> T read(Query<T> query) {
        synchronized (reading) {
            try {
                return query.from(reader);
            } catch (SQLException e) {
                disturbed(e);
                throw unavailable("read");
            }
        }
    }

    @Override
    public List<Write> commit(List<Write> writes) {
        requireDifferentKeys(writes);
        List<Change> changes = new ArrayList<>();
        List<Write> unmet = meter.measured(() -> write(writes, changes));
        changes.forEach(this::tell);
        return unmet;
    }

    /** Makes the changes of all writes, or returns the writes whose condition does not hold. */
    private List<Write> write(List<Write> writes, List<Change> changes) {
        synchronized (writing) {
            renewIfSuspect();
            try {
                writer.beginWriting();
                List<Write> unmet = new ArrayList<>();
                for (Write write : writes) {
                    String current = writer.value(write.map(), write.key());
                    if (!write.condition().holds(current)) {
                        unmet.add(write);
                    } else if (write.value().isPresent() || current != null) {
                        changes.add(new Change(write.map(), write.key(), write.value()));
                    }
                }
                if (!unmet.isEmpty()) {
                    changes.clear();
                    writer.rollback();
                    return List.copyOf(unmet);
                }
                for (Change change : changes) {
                    writer.write(change);
                }
                writer.commit();
                healthy();
            } catch (SQLException e) {
                refused(e, writes);
                throw unavailable("write");
            }
        }
        return List.of();
    }

    @Override
    public Load load() {
        return meter.load(SqliteFile.bytes(current));
    }

    private static void requireDifferentKeys(List<Write> writes) {
        Set<Map.Entry<String, String>> keys = new HashSet<>();
        for (Write write : writes) {
            if (!keys.add(Map.entry(write.map(), write.key()))) {
                throw new IllegalArgumentException("two writes of " + write.map() + "/" + write.key());
            }
        }
    }

    private void refused(SQLException fault, List<Write> writes) {
        disturbed(fault);
        suspect |= SqliteFile.leavesTheFileSuspect(fault);
        try {
            writer.rollback();
        } catch (SQLException e) {
            suspect = true;
        }
        if (suspect) {
            writes.forEach(write -> uncertain.add(Map.entry(write.map(), write.key())));
        }
        try {
            // At once, so that a refused write is not there: the log may hold it, and a restart would read it.
            renewIfSuspect();
        } catch (StoreUnavailableException stillSuspect) {
            LOG.debug("the next write tries to renew the store again");
        }
    }

    /** Called under {@code writing}. */
    private void renewIfSuspect() {
        if (!suspect) {
            return;
        }
        if (System.nanoTime() - lastRenewalNanos < RENEWAL_INTERVAL_NANOS) {
            throw unavailable("write");
        }
        lastRenewalNanos = System.nanoTime();
        try {
            renew();
            suspect = false;
            uncertain.clear();
        } catch (SQLException | IOException e) {
            disturbed(e);
            throw unavailable("write");
        }
    }

    private void renew() throws SQLException, IOException {
        Path next;
        synchronized (reading) {
            next = files.nextGeneration(reader::copyTo);
        }
        SqliteFile freshWriter = SqliteFile.open(next);
        SqliteFile freshReader;
        try {
            freshReader = SqliteFile.open(next);
        } catch (SQLException e) {
            freshWriter.close();
            throw e;
        }
        synchronized (reading) {
            writer.close();
            reader.close();
            writer = freshWriter;
            reader = freshReader;
        }
        current = next;
        files.keepOnly(next);
        LOG.info("store={} event=renewed reason=\"a write or a sync had failed\"", next);
    }

    /**
     * Writes a consistent copy of all that is durable now into a file that any release with this store can open.
     *
     * @throws IOException if {@code file} exists, or cannot be written and synced
     */
    public void backup(Path file) throws IOException {
        try (StoreSnapshot snapshot = snapshot()) {
            StoreFiles.completeFile(file, path -> snapshot.copyTo(path, Set.of()));
        } catch (SQLException e) {
            throw new IOException("the store cannot be copied: " + e.getMessage(), e);
        }
    }

    @Override
    public Backup take(Set<String> without) {
        Path copy = files.newCopy();
        try (StoreSnapshot snapshot = snapshot()) {
            snapshot.requireRoom();
            try {
                snapshot.copyTo(copy, without);
                // Open and without a name: a kill leaves nothing.
                return new Backup(Files.newInputStream(copy), Files.size(copy));
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (SQLException | IOException e) {
            LOG.warn("store={} event=backup-failed reason=\"{}\"", files.folder(), e.getMessage());
            throw new StoreUnavailableException(
                    "the store " + files.folder() + " cannot be copied: " + e.getMessage() + "; nothing has changed");
        }
    }

    /** All that is acknowledged, and nothing that a refused write may have left. */
    private StoreSnapshot snapshot() throws SQLException {
        synchronized (writing) {
            renewIfSuspect();
            return StoreSnapshot.of(current);
        }
    }

    @Override
    public Subscription onChange(String map, Consumer<Change> listener) {
        List<Consumer<Change>> all = listeners.computeIfAbsent(map, name -> new CopyOnWriteArrayList<>());
        all.add(listener);
        return () -> all.remove(listener);
    }

    private void tell(Change change) {
        listeners.getOrDefault(change.map(), List.of()).forEach(listener -> listener.accept(change));
    }

    /** The log has the cause. */
    private StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(
                "the controller cannot " + what + " the store " + files.folder()
                        + "; is the disk full? If something was to be stored, look whether it is there before you send it again");
    }

    private void disturbed(Exception fault) {
        if (!disturbed) {
            disturbed = true;
            LOG.warn("store={} usable=false reason=\"{}\"; what is stored is kept", files.folder(), fault.getMessage());
        }
    }

    private void healthy() {
        if (disturbed) {
            disturbed = false;
            LOG.info("store={} usable=true", files.folder());
        }
    }

    @Override
    public void close() {
        synchronized (writing) {
            synchronized (reading) {
                reader.close();
                writer.close();
                files.close();
            }
        }
    }
}
