// SPDX-License-Identifier: Apache-2.0

// Package metrics serves the counters of a node to Prometheus. A scrape reads the data plane's counters and changes nothing.
package metrics

import "github.com/prometheus/client_golang/prometheus"

// Description of a metric: docs/reference/metrics.md lists all of them.
type Description struct {
	Name   string
	Type   prometheus.ValueType
	Labels []string
	Help   string
}

// The names of metrics.
const (
	info             = "sextant_agent_info"
	droppedPackets   = "sextant_agent_dropped_packets_total"
	droppedBytes     = "sextant_agent_dropped_bytes_total"
	tableEntries     = "sextant_agent_table_entries"
	tablePackets     = "sextant_agent_table_packets_total"
	tableBytes       = "sextant_agent_table_bytes_total"
	firewallPackets  = "sextant_agent_firewall_packets_total"
	liveLivePackets  = "sextant_agent_livelive_packets_total"
	watchedLists     = "sextant_agent_watched_lists"
	probes           = "sextant_agent_probes_total"
	probeDelay       = "sextant_agent_probe_delay_seconds"
	controllers      = "sextant_agent_controller_sessions"
	primaryConnected = "sextant_agent_primary_connected"
	unreadable       = "sextant_agent_source_unreadable"
)

// Catalog lists the metrics of the agent itself, sorted by subject.
func Catalog() []Description {
	counter, gauge := prometheus.CounterValue, prometheus.GaugeValue
	return []Description{
		{info, gauge, []string{"version", "backend", "device"}, "1; the version and the data plane of the agent."},
		{controllers, gauge, nil, "P4Runtime streams of controllers that are open."},
		{primaryConnected, gauge, nil, "1 if one of them is primary."},
		{tableEntries, gauge, []string{"table"}, "Table entries in the data plane."},
		{tablePackets, counter, []string{"table"}, "Packets that table entries matched, where they are counted."},
		{tableBytes, counter, []string{"table"}, "Bytes that table entries matched, where they are counted."},
		{firewallPackets, counter, []string{"firewall", "verdict"}, "Packets that rules of the firewall matched, by verdict."},
		{droppedPackets, counter, []string{"program", "reason"}, "Packets that a program of the agent dropped, by reason."},
		{droppedBytes, counter, []string{"program", "reason"}, "Bytes that a program of the agent dropped, by reason."},
		{liveLivePackets, counter, []string{"result"}, "Copies of Live-Live flows that end here, by result: first, duplicate, late, stray, malformed."},
		{watchedLists, gauge, []string{"status"}, "Segment lists that probes watch, by status."},
		{probes, counter, []string{"result"}, "Probes of watched lists, by result: sent, received, lost."},
		{probeDelay, gauge, []string{"list"}, "Average round trip of the probes of a watched list in the last 10 to 20 seconds."},
		{unreadable, gauge, []string{"source"}, "1 if a source of metrics could not be read by this scrape."},
	}
}
