// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.sextant.core.durable.DurableFile;

/**
 * A certificate that the controller signs itself, where none was configured: a client that has it can verify the
 * controller.
 */
final class OwnCertificate {
    /** By which it is known again; one that was given is never replaced. */
    private static final String NAME = "CN=Sextant controller (self-signed)";

    /** A clock that is before this is that of a machine which lost the time, and will be set. */
    private static final Instant WRITTEN = Instant.parse("2026-11-01T00:00:00Z");

    private static final Duration LIFE = Duration.ofDays(825);
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);
    private static final int SERIAL_BITS = 120;

    private OwnCertificate() {}

    /**
     * Makes one if there is none, or if one that it made has ended, is about to, or has another key beside it: a crash between the two
     * files leaves that.
     *
     * @return whether it did
     */
    static boolean ensure(Path certificate, Path key, Instant now) throws IOException {
        if (Files.exists(certificate) && Files.exists(key) && !over(certificate, now) && !torn(certificate, key)) {
            return false;
        }
        if (Files.exists(certificate) && !own(certificate)) {
            throw new IOException(certificate + " is there, but " + key + " is not: put its key there");
        }
        try {
            make(certificate, key, now);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("no certificate could be made: " + e.getMessage(), e);
        }
        return true;
    }

    private static boolean over(Path certificate, Instant now) throws IOException {
        return own(certificate) && read(certificate).getNotAfter().toInstant().isBefore(now.plus(RENEWED_BEFORE));
    }

    private static boolean torn(Path certificate, Path key) throws IOException {
        if (!own(certificate)) {
            return false;
        }
        try {
            HttpsKeys.Pair.read(certificate, key);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean own(Path certificate) throws IOException {
        return read(certificate).getIssuerX500Principal().getName().equals(NAME);
    }

    private static X509Certificate read(Path certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (GeneralSecurityException e) {
            throw new IOException(certificate + " is no certificate: " + e.getMessage(), e);
        }
    }

    private static void make(Path certificate, Path key, Instant now)
            throws IOException, GeneralSecurityException, OperatorCreationException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        X500Name name = new X500Name(NAME);
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name,
                new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                Date.from(now.minus(Duration.ofHours(1))), // clients' clocks are not ours
                Date.from((now.isBefore(WRITTEN) ? WRITTEN : now).plus(LIFE)),
                name,
                pair.getPublic());
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names()));
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        byte[] encoded = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
                .getEncoded();
        DurableFile.replace(
                key,
                DurableFile.OWNER_ONLY,
                pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        DurableFile.replace(certificate, DurableFile.OWNER_ONLY, pem("CERTIFICATE", encoded));
    }

    /** Names by which clients may call this machine: its name and its addresses. */
    private static GeneralName[] names() throws IOException {
        Set<String> addresses = new TreeSet<>(List.of("127.0.0.1", "0:0:0:0:0:0:0:1"));
        for (NetworkInterface one : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress address : one.getInterfaceAddresses()) {
                addresses.add(address.getAddress().getHostAddress().replaceAll("%.*", ""));
            }
        }
        List<GeneralName> names = new ArrayList<>(List.of(new GeneralName(GeneralName.dNSName, "localhost")));
        String host = InetAddress.getLocalHost().getHostName();
        if (host.matches("[A-Za-z0-9.-]*[A-Za-z][A-Za-z0-9.-]*")) {
            names.add(new GeneralName(GeneralName.dNSName, host));
        }
        addresses.forEach(address -> names.add(new GeneralName(GeneralName.iPAddress, address)));
        return names.toArray(GeneralName[]::new);
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + what + "-----\n";
    }

    /** By which a person compares it: SHA-256, as openssl x509 -fingerprint -sha256 prints it. */
    static String fingerprint(Path certificate) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(read(certificate).getEncoded());
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }
}
