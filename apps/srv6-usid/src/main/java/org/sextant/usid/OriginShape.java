// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.json.Fields;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Word;

/** The declaration of the origin of a candidate path, whose fields are the candidate path's. */
final class OriginShape {
    private static final Field<Origin, Integer> PROTOCOL = Field.standard(
                    "protocolOrigin",
                    "of equal preferences the higher one is active: pcep is 10, bgp 20, configuration 30 (RFC 9256, 2.3);"
                            + " absent: configuration",
                    OneOf.<Integer>otherwise(Fields::describe, "write a word or a number")
                            .form(
                                    Word.of(List.of(10, 20, Origin.CONFIGURATION), Origin.NAMES::get)
                                            .inAnyCase(),
                                    Function.identity(),
                                    number -> Optional.of(number).filter(Origin.NAMES::containsKey))
                            .form(IntegerNumber.between(0, Origin.MOST), Function.identity(), Optional::of)
                            .refusedAs(
                                    node ->
                                            "a protocol origin is pcep, bgp, configuration or a number from 0 to 255, not "
                                                    + Fields.describe(node),
                                    "leave it out for configuration"),
                    Origin.CONFIGURATION,
                    Origin::protocol)
            .writtenUnlessDefault();
    private static final Field<Origin, Origin> ORIGINATOR = Field.standard(
                    "originator",
                    "AS number and address of the originator, 65001:192.0.2.1; of equal origins the lower one is active"
                            + " (RFC 9256, 2.4); absent: 0:0",
                    Text.parsed(
                                    Origin::parseOriginator,
                                    "write an AS number and an address of the node: 65001:192.0.2.1")
                            .spelled(Origin::originator),
                    Origin.DEFAULT,
                    (Origin origin) -> origin.withProtocol(Origin.CONFIGURATION))
            .writtenUnlessDefault();

    static final ObjectShape<Origin> ORIGIN = ObjectShape.of(
            "the origin of a candidate path",
            List.of(PROTOCOL, ORIGINATOR),
            values -> values.get(ORIGINATOR).withProtocol(values.get(PROTOCOL)));

    private OriginShape() {}
}
