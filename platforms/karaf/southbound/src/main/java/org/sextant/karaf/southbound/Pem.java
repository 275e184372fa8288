// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;

/** Certificates and revocation lists of PEM files. */
final class Pem {
    private Pem() {}

    /** @throws IllegalArgumentException naming the file, if there is none in it */
    static List<X509Certificate> certificates(Path file) {
        return read(
                file,
                "certificate",
                (factory, in) -> factory.generateCertificates(in).stream()
                        .map(X509Certificate.class::cast)
                        .toList());
    }

    /** None if the file cannot be read: callers that need them report it. */
    static List<X509Certificate> certificatesIfAny(Path file) {
        try {
            return certificates(file);
        } catch (IllegalArgumentException unreadable) {
            return List.of();
        }
    }

    /** @throws IllegalArgumentException naming the file, if there is none in it */
    static List<X509CRL> lists(Path file) {
        return read(
                file,
                "revocation list",
                (factory, in) -> factory.generateCRLs(in).stream()
                        .map(X509CRL.class::cast)
                        .toList());
    }

    /** As people call it: {@code CN=l1 (serial 1f)}. */
    static String name(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName() + " (serial "
                + certificate.getSerialNumber().toString(16) + ")";
    }

    private interface Parser<T> {
        List<T> parse(CertificateFactory factory, InputStream in) throws GeneralSecurityException;
    }

    private static <T> List<T> read(Path file, String kind, Parser<T> parser) {
        try (InputStream in = Files.newInputStream(file)) {
            List<T> found = parser.parse(CertificateFactory.getInstance("X.509"), in);
            if (found.isEmpty()) {
                throw new IllegalArgumentException("there is no " + kind + " in " + file);
            }
            return found;
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + " of org.sextant.cfg: " + e, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(file + " holds no " + kind + ": " + e.getMessage(), e);
        }
    }
}
