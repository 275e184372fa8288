// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.sextant.core.durable.DurableFile;

/**
 * The file of the {@link Head}, written over in place: 256 bytes are within one sector, which a disk writes as a whole. After a
 * failed write or sync another file takes its place.
 */
final class HeadFile implements AutoCloseable {
    private final Path path;
    private final byte[] key;
    /** Null before the first head of a new chain. */
    private @Nullable RandomAccessFile file;

    private Head written;
    private Head durable;

    private HeadFile(Path path, byte[] key, @Nullable RandomAccessFile file, Head head) {
        this.path = path;
        this.key = key;
        this.file = file;
        this.written = head;
        this.durable = head;
    }

    /** Makes the file, or replaces it, before there is a line. */
    static HeadFile make(Path path, byte[] key) throws IOException {
        DurableFile.replace(path, DurableFile.OWNER_ONLY, Head.NONE.text(key));
        return open(path, key, Head.NONE);
    }

    /** @param head the content of the file */
    static HeadFile open(Path path, byte[] key, Head head) throws IOException {
        return new HeadFile(path, key, new RandomAccessFile(path.toFile(), "rw"), head);
    }

    /**
     * The first head that is written replaces the file, whatever it has: until then a restart finds the same as this
     * one.
     */
    static HeadFile replacing(Path path, byte[] key) {
        return new HeadFile(path, key, null, Head.NONE);
    }

    /**
     * The lines that the head names are durable already. One of fewer lines than the one that is written changes nothing, and a
     * beginning that has moved on does not come back.
     */
    synchronized void write(Head head) throws IOException {
        Head next = new Head(Math.max(head.first(), written.first()), head.last(), head.hash());
        if (next.last() < written.last() || next.equals(written)) {
            return;
        }
        RandomAccessFile here = file;
        if (here == null) {
            replace(next);
            return;
        }
        try {
            here.seek(0);
            here.write(next.text(key).getBytes(StandardCharsets.US_ASCII));
            written = next;
        } catch (IOException e) {
            replaceAfterFailure(here, next);
        }
    }

    /** Returns when the head that was written survives a power cut. */
    synchronized void sync() throws IOException {
        RandomAccessFile here = file;
        if (here == null) {
            replace(written);
        } else if (!durable.equals(written)) {
            try {
                here.getFD().sync();
                durable = written;
            } catch (IOException e) {
                replaceAfterFailure(here, written);
            }
        }
    }

    /** An anchor under the key of the head. */
    ObjectNode anchor(Anchor anchor) {
        return anchor.json(key);
    }

    private void replaceAfterFailure(RandomAccessFile failed, Head head) throws IOException {
        file = null;
        try {
            failed.close();
        } finally {
            replace(head);
        }
    }

    private void replace(Head head) throws IOException {
        DurableFile.replace(path, DurableFile.OWNER_ONLY, head.text(key));
        file = new RandomAccessFile(path.toFile(), "rw");
        written = head;
        durable = head;
    }

    @Override
    public synchronized void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
