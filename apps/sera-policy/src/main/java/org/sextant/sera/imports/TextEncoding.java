// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;

/** Decodes a file: UTF-8, or UTF-16 as shells of Windows write it, with or without byte order mark. */
public final class TextEncoding {
    private static final int BYTE_ORDER_MARK = 0xfeff;

    private TextEncoding() {}

    /**
     * The text. Bytes that are not UTF-8 become U+FFFD, so that only their lines are refused, and only outside of
     * comments.
     *
     * @throws ProblemException if the bytes are no text
     */
    public static String decode(byte[] bytes) {
        String text = new String(bytes, encoding(bytes));
        return text.indexOf(BYTE_ORDER_MARK) == 0 ? text.substring(1) : text;
    }

    private static Charset encoding(byte[] bytes) {
        int even = 0;
        int odd = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                even += i % 2 == 0 ? 1 : 0;
                odd += i % 2;
            }
        }
        if (even == 0 && odd == 0) {
            return StandardCharsets.UTF_8;
        }
        // The high byte of an ASCII character is 0.
        if (even == 0 || odd == 0) {
            return odd > 0 ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
        }
        throw new ProblemException(new Problem(
                Problem.Code.INVALID,
                "",
                "the file is no text: it has bytes of 0",
                "send what ip6tables-save, iptables-save or nft list ruleset prints"));
    }
}
