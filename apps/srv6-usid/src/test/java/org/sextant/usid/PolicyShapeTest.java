// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.Policy.Return;
import org.sextant.usid.Policy.WeightedHops;
import org.sextant.usid.plan.PolicyKind;

class PolicyShapeTest {

    @Property(tries = 500)
    void reading_what_was_written_gives_the_same_policy(@ForAll("policies") Policy policy) {
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(policy))).isEqualTo(policy);
    }

    @Property(tries = 200)
    void only_equal_policies_have_equal_texts(@ForAll("policies") Policy one, @ForAll("policies") Policy other) {
        assertThat(PolicyShape.POLICY
                        .write(one)
                        .toString()
                        .equals(PolicyShape.POLICY.write(other).toString()))
                .isEqualTo(one.equals(other));
    }

    @Example
    void the_order_of_fields_defaults_and_spelling_make_no_other_policy() {
        PolicyKind kind = Fig4.kind();
        String identity = kind.identity(
                Fig4.policy("{'from':'h11','to':'fd00:0:31::2','nodes':['l1','fcbb:bbbb:200::','0x0700','l3']}"));
        assertThat(kind.identity(Fig4.policy("{'nodes':['l1','FCBB:BBBB:0200:0:0:0:0:0','0X0700','l3'],'decap':'f00d',"
                        + "'to':'fd00:0:31:0::2/128','encapsulation':'reduced',"
                        + "'symmetry':'symmetric','from':'h11'}")))
                .isEqualTo(identity);
        assertThat(kind.identity(Fig4.policy("{'from':'h11','to':'fd00:0:31::2','nodes':['l1','l3']}")))
                .isNotEqualTo(identity);
    }

    @Example
    void labels_are_a_part_of_the_policy_and_not_of_its_identity() {
        PolicyKind kind = Fig4.kind();
        Policy plain = Fig4.policy("{'from':'h11','to':'h31','nodes':['l1','l3']}");
        Policy labeled = Fig4.policy("{'from':'h11','to':'h31','nodes':['l1','l3'],'labels':{'app':'web'}}");
        assertThat(PolicyShape.POLICY.decode(PolicyShape.POLICY.write(labeled))).isEqualTo(labeled);
        assertThat(labeled).isNotEqualTo(plain);
        assertThat(kind.identity(labeled)).isEqualTo(kind.identity(plain));
    }

    @Example
    void a_named_policy_is_its_name() {
        PolicyKind kind = Fig4.kind();
        Policy one = Fig4.policy("{'name':'gold','from':'h11','to':'h31','nodes':['l1','l3']}");
        Policy other = Fig4.policy("{'name':'gold','from':'h11','to':'h31','nodes':['l1','l2','l3']}");
        assertThat(kind.identity(one)).isEqualTo(kind.identity(other));
        assertThat(kind.suggestedId(one)).contains("gold");
    }

    @Provide
    Arbitrary<Policy> policies() {
        Arbitrary<Optional<String>> name = Arbitraries.of("gold", "a.b_c-d").optional();
        Arbitrary<Decap> decap = Arbitraries.of(Decap.F00D, Decap.UDT, Decap.NUMBERING, new Decap(Decap.Marker.UDT, 7));
        Arbitrary<Optional<Family>> family = Arbitraries.of(Family.class).optional();
        return Combinators.combine(name, paths(), decap, family, Arbitraries.of(true, false))
                .as(Policy::new);
    }

    private Arbitrary<Policy.Path> paths() {
        Arbitrary<Return> back = Arbitraries.oneOf(
                Arbitraries.of(Return.SYMMETRIC, Return.ONE_WAY),
                nodes().map(nodes -> new Return(Policy.Symmetry.ASYMMETRIC, nodes)));
        Arbitrary<Policy.Path> between = Combinators.combine(endpoints(), endpoints(), nodes(), back, firewalls())
                .as(Between::new);
        Arbitrary<Policy.Path> explicit = Combinators.combine(
                        waypoints(),
                        lists(),
                        waypoints().optional(),
                        endpoints().list().uniqueElements().ofMinSize(1).ofMaxSize(3))
                .as(Explicit::new);
        return Arbitraries.oneOf(between, explicit);
    }

    private static Arbitrary<Endpoint> endpoints() {
        return Arbitraries.of(Stream.of("h11", "10.0.0.1", "10.0.0.0/8", "fd00::1", "2001:db8::/32", "::/0")
                .map(Endpoint::parse)
                .toList());
    }

    private static Arbitrary<Waypoint> waypoints() {
        return Arbitraries.of("l1", "l2", "leaf-3", "0200", "0x0300", "fcbb:bbbb:400::")
                .map(Waypoint::new);
    }

    /** A node twice in a row would be rejected. */
    private static Arbitrary<List<Waypoint>> nodes() {
        return waypoints().list().uniqueElements().ofMinSize(2).ofMaxSize(6);
    }

    private static Arbitrary<List<WeightedHops>> lists() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 255),
                        hops().list().ofMinSize(1).ofMaxSize(4))
                .as(WeightedHops::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
    }

    private static Arbitrary<List<Hop.Firewall>> firewalls() {
        return Arbitraries.of("fw-web", "f")
                .list()
                .uniqueElements()
                .ofMaxSize(2)
                .flatMap(ids -> Arbitraries.integers()
                        .between(0, 15)
                        .map(args -> ids.stream()
                                .map(id -> new Hop.Firewall(id, args, true))
                                .toList()));
    }

    private static Arbitrary<Hop> hops() {
        Arbitrary<Boolean> loose = Arbitraries.of(true, false);
        Arbitrary<Hop> node = Combinators.combine(waypoints(), loose).as(Hop.ToNode::new);
        Arbitrary<Hop> link = Combinators.combine(Arbitraries.of("l1-l2", "p7/2-p6/3", "leaf-1-spine-2"), loose)
                .as(Hop.OverLink::new);
        Arbitrary<Hop> sid = loose.map(flag -> new Hop.RawSid(Ipv6.parse("fcbb:bbbb:700:e002::"), flag));
        Arbitrary<Hop> usids = Combinators.combine(
                        Arbitraries.longs()
                                .between(1, 0xffff)
                                .list()
                                .ofMinSize(1)
                                .ofMaxSize(3),
                        loose)
                .as((list, flag) -> new Hop.Usids(IpPrefix.parse("fcbb:bbbb::/32"), list, 16, flag));
        Arbitrary<Hop> firewall = Combinators.combine(
                        Arbitraries.of("fw-web", "f"), Arbitraries.integers().between(0, 15), loose)
                .as(Hop.Firewall::new);
        return Arbitraries.oneOf(node, link, sid, usids, firewall);
    }
}
