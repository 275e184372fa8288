// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file operations of a process in a folder, in order: {@code src/test/c/record_writes.c} writes it. */
final class Trace {

    /**
     * @param kind as in the recorder
     * @param bytes the bytes written, or the new name
     */
    record Operation(char kind, String name, long offset, byte[] bytes) {
        String newName() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private Trace() {}

    static List<Operation> read(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<Operation> operations = new ArrayList<>();
        while (in.hasRemaining()) {
            char kind = (char) in.get();
            byte[] name = new byte[in.getShort()];
            in.get(name);
            long offset = in.getLong();
            byte[] bytes = new byte[in.getInt()];
            in.get(bytes);
            operations.add(new Operation(kind, new String(name, StandardCharsets.UTF_8), offset, bytes));
        }
        return operations;
    }

    /** Runs a process with the recorder preloaded, and returns its file operations. */
    static List<Operation> record(Path scratch, Path folder, List<String> command)
            throws IOException, InterruptedException {
        Path recorder = Preload.library(scratch, "record_writes");
        Path out = scratch.resolve("trace");
        ProcessBuilder recorded = new ProcessBuilder(command);
        recorded.environment().put("LD_PRELOAD", recorder.toString());
        recorded.environment().put("SEXTANT_RECORD_FOLDER", folder.toString());
        recorded.environment().put("SEXTANT_RECORD_FILE", out.toString());
        Preload.run(recorded);
        return read(out);
    }
}
