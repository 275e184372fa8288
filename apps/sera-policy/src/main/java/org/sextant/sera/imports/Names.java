// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.Optional;

/** Names of rules, made of what people wrote beside them. */
final class Names {
    private static final int LONGEST = 40;

    private Names() {}

    /** Empty if nothing of it may stand in a name. */
    static Optional<String> of(String comment) {
        String name = comment.strip().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
        return name.isEmpty() ? Optional.empty() : Optional.of(name.substring(0, Math.min(LONGEST, name.length())));
    }
}
