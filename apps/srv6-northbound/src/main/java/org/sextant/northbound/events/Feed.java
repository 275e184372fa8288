// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The pending events of one client, and the thread that sends them. A client that does not keep up is let go: it comes
 * back and looks at everything anew, which is cheaper than a backlog.
 */
final class Feed implements Runnable {
    private static final int BACKLOG = 256;
    private static final int HEARTBEAT_SECONDS = 5;
    private static final String HEARTBEAT = ": alive\n\n";
    private static final String END = "";

    private final BlockingQueue<String> backlog = new LinkedBlockingQueue<>(BACKLOG);
    private final EventHub.Client client;

    Feed(EventHub.Client client) {
        this.client = client;
    }

    /** False if the client is too far behind. */
    boolean offer(List<String> events) {
        return events.stream().allMatch(backlog::offer);
    }

    /** Ends {@link #run} soon, whatever else is to be sent. */
    void end() {
        backlog.clear();
        backlog.offer(END);
    }

    /** Returns when the client is gone or {@link #end} was called. A heartbeat finds out about clients that vanished. */
    @Override
    public void run() {
        try (client) {
            client.send(PendingEvents.event("network", JsonNodeFactory.instance.objectNode()));
            while (true) {
                String event = backlog.poll(HEARTBEAT_SECONDS, TimeUnit.SECONDS);
                if (END.equals(event)) {
                    return;
                }
                client.send(event == null ? HEARTBEAT : event);
            }
        } catch (IOException gone) {
            return; // that is how clients say goodbye
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
