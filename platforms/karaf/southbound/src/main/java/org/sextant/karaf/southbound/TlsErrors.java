// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.Status;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** The failure of a handshake between a node and the controller, as a sentence. */
final class TlsErrors {
    /** As the JDK says it, and as OpenSSL does (RFC 8446, 6.2 has the alerts). */
    private static final Pattern ALERT = Pattern.compile(
            "(?:fatal alert: |ALERT_)(bad_certificate|unsupported_certificate|certificate_revoked|certificate_expired"
                    + "|certificate_unknown|unknown_ca|access_denied|certificate_required|handshake_failure)",
            Pattern.CASE_INSENSITIVE);

    private TlsErrors() {}

    /** Empty if it was something else. */
    static Optional<String> describe(Status status, TlsFiles tls) {
        Optional<String> ours = NodeTrust.causes(status.getCause())
                .filter(NodeTrust.Refused.class::isInstance)
                .map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .findFirst();
        return ours.or(() -> NodeTrust.causes(status.getCause())
                .filter(SSLException.class::isInstance)
                .flatMap(failure -> theirs(Objects.toString(failure.getMessage(), ""), tls).stream())
                .findFirst());
    }

    private static Optional<String> theirs(String message, TlsFiles tls) {
        Matcher alert = ALERT.matcher(message);
        if (alert.find()) {
            String name = alert.group(1).toLowerCase(Locale.ROOT);
            return Optional.of("the node refuses the controller's certificate " + tls.own() + ": " + why(name, tls)
                    + " (TLS alert " + name + "); the node's log says more");
        }
        if (message.contains("not an SSL/TLS record")
                || message.toLowerCase(Locale.ROOT).contains("wrong_version_number")) {
            return Optional.of("the node speaks plain text, and its managementAddress is grpcs://");
        }
        return Optional.empty();
    }

    private static String why(String alert, TlsFiles tls) {
        return switch (alert) {
            case "certificate_required" ->
                tls.certificate().isPresent()
                        ? "none of the CAs that the node trusts signed it"
                        : "it wants one, and there is none";
            case "certificate_expired" -> "it has expired, or is not yet valid by the node's clock";
            case "certificate_revoked" -> "it was revoked";
            case "unknown_ca" -> "the node does not trust its issuer";
            default -> "it was revoked, or is not one of a client that the node knows";
        };
    }
}
