// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.sextant.core.durable.DurableFile;
import org.sextant.karaf.mvstore.MvStoreReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a store's folder. {@code sextant-N.db} is a generation of the store; the highest is the store. A new one is
 * made under another name, synced and renamed, so that a file with a generation's name is complete: a log
 * ({@code -wal}) belongs to the generation of its name and can never be taken for that of another one.
 *
 * <p>One process has the folder, by a lock on {@code sextant.lock}; SQLite's own locks end when any descriptor of the file
 * is closed, so nothing but SQLite opens a database file while the store is in use.
 */
final class StoreFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFiles.class);
    private static final Pattern GENERATION = Pattern.compile("sextant-([0-9]{1,9})\\.db");
    private static final String FORMER = "sextant.mv";
    private static final String COPY = "copy-";
    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_BYTES = 100;
    private static final int USER_VERSION_AT = 60;
    private static final int APPLICATION_ID_AT = 68;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final FileChannel lock;

    private StoreFiles(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Fills a new, empty database. */
    interface Content {
        void writeTo(SqliteFile file) throws SQLException, IOException;
    }

    /** Writes a file that is not there yet. */
    interface FileContent {
        void writeTo(Path path) throws SQLException, IOException;
    }

    static StoreFiles open(Path folder) {
        try {
            DurableFile.createFolders(folder);
            FileChannel lock = locked(folder.resolve("sextant.lock"));
            try {
                NativeLibrary.provide(folder.resolve("native"));
            } catch (IOException e) {
                lock.close();
                throw e;
            }
            return new StoreFiles(folder, lock);
        } catch (FileSystemException e) {
            throw new UncheckedIOException(new IOException(
                    "cannot use the store " + folder + ": " + reason(e)
                            + "; give the controller a folder that it may write in SEXTANT_DATA",
                    e));
        } catch (IOException e) {
            throw new UncheckedIOException(new IOException("cannot use the store " + folder + ": " + reason(e), e));
        }
    }

    private static FileChannel locked(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // As if another process had it.
        } catch (IOException e) {
            channel.close();
            throw new IOException(
                    "its file system has no locks (" + reason(e)
                            + "); give the controller a local disk in SEXTANT_DATA",
                    e);
        }
        channel.close();
        throw new IOException("it is in use by another process; stop it, or give this one its own SEXTANT_DATA");
    }

    Path folder() {
        return folder;
    }

    /** The file to open: the latest generation, checked; one that was just made where there is none. */
    Path current() throws IOException, SQLException {
        removeCopies();
        List<Path> generations = generations();
        Path latest;
        if (!generations.isEmpty()) {
            latest = generations.get(generations.size() - 1);
            check(latest);
        } else if (Files.exists(folder.resolve(FORMER))) {
            latest = takeOver(folder.resolve(FORMER));
        } else {
            latest = nextGeneration(empty -> {});
        }
        keepOnly(latest);
        return latest;
    }

    /** A name for a copy of the store that is gone when its reader closes it. */
    Path newCopy() {
        return folder.resolve(COPY + UUID.randomUUID());
    }

    /** Removes copies that a kill left. */
    private void removeCopies() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.toList()) {
                if (path.getFileName().toString().startsWith(COPY)) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private List<Path> generations() throws IOException {
        TreeMap<Integer, Path> found = new TreeMap<>();
        try (Stream<Path> all = Files.list(folder)) {
            all.forEach(path -> {
                Matcher matcher = GENERATION.matcher(path.getFileName().toString());
                if (matcher.matches()) {
                    found.put(Integer.parseInt(matcher.group(1)), path);
                }
            });
        }
        return List.copyOf(found.values());
    }

    /** Makes a generation above all that there are; when this returns it is durable under its name. */
    Path nextGeneration(Content content) throws IOException, SQLException {
        List<Path> generations = generations();
        int latest = generations.isEmpty() ? 0 : number(generations.get(generations.size() - 1));
        Path next = folder.resolve("sextant-" + (latest + 1) + ".db");
        complete(next, content);
        return next;
    }

    private static int number(Path generation) {
        Matcher matcher = GENERATION.matcher(generation.getFileName().toString());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(generation + " is no generation");
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Makes a database that appears under its name only when it is whole and durable. */
    private static void complete(Path path, Content content) throws IOException, SQLException {
        completeFile(path, unfinished -> {
            try (SqliteFile file = SqliteFile.create(unfinished)) {
                content.writeTo(file);
            }
        });
    }

    /** Makes a file that appears under its name only when it is whole and durable. */
    static void completeFile(Path path, FileContent content) throws IOException, SQLException {
        if (Files.exists(path)) {
            throw new IOException(path + " exists");
        }
        Path unfinished = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        content.writeTo(unfinished);
        sync(unfinished);
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        DurableFile.syncFolder(Objects.requireNonNull(path.toAbsolutePath().getParent()));
    }

    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Removes older generations and unfinished files. */
    void keepOnly(Path generation) throws IOException {
        for (Path older : generations()) {
            if (number(older) < number(generation)) {
                for (String suffix : List.of("", "-wal", "-shm")) {
                    Files.deleteIfExists(older.resolveSibling(older.getFileName() + suffix));
                }
            }
        }
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.toList()) {
                String name = path.getFileName().toString();
                if (name.startsWith("sextant-") && (name.endsWith(".db.new") || name.endsWith(".db.new-journal"))) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    /** Refuses a file that is no complete database of this program, before SQLite could change anything in it. */
    private void check(Path file) throws IOException, SQLException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file; move it away");
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        try (InputStream in = Files.newInputStream(file)) {
            header.put(in.readNBytes(HEADER_BYTES)).flip();
        }
        if (header.remaining() < HEADER_BYTES) {
            throw damaged(file, "it has " + header.remaining() + " bytes");
        }
        byte[] magic = new byte[MAGIC.length];
        header.get(0, magic);
        if (!Arrays.equals(magic, MAGIC)) {
            throw damaged(file, "it is no SQLite database");
        }
        if (header.getInt(APPLICATION_ID_AT) != SqliteFile.APPLICATION_ID) {
            throw new IOException(file + " is the database of another program; move it away");
        }
        int layout = header.getInt(USER_VERSION_AT);
        if (layout > SqliteFile.LAYOUT) {
            throw new IOException(
                    file + " was written by a later version of Sextant (layout " + layout + "; this one knows "
                            + SqliteFile.LAYOUT + "); start that version, or restore a backup of this one");
        }
        try (SqliteFile opened = SqliteFile.open(file)) {
            String fault = opened.fault();
            if (fault != null) {
                throw damaged(file, fault);
            }
        } catch (SQLException e) {
            if (SqliteFile.isCorrupt(e)) {
                throw damaged(file, reason(e));
            }
            throw e;
        }
    }

    /** Copies the file and its log before the last connection to them closes, which would change both. */
    private IOException damaged(Path file, String fault) {
        String stamp = ".damaged-" + STAMP.format(Instant.now());
        String kept;
        try {
            Path copy = file.resolveSibling(file.getFileName() + stamp);
            if (Files.notExists(copy)) {
                Files.copy(file, copy);
                Path log = file.resolveSibling(file.getFileName() + "-wal");
                if (Files.exists(log)) {
                    Files.copy(log, log.resolveSibling(file.getFileName() + stamp + "-wal"));
                }
            }
            kept = "a copy is kept in " + copy;
        } catch (IOException e) {
            kept = "it could not be copied either: " + e;
        }
        return new IOException("the store " + file + " is damaged (" + fault + ") and was not opened; " + kept
                + "; restore a backup, or move the file away to start empty");
    }

    /** The former file stays under another name: a release before this one can be given it back. */
    private Path takeOver(Path former) throws IOException, SQLException {
        SortedMap<String, SortedMap<String, String>> maps = MvStoreReader.read(former);
        Path next = nextGeneration(fresh -> {
            fresh.beginWriting();
            for (Map.Entry<String, SortedMap<String, String>> map : maps.entrySet()) {
                for (Map.Entry<String, String> entry : map.getValue().entrySet()) {
                    fresh.put(map.getKey(), entry.getKey(), entry.getValue());
                }
            }
            fresh.commit();
        });
        LOG.info("store={} event=taken-over from={}", next, former);
        Files.move(former, former.resolveSibling(FORMER + ".taken-over"), StandardCopyOption.ATOMIC_MOVE);
        DurableFile.syncFolder(folder);
        return next;
    }

    UncheckedIOException unusable(Exception cause) {
        String text = cause instanceof IOException
                        && cause.getMessage() != null
                        && cause.getMessage().contains("store ")
                ? cause.getMessage()
                : "cannot use the store " + folder + ": " + reason(cause);
        return new UncheckedIOException(new IOException(text, cause));
    }

    private static String reason(Exception e) {
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return file.getFile() + ": " + file.getReason();
        }
        return Optional.ofNullable(e.getMessage()).orElse(e.toString());
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.debug("the lock of the store was not closed in order", e);
        }
    }
}
