// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The explanation of a plan for operators. A controller keeps one with every plan and shows few of them: so it may be
 * kept in less room than JSON takes. Equal explanations have equal JSON.
 */
@FunctionalInterface
public interface Explained {
    Explained NOTHING = JsonNodeFactory.instance::objectNode;

    ObjectNode json();

    /** An explanation from existing JSON. */
    static Explained of(ObjectNode json) {
        record Ready(ObjectNode json) implements Explained {}
        return new Ready(json);
    }
}
