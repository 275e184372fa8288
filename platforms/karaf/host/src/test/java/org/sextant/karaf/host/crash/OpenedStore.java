// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.sextant.karaf.host.store.SqliteStore;

/** A process that opens a store, and prints how that ended. */
final class OpenedStore {
    private OpenedStore() {}

    /** @param args the folder */
    public static void main(String[] args) {
        try (SqliteStore store = new SqliteStore(Path.of(args[0]))) {
            System.out.println("opened with " + store.all("m"));
        } catch (UncheckedIOException e) {
            System.out.println(e.getCause().getMessage());
        }
    }
}
