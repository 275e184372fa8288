// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.json.Fields;

/** Reads and writes {@link Terms} among the fields of a policy; omits default values. */
final class TermsJson {
    private TermsJson() {}

    static Terms decode(Fields fields) {
        OptionalLong color = fields.has("color")
                ? OptionalLong.of(fields.integer("color", 1, Terms.MAX_COLOR, 1))
                : OptionalLong.empty();
        int priority = (int) fields.integer("priority", 0, 255, IntentKind.NO_PRIORITY);
        WhenInvalid whenInvalid = fields.word("whenInvalid", List.of(WhenInvalid.values()), WhenInvalid::spelling)
                .orElse(WhenInvalid.UNDERLAY);
        boolean preferInstalled = fields.bool("preferInstalled", false);
        Optional<BindingSid> binding =
                fields.parsed("bindingSid", "write \"auto\", or a SID of the headend", BindingSid::parse);
        return new Terms(color, priority, preferInstalled, whenInvalid, binding, LivenessTerms.decode(fields));
    }

    static void encode(Terms terms, ObjectNode json) {
        terms.color().ifPresent(color -> json.put("color", color));
        if (terms.priority() != IntentKind.NO_PRIORITY) {
            json.put("priority", terms.priority());
        }
        if (terms.preferInstalled()) {
            json.put("preferInstalled", true);
        }
        if (terms.whenInvalid() != WhenInvalid.UNDERLAY) {
            json.put("whenInvalid", terms.whenInvalid().spelling());
        }
        terms.binding().ifPresent(sid -> json.put("bindingSid", sid.toString()));
        terms.liveness().ifPresent(liveness -> liveness.encode(json));
    }
}
