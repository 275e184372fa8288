// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.describe;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.kit.app.SrApp;

/** The door to {@link AppOpenApi} for tests of apps. */
public final class Described {
    private Described() {}

    public static void complete(ObjectNode fragment, SrApp<?> app) throws IOException {
        AppOpenApi.complete(fragment, app);
    }
}
