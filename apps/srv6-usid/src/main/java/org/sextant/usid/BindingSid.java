// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.Optional;
import org.sextant.core.ip.Ipv6;

/**
 * The binding SID of a policy at its headend (RFC 9256, 6): packets with this destination there take the policy's path.
 *
 * @param sid the specified SID; empty: any free one
 */
public record BindingSid(Optional<Ipv6> sid) {
    public static final String AUTO = "auto";

    public static BindingSid parse(String text) {
        return new BindingSid(text.equals(AUTO) ? Optional.empty() : Optional.of(Ipv6.parse(text)));
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return sid.map(Ipv6::toString).orElse(AUTO);
    }
}
