// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.sid.SidFormat.F3216;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;

class PackingTest {
    private static final IpPrefix BLOCK = IpPrefix.parse("fcbb:bbbb::/32");
    private static final IpPrefix OTHER_BLOCK = IpPrefix.parse("fcbb:cccc::/32");

    @Test
    void f00d_may_not_stand_alone_so_its_egress_moves_with_it() {
        assertThat(sids(
                        path(0x200, 0x700, 0x600, 0x500, 0x400),
                        usids(0x300, 0xf00d).closing()))
                .containsExactly("fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:300:f00d::");
        assertThat(sids(
                        path(0x400, 0x500, 0x600, 0x700, 0x200),
                        usids(0x100, 0xf00d).closing()))
                .containsExactly("fcbb:bbbb:400:500:600:700:200:0", "fcbb:bbbb:100:f00d::");
    }

    @Test
    void with_the_decapsulating_usid_of_the_44_numbering_one_container_is_enough() {
        assertThat(sids(path(0x200, 0x700, 0x600, 0x500, 0x400), usids(0x301).closing()))
                .containsExactly("fcbb:bbbb:200:700:600:500:400:301");
    }

    @Test
    void a_full_container_has_six_usids_and_the_seventh_opens_another() {
        assertThat(sids(path(1, 2, 3, 4, 5, 6, 7))).containsExactly("fcbb:bbbb:1:2:3:4:5:6", "fcbb:bbbb:7::");
        assertThat(sids(path())).isEmpty();
    }

    @Test
    void an_adjacency_stays_behind_its_node() {
        assertThat(sids(path(1, 2, 3, 4, 5), usids(6, 0xe001), usids(7)))
                .containsExactly("fcbb:bbbb:1:2:3:4:5:0", "fcbb:bbbb:6:e001:7::");
    }

    @Test
    void nothing_follows_a_usid_that_closes_its_container() {
        assertThat(sids(List.of(), usids(1, 0xf00d).closing(), usids(2)))
                .containsExactly("fcbb:bbbb:1:f00d::", "fcbb:bbbb:2::");
    }

    /** RFC 9433, 6.1: three uSIDs of F3216 fit before 40 bits: a transit, a node and its function. */
    @Test
    void arguments_take_their_room_and_end_the_container() {
        Atom last = usids(0x300, 0xf004).withArguments(40);
        assertThat(sids(path(0x200), last)).containsExactly("fcbb:bbbb:200:300:f004::");
        assertThat(Packing.pack(List.of(usids(0x200), last)).get(0).argumentsAt())
                .isEqualTo(80);
        assertThat(sids(path(0x700, 0x200), last)).containsExactly("fcbb:bbbb:700:200::", "fcbb:bbbb:300:f004::");
        assertThat(sids(List.of(), last, usids(0x400))).containsExactly("fcbb:bbbb:300:f004::", "fcbb:bbbb:400::");
    }

    /** RFC 9433, 6.6: 32 bits of address and 40 of arguments leave room for the node alone. */
    @Test
    void a_sid_of_gtp4_e_stands_alone_in_f3216_and_has_no_room_in_f4816() {
        Atom last = usids(0x305).withArguments(72);
        assertThat(sids(path(0x200), last)).containsExactly("fcbb:bbbb:200::", "fcbb:bbbb:305::");
        assertThatThrownBy(() -> usids(0x300, 0xf610).withArguments(72))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave 64 bits of a container of F3216, and their arguments need 72");
    }

    @Test
    void a_sid_without_next_csid_stands_alone() {
        assertThat(sids(path(1), new Atom.Full(Ipv6.parse("2001:db8::5")), usids(2)))
                .containsExactly("fcbb:bbbb:1::", "2001:db8::5", "fcbb:bbbb:2::");
    }

    @Test
    void two_blocks_or_formats_never_share_a_container() {
        SidFormat earlyLocal = new SidFormat("early", 32, 16, 0x8000);
        assertThat(sids(
                        path(1),
                        Atom.Compressed.of(OTHER_BLOCK, F3216, 2),
                        Atom.Compressed.of(OTHER_BLOCK, earlyLocal, 3)))
                .containsExactly("fcbb:bbbb:1::", "fcbb:cccc:2::", "fcbb:cccc:3::");
    }

    @Test
    void every_format_places_its_usids_to_the_bit() {
        assertThat(full("fcbb:bbbb:aaaa::/48", SidFormat.F4816, 5)).containsExactly("fcbb:bbbb:aaaa:1:2:3:4:5");
        assertThat(full("fcbb::/16", SidFormat.F1616, 7)).containsExactly("fcbb:1:2:3:4:5:6:7");
        assertThat(full("fcbb:bbbb::/32", SidFormat.F3232, 3)).containsExactly("fcbb:bbbb:0:1:0:2:0:3");
        // 48 + 2 * 32 leaves 16 bits unused at the end
        assertThat(full("fcbb:bbbb:aaaa::/48", SidFormat.F4832, 2)).containsExactly("fcbb:bbbb:aaaa:0:1:0:2:0");
        assertThat(full("fcbb:bbbb:aaaa::/48", SidFormat.F4832, 3)).hasSize(2);
    }

    @Test
    void an_atom_that_no_node_could_read_is_refused_with_the_usid_in_the_message() {
        refused("uSID 0 ", 0);
        refused("0xe001 is local", 0xe001, 1);
        refused("0x2 is not in the local range", 1, 2);
        refused("0x10000 is not in the global range", 0x10000);
        refused("0xffffffffffffffff is not in the global range", -1);
        refused("holds 6", 1, 0xe001, 0xe002, 0xe003, 0xe004, 0xe005, 0xe006);
        refused("at least the uSID");
        assertThatThrownBy(() -> Atom.Compressed.of(IpPrefix.parse("fcbb:bbbb::/48"), F3216, 1))
                .hasMessageContaining("wants /32");
        assertThatThrownBy(() -> new Atom.Full(Ipv6.ZERO)).hasMessageContaining("not a SID");
    }

    @Property
    void packs_into_the_fewest_containers_and_splits_no_atom(@ForAll("paths") List<Atom> path) {
        List<Container> packed = Packing.pack(path);
        assertThat(packed.stream().flatMap(container -> container.atoms().stream()))
                .containsExactlyElementsOf(path);
        assertThat(packed).allSatisfy(PackingTest::reads_back_as_its_atoms);
        assertThat(packed).hasSize(fewest(path));
    }

    /** Reads the bits as a node does: block, uSIDs up to the first 0, nothing behind it. */
    private static void reads_back_as_its_atoms(Container container) {
        if (container.atoms().get(0) instanceof Atom.Full full) {
            assertThat(container.atoms()).hasSize(1);
            assertThat(container.sid()).isEqualTo(full.sid());
            return;
        }
        Atom.Compressed first = (Atom.Compressed) container.atoms().get(0);
        SidFormat format = first.format();
        List<Long> expected = container.atoms().stream()
                .flatMap(atom -> ((Atom.Compressed) atom).usids().stream())
                .toList();
        List<Long> read = LongStream.range(0, format.capacity())
                .map(slot -> container
                        .sid()
                        .bits(format.blockLength() + (int) slot * format.usidLength(), format.usidLength()))
                .takeWhile(usid -> usid != 0)
                .boxed()
                .toList();
        assertThat(read).isEqualTo(expected);
        assertThat(format.isGlobal(read.get(0))).isTrue();
        assertThat(first.block().contains(container.sid())).isTrue();
        assertThat(container
                        .sid()
                        .shiftLeft(format.blockLength() + read.size() * format.usidLength())
                        .isZero())
                .isTrue();
    }

    /** Brute force: tries all partitions of the path. */
    private static int fewest(List<Atom> path) {
        int[] best = new int[path.size() + 1];
        for (int end = 1; end <= path.size(); end++) {
            best[end] = Integer.MAX_VALUE;
            for (int start = 0; start < end; start++) {
                if (fits(path.subList(start, end))) {
                    best[end] = Math.min(best[end], best[start] + 1);
                }
            }
        }
        return best[path.size()];
    }

    private static boolean fits(List<Atom> atoms) {
        if (atoms.size() == 1) {
            return true;
        }
        List<Atom.Compressed> compressed = new ArrayList<>();
        for (Atom atom : atoms) {
            if (!(atom instanceof Atom.Compressed c)) {
                return false;
            }
            compressed.add(c);
        }
        return compressed.stream()
                                .map(c -> c.block() + c.format().name())
                                .distinct()
                                .count()
                        == 1
                && compressed.stream().mapToInt(c -> c.usids().size()).sum()
                        <= compressed.get(0).format().capacity()
                && compressed.subList(0, compressed.size() - 1).stream().noneMatch(Atom.Compressed::closes);
    }

    @Provide
    Arbitrary<List<Atom>> paths() {
        Arbitrary<Atom> full =
                Arbitraries.longs().greaterOrEqual(1).map(low -> new Atom.Full(new Ipv6(0x20010db8L << 32, low)));
        List<Arbitrary<Atom>> kinds = new ArrayList<>(List.of(full));
        for (SidFormat format :
                List.of(F3216, F3216, SidFormat.F4816, SidFormat.F4832, SidFormat.F3232, SidFormat.F1616)) {
            kinds.add(atoms(format));
        }
        Arbitrary<Atom> mixed = Arbitraries.oneOf(kinds);
        return Arbitraries.oneOf(
                atoms(F3216).list().ofMaxSize(14),
                atoms(SidFormat.F3232).list().ofMaxSize(8),
                mixed.list().ofMaxSize(12));
    }

    private static Arbitrary<Atom> atoms(SidFormat format) {
        Arbitrary<Long> global = Arbitraries.longs().between(1, format.localStart() - 1);
        Arbitrary<List<Long>> locals = Arbitraries.longs()
                .between(format.localStart(), (1L << format.usidLength()) - 1)
                .list()
                .ofMaxSize(Math.min(2, format.capacity() - 1));
        Arbitrary<Boolean> closes =
                Arbitraries.frequency(net.jqwik.api.Tuple.of(4, false), net.jqwik.api.Tuple.of(1, true));
        IpPrefix block = IpPrefix.of(Ipv6.parse("fcbb:bbbb:aaaa::"), format.blockLength());
        return Combinators.combine(global, locals, closes).as((first, rest, closing) -> {
            List<Long> usids = new ArrayList<>(List.of(first));
            usids.addAll(rest);
            return new Atom.Compressed(block, format, usids, 0, closing);
        });
    }

    private static void refused(String message, long... usids) {
        assertThatThrownBy(() -> usids(usids))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static Atom.Compressed usids(long... usids) {
        return Atom.Compressed.of(BLOCK, F3216, usids);
    }

    private static List<Atom> path(long... nodes) {
        return LongStream.of(nodes).<Atom>mapToObj(PackingTest::usids).toList();
    }

    private static List<String> sids(List<Atom> path, Atom... more) {
        List<Atom> all = new ArrayList<>(path);
        all.addAll(List.of(more));
        return Packing.pack(all).stream()
                .map(container -> container.sid().toString())
                .toList();
    }

    private static List<String> full(String block, SidFormat format, int nodes) {
        List<Atom> atoms = LongStream.rangeClosed(1, nodes)
                .<Atom>mapToObj(n -> Atom.Compressed.of(IpPrefix.parse(block), format, n))
                .toList();
        return sids(atoms);
    }
}
