// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import java.util.List;

/** A metric of the controller: its name without the suffix of its type, its help, its labels. */
enum Metric {
    INTENTS("sextant_intents", Type.GAUGE, "Intents by kind and state.", "kind", "state"),
    INTENTS_BLOCKED(
            "sextant_intents_blocked",
            Type.GAUGE,
            "Intents that are not installed, by the code of the first reason; in_progress: being written.",
            "kind",
            "reason"),
    INTENT_CHANGES(
            "sextant_intent_changes",
            Type.COUNTER,
            "Changes of intents, by the state after the change.",
            "kind",
            "state"),

    NODES("sextant_nodes", Type.GAUGE, "Nodes by the state of their session.", "state"),
    NODE_CONNECTED("sextant_node_connected", Type.GAUGE, "1 if the node answers this controller.", "node"),
    NODE_SYNCED("sextant_node_synced", Type.GAUGE, "1 if the table entries of the node are known.", "node"),
    NODE_OVERLOADED("sextant_node_overloaded", Type.GAUGE, "1 if new paths avoid the node as transit.", "node"),
    NODE_DRAINED("sextant_node_drained", Type.GAUGE, "1 if routes and installed paths avoid the node, too.", "node"),
    NODE_ENTRIES(
            "sextant_node_entries", Type.GAUGE, "Table entries of the node when it was last read or written.", "node"),
    NODE_ENTRIES_WAITING(
            "sextant_node_entries_waiting",
            Type.GAUGE,
            "Table entries that are to be written to the node, or removed from it, once it answers.",
            "node"),
    NODE_LAST_READ(
            "sextant_node_last_read_timestamp_seconds",
            Type.GAUGE,
            "When all entries of the node were last read.",
            "node"),
    NODE_SESSIONS_LOST("sextant_node_sessions_lost", Type.COUNTER, "Losses of the session to the node.", "node"),
    ENTRIES_WRITTEN(
            "sextant_entries_written", Type.COUNTER, "Table entries written, by operation.", "node", "operation"),
    ENTRIES_REFUSED("sextant_entries_refused", Type.COUNTER, "Table entries that a node refused.", "node", "code"),
    DRIFT_FOUND(
            "sextant_drift_found",
            Type.COUNTER,
            "Table entries of a node that differed from the desired ones: missing, different, extra.",
            "node",
            "kind"),
    DRIFT_REPAIRED(
            "sextant_drift_repaired",
            Type.COUNTER,
            "Table entries that a drift check of all nodes has repaired.",
            "node"),
    DRIFT_CHECKS("sextant_drift_checks", Type.COUNTER, "Drift checks of all nodes that have ended."),
    NODES_UNREAD(
            "sextant_drift_check_nodes_unread",
            Type.GAUGE,
            "Nodes that the last drift check of all nodes could not read."),

    ENGINE_HOLD("sextant_engine_hold_seconds", Type.HISTOGRAM, "How long one message held the engine's thread."),
    ENGINE_WAITING(
            "sextant_engine_messages_waiting", Type.GAUGE, "Messages and requests that wait for the engine's thread."),
    ENGINE_FAULTS("sextant_engine_faults", Type.COUNTER, "Defects that were contained and logged."),
    UNREADABLE("sextant_store_entries_unreadable", Type.COUNTER, "Stored intents that this version could not read."),
    STORE_BYTES("sextant_store_bytes", Type.GAUGE, "Size of the files of the store."),
    STORE_COMMITS(
            "sextant_store_commit_seconds",
            Type.SUMMARY,
            "Time of commits until each was durable, stand-alone host only."),
    STORE_REFUSED("sextant_store_commits_refused", Type.COUNTER, "Commits that the store could not make."),

    LINKS("sextant_links", Type.GAUGE, "Directions of links by state.", "state"),
    LINK_UP("sextant_link_up", Type.GAUGE, "1 if the direction of the link is up.", "link"),
    HOSTS("sextant_hosts", Type.GAUGE, "Hosts of the network."),
    PORT_UP("sextant_port_up", Type.GAUGE, "1 if the port is up.", "node", "port"),
    PORT_RECEIVED_BYTES("sextant_port_received_bytes", Type.COUNTER, "Bytes that the port received.", "node", "port"),
    PORT_SENT_BYTES("sextant_port_sent_bytes", Type.COUNTER, "Bytes that the port sent.", "node", "port"),
    PORT_RECEIVED_PACKETS(
            "sextant_port_received_packets", Type.COUNTER, "Packets that the port received.", "node", "port"),
    PORT_SENT_PACKETS("sextant_port_sent_packets", Type.COUNTER, "Packets that the port sent.", "node", "port"),

    HISTORY_SERIES("sextant_history_series", Type.GAUGE, "Series that the history holds."),
    HISTORY_LEFT_OUT(
            "sextant_history_series_left_out", Type.GAUGE, "Measured series that the history has no room for."),
    LEFT_OUT(
            "sextant_metrics_series_left_out",
            Type.GAUGE,
            "Series of a metric beyond its limit, which this scrape leaves out.",
            "metric"),

    JVM_MEMORY_USED("jvm_memory_used_bytes", Type.GAUGE, "Memory in use.", "area"),
    JVM_MEMORY_COMMITTED("jvm_memory_committed_bytes", Type.GAUGE, "Memory that the JVM has reserved.", "area"),
    JVM_MEMORY_MAX("jvm_memory_max_bytes", Type.GAUGE, "Memory that the JVM may use; absent without a limit.", "area"),
    JVM_GC("jvm_gc_collection_seconds", Type.SUMMARY, "Time of garbage collections.", "gc"),
    JVM_THREADS("jvm_threads_current", Type.GAUGE, "Threads."),
    CPU_SECONDS("process_cpu_seconds", Type.COUNTER, "Processor time of the controller."),
    OPEN_FDS("process_open_fds", Type.GAUGE, "Open file descriptors."),
    MAX_FDS("process_max_fds", Type.GAUGE, "File descriptors that may be open."),
    START_TIME("process_start_time_seconds", Type.GAUGE, "When the controller started.");

    /** The types of the exposition formats. */
    enum Type {
        GAUGE(""),
        COUNTER("_total"),
        HISTOGRAM(""),
        SUMMARY("");

        private final String suffix;

        Type(String suffix) {
            this.suffix = suffix;
        }
    }

    private final String base;
    private final Type type;
    private final String help;
    /** Between commas, as an enum has no mutable fields. */
    private final String labels;

    Metric(String base, Type type, String help, String... labels) {
        this.base = base;
        this.type = type;
        this.help = help;
        this.labels = String.join(",", labels);
    }

    Family family() {
        return new Family(base, type, help, labels());
    }

    /** The name as scrapes and queries have it. */
    String exposed() {
        return base + type.suffix;
    }

    Type type() {
        return type;
    }

    String help() {
        return help;
    }

    List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(","));
    }
}
