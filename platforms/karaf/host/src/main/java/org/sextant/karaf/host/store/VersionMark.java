// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A version that the store is known to have reached, in a small file beside it. A store that lost its end opens with an
 * older version as if nothing had happened; the mark tells. It is written at most once a second and at the end, always
 * after the version it names is on disk, so that it never claims too much.
 */
final class VersionMark {
    private static final Logger LOG = LoggerFactory.getLogger(VersionMark.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path file;
    private long lastNanos = System.nanoTime() - INTERVAL_NANOS;

    VersionMark(Path store) {
        this.file = store.resolveSibling(store.getFileName() + ".version");
    }

    /** @throws MVStoreException if the store was further once */
    void check(long version) throws IOException {
        if (Files.exists(file)) {
            String text = Files.readString(file).trim();
            if (text.matches("[0-9]{1,18}") && Long.parseLong(text) > version) {
                throw new MVStoreException(
                        DataUtils.ERROR_FILE_CORRUPT, "it holds version " + version + " and once held " + text);
            }
        }
    }

    /** The version is on disk; remembers it if the last time was long enough ago. */
    void reached(long version) {
        if (System.nanoTime() - lastNanos >= INTERVAL_NANOS) {
            write(version);
        }
    }

    /** Remembers the version if it can: a mark that stays behind is true as well, and the store is what counts. */
    void write(long version) {
        lastNanos = System.nanoTime();
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(unfinished, Long.toString(version));
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.warn("file={} event=not-written reason=\"{}\"", file, e.toString());
        }
    }
}
