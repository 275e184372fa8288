// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.util.Set;

/**
 * The maps of the store that hold tokens. A copy of the store must not have them: a token that was revoked after the copy was
 * made would be valid again once it is restored.
 */
public final class TokenMaps {
    private TokenMaps() {}

    public static Set<String> names() {
        return Set.of(Tokens.MAP, Tokens.USES);
    }
}
