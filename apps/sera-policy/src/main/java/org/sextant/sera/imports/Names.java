// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.Optional;

/** Names of rules, derived from comments. */
final class Names {
    private static final int LONGEST = 40;

    private Names() {}

    /** Empty if the comment has no character that a name may have. */
    static Optional<String> of(String comment) {
        String name = comment.strip().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
        return name.isEmpty() ? Optional.empty() : Optional.of(name.substring(0, Math.min(LONGEST, name.length())));
    }
}
