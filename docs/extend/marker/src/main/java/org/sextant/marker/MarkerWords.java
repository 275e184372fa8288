// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import java.util.List;
import org.sextant.kit.app.AppWords;

/** What markers are called. Addresses, commands, schemas and sentences follow from it. */
final class MarkerWords implements AppWords {
    @Override
    public String one() {
        return "marker";
    }

    @Override
    public String many() {
        return "markers";
    }

    @Override
    public List<Example> examples() {
        return List.of(new Example("one more SID", """
                {"name": "one", "node": "l1", "sid": "fcbb:bbbb:100:aaaa::/64"}"""));
    }
}
