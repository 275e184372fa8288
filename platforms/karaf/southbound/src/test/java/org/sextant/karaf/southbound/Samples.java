// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.contract.DataPlaneContract;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Ternary;

/** Entries that a test writes. */
final class Samples {
    private Samples() {}

    /** One or two of every table, in an order in which a node can take them. */
    static List<Entry> everyKind() {
        Stream<Entry> liveLive = Stream.of(
                new MySid(IpPrefix.parse("fcbb:bbbb:100:f102::/64"), new Behavior.Dedup(0, 2)),
                new DedupFlow(0x80000001, 63),
                new Copy(7, 15, 0x80000001),
                new Flow(
                        5,
                        0,
                        IpPrefix.parse("::/0"),
                        IpPrefix.parse("fd00:0:31::/64"),
                        Optional.of(new Ternary(6, 0xff)),
                        Optional.empty(),
                        Optional.of(new Ternary(0x1400, 0xff00)),
                        0x80000001,
                        7,
                        15),
                new Flow(
                        5,
                        0,
                        IpPrefix.parse("10.0.11.1/32"),
                        IpPrefix.parse("10.0.31.0/24"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        0x80000001,
                        7,
                        15));
        return Stream.concat(Stream.of(DataPlaneContract.everyKind()), liveLive).toList();
    }
}
