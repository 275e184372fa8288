// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How lines hang together: {@code {"seq":N,"prev":"…",…,"hash":"…"}}. The hash is SHA-256 of the line's own bytes in front of
 * {@code ,"hash"}; the next line begins with it. So nothing has to be brought into a canonical form to be checked.
 */
final class Chain {
    /** In front of the first line of a chain. */
    static final String NOTHING = "0".repeat(64);

    private static final String MARK = ",\"hash\":\"";
    private static final Pattern LINE = Pattern.compile(
            "\\{\"seq\":([0-9]{1,18}),\"prev\":\"([0-9a-f]{64})\",.*,\"hash\":\"([0-9a-f]{64})\"\\}", Pattern.DOTALL);

    private Chain() {}

    /** The place of a line in the chain. */
    record Link(long seq, String prev, String hash) {}

    /** @param line with {@code seq} and {@code prev} in front */
    static String seal(ObjectNode line) {
        String text = line.toString();
        String open = text.substring(0, text.length() - 1);
        return open + MARK + sha256(open) + "\"}";
    }

    /** Empty if the text is no line of a chain, or not as it was written. */
    static Optional<Link> read(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String open = line.substring(0, matcher.start(3) - MARK.length());
        return sha256(open).equals(matcher.group(3))
                ? Optional.of(new Link(Long.parseLong(matcher.group(1)), matcher.group(2), matcher.group(3)))
                : Optional.empty();
    }

    static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
