// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import java.util.Objects;
import java.util.Optional;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.Metadata;

/**
 * A Live-Live flow as an operator specifies it: its packets are copied over several paths and delivered once.
 * Immutable, and independent of any network.
 *
 * @param name becomes the flow's id; without one the id is derived from the content
 * @param family restricts the flow to one address family; by default it has all that both ends have
 * @param symmetric the reverse direction is copied too, over the same paths in reverse
 * @param ingress the node where the flow enters; empty: that of its source
 * @param egress the node where it leaves; empty: that of its destination
 */
public record LiveLive(
        Optional<String> name,
        Endpoint from,
        Endpoint to,
        Traffic traffic,
        Optional<Family> family,
        boolean symmetric,
        PathRequest wish,
        Optional<String> ingress,
        Optional<String> egress,
        Metadata metadata) {

    public LiveLive {
        Objects.requireNonNull(from);
        Objects.requireNonNull(to);
        Objects.requireNonNull(traffic);
        Objects.requireNonNull(family);
        Objects.requireNonNull(wish);
        Objects.requireNonNull(metadata);
        name.ifPresent(LiveLive::checkName);
    }

    /** Without the fields that have no influence on its packets. */
    public LiveLive withoutMetadata() {
        return new LiveLive(name, from, to, traffic, family, symmetric, wish, ingress, egress, Metadata.NONE);
    }

    static void checkName(String name) {
        if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,62}")) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name");
        }
    }
}
