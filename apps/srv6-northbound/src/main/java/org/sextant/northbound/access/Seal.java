// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals texts that browsers keep for us between two requests, so that foreign clients which begin logins fill no
 * memory: no other process can make them, as the key dies with this one.
 */
final class Seal {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key = new SecretKeySpec(bytes(), ALGORITHM);

    private byte[] bytes() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return bytes;
    }

    /** 256 random bits. */
    String word() {
        return base64(bytes());
    }

    /**
     * A text derived from another one for a purpose, which reveals nothing of that text or of those derived for other
     * purposes.
     */
    String derived(String purpose, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(purpose.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return base64(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    /** The text, legible, and a mark that it is from here. */
    String closed(String purpose, String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8)) + "." + derived(purpose, text);
    }

    /** The text, if it is from here. */
    Optional<String> open(String purpose, String closed) {
        int point = closed.indexOf('.');
        try {
            String text = new String(
                    Base64.getUrlDecoder().decode(closed.substring(0, Math.max(0, point))), StandardCharsets.UTF_8);
            return same(closed.substring(point + 1), derived(purpose, text)) ? Optional.of(text) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** In a time that reveals nothing. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
