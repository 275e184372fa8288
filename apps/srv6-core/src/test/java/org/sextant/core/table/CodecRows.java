// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.TableEntry.Argument;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Match;
import org.sextant.core.table.TableEntry.Weighted;

/** Rows as the tests of codecs write them: values in hexadecimal, as on the wire. */
final class CodecRows {
    /** The SID, and its match, of the rows that {@link #mySid} writes. */
    static final IpPrefix SID = IpPrefix.parse("fcbb:bbbb:100::/48");

    static final Match SID_MATCH = new Match.Lpm("sid", hex("fcbbbbbb010000000000000000000000"), 48);

    private CodecRows() {}

    /** Both directions at once: the entry is encoded to the row, and the row decoded to the entry. */
    static void assertRoundTrip(Entry entry, TableEntry row) {
        assertThat(Entry.Key.parse(entry.key().table(), entry.key().match()))
                .isEqualTo(entry.key())
                .isEqualByComparingTo(entry.key());
        assertThat(List.of(TableCodec.encode(entry), TableCodec.decode(row))).isEqualTo(List.of(row, entry));
    }

    static void malformed(String message, TableEntry row) {
        assertThatThrownBy(() -> TableCodec.decode(row))
                .isInstanceOf(MalformedEntryException.class)
                .hasMessageContaining(message);
    }

    static TableEntry mySid(Call call) {
        return direct("my_sid", List.of(SID_MATCH), call);
    }

    static TableEntry punted(Match... matches) {
        return new TableEntry("punt", Arrays.asList(matches), new TableEntry.Action.Direct(call("discard")), false, 1);
    }

    static TableEntry direct(String table, List<Match> matches, Call call) {
        return new TableEntry(table, matches, new TableEntry.Action.Direct(call), false, 0);
    }

    static TableEntry set(String table, List<Match> matches, Weighted... members) {
        return new TableEntry(table, matches, new TableEntry.Action.OneShot(Arrays.asList(members)), false, 0);
    }

    static Match exact(String field, String value) {
        return new Match.Exact(field, hex(value));
    }

    static Call call(String action, String... namesAndValues) {
        return new Call(
                action,
                IntStream.range(0, namesAndValues.length / 2)
                        .mapToObj(i -> new Argument(namesAndValues[2 * i], hex(namesAndValues[2 * i + 1])))
                        .toList());
    }

    static BigInteger hex(String text) {
        return new BigInteger(text, 16);
    }
}
