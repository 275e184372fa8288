// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.Forms;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Values;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.HopShape;
import org.sextant.usid.Policy.WeightedHops;

/** The declaration of segment lists: the hops of one, or several lists with weights. */
final class SegmentListShape {
    private static final Shape<Integer> WEIGHT_NUMBER = IntegerNumber.between(1, 255);

    private static final Field<WeightedHops, Integer> WEIGHT = Field.standard(
                    "weight", "share of the flows", WEIGHT_NUMBER, 1, WeightedHops::weight)
            .depending(SegmentListShape::weight);
    private static final Field<WeightedHops, List<Hop>> WEIGHTED_HOPS =
            hops("list the hops of this path", WeightedHops::hops);
    private static final ObjectShape<WeightedHops> WEIGHTED_LIST = ObjectShape.of(
            "hops and their weight",
            List.of(WEIGHT, WEIGHTED_HOPS),
            values -> new WeightedHops(values.get(WEIGHT), values.get(WEIGHTED_HOPS)));

    static final Field<List<Hop>, List<Hop>> HOPS =
            hops("list the hops of one path in hops, or of several weighted ones in segmentLists", Function.identity());
    static final Field<List<WeightedHops>, List<WeightedHops>> SEGMENT_LISTS = Field.required(
            "segmentLists",
            "several paths, over which flows are distributed by weight",
            Elements.of(WEIGHTED_LIST).atLeast(1, "there is no path", "give one at least"),
            "give one path at least",
            Function.identity());

    static final ObjectShape<List<WeightedHops>> LISTS = ObjectShape.of(
            "hops or segmentLists",
            Forms.of(Function.<List<WeightedHops>>identity(), SegmentListShape::once)
                    .form(
                            values -> !values.has(SEGMENT_LISTS),
                            ObjectShape.of("hops of one path", List.of(HOPS), values -> values.get(HOPS)),
                            hops -> List.of(new WeightedHops(1, hops)),
                            lists -> lists.size() == 1 && lists.get(0).weight() == 1
                                    ? Optional.of(lists.get(0).hops())
                                    : Optional.empty())
                    .form(
                            values -> !values.has(HOPS),
                            ObjectShape.of(
                                    "several paths", List.of(SEGMENT_LISTS), values -> values.get(SEGMENT_LISTS)),
                            Function.identity(),
                            Optional::of));

    private SegmentListShape() {}

    private static <O> Field<O, List<Hop>> hops(String remedy, Function<O, List<Hop>> getter) {
        return Field.required(
                "hops",
                "nodes, links, SIDs, firewalls and policies on the path, in the direction of the packets",
                Elements.of(HopShape.HOP).atLeast(1, "there is no hop", "give one at least: the egress"),
                remedy,
                getter);
    }

    private static Shape<Integer> weight(Values<WeightedHops> values) {
        return values.node(WEIGHT)
                .filter(node -> node.isIntegralNumber() && node.asLong(1) == 0)
                .map(node -> WEIGHT_NUMBER.refusedAs(
                        zero -> "a list of weight 0 is not valid and takes no packets (RFC 9256, 5.1)",
                        "leave the list out, or give it a weight from 1 to 255"))
                .orElse(WEIGHT_NUMBER);
    }

    private static void once(Values<List<WeightedHops>> values) {
        if (values.has(SEGMENT_LISTS) && values.has(HOPS)) {
            values.invalid(
                    HOPS,
                    "\"hops\" and \"segmentLists\" say the same thing twice",
                    "list the hops of one path in hops, or of several weighted ones in segmentLists");
        }
    }
}
