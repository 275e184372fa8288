// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A key and a self-signed certificate, as PEM files; a client that trusts it names the certificate as authority. */
record Certificates(Path certificate, Path key) {

    /** For 127.0.0.1, from now on for two days. */
    static Certificates make(Path folder, String name)
            throws IOException, GeneralSecurityException, InterruptedException {
        return make(folder, name, "san=ip:127.0.0.1", "-validity", "2");
    }

    /** @param names the extension of keytool with its names */
    static Certificates make(Path folder, String name, String names, String... term)
            throws IOException, GeneralSecurityException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("-genkeypair", "-dname", "CN=" + name, "-ext", names));
        words.addAll(List.of("-ext", "bc=ca:true", "-keyalg", "EC", "-groupname", "secp256r1"));
        words.addAll(List.of(term));
        keytool(folder, name, words.toArray(String[]::new));
        char[] password = (name + name).toCharArray();
        KeyStore keys = KeyStore.getInstance(store(folder, name).toFile(), password);
        return new Certificates(
                pem(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate(name).getEncoded()),
                pem(
                        folder.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey(name, password).getEncoded()));
    }

    /** A list of that signer's that has one serial number. */
    static void revoke(Path folder, String signer, BigInteger serial, Path list)
            throws IOException, InterruptedException {
        keytool(folder, signer, "-gencrl", "-id", serial.toString(), "-rfc", "-file", list.toString());
    }

    private static Path store(Path folder, String name) {
        return folder.resolve(name + ".p12");
    }

    private static void keytool(Path folder, String name, String... words) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>();
        argv.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        argv.addAll(List.of(words));
        argv.addAll(List.of("-alias", name, "-keystore", store(folder, name).toString()));
        argv.addAll(List.of("-storetype", "PKCS12", "-storepass", name + name));
        int made = new ProcessBuilder(argv)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (made != 0) {
            throw new IOException("keytool ended with " + made + ": " + argv);
        }
    }

    private static Path pem(Path file, String type, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }
}
