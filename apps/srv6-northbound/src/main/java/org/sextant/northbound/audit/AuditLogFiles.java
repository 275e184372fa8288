// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.sextant.core.durable.DurableFile;

/** Names and secrets of the trail's files: {@code trail-SEQ.jsonl} by their first line, {@code trail.head}, and the key. */
final class AuditLogFiles {
    private static final String PATTERN = "trail-[0-9]{12}\\.jsonl";
    private static final int KEY_BYTES = 32;

    private AuditLogFiles() {}

    /** Oldest first. */
    static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return new ArrayList<>(
                    all.filter(file -> file.getFileName().toString().matches(PATTERN))
                            .sorted()
                            .toList());
        }
    }

    static Path beginningWith(Path folder, long seq) {
        return folder.resolve(String.format("trail-%012d.jsonl", seq));
    }

    /** The sequence number of a file's first line. */
    static long first(Path file) {
        return Long.parseLong(file.getFileName().toString().substring(6, 18));
    }

    static Path head(Path folder) {
        return folder.resolve("trail.head");
    }

    /**
     * Made if there is none yet, readable by its owner only.
     *
     * @throws IOException if the file cannot be read or made, or holds no key
     */
    static byte[] key(Path file) throws IOException {
        if (Files.notExists(file)) {
            byte[] key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            DurableFile.replace(file, DurableFile.OWNER_ONLY, HexFormat.of().formatHex(key) + "\n");
        }
        String text = Files.readString(file).strip();
        if (!text.matches("[0-9a-fA-F]{" + 2 * KEY_BYTES + "}")) {
            throw new IOException(file + " holds no key of " + 2 * KEY_BYTES
                    + " hexadecimal digits: put the key back, or remove the file, and a new one is made");
        }
        return HexFormat.of().parseHex(text);
    }
}
