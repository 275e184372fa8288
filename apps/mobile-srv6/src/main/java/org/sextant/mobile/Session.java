// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.kit.Metadata;

/**
 * A PDU session of a slice. Immutable, and independent of any network.
 *
 * @param slice the slice's name
 * @param id unique within the slice
 * @param ues addresses and prefixes of the UE
 * @param qfi QoS flow identifier of packets to the UE, 6 bits
 * @param rqi reflective QoS indication of packets to the UE
 * @param uplink the endpoint to which the gNB sends
 * @param downlink the endpoint at which the gNB receives; empty: not known yet
 * @param forwarding of a handover in progress; empty: none
 */
public record Session(
        String slice,
        String id,
        List<IpPrefix> ues,
        int qfi,
        boolean rqi,
        Tunnel uplink,
        Optional<Tunnel> downlink,
        Optional<IndirectForwarding> forwarding,
        Metadata metadata) {

    public Session {
        Slice.checkName(slice);
        checkId(id);
        ues = List.copyOf(ues);
        Objects.requireNonNull(uplink);
        Objects.requireNonNull(downlink);
        Objects.requireNonNull(forwarding);
        if (qfi < 0 || qfi > 63) {
            throw new IllegalArgumentException("QFI " + qfi + " has more than 6 bits");
        }
    }

    /**
     * A GTP-U tunnel endpoint: an F-TEID.
     *
     * @param teid unsigned, not 0
     */
    public record Tunnel(IpAddress endpoint, int teid) {
        public Tunnel {
            Objects.requireNonNull(endpoint);
            if (teid == 0) {
                throw new IllegalArgumentException("TEID 0 is reserved");
            }
        }

        @Override
        public String toString() {
            return endpoint + " 0x" + Integer.toHexString(teid);
        }
    }

    /**
     * Indirect data forwarding of a handover over N2 (TS 23.502, 4.9.1.3): the source gNB returns pending packets of
     * the UE through a tunnel of its own, which continues to the target gNB.
     *
     * @param from the endpoint to which the source gNB sends
     * @param to the endpoint at which the target gNB receives
     * @param qfis flows that are forwarded, ascending; one at least
     */
    public record IndirectForwarding(Tunnel from, Tunnel to, List<Integer> qfis) {
        public IndirectForwarding {
            Objects.requireNonNull(from);
            Objects.requireNonNull(to);
            qfis = qfis.stream().sorted().distinct().toList();
            if (qfis.isEmpty() || qfis.get(0) < 0 || qfis.get(qfis.size() - 1) > 63) {
                throw new IllegalArgumentException("forwarding needs QFIs from 0 to 63, not " + qfis);
            }
        }
    }

    /** Args.Mob.Session of packets to the UE (RFC 9433, 6.1); empty until the gNB's endpoint is known. */
    public Optional<Long> arguments() {
        return downlink.map(tunnel -> arguments(qfi, rqi, tunnel.teid()));
    }

    /** QFI, R, U, and the TEID as PDU Session ID, 40 bits; U is written 0. */
    public static long arguments(int qfi, boolean rqi, int teid) {
        return (long) qfi << 34 | (rqi ? 1L << 33 : 0) | Integer.toUnsignedLong(teid);
    }

    static void checkId(String id) {
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,30}")) {
            throw new IllegalArgumentException(
                    "\"" + id + "\" is not an id of 31 letters, digits, '.', '_', '-' at most");
        }
    }
}
