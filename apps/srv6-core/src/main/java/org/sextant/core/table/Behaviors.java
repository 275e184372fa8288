// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import static java.util.Map.entry;

import java.util.Map;
import java.util.function.Function;
import org.sextant.contract.Actions;
import org.sextant.core.table.Behavior.Family;

/** The decoding of behaviors from actions of table my_sid; a test checks that it covers all of the contract. */
final class Behaviors {
    private static final Map<String, Function<CallReader, Behavior>> BY_ACTION = Map.ofEntries(
            entry(Actions.UN.name(), call -> new Behavior.Un(call.number(), call.number())),
            entry(Actions.UA.name(), call -> new Behavior.Ua(call.number(), call.number(), call.number())),
            entry(Actions.END.name(), call -> new Behavior.End(false)),
            entry(Actions.END_PSP.name(), call -> new Behavior.End(true)),
            entry(Actions.END_X.name(), call -> new Behavior.EndX(call.number())),
            entry(Actions.UDT6.name(), call -> new Behavior.Udt(Family.IPV6, call.number())),
            entry(Actions.UDT4.name(), call -> new Behavior.Udt(Family.IPV4, call.number())),
            entry(Actions.UDT46.name(), call -> new Behavior.Udt(Family.BOTH, call.number())),
            entry(Actions.UDX6.name(), call -> new Behavior.Udx(Family.IPV6, call.number())),
            entry(Actions.UDX4.name(), call -> new Behavior.Udx(Family.IPV4, call.number())),
            entry(Actions.B6_ENCAPS_RED.name(), call -> new Behavior.B6EncapsRed(call.number())),
            entry(Actions.DEDUP.name(), call -> new Behavior.Dedup(call.number(), call.number())),
            entry(
                    Actions.GTP4_E.name(),
                    call -> new Behavior.Gtp4E(
                            call.number(), call.number(), call.number(), call.number(), call.number())),
            entry(
                    Actions.GTP6_E.name(),
                    call -> new Behavior.Gtp6E(
                            call.number(), call.ipv6(), call.number(), call.number(), call.number())),
            entry(Actions.GTP6_D.name(), call -> new Behavior.Gtp6D()),
            entry(Actions.MAP.name(), call -> new Behavior.Mapping(call.ipv6())),
            entry(Actions.SERA.name(), Sera::read),
            entry(Actions.SERA_STATEFUL.name(), call -> new SeraStateful(Sera.read(call), call.wide())));

    private Behaviors() {}

    /** @throws MalformedEntryException if no behavior is known by the action */
    static Behavior of(CallReader call) {
        Function<CallReader, Behavior> read = BY_ACTION.get(call.action());
        if (read == null) {
            throw new MalformedEntryException(MySid.TABLE, "no intent has SIDs with " + call.action());
        }
        return read.apply(call);
    }
}
