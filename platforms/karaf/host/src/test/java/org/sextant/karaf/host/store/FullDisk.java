// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.nio.file.Path;
import java.util.Map;
import org.sextant.core.port.StoreUnavailableException;

/**
 * A process that may not write large files fills the store until it is refused, and prints the content that it then
 * still reads.
 */
final class FullDisk {
    private FullDisk() {}

    /** @param args the store's folder */
    public static void main(String[] args) throws InterruptedException {
        SqliteStore store = new SqliteStore(Path.of(args[0]));
        int acknowledged = 0;
        try {
            while (true) {
                String key = "k" + acknowledged;
                store.put("m", Map.of(key, Writers.value(key)));
                acknowledged++;
            }
        } catch (StoreUnavailableException refused) {
            System.out.println(refused.getMessage());
        }
        System.out.println(acknowledged);
        System.out.println(store.all("m").size());
        // A write failed, so the file is not trusted: the next one goes to a new generation.
        System.out.println(written(store, "again"));
    }

    /** Retries until the store has a file that takes it; the test has a deadline. */
    private static String written(SqliteStore store, String key) throws InterruptedException {
        while (true) {
            try {
                store.put("m", Map.of(key, "1"));
                return key;
            } catch (StoreUnavailableException refused) {
                Thread.sleep(100);
            }
        }
    }
}
