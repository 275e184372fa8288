// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.kit.app.ExclusiveIntents;
import org.sextant.livelive.LiveLive;

/** Flows of a running controller, without overlaps: the copies of a packet carry the id of one flow. */
final class FlowIntents extends ExclusiveIntents<LiveLive> {

    FlowIntents(Intents engine, IntentKind<LiveLive> kind) {
        super(engine, kind);
    }

    @Override
    protected Held<LiveLive> nothing() {
        return new OverlapCheck(network(), kind()::identity);
    }
}
