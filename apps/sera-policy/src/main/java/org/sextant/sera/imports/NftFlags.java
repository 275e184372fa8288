// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.sextant.sera.TcpFlags;

/** Flags of TCP in the syntax of nft. */
final class NftFlags {
    private final NftWords words;

    NftFlags(NftWords words) {
        this.words = words;
    }

    /**
     * Reads {@code syn / fin,syn,rst,ack} or {@code & (fin | syn) == syn}; {@code == syn} and {@code != syn} compare
     * all flags, {@code syn} alone requires that it is set.
     */
    TcpFlags read() throws Refused {
        if (words.take("&")) {
            int mask = bits(alternatives());
            boolean other = words.take("!=");
            if (!other && !words.take("==")) {
                throw new Refused("tcp flags: it does not say what is set");
            }
            int set = words.peek().equals("0x0") || words.peek().equals("0") ? zero() : bits(alternatives());
            return Draft.read(() -> new TcpFlags(other, mask, set));
        }
        boolean not = words.take("!=");
        boolean exact = not || words.take("==");
        if (words.peek().equals("{") || words.peek().equals("(") || words.peek().startsWith("@")) {
            throw new Refused("tcp flags: one of several values: write a rule for each");
        }
        List<String> named = words.values();
        int set = bits(named);
        if (words.take("/")) {
            int mask = bits(words.values());
            return Draft.read(() -> new TcpFlags(not, mask, set));
        }
        if (named.size() > 1 || words.peek().equals("|")) {
            throw new Refused("tcp flags: one of several flags: write \"set / looked at\"");
        }
        return Draft.read(() -> new TcpFlags(not, exact ? 0xff : set, set));
    }

    private int zero() throws Refused {
        words.next();
        return 0;
    }

    private static int bits(List<String> names) throws Refused {
        return Draft.read(() -> TcpFlags.bits(names.stream().collect(Collectors.joining(","))));
    }

    /** Reads {@code (fin | syn)}, or one flag. */
    private List<String> alternatives() throws Refused {
        boolean several = words.take("(");
        List<String> names = new ArrayList<>(List.of(words.next()));
        while (words.take("|")) {
            names.add(words.next());
        }
        if (several && !words.take(")")) {
            throw new Refused("tcp flags: a parenthesis is not closed");
        }
        return names;
    }
}
