// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import java.util.Optional;
import org.sextant.core.intent.IntentState;

/**
 * A document of a list, read.
 *
 * @param above the name of the intent above, for kinds below another
 * @param name unique among documents of the kind, or of the kind and the intent above
 */
record Document<I>(DocumentKind<I> kind, Optional<String> above, String name, I intent) {

    /** The id of its intent in the engine. */
    private String id() {
        return kind.app().intents().name(intent).orElse(name);
    }

    /** This document beside the stored intent of its name, unless that was deleted. */
    Comparison<I> beside() {
        return new Comparison<>(
                this,
                kind.app()
                        .intents()
                        .find(id())
                        .filter(status -> status.state() != IntentState.REMOVING)
                        .map(status -> status.intent().intent()));
    }

    /** The state of its intent by now; PENDING if it was removed meanwhile. */
    IntentState state() {
        return kind.app().intents().find(id()).map(status -> status.state()).orElse(IntentState.PENDING);
    }
}
