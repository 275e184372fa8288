// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

import java.util.List;
import java.util.Optional;

/**
 * Addresses that no router forwards packets to, or not to one place: they mean nothing beyond a link or a node, or name
 * a group (RFC 4291, 2.4; RFC 6890). They cannot be steered, and cannot identify a node or host.
 */
public final class UnroutableAddresses {
    private static final List<Kind> KINDS = List.of(
            new Kind("::/128", "the unspecified address"),
            new Kind("::1/128", "the loopback address"),
            new Kind("fe80::/10", "link-local"),
            new Kind("ff00::/8", "multicast"),
            new Kind("0.0.0.0/8", "of \"this network\""),
            new Kind("127.0.0.0/8", "loopback"),
            new Kind("169.254.0.0/16", "link-local"),
            new Kind("224.0.0.0/4", "multicast"),
            new Kind("240.0.0.0/4", "reserved or broadcast"));

    private UnroutableAddresses() {}

    private record Kind(IpPrefix prefix, String what) {
        Kind(String prefix, String what) {
            this(IpPrefix.parse(prefix), what);
        }

        /** A prefix around the kind, such as ::/0, has addresses that are forwarded. */
        boolean covers(IpPrefix other) {
            return prefix.contains(other.address()) && prefix.length() <= other.length();
        }
    }

    /** The kind of a prefix's addresses, if none of them is ever forwarded: "multicast". */
    public static Optional<String> kind(IpPrefix prefix) {
        return KINDS.stream()
                .filter(kind -> kind.covers(prefix))
                .map(Kind::what)
                .findFirst();
    }

    /** The kind of one address. */
    public static Optional<String> kind(IpAddress address) {
        return kind(new IpPrefix(address, address.bits()));
    }

    /**
     * Returns the address itself.
     *
     * @throws IllegalArgumentException if it is never forwarded
     */
    public static <A extends IpAddress> A refuse(A address) {
        kind(address).ifPresent(what -> {
            throw new IllegalArgumentException(address + " is " + what + ": routers do not forward to it");
        });
        return address;
    }
}
