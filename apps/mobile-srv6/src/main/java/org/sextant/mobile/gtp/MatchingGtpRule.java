// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import java.util.Comparator;
import java.util.Optional;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.GtpRule.Does;
import org.sextant.core.table.Ternary;
import org.sextant.mobile.Slice;

/** A rule of a slice that matches a packet at a gateway. */
record MatchingGtpRule(IntentStatus<Slice> slice, String gateway, GtpRule rule) {
    /** The order in which a node evaluates them. */
    static final Comparator<MatchingGtpRule> FIRST =
            Comparator.comparingInt((MatchingGtpRule taking) -> -taking.rule().priority());

    /** Empty if it does not match. */
    static Optional<MatchingGtpRule> of(
            IntentStatus<Slice> slice, Plan.Placed placed, GtpPacket packet, int sessionClass) {
        return placed.entry() instanceof GtpRule rule && matches(rule, packet, sessionClass)
                ? Optional.of(new MatchingGtpRule(slice, placed.node(), rule))
                : Optional.empty();
    }

    private static boolean matches(GtpRule rule, GtpPacket packet, int sessionClass) {
        return matches(rule.sessionClass(), sessionClass)
                && matches(rule.source(), packet.source())
                && matches(rule.destination(), packet.destination())
                && matches(rule.teid(), packet.teid())
                && matches(rule.qfi(), packet.qfi())
                && matches(rule.dscp(), packet.dscp())
                && inside(rule, packet)
                && does(rule.does(), packet);
    }

    private static boolean matches(Optional<Ternary> field, int value) {
        return field.isEmpty() || (value & field.get().mask()) == field.get().value();
    }

    private static boolean matches(Optional<IpPrefix> field, IpAddress address) {
        return field.isEmpty()
                || field.get().address().bits() == address.bits() && field.get().contains(address);
    }

    private static boolean inside(GtpRule rule, GtpPacket packet) {
        boolean asked =
                rule.innerSource().isPresent() || rule.innerDestination().isPresent();
        return !asked
                || packet.inside()
                        .filter(inside -> matches(rule.innerSource(), inside.source())
                                && matches(rule.innerDestination(), inside.destination()))
                        .isPresent();
    }

    /** A rule that translates does not match packets that SRv6 cannot represent (docs/reference/mobile-node.md). */
    private static boolean does(Does does, GtpPacket packet) {
        if (!(does instanceof Does.Translate translate)) {
            return true;
        }
        boolean six = packet.destination().bits() == 128;
        return packet.obstacles().isEmpty()
                && (translate.dropSequence() || !packet.sequenced())
                && packet.container()
                        .map(container -> translate.containers().take(container.uplink()))
                        .orElse(true)
                && !(six && (translate.addressAt() > 0 || translate.sourceAt() > 0))
                && !(!six && translate.keepDestination());
    }
}
