// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import org.sextant.core.ip.IpPrefix;

/** The intent: a node gets one more SID, which does what End does (RFC 8986, 4.1). Valid from birth. */
record Marker(String name, String node, IpPrefix sid) {
    Marker {
        if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,62}")) {
            throw new IllegalArgumentException("\"" + name + "\" is no name");
        }
        if (!sid.isIpv6()) {
            throw new IllegalArgumentException(sid + " is no IPv6 prefix");
        }
    }
}
