// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.List;
import java.util.Optional;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.MySid;

/** What nodes hold without binding SIDs, and these. */
public record BindingFib(Fib without, List<BindingHandle> bindings) implements Fib {

    /** @param bindings those that they lead into need not be named */
    public BindingFib {
        bindings = List.copyOf(BindingHandle.all(bindings));
    }

    /** Their SIDs are longer than those of nodes, and of no one else. */
    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        return bindings.stream()
                .filter(one -> one.node().equals(node) && one.sid().sid().contains(destination))
                .findFirst()
                .map(BindingHandle::sid)
                .or(() -> without.mySid(node, destination));
    }

    @Override
    public List<List<Ipv6>> segmentLists(String node, int sidList) {
        return bindings.stream()
                .filter(one -> one.node().equals(node) && one.sid().sendsInto().getAsInt() == sidList)
                .findFirst()
                .map(BindingHandle::lists)
                .orElseGet(() -> without.segmentLists(node, sidList));
    }

    @Override
    public Optional<RuleSet> firewall(String node, int number) {
        return without.firewall(node, number);
    }

    @Override
    public List<Adjacency> route(String node, int vrf, IpAddress destination) {
        return without.route(node, vrf, destination);
    }

    @Override
    public Optional<Adjacency> adjacency(String node, int nextHop) {
        return without.adjacency(node, nextHop);
    }
}
