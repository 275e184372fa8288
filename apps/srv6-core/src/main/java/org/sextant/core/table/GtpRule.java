// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.EntryTypes.EntryType;
import org.sextant.core.table.TableEntry.Call;

/**
 * The action for GTP-U that enters here (docs/reference/mobile-node.md); the highest priority wins, and a translating
 * rule does not match packets that SRv6 cannot express.
 *
 * @param sessionClass of a {@link GtpTunnel}; sessions without one have class 0
 * @param source, destination of the outer header; empty matches any of both families
 * @param innerSource, innerDestination of the packet inside GTP; where none is inside that could be translated, only empty
 *     matches, and ::/n
 */
public record GtpRule(
        int priority,
        int vrf,
        Optional<Ternary> sessionClass,
        Optional<IpPrefix> source,
        Optional<IpPrefix> destination,
        Optional<Ternary> teid,
        Optional<Ternary> qfi,
        Optional<Ternary> dscp,
        Optional<IpPrefix> innerSource,
        Optional<IpPrefix> innerDestination,
        Does does)
        implements Entry {
    public static final String TABLE = Tables.GTP_RULE.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.GTP_RULE), GtpRule::read, text -> text);

    /** Bits of the field {@code way}; 0 is a packet that is forwarded whole, or dropped. */
    private static final int WITH_DOWNLINK = 16;

    private static final int WITH_UPLINK = 8;
    private static final int TRANSLATABLE = 4;

    private static final int OVER_IPV6 = 2;
    private static final int SEQUENCED = 1;

    public GtpRule {
        if (priority < 1) {
            throw new IllegalArgumentException("a ternary entry has a priority of 1 or more");
        }
        Range.vrf(vrf);
        Objects.requireNonNull(sessionClass);
        Objects.requireNonNull(source);
        Objects.requireNonNull(destination);
        Objects.requireNonNull(teid);
        Objects.requireNonNull(qfi);
        Objects.requireNonNull(dscp);
        Objects.requireNonNull(innerSource);
        Objects.requireNonNull(innerDestination);
        Objects.requireNonNull(does);
    }

    /**
     * The PDU Session Containers that a rule translates, by their PDU type (TS 38.415, 5.5.2). Args.Mob.Session has no bit
     * for it (RFC 9433, 6.1), and the End.M.GTP4.E or GTP6.E writes that of its own direction. A packet without a container
     * has none to lose.
     */
    public enum Containers {
        ANY(0),
        DOWNLINK(WITH_UPLINK),
        UPLINK(WITH_DOWNLINK);

        /** Bits of {@code way} that must be 0 in a packet. */
        private final int refused;

        Containers(int refused) {
            this.refused = refused;
        }

        private static Containers of(Optional<Ternary> way) {
            int refused = way.map(Ternary::mask).orElse(0) & (WITH_DOWNLINK | WITH_UPLINK);
            return Arrays.stream(values())
                    .filter(one -> one.refused == refused)
                    .findFirst()
                    .orElse(ANY);
        }

        /** @param uplink the PDU type of the packet's container */
        public boolean take(boolean uplink) {
            return (refused & (uplink ? WITH_UPLINK : WITH_DOWNLINK)) == 0;
        }
    }

    /** The action of a rule. */
    public sealed interface Does {

        Call call();

        String text();

        default OptionalInt sendsInto() {
            return OptionalInt.empty();
        }

        /**
         * The packets that it accepts, as a match on {@code way} for a target that finds the next rule by its key alone
         * (mobile.p4).
         */
        default Optional<Ternary> way() {
            return Optional.empty();
        }

        /**
         * GTP goes and a list comes (RFC 9433, 6.3, 6.4, 6.7). Positions are in bits; 0 is not written.
         *
         * @param sidList unsigned
         * @param argsAt of Args.Mob.Session in the last SID of the list
         * @param addressAt of the IPv4 destination in it
         * @param source of the outer header; :: is that of {@link EncapSource}
         * @param sourceAt of the IPv4 source in that
         * @param keepDestination the destination becomes the last segment (6.4)
         * @param dropSequence also packets with a sequence or N-PDU number, which is lost
         * @param containers those of packets that it takes; other packets go to the next rule
         */
        record Translate(
                int sidList,
                int argsAt,
                int addressAt,
                Ipv6 source,
                int sourceAt,
                boolean keepDestination,
                boolean dropSequence,
                Containers containers)
                implements Does {
            public Translate {
                Range.place("position of the arguments", argsAt, 40);
                Range.place("position of the IPv4 destination", addressAt, 32);
                Range.place("position of the IPv4 source", sourceAt, 32);
                Objects.requireNonNull(source);
                Objects.requireNonNull(containers);
            }

            /**
             * The limits of SRv6: an IPv6 packet has no IPv4 addresses to write, and an IPv4 packet no destination that
             * could become a segment; nor is there a bit for a container's PDU type.
             */
            @Override
            public Optional<Ternary> way() {
                boolean writesIpv4 = addressAt != 0 || sourceAt != 0;
                if (keepDestination && writesIpv4) { // no packet
                    int all = TRANSLATABLE | OVER_IPV6 | SEQUENCED;
                    return Optional.of(new Ternary(OVER_IPV6 | SEQUENCED, all | containers.refused));
                }
                int mask = TRANSLATABLE
                        | (dropSequence ? 0 : SEQUENCED)
                        | (keepDestination || writesIpv4 ? OVER_IPV6 : 0)
                        | containers.refused;
                return Optional.of(new Ternary(TRANSLATABLE | (keepDestination ? OVER_IPV6 : 0), mask));
            }

            @Override
            public Call call() {
                return Call.of(
                        Actions.GTP_D,
                        Values.number(sidList),
                        Values.number(argsAt),
                        Values.number(addressAt),
                        Values.number(source),
                        Values.number(sourceAt),
                        Values.number(keepDestination ? 1 : 0),
                        Values.number(dropSequence ? 1 : 0));
            }

            @Override
            public OptionalInt sendsInto() {
                return OptionalInt.of(sidList);
            }

            @Override
            public String text() {
                return "gtp_d sid_list " + Integer.toUnsignedString(sidList) + " args_at " + argsAt + " address_at "
                        + addressAt + " source " + source + " source_at " + sourceAt
                        + (keepDestination ? " keep_destination" : "") + (dropSequence ? " drop_sequence" : "");
            }
        }

        /** The whole packet into a list. */
        record Carry(int sidList) implements Does {
            @Override
            public Call call() {
                return Call.of(Actions.CARRY, Values.number(sidList));
            }

            @Override
            public OptionalInt sendsInto() {
                return OptionalInt.of(sidList);
            }

            @Override
            public String text() {
                return "carry sid_list " + Integer.toUnsignedString(sidList);
            }
        }

        /** Drops the packet. */
        record Discard() implements Does {
            @Override
            public Call call() {
                return Call.of(Actions.GTP_DISCARD);
            }

            @Override
            public String text() {
                return "gtp_discard";
            }
        }
    }

    @Override
    public Key key() {
        return new Key(
                TABLE,
                "priority " + priority + " vrf " + vrf
                        + Ternary.text("class", sessionClass)
                        + source.map(prefix -> " src " + prefix).orElse("")
                        + destination.map(prefix -> " dst " + prefix).orElse("")
                        + Ternary.text("teid", teid)
                        + Ternary.text("qfi", qfi)
                        + Ternary.text("dscp", dscp)
                        + innerSource.map(prefix -> " inner_src " + prefix).orElse("")
                        + innerDestination.map(prefix -> " inner_dst " + prefix).orElse("")
                        + Ternary.text("way", does.way()));
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public OptionalInt sendsInto() {
        return does.sendsInto();
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.GTP_RULE)
                .priority(priority)
                .exact(vrf)
                .ternary(sessionClass)
                .ternaryAddress(source)
                .ternaryAddress(destination)
                .ternary(teid)
                .ternary(qfi)
                .ternary(dscp)
                .ternaryAddress(innerSource)
                .ternaryAddress(innerDestination)
                .ternary(does.way())
                .does(does.call());
    }

    private static GtpRule read(RowReader row) {
        return new GtpRule(
                row.priority(),
                row.exact(),
                row.ternary(),
                row.ternaryAddress(),
                row.ternaryAddress(),
                row.ternary(),
                row.ternary(),
                row.ternary(),
                row.ternaryAddress(),
                row.ternaryAddress(),
                read(row.ternary(), row.call()));
    }

    private static Does read(Optional<Ternary> way, CallReader call) {
        Does does = read(call, Containers.of(way));
        if (!way.equals(does.way())) {
            throw new MalformedEntryException(
                    TABLE, "way " + way.map(Ternary::toString).orElse("of all") + " is not that of " + does.text());
        }
        return does;
    }

    private static Does read(CallReader call, Containers containers) {
        if (call.is(Actions.GTP_D)) {
            return new Does.Translate(
                    call.number(),
                    call.number(),
                    call.number(),
                    call.ipv6(),
                    call.number(),
                    call.number() == 1,
                    call.number() == 1,
                    containers);
        }
        return call.is(Actions.CARRY) ? new Does.Carry(call.number()) : new Does.Discard();
    }

    @Override
    public String actionText() {
        return does.text();
    }
}
