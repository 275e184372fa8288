// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpsOnlyTest {
    private static final AtomicInteger TOUCHES = new AtomicInteger();

    @TempDir
    private Path folder;

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private void start(String host) throws Exception {
        connector.setHost(host);
        server.addConnector(connector);
        server.setHandler(new AbstractHandler() {
            @Override
            protected void doStart() throws Exception {
                super.doStart();
                HttpsOnly.offLoopback(getServer(), folder);
            }

            @Override
            public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                response.getOutputStream().print(request.getScheme());
                base.setHandled(true);
            }
        });
        server.start();
    }

    @Test
    void on_loopback_it_is_plain_and_nothing_is_made() throws Exception {
        start("127.0.0.1");
        assertThat(plain()).contains("200 OK").endsWith("http");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void elsewhere_there_is_https_and_nothing_else() throws Exception {
        start("0.0.0.0");
        assertThat(plain()).doesNotContain("HTTP/1.1 200");
        assertThat(encrypted().answer)
                .contains("200 OK", "Strict-Transport-Security: max-age=31536000")
                .endsWith("https");
        for (String file : new String[] {"key.pem", "certificate.pem"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void no_address_is_every_address() throws Exception {
        start(null);
        assertThat(plain()).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void what_listens_already_is_turned_too() throws Exception {
        connector.setHost("0.0.0.0");
        server.addConnector(connector);
        server.start();
        HttpsOnly.offLoopback(server, folder);
        assertThat(plain()).doesNotContain("HTTP/1.1");
        assertThat(encrypted().answer).contains("HTTP/1.1 404");
    }

    @Test
    void the_same_certificate_is_there_after_a_restart_and_a_new_one_before_it_ends() throws Exception {
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        Instant now = Instant.now();
        assertThat(OwnCertificate.ensure(certificate, key, now)).isTrue();
        String first = Files.readString(certificate);
        assertThat(OwnCertificate.ensure(certificate, key, now.plus(Duration.ofDays(700))))
                .isFalse();
        assertThat(OwnCertificate.ensure(certificate, key, now.plus(Duration.ofDays(800))))
                .isTrue();
        assertThat(Files.readString(certificate)).isNotEqualTo(first);
    }

    @Test
    void the_end_of_the_certificate_is_told_by_the_clock_that_there_is() throws Exception {
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        Instant made = Instant.parse("2026-11-23T00:00:00Z");
        OwnCertificate.ensure(certificate, key, made);
        X509Certificate read = HttpsKeys.Pair.read(certificate, key).chain()[0];
        Instant end = made.plus(Duration.ofDays(825));
        assertThat(HttpsKeys.ending(read, end.minus(Duration.ofDays(31)))).isEmpty();
        assertThat(HttpsKeys.ending(read, end.minus(Duration.ofDays(7)))).contains("expires on " + end + ", in 7 days");
        assertThat(HttpsKeys.ending(read, end.plusSeconds(1))).contains("expired on " + end);
        assertThat(HttpsKeys.ending(read, made.minus(Duration.ofDays(1))).orElse(""))
                .contains("is not valid before", "look at the clock");
    }

    @Test
    void who_connects_has_the_end_of_the_certificate_told_once_a_day() throws Exception {
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        OwnCertificate.ensure(certificate, key, Instant.now());
        AtomicLong nanos = new AtomicLong();
        Clock late = Clock.offset(Clock.systemUTC(), Duration.ofDays(820));
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8)); // where the log of tests goes
        try {
            HttpsKeys keys = new HttpsKeys(certificate, key, late, nanos::get);
            for (int hour = 0; hour < 49; hour++) {
                keys.getServerAliases("EC", null);
                nanos.addAndGet(Duration.ofHours(1).toNanos());
            }
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8).split(": put a newer one there", -1))
                .hasSize(3 + 1);
    }

    @Test
    void files_that_change_are_taken_at_the_next_connection_and_wrong_ones_never() throws Exception {
        start("0.0.0.0");
        String first = encrypted().serial;
        Path other = Files.createDirectory(folder.resolve("other"));
        OwnCertificate.ensure(other.resolve("certificate.pem"), other.resolve("key.pem"), Instant.now());
        copy(other, "certificate.pem");
        assertThat(encrypted().serial)
                .as("a certificate whose key is another's")
                .isEqualTo(first);
        copy(other, "key.pem");
        String second = encrypted().serial;
        assertThat(second).isNotEqualTo(first);
        Files.writeString(folder.resolve("certificate.pem"), "nothing");
        touch(folder.resolve("certificate.pem"));
        assertThat(encrypted().serial).isEqualTo(second);
        Files.delete(folder.resolve("key.pem"));
        assertThat(encrypted().serial).isEqualTo(second);
    }

    @Test
    void a_given_certificate_without_its_key_stops_it_and_is_not_replaced() throws Exception {
        OwnCertificate.ensure(folder.resolve("certificate.pem"), folder.resolve("key.pem"), Instant.now());
        Files.writeString(folder.resolve("certificate.pem"), "mine\n");
        Files.delete(folder.resolve("key.pem"));
        assertThatThrownBy(() -> start("0.0.0.0")).hasMessageContaining("certificate.pem");
        assertThat(Files.readString(folder.resolve("certificate.pem"))).isEqualTo("mine\n");
    }

    private void copy(Path from, String name) throws IOException {
        Files.writeString(folder.resolve(name), Files.readString(from.resolve(name)));
        touch(folder.resolve(name));
    }

    /** Files that are written within one tick of the file system's clock look unchanged. */
    private static void touch(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(TOUCHES.incrementAndGet())));
    }

    private String plain() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", connector.getLocalPort())) {
            return ask(socket);
        } catch (java.net.SocketException reset) {
            return "";
        }
    }

    private record Seen(String answer, String serial) {}

    private Seen encrypted() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", connector.getLocalPort())) {
            String answer = ask(socket);
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return new Seen(answer, shown.getSerialNumber().toString());
        }
    }

    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream()
                .write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        try (InputStream in = socket.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Looks at certificates only. */
    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // There are no clients here.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // The test compares serial numbers.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
