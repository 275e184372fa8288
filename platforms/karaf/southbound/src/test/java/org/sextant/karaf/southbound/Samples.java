// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.EncapSource;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MySid;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.Punt;
import org.sextant.core.table.Route;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.core.table.Ternary;

/** Entries that a test writes. */
final class Samples {
    private Samples() {}

    /** One or two of every table, in an order in which a node can take them. */
    static List<Entry> everyKind() {
        return List.of(
                new NextHop(1, 1, MacAddress.parse("02:00:00:00:00:01"), MacAddress.parse("00:00:00:00:00:02")),
                new EncapSource(Ipv6.parse("fcff:1::1")),
                new Punt(
                        10,
                        Optional.of(new Ternary(0x102, 0x1ff)),
                        Optional.of(new Ternary(0x88cc, 0xffff)),
                        Optional.empty(),
                        Optional.empty(),
                        false),
                new SidList(
                        0x80000001,
                        List.of(
                                new SidList.Member(
                                        3,
                                        List.of(
                                                Ipv6.parse("fcbb:bbbb:200:700:600:500:400:0"),
                                                Ipv6.parse("fcbb:bbbb:300:f00d::"))),
                                new SidList.Member(1, List.of(Ipv6.parse("::1"))))),
                new MySid(IpPrefix.parse("fcbb:bbbb:100::/48"), new Behavior.Un(32, 16)),
                new MySid(IpPrefix.parse("fcbb:bbbb:100:f00d::/64"), new Behavior.Udt(Behavior.Family.IPV6, 0)),
                new Route(0, IpPrefix.parse("::/0"), List.of(new Route.Member(1, 1), new Route.Member(1, 2))),
                new Route(7, IpPrefix.parse("10.0.0.0/8"), List.of(new Route.Member(1, 1))),
                new Steering(0, IpPrefix.parse("fd00:0:31::2/128"), 0x80000001, true),
                new Steering(256, IpPrefix.parse("10.0.31.2/32"), 1, false),
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
    }
}
