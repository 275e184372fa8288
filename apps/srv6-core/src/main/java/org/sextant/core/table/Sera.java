// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.core.table.TableEntry.Call;

/**
 * A firewall that understands segments (SERA, End.AN; docs/reference/firewall-node.md). Lengths are in bits.
 *
 * @param firewall the number of its rules, unsigned: those of {@link FirewallRule}
 * @param instance of the firewall on its node, whatever its rules
 * @param csidLength of node and function together; 0 with {@code usidLength}
 * @param usidLength 0: the SID is none of a container (RFC 8986)
 * @param argsLength of the SID's own arguments: its rightmost bits, or those of the function
 * @param localStart the first local uSID
 */
public record Sera(
        int firewall, int instance, int blockLength, int csidLength, int usidLength, int argsLength, long localStart)
        implements Behavior {
    public Sera {
        Range.require("instance of a firewall", instance, 0, 0xffff);
        Range.require("block length", blockLength, 1, 127);
        Range.require("uSID length", usidLength, 0, 32);
        Range.require("length of node and function", csidLength, usidLength, usidLength == 0 ? 0 : 128 - blockLength);
        Range.require("length of the arguments", argsLength, 0, usidLength == 0 ? 16 : Math.min(16, usidLength));
        Range.require("first local uSID", localStart, 0, 0xffff_ffffL);
    }

    static Sera read(CallReader call) {
        return new Sera(
                call.number(), call.number(), call.number(), call.number(), call.number(), call.number(), call.wide());
    }

    @Override
    public Action contract() {
        return Actions.SERA;
    }

    @Override
    public Call call() {
        return Call.of(
                contract(),
                Values.number(firewall),
                Values.number(instance),
                Values.number(blockLength),
                Values.number(csidLength),
                Values.number(usidLength),
                Values.number(argsLength),
                Values.wide(localStart));
    }

    @Override
    public String text() {
        return action() + " firewall " + Integer.toUnsignedString(firewall) + " instance " + instance + " "
                + blockLength
                + " " + csidLength + " " + usidLength + " args " + argsLength + " local "
                + Long.toHexString(localStart);
    }

    @Override
    public String name(boolean whole) {
        return "End.AN";
    }

    @Override
    public <R> R process(Packet<R> packet) {
        return packet.judge(this);
    }
}
