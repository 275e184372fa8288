// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.Objects;
import java.util.Optional;
import org.sextant.core.intent.Dependence;

/**
 * The exports of a policy to intents that refer to it.
 *
 * @param binding for policies whose paths contain its binding SID
 * @param way for policies disjoint from it: the nodes and links that its packets may use, on all equally short paths;
 *     none while the policy takes no path
 */
public record PolicyOffer(Optional<BindingHandle> binding, Dependence way) {

    /** The kind of intents that are policies. */
    public static final String KIND = "policy";

    public PolicyOffer {
        Objects.requireNonNull(binding);
        Objects.requireNonNull(way);
    }
}
