// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.core.intent.IntentKind;

/**
 * The properties of a policy with candidate paths, apart from these.
 *
 * @param color identifies the policy together with headend and endpoint (RFC 9256, 2.1); 1 to 2^32 - 1
 * @param priority the order of recomputation when the network changes, 0 to 255: the lower, the sooner (RFC 9256, 2.12)
 * @param preferInstalled of candidate paths with equal preference and origin the installed one remains active (RFC
 *     9256, 2.9)
 * @param whenInvalid the treatment of its traffic while no path is valid
 * @param binding the SID by which packets of other policies enter it
 * @param liveness the liveness detection of its paths; empty: none
 */
public record Terms(
        OptionalLong color,
        int priority,
        boolean preferInstalled,
        WhenInvalid whenInvalid,
        Optional<BindingSid> binding,
        Optional<LivenessTerms> liveness) {
    public static final long MAX_COLOR = 0xffff_ffffL;

    /** The default terms. */
    public static final Terms DEFAULT = new Terms(
            OptionalLong.empty(),
            IntentKind.NO_PRIORITY,
            false,
            WhenInvalid.UNDERLAY,
            Optional.empty(),
            Optional.empty());

    public Terms {
        Objects.requireNonNull(color);
        Objects.requireNonNull(whenInvalid);
        Objects.requireNonNull(binding);
        Objects.requireNonNull(liveness);
        if (color.isPresent() && (color.getAsLong() < 1 || color.getAsLong() > MAX_COLOR)) {
            throw new IllegalArgumentException("a color has 32 bits and is not 0 (RFC 9256, 2.1)");
        }
        if (priority < 0 || priority > 255) {
            throw new IllegalArgumentException("a priority is from 0 to 255 (RFC 9256, 2.12)");
        }
    }
}
