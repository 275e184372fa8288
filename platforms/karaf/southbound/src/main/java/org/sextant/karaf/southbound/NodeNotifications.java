// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Subscription;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sextant.karaf.southbound.NodeSession.Heard;
import org.sextant.karaf.southbound.NodeSession.Pace;

/**
 * A node's own notifications while there are listeners, over the connection that there is. Touched under its session's
 * lock.
 */
final class NodeNotifications {
    private final String node;
    private final ScheduledExecutorService timer;
    private final NodeSession.Events events;
    private Heard heard = Heard.NOTHING;
    private Optional<TrafficWatch> traffic = Optional.empty();
    private Optional<GnmiStream> logged = Optional.empty();
    private Optional<GnmiStream> counted = Optional.empty();
    private Optional<GnmiStream> liveness = Optional.empty();
    private Optional<GnmiStream> delays = Optional.empty();

    NodeNotifications(String node, ScheduledExecutorService timer, NodeSession.Events events) {
        this.node = node;
        this.timer = timer;
        this.events = events;
    }

    /** Sets the data with listeners from now on. */
    void hear(Heard wanted, Optional<Connection> connection) {
        Heard before = heard;
        heard = wanted;
        if (before.ports() != wanted.ports()) {
            traffic(connection);
        }
        if (before.logged() != wanted.logged()) {
            log(connection);
        }
        if (before.counted() != wanted.counted()) {
            rules(connection);
        }
        if (before.liveness() != wanted.liveness()) {
            lists(connection);
        }
        if (before.delays() != wanted.delays()) {
            links(connection);
        }
    }

    /** All anew over another connection; empty: nothing any more. */
    void by(Optional<Connection> connection) {
        traffic(connection);
        log(connection);
        rules(connection);
        lists(connection);
        links(connection);
    }

    private void traffic(Optional<Connection> connection) {
        traffic.ifPresent(TrafficWatch::close);
        traffic = connection
                .filter(one -> heard.ports() != Pace.NEVER)
                .map(one -> new TrafficWatch(node, one.channel(), timer, heard.ports(), events::counters));
        traffic.ifPresent(TrafficWatch::start);
    }

    private void log(Optional<Connection> connection) {
        logged.ifPresent(GnmiStream::close);
        logged = stream(
                connection.filter(one -> heard.logged()),
                FirewallPaths.events(),
                () -> told -> FirewallPaths.event(node, told).ifPresent(events::logged));
    }

    private void rules(Optional<Connection> connection) {
        counted.ifPresent(GnmiStream::close);
        counted = stream(connection.filter(one -> heard.counted()), FirewallPaths.counters(), () -> {
            FirewallPaths.Rows rows = new FirewallPaths.Rows(node);
            return told -> rows.take(told).forEach(events::counted);
        });
    }

    private void lists(Optional<Connection> connection) {
        liveness.ifPresent(GnmiStream::close);
        liveness = stream(connection.filter(one -> heard.liveness()), LivenessPaths.all(), () -> {
            LivenessPaths.Lists lists = new LivenessPaths.Lists(node);
            return told -> lists.take(told).forEach(events::liveness);
        });
    }

    private void links(Optional<Connection> connection) {
        delays.ifPresent(GnmiStream::close);
        delays = stream(connection.filter(one -> heard.delays()), LinkDelayPaths.all(), () -> {
            LinkDelayPaths.Ports ports = new LinkDelayPaths.Ports(node);
            return told -> ports.take(told).forEach(events::delay);
        });
    }

    /** Started, if there is a connection. */
    private Optional<GnmiStream> stream(
            Optional<Connection> connection, List<Subscription> wanted, Supplier<Consumer<Notification>> listeners) {
        Optional<GnmiStream> stream =
                connection.map(one -> new GnmiStream(node, one.channel(), timer, wanted, listeners));
        stream.ifPresent(GnmiStream::start);
        return stream;
    }
}
