// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.List;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;
import org.sextant.sera.Versioned.Earlier;

/** The declaration of versions of firewalls. */
public final class VersionedShape {
    private static final String AT_TEXT = "the time when the version was accepted; empty: unknown";
    private static final Text<String> MOMENT = Text.upTo(64);

    private static final Field<Earlier, Integer> EARLIER_VERSION =
            Field.standard("version", "its number", IntegerNumber.between(1, Versioned.LAST), 1, Earlier::version);
    private static final Field<Earlier, String> EARLIER_AT = Field.standard("at", AT_TEXT, MOMENT, "", Earlier::at);
    private static final Field<Earlier, Firewall> EARLIER_FIREWALL = Field.required(
            "firewall", "the firewall", FirewallShape.FIREWALL, "give the firewall of the version", Earlier::firewall);

    private static final FieldGroup<Versioned, Firewall> FIREWALL =
            FieldGroup.of(FirewallShape.FIREWALL, Versioned::firewall);
    private static final Field<Versioned, Integer> VERSION = Field.standard(
            "version", "counts up with every change", IntegerNumber.between(1, Versioned.LAST), 1, Versioned::version);
    private static final Field<Versioned, String> AT = Field.standard("at", AT_TEXT, MOMENT, "", Versioned::at);
    private static final Field<Versioned, List<Earlier>> EARLIER = Field.standard(
            "earlier",
            "the versions before it, oldest first",
            Elements.of(ObjectShape.of(
                    "a version that another one replaced",
                    List.of(EARLIER_VERSION, EARLIER_AT, EARLIER_FIREWALL),
                    values -> new Earlier(
                            values.get(EARLIER_VERSION), values.get(EARLIER_AT), values.get(EARLIER_FIREWALL)))),
            List.<Earlier>of(),
            Versioned::earlier);

    /** The document of an operator, which is the first version. */
    public static final ObjectShape<Versioned> FIRST =
            FirewallShape.FIREWALL.as(firewall -> Versioned.first(firewall, ""), Versioned::firewall);

    /** The form in the store: the document with its version, and earlier versions. */
    public static final ObjectShape<Versioned> STORED = ObjectShape.of(
            "a firewall with its versions",
            List.of(FIREWALL, VERSION, AT, EARLIER),
            values -> new Versioned(values.get(FIREWALL), values.get(VERSION), values.get(AT), values.get(EARLIER)));

    private VersionedShape() {}
}
