// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.nio.file.Path;
import java.util.Map;

/** The process that the kill -9 test kills: writers that print each key after its write was acknowledged. */
final class Writers {
    static final int THREADS = 4;

    private Writers() {}

    /** @param args the store's folder and a number that makes the keys of this run unique */
    public static void main(String[] args) {
        SqliteStore store = new SqliteStore(Path.of(args[0]));
        for (int writer = 0; writer < THREADS; writer++) {
            String prefix = args[1] + "-" + writer + "-";
            new Thread(() -> write(store, prefix)).start();
        }
    }

    private static void write(SqliteStore store, String prefix) {
        for (int i = 0; ; i++) {
            String key = prefix + i;
            if (i % 3 == 0) {
                store.put("m", Map.of(key, value(key), key + "-twin", value(key)));
            } else {
                store.putIfAbsent("m", key, value(key));
            }
            System.out.println(key);
        }
    }

    static String value(String key) {
        return "{\"key\":\"" + key + "\",\"padding\":\"" + "x".repeat(200) + "\"}";
    }
}
