// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.table.MySid;
import org.sextant.kit.path.BindingHandle;

/** The exports of a policy with a binding SID to policies whose paths contain it. */
final class BindingExports {
    private BindingExports() {}

    /**
     * @param ways all paths that packets may take, with those to which the headend switches by itself
     * @param entries of the plan, with that of the SID
     */
    static BindingHandle handle(
            String id, Binding binding, List<PlannedPath> planned, List<PlannedPath> ways, List<Placed> entries) {
        List<PlannedPath> taken =
                planned.stream().filter(one -> one.direction().bound()).toList();
        MySid sid = entries.stream()
                .filter(placed -> placed.entry() instanceof MySid)
                .map(placed -> (MySid) placed.entry())
                .findFirst()
                .orElseThrow();
        return new BindingHandle(
                id,
                binding.headend().name(),
                taken.get(0).trace().arrival().orElseThrow().node(),
                sid,
                taken.stream().map(PlannedPath::segments).toList(),
                taken.stream()
                        .flatMap(one -> one.branch().bindings().stream())
                        .distinct()
                        .toList(),
                ways.stream()
                        .filter(one -> one.direction().bound())
                        .mapToInt(BindingExports::bytes)
                        .max()
                        .orElseThrow());
    }

    /** End.B6.Encaps.Red reduces, even if the policy uses H.Encaps for steered packets. */
    private static int bytes(PlannedPath one) {
        int listed = one.segments().size() - 1;
        return 40 + (listed > 0 ? 8 + 16 * listed : 0) + one.branch().nestedBytes();
    }
}
