// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.List;
import java.util.Optional;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.Flag;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Word;

/** The declaration of the terms of candidate paths, which are fields of their policy. */
final class TermsShape {
    private static final Field<LivenessTerms, Integer> INTERVAL = Field.standard(
            "intervalMillis",
            "between two probes",
            IntegerNumber.between(1, LivenessTerms.MAX_INTERVAL),
            LivenessTerms.DEFAULT.intervalMillis(),
            LivenessTerms::intervalMillis);
    private static final Field<LivenessTerms, Integer> MULTIPLIER = Field.standard(
            "multiplier",
            "the number of consecutive lost probes that bring a path down",
            IntegerNumber.between(LivenessTerms.MIN_MULTIPLIER, LivenessTerms.MAX_MULTIPLIER),
            LivenessTerms.DEFAULT.multiplier(),
            LivenessTerms::multiplier);
    private static final Field<LivenessTerms, Integer> HOLD_DOWN = Field.standard(
            "holdDownMillis",
            "the time without loss before the path is used again",
            IntegerNumber.between(0, LivenessTerms.MAX_HOLD_DOWN),
            LivenessTerms.DEFAULT.holdDownMillis(),
            LivenessTerms::holdDownMillis);

    private static final Field<Terms, Optional<Long>> COLOR = Field.optional(
            "color",
            "identifies the policy together with headend and endpoint: no other has the same three (RFC 9256, 2.1)",
            new IntegerNumber(1, Terms.MAX_COLOR),
            terms -> terms.color().stream().boxed().findFirst());
    private static final Field<Terms, Integer> PRIORITY = Field.standard(
                    "priority",
                    "the order of recomputation when the network changes: the lower, the sooner (RFC 9256, 2.12); absent: "
                            + IntentKind.NO_PRIORITY,
                    IntegerNumber.between(0, 255),
                    IntentKind.NO_PRIORITY,
                    Terms::priority)
            .writtenUnlessDefault();
    private static final Field<Terms, Boolean> PREFER_INSTALLED = Field.standard(
                    "preferInstalled",
                    "of candidate paths with equal preference and origin the installed one remains active (RFC 9256, 2.9);"
                            + " absent: false",
                    new Flag(),
                    false,
                    Terms::preferInstalled)
            .writtenUnlessDefault();
    private static final Field<Terms, WhenInvalid> WHEN_INVALID = Field.standard(
                    "whenInvalid",
                    "the treatment of the traffic while no candidate path is valid (RFC 9256, 8.2): it takes the underlay,"
                            + " is dropped, or keeps the last path; absent: underlay",
                    Word.of(List.of(WhenInvalid.values()), WhenInvalid::spelling),
                    WhenInvalid.UNDERLAY,
                    Terms::whenInvalid)
            .writtenUnlessDefault();
    static final Field<Terms, Optional<BindingSid>> BINDING_SID = Field.optional(
            "bindingSid",
            "\"auto\", or a SID of the headend: packets with this destination there take the path (RFC 9256, 6)",
            Text.parsed(BindingSid::parse, "write \"auto\", or a SID of the headend"),
            Terms::binding);
    static final Field<Terms, Optional<LivenessTerms>> LIVENESS = Field.optional(
            "liveness",
            "the headend sends probes along each candidate path, and switches to the next one by itself while they are lost"
                    + " (RFC 9256, 9.3); absent: it sends none",
            ObjectShape.of(
                    "liveness detection by probes",
                    List.of(INTERVAL, MULTIPLIER, HOLD_DOWN),
                    values -> new LivenessTerms(values.get(INTERVAL), values.get(MULTIPLIER), values.get(HOLD_DOWN))),
            Terms::liveness);

    static final ObjectShape<Terms> TERMS = ObjectShape.of(
            "the terms of candidate paths",
            List.of(COLOR, PRIORITY, PREFER_INSTALLED, WHEN_INVALID, BINDING_SID, LIVENESS),
            values -> new Terms(
                    values.get(COLOR).stream().mapToLong(Long::longValue).findFirst(),
                    values.get(PRIORITY),
                    values.get(PREFER_INSTALLED),
                    values.get(WHEN_INVALID),
                    values.get(BINDING_SID),
                    values.get(LIVENESS)));

    private TermsShape() {}
}
