// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a node serves P4Runtime and gNMI: {@code grpc://host:port?device_id=N}, or {@code grpcs://} for TLS. */
record Management(String host, int port, long deviceId, boolean tls) {
    private static final Pattern DEVICE_ID = Pattern.compile("(?:.*&)?device_id=([0-9]{1,19})(?:&.*)?");

    /** @throws IllegalArgumentException if {@code text} is not of that form; the message quotes it */
    static Management parse(String text) {
        try {
            URI uri = new URI(text);
            boolean tls = "grpcs".equals(uri.getScheme());
            Matcher deviceId = DEVICE_ID.matcher(uri.getQuery() == null ? "" : uri.getQuery());
            if ((tls || "grpc".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getPort() > 0
                    && deviceId.matches()) {
                return new Management(uri.getHost(), uri.getPort(), Long.parseLong(deviceId.group(1)), tls);
            }
        } catch (URISyntaxException | NumberFormatException e) {
            // The message below names the expected form, which is more than these do.
        }
        throw new IllegalArgumentException(
                "management address \"" + text + "\" is not grpc://host:port?device_id=N (or grpcs://)");
    }

    @Override
    public String toString() {
        return (tls ? "grpcs://" : "grpc://") + host + ":" + port + "?device_id=" + deviceId;
    }
}
