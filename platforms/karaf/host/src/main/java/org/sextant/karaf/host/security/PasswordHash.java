// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * How a password is kept: Argon2id (RFC 9106), written as PHC strings are but with semicolons, since users.properties
 * separates by commas. Hashes of earlier releases, SHA-256 in hexadecimal digits, are still understood.
 */
final class PasswordHash {
    /** OWASP's first choice of 2025: 19 MiB, two passes, one lane. */
    private static final int KIB = 19 << 10;

    private static final int PASSES = 2;
    private static final int LANES = 1;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final Pattern FORM = Pattern.compile(
            "\\$argon2id\\$v=19\\$m=([0-9]{1,6});t=([0-9]{1,2});p=([0-9]{1,2})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
    /** More than this is no password but an attempt to exhaust the controller. */
    private static final int MOST_KIB = 64 << 10;

    private PasswordHash() {}

    static String of(String password, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return "$argon2id$v=19$m=" + KIB + ";t=" + PASSES + ";p=" + LANES + "$" + base64(salt) + "$"
                + base64(argon2(password, salt, KIB, PASSES, LANES, HASH_BYTES));
    }

    /** False also for text that is no hash. */
    static boolean matches(String stored, String password) {
        Matcher form = FORM.matcher(stored);
        if (!form.matches()) {
            return isOld(stored)
                    && MessageDigest.isEqual(bytes(stored.toLowerCase(Locale.ROOT)), bytes(sha256(password)));
        }
        int kib = Integer.parseInt(form.group(1));
        int passes = Integer.parseInt(form.group(2));
        int lanes = Integer.parseInt(form.group(3));
        byte[] wanted = Base64.getDecoder().decode(form.group(5));
        if (kib > MOST_KIB || kib < 8 * lanes || passes < 1 || lanes < 1) {
            return false;
        }
        byte[] salt = Base64.getDecoder().decode(form.group(4));
        return MessageDigest.isEqual(wanted, argon2(password, salt, kib, passes, lanes, wanted.length));
    }

    /** True for hashes that are to be written anew when the password is known. */
    static boolean isOld(String stored) {
        return stored.matches("[0-9a-fA-F]{64}");
    }

    private static byte[] argon2(String password, byte[] salt, int kib, int passes, int lanes, int length) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(kib)
                .withIterations(passes)
                .withParallelism(lanes)
                .withSalt(salt)
                .build());
        byte[] hash = new byte[length];
        generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), hash);
        return hash;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }

    static String sha256(String password) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(password.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
