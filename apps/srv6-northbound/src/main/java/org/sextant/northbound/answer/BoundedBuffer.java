// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.answer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Keeps bytes in memory up to a limit. */
final class BoundedBuffer extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int most;

    BoundedBuffer(int most) {
        this.most = most;
    }

    /** The limit is reached. */
    static final class FullException extends IOException {
        private static final long serialVersionUID = 1L;

        FullException() {
            super("the document is longer than the buffer");
        }
    }

    @Override
    public void write(int value) throws IOException {
        reserve(1);
        bytes.write(value);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        reserve(length);
        bytes.write(from, offset, length);
    }

    private void reserve(int length) throws FullException {
        if (length > most - bytes.size()) {
            throw new FullException();
        }
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
