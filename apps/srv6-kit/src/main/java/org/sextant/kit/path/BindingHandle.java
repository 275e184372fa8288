// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.MySid;

/**
 * What a policy with a binding SID offers to those whose paths lead into it.
 *
 * @param policy its id
 * @param node its headend, where the SID is
 * @param endpoint where it ends, and the packet inside goes on
 * @param sid its entry
 * @param lists where that sends packets
 * @param inner policies that its own paths lead into
 * @param bytes that it puts on a packet at most, those of inner ones included
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

    /** These, and those that they lead into. */
    static List<BindingHandle> all(Collection<BindingHandle> handles) {
        List<BindingHandle> all = new ArrayList<>();
        handles.forEach(one -> {
            all.add(one);
            all.addAll(all(one.inner));
        });
        return all;
    }
}
