// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sextant.core.durable.DurableFile;

/**
 * A file to which lines are added. After a failed sync Linux may have dropped the written data, and reads it back from
 * its cache, so nothing counts as durable in that file any more: the synced lines and those added since go to a new
 * file, which takes the name.
 *
 * <p>A plain file and no channel, which an interrupted thread would close.
 */
final class LineFile implements AutoCloseable {
    private static final int COPIED_AT_ONCE = 1 << 16;

    private final Path path;
    /** The lines that no sync has made durable yet. */
    private final ByteArrayOutputStream unsynced = new ByteArrayOutputStream();

    private RandomAccessFile file;
    private long size;
    private boolean suspect;
    private boolean closed;

    /** @param size how many bytes of the file are lines; the rest is cut off */
    LineFile(Path path, long size) throws IOException {
        this.path = path;
        this.size = size;
        this.file = new RandomAccessFile(path.toFile(), "rw");
        if (file.length() > size) {
            file.setLength(size);
        }
    }

    synchronized long size() {
        return size;
    }

    /** @throws IOException if the disk does not take them; then the file is as it was */
    synchronized void append(byte[] bytes) throws IOException {
        if (suspect) {
            rewrite();
        }
        try {
            file.seek(size);
            file.write(bytes);
        } catch (IOException e) {
            cutOff();
            throw e;
        }
        size += bytes.length;
        unsynced.write(bytes);
    }

    private void cutOff() {
        try {
            file.setLength(size);
        } catch (IOException e) {
            suspect = true;
        }
    }

    /** Returns when all that was added before survives a power cut. */
    void sync() throws IOException {
        RandomAccessFile current;
        long upTo;
        synchronized (this) {
            if (closed) {
                return; // synced before that
            }
            if (suspect) {
                rewrite();
                return;
            }
            current = file;
            upTo = size;
        }
        try {
            current.getFD().sync();
        } catch (IOException e) {
            synchronized (this) {
                if (!closed) {
                    suspect = true;
                    rewrite();
                }
            }
            return;
        }
        synchronized (this) {
            forget(upTo);
        }
    }

    /** The bytes before this offset are durable. */
    private void forget(long upTo) {
        byte[] all = unsynced.toByteArray();
        int durable = (int) Math.max(0, upTo - (size - all.length));
        unsynced.reset();
        unsynced.write(all, durable, all.length - durable);
    }

    private void rewrite() throws IOException {
        byte[] added = unsynced.toByteArray();
        long durable = size - added.length;
        DurableFile.replace(path, DurableFile.OWNER_ONLY, out -> {
            copy(durable, out);
            out.write(added);
        });
        RandomAccessFile fresh = new RandomAccessFile(path.toFile(), "rw");
        file.close();
        file = fresh;
        unsynced.reset();
        suspect = false;
    }

    private void copy(long bytes, OutputStream out) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            long left = bytes;
            while (left > 0) {
                byte[] some = in.readNBytes((int) Math.min(COPIED_AT_ONCE, left));
                if (some.length == 0) {
                    throw new IOException(path + " has " + left + " bytes less than were written");
                }
                out.write(some);
                left -= some.length;
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        file.close();
    }
}
