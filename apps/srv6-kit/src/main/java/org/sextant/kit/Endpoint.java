// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.UnroutableAddresses;

/** An end of an intent's traffic, as an operator writes it. */
public sealed interface Endpoint {

    /** All addresses of a host. */
    record Named(String host) implements Endpoint {
        public Named {
            if (!host.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
                throw new IllegalArgumentException(
                        "\"" + host + "\" is neither a host's name nor an address nor a prefix");
            }
            host = host.intern();
        }

        @Override
        public String toString() {
            return host;
        }
    }

    /** One address (a host prefix) or all addresses of a prefix. */
    record Range(IpPrefix prefix) implements Endpoint {
        public Range {
            UnroutableAddresses.kind(prefix).ifPresent(what -> {
                throw new IllegalArgumentException(prefix + " is " + what + ": packets to it are not forwarded");
            });
        }

        @Override
        public String toString() {
            return prefix.length() == prefix.address().bits() ? prefix.address().toString() : prefix.toString();
        }
    }

    /** @throws IllegalArgumentException if {@code text} is neither a name nor an address nor a prefix, or never forwarded */
    static Endpoint parse(String text) {
        boolean numeric = text.indexOf(':') >= 0 || text.indexOf('/') >= 0 || text.matches("[0-9]+(\\.[0-9]+){3}");
        return numeric ? new Range(IpPrefix.parse(text)) : new Named(text);
    }
}
