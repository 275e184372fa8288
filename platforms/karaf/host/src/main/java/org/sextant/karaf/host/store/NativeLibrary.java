// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.sextant.core.durable.DurableFile;
import org.sqlite.SQLiteJDBCLoader;

/**
 * SQLite's native code, unpacked once under the data folder. The driver itself would unpack it into {@code /tmp} at every
 * start, which may be mounted noexec, and leave it there when the controller is killed.
 */
final class NativeLibrary {
    private static final Map<String, String> FOLDERS =
            Map.of("amd64", "x86_64", "x86_64", "x86_64", "aarch64", "aarch64");
    private static final String FILE = "libsqlitejdbc.so";

    private NativeLibrary() {}

    /** Names the folder to the driver, which loads the library at the first connection of this process. */
    static void provide(Path folder) throws IOException {
        String architecture = System.getProperty("os.arch");
        String packed = FOLDERS.get(architecture);
        if (packed == null) {
            throw new IOException("the store's native code is there for x86_64 and aarch64, not for " + architecture);
        }
        Path versioned = folder.resolve("sqlite-" + SQLiteJDBCLoader.getVersion() + "-" + packed);
        Path library = versioned.resolve(FILE);
        byte[] code;
        try (InputStream in = SQLiteJDBCLoader.class.getResourceAsStream("native/Linux/" + packed + "/" + FILE)) {
            if (in == null) {
                throw new IOException("this build lacks the store's native code for " + packed);
            }
            code = in.readAllBytes();
        }
        // Compared at each start: it is code that this process will run.
        if (Files.notExists(library) || !java.util.Arrays.equals(Files.readAllBytes(library), code)) {
            DurableFile.replace(library, DurableFile.OWNER_ONLY, out -> out.write(code));
        }
        System.setProperty("org.sqlite.lib.path", versioned.toAbsolutePath().toString());
        System.setProperty("org.sqlite.lib.name", FILE);
    }
}
