// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.Store.Change;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** One connection to a SQLite file of the store, used by one thread at a time. */
final class SqliteFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);

    /** "Sxt1", in the file's header: SQLite's own field for the application that a file belongs to. */
    static final int APPLICATION_ID = 0x53787431;

    /** The layout of the table; in the header, too. */
    static final int LAYOUT = 1;

    private static final String TABLE = "CREATE TABLE entry (map TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
            + " PRIMARY KEY (map, key)) WITHOUT ROWID";
    private static final int WAIT_MILLIS = 5_000;

    /** Bytes that a log keeps after it was written back: it does not stay as long as the longest bulk made it. */
    private static final int LOG_BYTES = 16 << 20;

    private final Connection connection;
    private final PreparedStatement one;
    private final PreparedStatement map;
    private final PreparedStatement put;
    private final PreparedStatement remove;

    private SqliteFile(Connection connection) throws SQLException {
        this.connection = connection;
        try {
            one = connection.prepareStatement("SELECT value FROM entry WHERE map = ? AND key = ?");
            map = connection.prepareStatement("SELECT key, value FROM entry WHERE map = ?");
            put = connection.prepareStatement("INSERT OR REPLACE INTO entry (map, key, value) VALUES (?, ?, ?)");
            remove = connection.prepareStatement("DELETE FROM entry WHERE map = ? AND key = ?");
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Makes a file with an empty table; not in WAL mode, so that it is one file until it is opened. */
    static SqliteFile create(Path path) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.DELETE);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        Connection connection = config.createConnection("jdbc:sqlite:" + path);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA application_id = " + APPLICATION_ID);
            statement.execute("PRAGMA user_version = " + LAYOUT);
            statement.execute(TABLE);
            return new SqliteFile(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Opens a file that is there. */
    static SqliteFile open(Path path) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(org.sqlite.SQLiteOpenMode.CREATE);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(WAIT_MILLIS);
        config.setJournalSizeLimit(LOG_BYTES);
        return new SqliteFile(config.createConnection("jdbc:sqlite:" + path));
    }

    /** Opens the copy that {@link #copyPagesTo} made, and turns it into a single file: WAL mode would need two more. */
    static SqliteFile openCopy(Path path) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(org.sqlite.SQLiteOpenMode.CREATE);
        config.setJournalMode(SQLiteConfig.JournalMode.DELETE);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setPragma(SQLiteConfig.Pragma.SECURE_DELETE, "true");
        return new SqliteFile(config.createConnection("jdbc:sqlite:" + path));
    }

    /** The size of a file and its log; 0 for a file that is just being replaced. */
    static long bytes(Path path) {
        return sizeOf(path) + sizeOf(path.resolveSibling(path.getFileName() + "-wal"));
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return 0;
        }
    }

    /** If the file may hold something else than its readers see: anything but a lack of room, or of a lock. */
    static boolean leavesTheFileSuspect(SQLException fault) {
        return !(fault instanceof SQLiteException sqlite
                && (sqlite.getResultCode() == SQLiteErrorCode.SQLITE_FULL
                        || sqlite.getResultCode() == SQLiteErrorCode.SQLITE_BUSY));
    }

    static boolean isCorrupt(SQLException fault) {
        return fault instanceof SQLiteException sqlite
                && (sqlite.getResultCode() == SQLiteErrorCode.SQLITE_NOTADB
                        || (sqlite.getResultCode().code & 0xff) == SQLiteErrorCode.SQLITE_CORRUPT.code);
    }

    /** Looks at every page; returns the first fault, or null. */
    @Nullable
    String fault() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("PRAGMA quick_check(1)")) {
            String first = found.getString(1);
            return first.equals("ok") ? null : first;
        }
    }

    @Nullable
    String value(String of, String key) throws SQLException {
        one.setString(1, of);
        one.setString(2, key);
        try (ResultSet found = one.executeQuery()) {
            return found.next() ? found.getString(1) : null;
        }
    }

    SortedMap<String, String> all(String of) throws SQLException {
        map.setString(1, of);
        SortedMap<String, String> all = new TreeMap<>();
        try (ResultSet found = map.executeQuery()) {
            while (found.next()) {
                all.put(found.getString(1), found.getString(2));
            }
        }
        return all;
    }

    void write(Change change) throws SQLException {
        if (change.value().isPresent()) {
            put(change.map(), change.key(), change.value().get());
        } else {
            remove.setString(1, change.map());
            remove.setString(2, change.key());
            remove.executeUpdate();
        }
    }

    void put(String of, String key, String value) throws SQLException {
        put.setString(1, of);
        put.setString(2, key);
        put.setString(3, value);
        put.executeUpdate();
    }

    /** All that this connection sees, at one moment. */
    void copyTo(SqliteFile other) throws SQLException {
        other.beginWriting();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT map, key, value FROM entry")) {
            while (found.next()) {
                other.put(found.getString(1), found.getString(2), found.getString(3));
            }
        }
        other.commit();
    }

    /** Copies every page, as this connection sees it, into an empty file by SQLite's own backup. */
    void copyPagesTo(Path path) throws SQLException {
        int result = connection.unwrap(SQLiteConnection.class).getDatabase().backup("main", path.toString(), null);
        if (result != SQLiteErrorCode.SQLITE_OK.code) {
            SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(result);
            throw new SQLiteException("the pages cannot be copied to " + path + ": " + code, code);
        }
    }

    void clear(String of) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("DELETE FROM entry WHERE map = ?")) {
            statement.setString(1, of);
            statement.executeUpdate();
        }
    }

    /** All reads until {@link #rollback} are of one moment. */
    void begin() throws SQLException {
        execute("BEGIN");
    }

    void beginWriting() throws SQLException {
        execute("BEGIN IMMEDIATE");
    }

    void commit() throws SQLException {
        execute("COMMIT");
    }

    /** Nothing if no transaction is open: SQLite ends it by itself after some failures. */
    void rollback() throws SQLException {
        try {
            execute("ROLLBACK");
        } catch (SQLException e) {
            if (e.getMessage() == null || !e.getMessage().contains("no transaction is active")) {
                throw e;
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Ignores errors of the disk: acknowledged writes are in the file or its log. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("a file of the store was not closed in order", e);
        }
    }
}
