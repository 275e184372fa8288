// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.durable;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * A file that is replaced as a whole: written beside its name, synced, renamed, and the folder synced. A crash leaves the old
 * content or the new one under the name, never a part, and when a method returns the new one is durable.
 *
 * <p>The permissions hold from the first byte: the new file is created with them. A thread that is interrupted finishes its file
 * and stays interrupted.
 */
public final class DurableFile {
    /** {@code rw-------}: secrets. */
    public static final Set<PosixFilePermission> OWNER_ONLY = Set.copyOf(PosixFilePermissions.fromString("rw-------"));

    /** {@code rw-r--r--}, less the bits of the process's umask. */
    public static final Set<PosixFilePermission> READABLE = Set.copyOf(PosixFilePermissions.fromString("rw-r--r--"));

    /** A file of this suffix beside another is the rest of a replacement that a crash ended; the next one removes it. */
    public static final String UNFINISHED = ".new";

    private DurableFile() {}

    /** Writes the content of a file. */
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** As {@link #replace(Path, Set, Content)}, with a text in UTF-8. */
    public static void replace(Path file, Set<PosixFilePermission> permissions, String text) throws IOException {
        replace(file, permissions, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Replaces a file, or makes it, together with the folders above it.
     *
     * @throws IOException if a step failed. The name then has the old content, or the new one if the last step, the sync of the
     *     folder, was the one that failed: read the file again
     */
    public static void replace(Path file, Set<PosixFilePermission> permissions, Content content) throws IOException {
        Path folder = folder(file);
        createFolders(folder);
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        Files.deleteIfExists(unfinished);
        try {
            Files.createFile(unfinished, PosixFilePermissions.asFileAttribute(permissions));
            try (FileOutputStream out = new FileOutputStream(unfinished.toFile())) {
                content.writeTo(out);
                out.getFD().sync();
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            removeRest(unfinished, e);
            throw e;
        }
        syncFolder(folder);
    }

    private static void removeRest(Path unfinished, IOException because) {
        try {
            Files.deleteIfExists(unfinished);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /** Makes an empty file, durable under its name, unless there is one. */
    public static void create(Path file, Set<PosixFilePermission> permissions) throws IOException {
        Path folder = folder(file);
        createFolders(folder);
        if (Files.notExists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(permissions));
        }
        syncFolder(folder);
    }

    /** Makes a folder and those above it, each durable under its name. */
    public static void createFolders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path above = folder.toAbsolutePath().getParent();
        if (above != null) {
            createFolders(above);
        }
        Files.createDirectories(folder);
        if (above != null) {
            syncFolder(above);
        }
    }

    /** Makes the names in a folder durable: which files it has, under which names. */
    public static void syncFolder(Path folder) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            boolean synced = false;
            while (!synced) {
                try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                    synced = true;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted(); // an interrupted thread closes its channel before the sync
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Path folder(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
    }
}
