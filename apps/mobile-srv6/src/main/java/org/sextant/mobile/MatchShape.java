// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.Fields;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.NumberOrText;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Text;

/** The declaration of packets that a slice carries without a session. */
final class MatchShape {
    private static final Field<Match, Optional<TeidRange>> TEIDS = Field.optional(
            "teid",
            "0x1000-0x1fff, or one",
            NumberOrText.of(Text.parsed(TeidRange::parse, "write \"0x1000-0x1fff\", or one TEID"), 1, 0xffff_ffffL),
            Match::teids);
    private static final Field<Match, List<Integer>> QFIS = Field.standard(
                    "qfi",
                    "QoS flows, any of them; absent: all",
                    OneOf.<List<Integer>>otherwise(Fields::describe, "write a number from 0 to 63, or a list of these")
                            .form(
                                    JsonNode::isIntegralNumber,
                                    IntegerNumber.between(0, 63),
                                    List::of,
                                    qfis -> Optional.empty())
                            .form(
                                    node -> !node.isIntegralNumber(),
                                    Elements.of(IntegerNumber.between(
                                            0,
                                            63,
                                            node -> Fields.describe(node) + " is not a QFI",
                                            "write a number from 0 to 63")),
                                    Function.identity(),
                                    Optional::of),
                    List.<Integer>of(),
                    Match::qfis)
            .writtenUnlessDefault();
    private static final Field<Match, Optional<IpPrefix>> UE =
            Field.optional("ue", "prefix of UEs", SliceShape.PREFIX, Match::ue);
    private static final Field<Match, Optional<IpPrefix>> GNB =
            Field.optional("gnb", "prefix of gNBs", SliceShape.PREFIX, Match::gnb);
    private static final Field<Match, Optional<Integer>> DSCP = Field.optional(
            "dscp",
            "of the outer header: EF, or a number",
            NumberOrText.of(Text.parsed(Dscp::parse, "write a name such as EF, or 0 to 63"), 0, 63)
                    .writtenAs(Integer::longValue),
            Match::dscp);

    static final ObjectShape<Match> MATCH = ObjectShape.of(
                    "what the slice takes without a session: all that is given holds",
                    List.of(TEIDS, QFIS, UE, GNB, DSCP),
                    values -> new Match(
                            values.get(TEIDS), values.get(QFIS), values.get(UE), values.get(GNB), values.get(DSCP)))
            .rule(values -> {
                if (List.of(TEIDS, QFIS, UE, GNB, DSCP).stream().noneMatch(values::has)) {
                    values.invalid(
                            "a match without a field takes everything",
                            "write \"default\": true, or give teid, qfi, ue, gnb or dscp");
                }
            });

    private MatchShape() {}
}
