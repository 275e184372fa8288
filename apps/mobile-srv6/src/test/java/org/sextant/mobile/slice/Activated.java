// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import org.sextant.core.intent.Intents;
import org.sextant.core.port.DataPlane;

/** Activates slices like a container. */
public final class Activated {
    private Activated() {}

    public static SliceApp slices(Intents engine, DataPlane dataPlane) {
        SliceApp app = new SliceApp();
        app.engine = engine;
        app.dataPlane = dataPlane;
        app.activate();
        return app;
    }
}
