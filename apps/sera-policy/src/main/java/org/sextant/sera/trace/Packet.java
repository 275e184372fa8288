// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import java.util.Optional;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Seen;
import org.sextant.core.table.Sera;

/**
 * A packet that arrives at a firewall.
 *
 * @param facts all fields that rules may match
 * @param header the outer one, as far as it is known; without it the result is unknown
 * @param bytes empty if the packet was given by its fields
 * @param malformed the reason why no rule is evaluated
 */
record Packet(Facts facts, Optional<Header> header, Optional<ParsedPacket> bytes, Optional<String> malformed) {

    static Packet of(ParsedPacket packet, Sera sera, boolean established) {
        Facts facts =
                packet.malformed().isPresent() ? packet.facts() : Seen.sids(packet.facts(), sera, packet.header());
        return new Packet(
                facts.with(KeyField.ESTABLISHED, established ? 1 : 0),
                Optional.of(packet.header()),
                Optional.of(packet),
                packet.malformed());
    }
}
