// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Node;
import org.sextant.core.port.DataPlane.NodeState;

/** A node that shows a certificate and wants to see the controller's. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class TlsTest {
    @TempDir
    private static Path folder;

    private static Certificates nodes;
    private static Certificates controllers;
    private static Certificates strangers;
    private static FakeNode fake;

    @BeforeAll
    static void start() throws Exception {
        nodes = Certificates.make(folder, "node");
        controllers = Certificates.make(folder, "controller");
        strangers = Certificates.make(folder, "stranger");
        fake = new FakeNode(true, Optional.of(mutual()));
    }

    private static SslContext mutual() throws SSLException {
        return GrpcSslContexts.forServer(
                        nodes.certificate().toFile(), nodes.key().toFile())
                .trustManager(controllers.certificate().toFile())
                .clientAuth(ClientAuth.REQUIRE)
                .build();
    }

    @AfterAll
    static void stop() {
        fake.close();
    }

    @Test
    void both_sides_know_each_other() throws InterruptedException {
        assertThat(firstState(fake, nodes.certificate(), Optional.of(controllers))
                        .ready())
                .isTrue();
    }

    @Test
    void a_node_with_another_certificate_is_refused() throws InterruptedException {
        NodeState state = firstState(fake, strangers.certificate(), Optional.of(controllers));
        assertThat(state.ready()).isFalse();
        assertThat(state.reason())
                .contains(
                        "the node's certificate, CN=node (serial ",
                        "is not trusted by tls.ca " + strangers.certificate());
    }

    @Test
    void a_controller_without_certificate_is_told_so() throws InterruptedException {
        NodeState state = firstState(fake, nodes.certificate(), Optional.empty());
        assertThat(state.ready()).isFalse();
        assertThat(state.reason()).contains("the node refuses the controller's certificate (none");
    }

    @Test
    void a_controller_with_another_certificate_is_told_so() throws InterruptedException {
        NodeState state = firstState(fake, nodes.certificate(), Optional.of(strangers));
        assertThat(state.ready()).isFalse();
        assertThat(state.reason())
                .contains("the node refuses the controller's certificate CN=stranger (serial ", "TLS alert");
    }

    @Test
    void a_node_of_another_name_is_refused() throws Exception {
        assertThat(refusal(Certificates.make(folder, "moved", "san=dns:n7,ip:192.0.2.7", "-validity", "2")))
                .contains("the node's certificate, CN=moved", "is for n7, 192.0.2.7, and the node is at 127.0.0.1");
    }

    @Test
    void a_node_whose_certificate_expired_is_refused() throws Exception {
        assertThat(refusal(Certificates.make(
                        folder, "expired", "san=ip:127.0.0.1", "-startdate", "-9d", "-validity", "2")))
                .contains("the node's certificate, CN=expired", "expired on ", "./sextant certs rotate");
    }

    @Test
    void a_node_whose_certificate_is_of_the_future_is_refused() throws Exception {
        assertThat(refusal(
                        Certificates.make(folder, "early", "san=ip:127.0.0.1", "-startdate", "+3d", "-validity", "2")))
                .contains("the node's certificate, CN=early", "is not valid before ", "look at the clocks");
    }

    /** The controller's refusal of a node that shows this certificate, and whose signer it trusts. */
    private static String refusal(Certificates shown) throws Exception {
        SslContext context = GrpcSslContexts.forServer(
                        shown.certificate().toFile(), shown.key().toFile())
                .build();
        try (FakeNode other = new FakeNode(true, Optional.of(context))) {
            NodeState state = firstState(other, shown.certificate(), Optional.of(controllers));
            assertThat(state.ready()).isFalse();
            return state.reason();
        }
    }

    @Test
    void a_node_that_is_revoked_while_it_is_connected_is_left_and_not_taken_again() throws Exception {
        Path list = folder.resolve("ca.crl");
        Certificates.revoke(folder, "node", BigInteger.ONE, list);
        TlsFiles files = new TlsFiles(
                Optional.of(nodes.certificate()),
                Optional.of(controllers.certificate()),
                Optional.of(controllers.key()),
                Optional.of(list));
        BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
        Deadlines impatient = new Deadlines(5_000, 5_000, 5_000, 5_000, 50);
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), files, impatient)) {
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(node(fake)));
            assertThat(states.poll(30, TimeUnit.SECONDS)).matches(NodeState::ready);
            BigInteger serial = Pem.certificates(nodes.certificate()).get(0).getSerialNumber();
            Path fresh = folder.resolve("ca.crl.new");
            Certificates.revoke(folder, "node", serial, fresh);
            Files.move(fresh, list, StandardCopyOption.ATOMIC_MOVE);
            NodeState state = states.poll(30, TimeUnit.SECONDS);
            assertThat(state).isNotNull();
            assertThat(state.ready()).isFalse();
            assertThat(state.reason()).contains("the node's certificate, CN=node", "was revoked");
        }
        assertThat(firstState(fake, files).reason()).contains("the node's certificate, CN=node", "was revoked");
    }

    @Test
    void a_list_that_somebody_else_signed_revokes_nothing() throws Exception {
        Path list = folder.resolve("forged.crl");
        BigInteger serial = Pem.certificates(nodes.certificate()).get(0).getSerialNumber();
        Path forgers = Files.createDirectory(folder.resolve("forgers"));
        Certificates.make(forgers, "node");
        Certificates.revoke(forgers, "node", serial, list);
        TlsFiles files = new TlsFiles(
                Optional.of(nodes.certificate()),
                Optional.of(controllers.certificate()),
                Optional.of(controllers.key()),
                Optional.of(list));
        assertThat(firstState(fake, files).ready()).isTrue();
    }

    @Test
    void what_ends_within_a_month_is_told_by_node_and_controller() throws InterruptedException {
        TlsFiles files = new TlsFiles(
                Optional.of(nodes.certificate()),
                Optional.of(controllers.certificate()),
                Optional.of(controllers.key()),
                Optional.empty());
        BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), files)) {
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(node(fake)));
            assertThat(states.poll(30, TimeUnit.SECONDS)).matches(NodeState::ready);
            assertThat(dataPlane.notice("n1"))
                    .hasValueSatisfying(notice -> assertThat(notice)
                            .contains(
                                    "the node's certificate, CN=node",
                                    "the controller's own certificate, CN=controller",
                                    "the CA of tls.ca, CN=node",
                                    "expires on "));
        }
        assertThat(files.ending(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)).get(0))
                .contains("look at the clocks");
        assertThat(files.ending(Clock.offset(Clock.systemUTC(), Duration.ofDays(3)))
                        .get(0))
                .contains("expired on ");
    }

    @Test
    void the_next_connection_shows_what_the_files_hold_by_then() throws Exception {
        Path certificate = folder.resolve("own.crt");
        Path key = folder.resolve("own.key");
        Files.copy(strangers.certificate(), certificate);
        Files.copy(strangers.key(), key);
        TlsFiles files = new TlsFiles(
                Optional.of(nodes.certificate()), Optional.of(certificate), Optional.of(key), Optional.empty());
        BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), files)) {
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(node(fake)));
            assertThat(states.poll(30, TimeUnit.SECONDS)).matches(state -> !state.ready());
            Files.copy(controllers.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(controllers.key(), key, StandardCopyOption.REPLACE_EXISTING);
            awaitReady(states);
        }
    }

    @Test
    void a_file_that_is_not_there_yet_is_read_as_soon_as_it_is() throws Exception {
        Path authority = folder.resolve("late.pem");
        BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
        TlsFiles files = new TlsFiles(
                Optional.of(authority),
                Optional.of(controllers.certificate()),
                Optional.of(controllers.key()),
                Optional.empty());
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), files)) {
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(node(fake)));
            NodeState first = states.poll(30, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            assertThat(first.ready()).isFalse();
            assertThat(first.reason()).contains("late.pem");
            Files.copy(nodes.certificate(), authority);
            awaitReady(states);
        }
    }

    private static void awaitReady(BlockingQueue<NodeState> states) throws InterruptedException {
        NodeState last;
        do {
            last = states.poll(30, TimeUnit.SECONDS);
            assertThat(last).as("there is another attempt").isNotNull();
        } while (!last.ready());
    }

    private static Node node(FakeNode where) {
        return new Node(
                "n1",
                "device:n1",
                where.management(),
                "org.sextant.linux",
                Optional.empty(),
                new TreeMap<>(),
                Optional.empty());
    }

    private static NodeState firstState(FakeNode where, Path authority, Optional<Certificates> own)
            throws InterruptedException {
        return firstState(
                where,
                new TlsFiles(
                        Optional.of(authority),
                        own.map(Certificates::certificate),
                        own.map(Certificates::key),
                        Optional.empty()));
    }

    private static NodeState firstState(FakeNode where, TlsFiles files) throws InterruptedException {
        BlockingQueue<NodeState> states = new LinkedBlockingQueue<>();
        try (P4RuntimeDataPlane dataPlane = new P4RuntimeDataPlane(new FakeStore(), files)) {
            dataPlane.onState(states::add);
            dataPlane.manage(List.of(node(where)));
            NodeState first = states.poll(30, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            return first;
        }
    }
}
