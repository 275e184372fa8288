// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.List;
import org.sextant.contract.Action;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.table.TableEntry.Argument;
import org.sextant.core.table.TableEntry.Call;

/** Takes an action's arguments apart, one after the other. */
public final class CallReader {
    private final Call call;
    private int next;

    CallReader(Call call) {
        this.call = call;
    }

    String action() {
        return call.action();
    }

    public boolean is(Action action) {
        return call.action().equals(action.name());
    }

    public int number() {
        return value().intValue();
    }

    /** A number of more than 32 bits. */
    public long wide() {
        return value().longValue();
    }

    public Ipv6 ipv6() {
        return Values.ipv6(value());
    }

    public MacAddress mac() {
        return new MacAddress(value().longValue());
    }

    /** All arguments of an action that takes addresses only. */
    public List<Ipv6> addresses() {
        return call.arguments().stream().map(Argument::value).map(Values::ipv6).toList();
    }

    private BigInteger value() {
        return call.arguments().get(next++).value();
    }
}
