// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.Objects;
import java.util.Optional;
import org.sextant.core.intent.Dependence;

/**
 * What a policy shows to intents that refer to it.
 *
 * @param binding for those whose paths lead into it
 * @param way for those who keep away from it: the nodes and links that packets may be on, whichever of equally short ways they
 *     go; none while it does something else instead of taking a path
 */
public record PolicyOffer(Optional<BindingHandle> binding, Dependence way) {

    /** The kind of intents that are policies. */
    public static final String KIND = "policy";

    public PolicyOffer {
        Objects.requireNonNull(binding);
        Objects.requireNonNull(way);
    }
}
