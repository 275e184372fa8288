// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.mvstore.MVStore;
import org.sextant.core.port.Store.Write;
import org.sextant.karaf.host.security.RecordedUsers;
import org.sextant.karaf.host.store.SqliteStore;
import org.sextant.karaf.host.web.RecordedCertificate;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.Outcome;
import org.sextant.northbound.audit.TestAuditLog;

/**
 * The process whose writes are recorded: makes steps in a durable thing of a folder, and writes the number of each step that was
 * acknowledged into the file {@code acks} of the same folder.
 */
final class StepWriter {
    private StepWriter() {}

    /** Makes one step durable. */
    private interface Target {
        void step(int step) throws Exception;
    }

    /** @param args the folder, the kind of store (see {@link #target}), and how many steps */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Target target = target(folder, args[1]);
        try (FileChannel acks =
                FileChannel.open(folder.resolve("acks"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int step = 1; step <= Integer.parseInt(args[2]); step++) {
                target.step(step);
                acks.write(ByteBuffer.wrap((step + "\n").getBytes(StandardCharsets.US_ASCII)));
            }
        }
        // As after kill -9: nothing is closed.
        Runtime.getRuntime().halt(0);
    }

    private static Target target(Path folder, String kind) throws Exception {
        return switch (kind) {
            case "store" -> {
                SqliteStore store = new SqliteStore(folder);
                yield step -> store.commit(Steps.of(step));
            }
            case "mvstore" -> mvStore(folder);
            case "audit" -> audit(folder);
            case "users" -> step -> RecordedUsers.step(folder, step);
            case "credentials" -> step -> RecordedUsers.credentials(folder, step);
            case "certificate" -> step -> RecordedCertificate.step(folder, step);
            default -> wrongSqlite(folder, kind);
        };
    }

    /** Steps of two: a change begins, and ends. */
    private static Target audit(Path folder) {
        AuditLog trail = TestAuditLog.in(folder, AuditSubject.FILE_BYTES, AuditSubject.FILES);
        AtomicReference<AuditRecord> deed = new AtomicReference<>();
        return step -> {
            if (step % 2 == 1) {
                deed.set(AuditSubject.deed((step + 1) / 2));
                trail.begin(deed.get());
            } else {
                trail.end(deed.get(), Outcome.DONE, 201);
            }
        };
    }

    /** SQLite with a pragma that the store does not have, in a file that the store can open. */
    private static Target wrongSqlite(Path folder, String pragma) throws Exception {
        new SqliteStore(folder).close();
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("sextant-1.db"));
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA " + pragma);
        }
        PreparedStatement put =
                connection.prepareStatement("INSERT OR REPLACE INTO entry (map, key, value) VALUES (?, ?, ?)");
        PreparedStatement remove = connection.prepareStatement("DELETE FROM entry WHERE map = ? AND key = ?");
        return step -> {
            connection.setAutoCommit(false);
            for (Write write : Steps.of(step)) {
                PreparedStatement change = write.value().isPresent() ? put : remove;
                change.setString(1, write.map());
                change.setString(2, write.key());
                if (write.value().isPresent()) {
                    change.setString(3, write.value().get());
                }
                change.executeUpdate();
            }
            connection.commit();
        };
    }

    /** The store of the former release: commit and sync before each acknowledgement. */
    private static Target mvStore(Path folder) throws IOException {
        Files.createDirectories(folder);
        MVStore store = new MVStore.Builder()
                .fileName(folder.resolve("sextant.mv").toString())
                .autoCommitDisabled()
                .open();
        store.setRetentionTime(0);
        return step -> {
            for (Write write : Steps.of(step)) {
                if (write.value().isPresent()) {
                    store.<String, String>openMap(write.map())
                            .put(write.key(), write.value().get());
                } else {
                    store.<String, String>openMap(write.map()).remove(write.key());
                }
            }
            store.commit();
            store.sync();
        };
    }
}
