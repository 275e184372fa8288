// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.OptionalInt;
import org.sextant.sera.Numbers;
import org.sextant.sera.Protocols;

/** Fields of routing headers in the syntax of nft. */
final class NftRouting {
    private final NftWords words;
    private final Draft draft;

    NftRouting(NftWords words, Draft draft) {
        this.words = words;
        this.draft = draft;
    }

    /** nft counts SIDs from 1: {@code srh sid[1]} is list[0]. */
    void read(String header, String field) throws Refused {
        switch (header + " " + field) {
            case "rt type" -> {
                if (!words.take("4")) {
                    throw new Refused("a firewall here looks at routing headers of type 4 only");
                }
                draft.srh();
            }
            case "rt seg-left" -> draft.srh("left", words.numbers(8, name -> OptionalInt.empty()));
            case "rt hdrlength" -> draft.srh("length", words.numbers(8, name -> OptionalInt.empty()));
            case "rt nexthdr" -> draft.srh("next", words.numbers(8, Protocols::named));
            case "srh last-entry" -> draft.srh("last", words.numbers(8, name -> OptionalInt.empty()));
            case "srh tag" -> draft.srh("tag", words.numbers(16, name -> OptionalInt.empty()));
            case "srh flags" -> {
                Numbers value = words.numbers(8, name -> OptionalInt.empty());
                Numbers.Span only = value.spans().get(0);
                if (value.negated() || value.spans().size() > 1 || only.low() != only.high()) {
                    throw new Refused("a rule asks for one value of the flags of the header");
                }
                draft.srhFlags(only.low());
            }
            case "srh sid[1]" -> {
                boolean not = words.take("!=");
                draft.sid("last", Draft.peer(words.next(), not));
            }
            default -> throw new Refused(header + " " + field + ": " + NftLine.SPEC);
        }
    }

    void exists(String header) throws Refused {
        if (!header.equals("rt") || !(words.take("exists") || words.take("1"))) {
            throw new Refused("exthdr " + header + ": " + NftLine.SPEC);
        }
        draft.srh();
    }
}
