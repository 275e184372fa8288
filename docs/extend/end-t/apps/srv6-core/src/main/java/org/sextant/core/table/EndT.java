// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.core.table.TableEntry.Call;

/** End, and the next segment is looked up in a table of its own (RFC 8986, 4.3). */
public record EndT(int vrf) implements Behavior {
    public EndT {
        Range.vrf(vrf);
    }

    @Override
    public Action contract() {
        return Actions.END_T;
    }

    @Override
    public Call call() {
        return Call.of(contract(), Values.number(vrf));
    }

    @Override
    public String text() {
        return action() + " vrf " + vrf;
    }

    @Override
    public String name(boolean whole) {
        return "End.T";
    }

    @Override
    public <R> R process(Packet<R> packet) {
        return packet.endIn(vrf);
    }
}
