// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.List;
import java.util.Optional;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.Flag;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Text;

/** The declaration of matches on the segment routing header. */
final class SrhShape {
    private static final Text<Peer> SID = Text.parsed(SrhShape::sid, "write a SID or a prefix of SIDs");

    private static final Field<SrhMatch, Optional<Boolean>> PRESENT = Field.optional(
            "present", "true: the header must be present; false: it must not", new Flag(), SrhMatch::present);
    private static final Field<SrhMatch, Optional<Numbers>> NEXT_HEADER = Field.optional(
            "nextHeader",
            "Next Header",
            RuleShape.numbers(8, Protocols::named, Numbers::toString),
            SrhMatch::nextHeader);
    private static final Field<SrhMatch, Optional<Numbers>> HEADER_LENGTH =
            RuleShape.numbers("headerLength", "Hdr Ext Len", 8, SrhMatch::headerLength);
    private static final Field<SrhMatch, Optional<Numbers>> SEGMENTS_LEFT =
            RuleShape.numbers("segmentsLeft", "Segments Left", 8, SrhMatch::segmentsLeft);
    private static final Field<SrhMatch, Optional<Numbers>> LAST_ENTRY =
            RuleShape.numbers("lastEntry", "Last Entry", 8, SrhMatch::lastEntry);
    private static final Field<SrhMatch, Optional<SrhMatch.Flags>> FLAGS = Field.optional(
            "flags",
            "a value and a mask: \"0x08/0x08\"",
            Text.parsed(SrhMatch.Flags::parse, "write a value and a mask: \"0x08/0x08\""),
            SrhMatch::flags);
    private static final Field<SrhMatch, Optional<Numbers>> TAG =
            RuleShape.numbers("tag", "the tag in network order", 16, SrhMatch::tag);
    private static final Field<SrhMatch, Optional<Peer>> PREVIOUS_SID =
            Field.optional("previousSid", "the segment before the active one, or a prefix", SID, SrhMatch::previousSid);
    private static final Field<SrhMatch, Optional<Peer>> NEXT_SID =
            Field.optional("nextSid", "the destination after the next step, or a prefix", SID, SrhMatch::nextSid);
    private static final Field<SrhMatch, Optional<Peer>> LAST_SID =
            Field.optional("lastSid", "the last segment, or a prefix", SID, SrhMatch::lastSid);

    static final Shape<SrhMatch> SRH = ObjectShape.of(
                    "a match on the segment routing header (RFC 8754)",
                    List.of(
                            PRESENT,
                            NEXT_HEADER,
                            HEADER_LENGTH,
                            SEGMENTS_LEFT,
                            LAST_ENTRY,
                            FLAGS,
                            TAG,
                            PREVIOUS_SID,
                            NEXT_SID,
                            LAST_SID),
                    values -> new SrhMatch(
                            values.get(PRESENT),
                            values.get(NEXT_HEADER),
                            values.get(HEADER_LENGTH),
                            values.get(SEGMENTS_LEFT),
                            values.get(LAST_ENTRY),
                            values.get(FLAGS),
                            values.get(TAG),
                            values.get(PREVIOUS_SID),
                            values.get(NEXT_SID),
                            values.get(LAST_SID)))
            .named("FirewallSrh")
            .checked(SrhShape::check);

    private SrhShape() {}

    private static void check(SrhMatch match, JsonInput input) {
        if (match.equals(SrhMatch.NOTHING)) {
            input.invalid("\"srh\" asks for nothing", "write {\"present\": true}, or leave it out");
        }
        if (match.present().filter(present -> !present).isPresent() && match.asksForHeader()) {
            input.invalid(
                    "/" + PRESENT.name(),
                    "a packet without a segment routing header has no fields of one",
                    "ask for one of both");
        }
    }

    private static Peer sid(String text) {
        Peer peer = Peer.parse(text);
        if (peer.prefix().filter(prefix -> prefix.isIpv6()).isEmpty()) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is no IPv6 prefix");
        }
        return peer;
    }
}
