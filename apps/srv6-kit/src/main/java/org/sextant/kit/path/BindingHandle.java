// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.MySid;

/**
 * The exports of a policy with a binding SID to policies whose paths contain that SID.
 *
 * @param policy its id
 * @param node its headend, which has the SID
 * @param endpoint the node at which it ends and the inner packet continues
 * @param sid its entry
 * @param lists the segment lists of that entry
 * @param inner the policies in whose binding SIDs its own paths lead
 * @param bytes the maximum that it adds to a packet, with the inner policies
 */
public record BindingHandle(
        String policy,
        String node,
        String endpoint,
        MySid sid,
        List<List<Ipv6>> lists,
        List<BindingHandle> inner,
        int bytes) {

    public BindingHandle {
        Objects.requireNonNull(policy);
        Objects.requireNonNull(node);
        Objects.requireNonNull(endpoint);
        lists = List.copyOf(lists);
        inner = List.copyOf(inner);
        if (sid.sendsInto().isEmpty() || lists.isEmpty()) {
            throw new IllegalArgumentException(sid.sid() + " leads nowhere");
        }
    }

    /** These policies, and all that they contain. */
    static List<BindingHandle> all(Collection<BindingHandle> handles) {
        List<BindingHandle> all = new ArrayList<>();
        handles.forEach(one -> {
            all.add(one);
            all.addAll(all(one.inner));
        });
        return all;
    }
}
