// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.sextant.core.ip.Ipv6;

/**
 * A node as an operator writes it: its name ({@code l2}), its uSID ({@code 0x0200} or {@code 0200}) or its SID ({@code
 * fcbb:bbbb:200::}). Only the network resolves the form, as a node may be called {@code 0200}.
 *
 * @param text canonical: SIDs as RFC 5952 writes them, numbers with 0x in lower case
 */
public record Waypoint(String text) {
    private static final Pattern NUMBER = Pattern.compile("0[xX][0-9a-fA-F]{1,8}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern DIGITS = Pattern.compile("[0-9a-fA-F]{1,8}");

    /** @throws IllegalArgumentException if {@code text} can be none of the three */
    public Waypoint {
        if (text.indexOf(':') >= 0) {
            text = Ipv6.parse(text).toString();
        } else if (NUMBER.matcher(text).matches()) {
            text = text.toLowerCase(Locale.ROOT);
        } else if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is neither a node's name nor a uSID nor a SID");
        }
        text = text.intern(); // a thousand nodes are named in a hundred thousand policies
    }

    public boolean isSid() {
        return text.indexOf(':') >= 0;
    }

    /** The number if the text can be a uSID. */
    public OptionalLong usid() {
        String digits = text.startsWith("0x") ? text.substring(2) : text;
        return DIGITS.matcher(digits).matches() ? OptionalLong.of(Long.parseLong(digits, 16)) : OptionalLong.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}
