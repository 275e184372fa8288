// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/**
 * The store at one moment: a connection of its own whose read transaction lasts until it is closed, so that writers and readers
 * go on and the copy does not begin again with each commit.
 */
final class StoreSnapshot implements AutoCloseable {
    /** The map of a copy that states when it was made; no store has it. */
    static final String ABOUT = "backup";

    /** Bytes that a copy leaves to the writers of the disk. */
    private static final long SPARE_BYTES = 16 << 20;

    private final Path path;
    private final SqliteFile file;
    private final Instant taken;

    private StoreSnapshot(Path path, SqliteFile file, Instant taken) {
        this.path = path;
        this.file = file;
        this.taken = taken;
    }

    static StoreSnapshot of(Path path) throws SQLException {
        SqliteFile file = SqliteFile.open(path);
        try {
            file.begin();
            file.value(ABOUT, ""); // the first read, not BEGIN, fixes the moment
            return new StoreSnapshot(path, file, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        } catch (SQLException e) {
            file.close();
            throw e;
        }
    }

    /** @throws IOException if a copy would take the room that the store itself needs */
    void requireRoom() throws IOException {
        requireRoom(Files.getFileStore(path).getUsableSpace());
    }

    void requireRoom(long usable) throws IOException {
        long needed = Files.size(path) + SPARE_BYTES;
        if (usable < needed) {
            throw new IOException("a copy needs " + needed / 1024 + " KiB of room beside it, and " + usable / 1024
                    + " KiB are there");
        }
    }

    /**
     * Makes a database of one file, readable by its owner only.
     *
     * @param without maps that are left out
     */
    void copyTo(Path copy, Set<String> without) throws IOException, SQLException {
        Files.createFile(copy, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        file.copyPagesTo(copy);
        try (SqliteFile opened = SqliteFile.openCopy(copy)) {
            opened.beginWriting();
            for (String map : without) {
                opened.clear(map);
            }
            opened.put(ABOUT, "made", taken.toString());
            opened.commit();
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
