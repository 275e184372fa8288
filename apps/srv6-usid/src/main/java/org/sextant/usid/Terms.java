// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.core.intent.IntentKind;

/**
 * What a policy of candidate paths is besides these paths.
 *
 * @param color with headend and endpoint it names the policy (RFC 9256, 2.1): 1 to 2^32 - 1, no other policy between the two
 *     has it
 * @param priority whose turn it is to be computed again when the network changes, 0 to 255: the lower, the sooner (RFC 9256, 2.12)
 * @param preferInstalled of candidates equally good by preference and origin the one that is installed stays (RFC 9256, 2.9)
 * @param whenInvalid what becomes of its traffic while no path is valid
 * @param binding the SID by which others enter it
 * @param liveness how its paths are watched; empty: they are not
 */
public record Terms(
        OptionalLong color,
        int priority,
        boolean preferInstalled,
        WhenInvalid whenInvalid,
        Optional<BindingSid> binding,
        Optional<LivenessTerms> liveness) {
    public static final long MAX_COLOR = 0xffff_ffffL;

    /** Of a policy that says nothing of it. */
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
