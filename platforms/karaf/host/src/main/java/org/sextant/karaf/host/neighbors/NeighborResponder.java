// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.neighbors;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Network;
import org.sextant.core.net.Port;

/**
 * Answers requests for the MAC address of one of a node's interface addresses. Keeps nothing: one question is one
 * answer at the port it came from, and none if the address is not that port's, so that a node is no proxy.
 */
public final class NeighborResponder {
    /** Emits a frame; best effort. */
    @FunctionalInterface
    public interface Sender {
        void send(String node, int port, byte[] frame);
    }

    private final Supplier<Network> network;
    private final Sender sender;

    public NeighborResponder(Supplier<Network> network, Sender sender) {
        this.network = Objects.requireNonNull(network);
        this.sender = Objects.requireNonNull(sender);
    }

    /** A frame that came in; anything but a question for an address of this port is passed over. */
    public void received(String node, int port, byte[] frame) {
        Question.decode(frame)
                .ifPresent(question -> port(node, port)
                        .filter(asked -> asked.addresses().stream()
                                .anyMatch(own -> own.address().equals(question.target())))
                        .flatMap(Port::mac)
                        .ifPresent(own -> answer(node, port, question, own)));
    }

    private void answer(String node, int port, Question question, MacAddress own) {
        if (!own.equals(question.asker())) {
            sender.send(node, port, question.answer(own));
        }
    }

    private Optional<Port> port(String node, int number) {
        return network.get().node(node).map(found -> found.ports().get(number));
    }
}
