// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.Sera;

/** The effect of verdicts on the bytes: packets as on the wire, and random programs against their lists of atoms. */
class ProgramTest {
    private static final Sera FW = new Sera(1, 3, 32, 32, 16, 4, 0xe000);
    private static final Sera CLASSIC = new Sera(1, 0, 48, 0, 0, 16, 0);
    private static final String P = "6000000000342940fcbbbbbb010000000000000000000001";
    private static final String INSIDE =
            "60000000000c114020010db800010000000000000000000120010db8000200000000000000000001"
                    + "03e80035000cba7b73657261";

    @Test
    void within_a_container() {
        String packet = P + "fcbbbbbb0200f23006000300f00d0000" + INSIDE;
        leads(packet, Verdict.GO_NEXT, P + "fcbbbbbb06000300f00d000000000000" + INSIDE);
        leads(packet, Verdict.SKIP_NEXT, P + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
        leads(packet, Verdict.GO_LAST, P + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
    }

    @Test
    void arguments_are_the_low_bits_of_the_function() {
        assertThat(Program.arguments(FW, Ipv6.parse("fcbb:bbbb:200:f231:600:300:f00d:0")))
                .isEqualTo(1);
        assertThat(Program.arguments(FW, Ipv6.parse("fcbb:bbbb:200:f23f::"))).isEqualTo(15);
        assertThat(Program.arguments(CLASSIC, Ipv6.parse("fcbb:2::f1:2"))).isEqualTo(2);
        leads(
                P + "fcbbbbbb0200f23106000300f00d0000" + INSIDE,
                Verdict.SKIP_NEXT,
                P + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
    }

    @Test
    void an_atom_of_two_is_skipped_whole() {
        leads(
                P + "fcbbbbbb0200f2300600e0020300f00d" + INSIDE,
                Verdict.SKIP_NEXT,
                P + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
    }

    @Test
    void across_the_end_of_a_container() {
        String outer = "60000000004c2b40fcbbbbbb010000000000000000000001";
        leads(
                outer + "fcbbbbbb0200f2300000000000000000" + "2902040100000000" + "fcbbbbbb06000300f00d000000000000"
                        + INSIDE,
                Verdict.SKIP_NEXT,
                outer + "fcbbbbbb0300f00d0000000000000000" + "2902040000000000" + "fcbbbbbb06000300f00d000000000000"
                        + INSIDE);
    }

    @Test
    void to_the_last_atom_of_the_last_segment() {
        String outer = "60000000005c2b40fcbbbbbb010000000000000000000001";
        String list = "fcbbbbbb04000300f00d000000000000" + "fcbbbbbb070008000000000000000000" + INSIDE;
        leads(
                outer + "fcbbbbbb0200f2300600050000000000" + "2904040201000000" + list,
                Verdict.GO_LAST,
                outer + "fcbbbbbb0300f00d0000000000000000" + "2904040001000000" + list);
    }

    @Test
    void the_last_atom_is_the_last_whatever_stands_before_it() {
        leads(
                P + "fcbbbbbb0200f230060000000300f00d" + INSIDE,
                Verdict.GO_LAST,
                P + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
        leads(
                P + "fcbbbbbb0200f230e001f00d00000000" + INSIDE,
                Verdict.GO_LAST,
                P + "fcbbbbbbe001f00d0000000000000000" + INSIDE);
    }

    @Test
    void classic_sids() {
        List<Ipv6> list = sids("fc00:3::d6", "fc00:6::a", "fc00:2::f1:0");
        Header at = header("fc00:2::f1:0", list, 2);
        assertThat(Program.after(Verdict.SKIP_NEXT, CLASSIC, at)).contains(moved("fc00:3::d6", list, 0));
        assertThat(Program.after(Verdict.GO_NEXT, CLASSIC, at)).contains(moved("fc00:6::a", list, 1));
        assertThat(Program.after(Verdict.GO_LAST, CLASSIC, at)).contains(moved("fc00:3::d6", list, 0));
        Header beforeLast = header("fc00:2::f1:0", list, 1);
        assertThat(Program.after(Verdict.SKIP_NEXT, CLASSIC, beforeLast)).isEmpty();
        assertThat(Program.after(Verdict.GO_LAST, CLASSIC, beforeLast)).contains(moved("fc00:3::d6", list, 0));
        Header atEnd = header("fc00:2::f1:0", list, 0);
        for (Verdict verdict : List.of(Verdict.GO_NEXT, Verdict.SKIP_NEXT, Verdict.GO_LAST)) {
            assertThat(Program.after(verdict, CLASSIC, atEnd)).isEmpty();
        }
    }

    @Test
    void where_nothing_is_to_go_to() {
        Header oneAtom = header("fcbb:bbbb:200:f230:300:f00d::", List.of(), 0);
        assertThat(Program.after(Verdict.SKIP_NEXT, FW, oneAtom))
                .as("never fcbb:bbbb:f00d::")
                .isEmpty();
        assertThat(Program.after(Verdict.GO_NEXT, FW, oneAtom)).isPresent();
        Header nothing = header("fcbb:bbbb:200:f230::", sids("fcbb:bbbb:300::"), 0);
        for (Verdict verdict : List.of(Verdict.GO_NEXT, Verdict.SKIP_NEXT, Verdict.GO_LAST)) {
            assertThat(Program.after(verdict, FW, nothing)).as(verdict.text()).isEmpty();
        }
        assertThatThrownBy(() ->
                        Program.after(Verdict.GO_NEXT, FW, header("fcbb:bbbb:200:f230::", sids("fcbb:bbbb:300::"), 2)))
                .hasMessageContaining("behind the list");
    }

    /** Packets as on the wire: outer header, SRH if there is one; all but the destination and segments left stays. */
    private static void leads(String before, Verdict verdict, String after) {
        assertThat(Program.after(verdict, FW, wire(before))).get().satisfies(header -> {
            assertThat(header.destination()).isEqualTo(wire(after).destination());
            assertThat(header.srh()).isEqualTo(wire(after).srh());
        });
    }

    private static Header wire(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        List<Ipv6> segments = new ArrayList<>();
        int left = 0;
        if (bytes[6] == 43) {
            left = bytes[40 + 3];
            for (int i = 0; i <= bytes[40 + 4]; i++) {
                segments.add(address(bytes, 48 + 16 * i));
            }
        }
        return header(address(bytes, 24).toString(), segments, left);
    }

    private static Ipv6 address(byte[] bytes, int at) {
        return Ipv6.of(Arrays.copyOfRange(bytes, at, at + 16));
    }

    private static Header header(String destination, List<Ipv6> segments, int left) {
        return new Header(
                Ipv6.parse(destination),
                segments.isEmpty() ? Optional.empty() : Optional.of(new Header.Srh(segments, left)),
                64,
                Payload.of(Family.IPV6));
    }

    private static Header moved(String destination, List<Ipv6> segments, int left) {
        return new Header(
                Ipv6.parse(destination), Optional.of(new Header.Srh(segments, left)), 63, Payload.of(Family.IPV6));
    }

    private static List<Ipv6> sids(String... texts) {
        return Arrays.stream(texts).map(Ipv6::parse).toList();
    }

    /**
     * The atoms behind the firewall, packed as paths are; a verdict must yield the same bytes as the shorter list does.
     */
    @Property(tries = 2000)
    void a_verdict_leads_to_the_atom_that_it_names(@ForAll Random random, @ForAll boolean reduced) {
        SidFormat format =
                SidFormat.byName(SidFormat.names().get(random.nextInt(5))).orElseThrow();
        IpPrefix block = IpPrefix.of(Ipv6.parse("fcbb:bbbb:cccc::"), format.blockLength());
        IpPrefix other = IpPrefix.of(Ipv6.parse("fdaa:aaaa:dddd::"), format.blockLength());
        int size = format.usidLength();
        long function = 0xf230L << size - 16;
        Sera sera = new Sera(1, 3, format.blockLength(), 2 * size, size, 4, format.localStart());
        List<Atom> path = new ArrayList<>();
        path.add(Atom.Compressed.of(block, format, 0x200, function));
        for (int i = random.nextInt(12); i >= 0; i--) {
            path.add(atom(random, random.nextInt(8) == 0 ? other : block, format));
        }
        List<Container> packed = Packing.pack(path);
        Header before =
                Header.encapsulated(packed.stream().map(Container::sid).toList(), reduced, 64, Payload.of(Family.IPV6));
        List<Place> program = program(packed, block);
        assertThat(program.get(0)).isEqualTo(new Place(0, before.destination()));
        check(sera, before, Verdict.GO_NEXT, program.stream().skip(1).findFirst(), packed.size());
        check(sera, before, Verdict.SKIP_NEXT, program.stream().skip(2).findFirst(), packed.size());
        check(sera, before, Verdict.GO_LAST, program.stream().skip(1).reduce((one, next) -> next), packed.size());
    }

    /** The position of a program's step, and the destination of a packet that continues there. */
    private record Place(int container, Ipv6 destination) {}

    /** The steps: the atoms of containers of the block, and whole segments of others. */
    private static List<Place> program(List<Container> packed, IpPrefix block) {
        List<Place> program = new ArrayList<>();
        for (int i = 0; i < packed.size(); i++) {
            List<Atom> atoms = packed.get(i).atoms();
            boolean own = ((Atom.Compressed) atoms.get(0)).block().equals(block);
            for (int from = 0; from < (own ? atoms.size() : 1); from++) {
                List<Atom> rest = atoms.subList(from, atoms.size());
                program.add(new Place(i, Packing.pack(rest).get(0).sid()));
            }
        }
        return program;
    }

    private static void check(Sera sera, Header before, Verdict verdict, Optional<Place> place, int containers) {
        Optional<Header> after = Program.after(verdict, sera, before);
        assertThat(after.map(Header::destination)).isEqualTo(place.map(Place::destination));
        assertThat(after.map(Header::segmentsLeft)).isEqualTo(place.map(one -> containers - 1 - one.container()));
        after.ifPresent(header -> {
            assertThat(header.hopLimit()).isEqualTo(63);
            assertThat(header.srh().map(Header.Srh::segments))
                    .isEqualTo(before.srh().map(Header.Srh::segments));
        });
    }

    private static Atom atom(Random random, IpPrefix block, SidFormat format) {
        long node = 1L + random.nextInt(0xd000);
        long local = format.localStart() + random.nextInt(0x1000);
        int most = format.capacity();
        return random.nextInt(3) == 0 && most >= 2
                ? Atom.Compressed.of(block, format, node, local)
                : Atom.Compressed.of(block, format, node);
    }
}
