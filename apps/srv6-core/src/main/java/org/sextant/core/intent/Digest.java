// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Half of a text's SHA-256, for large sets of texts that are only compared. */
public record Digest(long high, long low) {
    public static Digest of(String text) {
        ByteBuffer sha = ByteBuffer.wrap(sha256(text));
        return new Digest(sha.getLong(), sha.getLong());
    }

    /** 32 digits. */
    String hex() {
        return String.format("%016x%016x", high, low);
    }

    public static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
