// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.Objects;
import java.util.stream.Stream;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.core.table.TableEntry.Argument;
import org.sextant.core.table.TableEntry.Call;

/**
 * A firewall that tracks the flows that it lets through.
 *
 * @param flows how many at most
 */
public record SeraStateful(Sera firewall, long flows) implements Behavior {
    public SeraStateful {
        Objects.requireNonNull(firewall);
        Range.require("number of flows", flows, 1, 0xffff_ffffL);
    }

    @Override
    public Action contract() {
        return Actions.SERA_STATEFUL;
    }

    @Override
    public Call call() {
        Stream<BigInteger> own = firewall.call().arguments().stream().map(Argument::value);
        return Call.of(
                contract(), Stream.concat(own, Stream.of(Values.wide(flows))).toArray(BigInteger[]::new));
    }

    @Override
    public String text() {
        return firewall.text().replace(firewall.action(), action()) + " flows " + flows;
    }

    @Override
    public String name(boolean whole) {
        return firewall.name(whole);
    }

    @Override
    public <R> R process(Packet<R> packet) {
        return packet.judge(firewall);
    }
}
