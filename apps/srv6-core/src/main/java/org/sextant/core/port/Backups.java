// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * Port: copies of the store, by a host that keeps it in a file of its own. A host whose platform keeps the store, and backs
 * it up by its own means, leaves the service out.
 */
public interface Backups {

    /**
     * Copies everything that is durable at one moment during the call; writes go on meanwhile.
     *
     * @param without maps that are left out
     * @throws StoreUnavailableException if the store cannot be read, or there is no room for the copy
     */
    Backup take(Set<String> without);

    /**
     * A whole copy. It occupies the disk until it is closed.
     *
     * @param content the bytes of a SQLite database
     */
    record Backup(InputStream content, long bytes) implements Closeable {
        @Override
        public void close() throws IOException {
            content.close();
        }
    }
}
