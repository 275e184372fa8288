// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The libraries of {@code src/test/c}, which are preloaded into processes. */
final class Preload {
    private Preload() {}

    /** Compiles one of them, once a folder. */
    static Path library(Path scratch, String name) throws IOException, InterruptedException {
        Path library = scratch.resolve(name + ".so");
        if (Files.notExists(library)) {
            run(new ProcessBuilder(
                    "gcc",
                    "-shared",
                    "-fPIC",
                    "-O1",
                    "-o",
                    library.toString(),
                    "src/test/c/" + name + ".c",
                    "-ldl",
                    "-lpthread"));
        }
        return library;
    }

    static void run(ProcessBuilder builder) throws IOException, InterruptedException {
        int status = builder.inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(builder.command() + " ended with " + status);
        }
    }
}
