// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The time in which a certificate holds. */
record Term(String name, Instant begin, Instant end) {
    private static final Duration SOON = Duration.ofDays(30);
    private static final Duration NEAR = Duration.ofDays(7);
    private static final Duration NEXT = Duration.ofDays(1);

    static Term of(X509Certificate certificate) {
        return new Term(
                Pem.name(certificate),
                certificate.getNotBefore().toInstant(),
                certificate.getNotAfter().toInstant());
    }

    /** Why it does not hold now; empty if it does. */
    Optional<String> fault(String what, Instant now) {
        if (now.isAfter(end)) {
            return Optional.of(
                    sentence(what) + " expired on " + minute(end) + ": ./sextant certs rotate makes another");
        }
        if (now.isBefore(begin)) {
            return Optional.of(sentence(what) + " is not valid before " + minute(begin) + ", and it is " + minute(now)
                    + " here: look at the clocks");
        }
        return Optional.empty();
    }

    /**
     * The fault, or that it ends within 30 days, 7 days, one day. The same words until the next of these steps, as
     * listeners compare them. Depends on the time of day alone: after a jump of the clock it follows the clock.
     */
    Optional<String> warning(String what, Instant now) {
        Optional<String> fault = fault(what, now);
        if (fault.isPresent() || now.plus(SOON).isBefore(end)) {
            return fault;
        }
        String how = now.plus(NEAR).isBefore(end)
                ? ""
                : now.plus(NEXT).isBefore(end) ? ", in less than 7 days" : ", in less than a day";
        return Optional.of(
                sentence(what) + " expires on " + minute(end) + how + ": ./sextant certs rotate makes another");
    }

    private String sentence(String what) {
        return what + ", " + name + ",";
    }

    private static String minute(Instant time) {
        return time.truncatedTo(ChronoUnit.MINUTES).toString();
    }
}
