// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.port.Store;
import org.sextant.livelive.Numbers;

/**
 * Which group and which window are to be given next. It is stored, because the rows of a flow that was removed may still be on
 * a node that cannot be reached, and a restarted controller knows nothing of that flow: what was given last is given
 * again after all others.
 *
 * @param group 1 to {@link Numbers#MAX_GROUP}
 * @param window 0 to 63
 */
record Turn(int group, int window) {
    static final Turn FIRST = new Turn(1, 0);

    private static final String MAP = "livelive";
    private static final String KEY = "turn";
    private static final Pattern STORED = Pattern.compile("\\{\"group\":(\\d{1,5}),\"window\":(\\d{1,2})}");

    /** The turn behind what was just given. */
    static Turn after(Numbers given) {
        return new Turn(given.group() % Numbers.MAX_GROUP + 1, (given.window() + 1) % Numbers.WINDOWS);
    }

    static Turn of(Store store) {
        return store.get(MAP, KEY).flatMap(Turn::parse).orElse(FIRST);
    }

    /** @throws RuntimeException of the store if it could not be written */
    void keep(Store store) {
        store.put(MAP, Map.of(KEY, "{\"group\":" + group + ",\"window\":" + window + "}"));
    }

    private static Optional<Turn> parse(String text) {
        Matcher stored = STORED.matcher(text);
        return stored.matches()
                ? Optional.of(new Turn(Integer.parseInt(stored.group(1)), Integer.parseInt(stored.group(2))))
                : Optional.empty();
    }
}
