// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.Optional;
import org.sextant.core.ip.Ipv6;

/**
 * That a policy has a binding SID at its headend (RFC 9256, 6): packets that come there with it take the policy's path.
 *
 * @param sid the one that a person chose; empty: whichever is free
 */
public record BindingSid(Optional<Ipv6> sid) {
    public static final String AUTO = "auto";

    public static BindingSid parse(String text) {
        return new BindingSid(text.equals(AUTO) ? Optional.empty() : Optional.of(Ipv6.parse(text)));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return sid.map(Ipv6::toString).orElse(AUTO);
    }
}
