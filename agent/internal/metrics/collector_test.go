// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
	"sextant/agent/internal/contract/sample"
	"sextant/agent/internal/metrics"
)

// watched is a data plane whose lists a test sets.
type watched []contract.WatchedList

func (w watched) WatchedLists() []contract.WatchedList { return w }
func (watched) LivenessChanges(func()) func()          { return func() {} }

func gather(t *testing.T, c *metrics.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	series := map[string]float64{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			series[family.GetName()+"{"+strings.Join(labels, ",")+"}"] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return series
}

func filled(t *testing.T) *memory.Backend {
	t.Helper()
	node := memory.New()
	var updates []contract.Update
	for _, e := range sample.Entries() {
		updates = append(updates, contract.Update{Op: contract.Insert, Entry: e})
	}
	for i, err := range node.Apply(context.Background(), updates) {
		if err != nil {
			t.Fatalf("%s: %v", updates[i].Entry.Key(), err)
		}
	}
	return node
}

func rule(t *testing.T) contract.Firewall {
	t.Helper()
	for _, e := range sample.Entries() {
		if rule, is := e.(contract.Firewall); is && rule.Verdict == contract.FwDrop {
			return rule
		}
	}
	t.Fatal("no sample of a firewall's rule that drops")
	return contract.Firewall{}
}

func TestTablesAndFirewallsAreCountedAndTheirSumsOnlyGrow(t *testing.T) {
	node, dropping := filled(t), rule(t)
	c := metrics.NewCollector(metrics.Options{Tables: node})
	hits := fmt.Sprintf("sextant_agent_firewall_packets_total{firewall=%d,verdict=drop}", dropping.Firewall)
	node.Count(dropping.Key(), contract.Counters{Packets: 5, Bytes: 500})
	first := gather(t, c)
	if got := first[hits]; got != 5 {
		t.Errorf("%s: got %v, want 5", hits, got)
	}
	if got := first["sextant_agent_table_bytes_total{table=firewall}"]; got != 500 {
		t.Errorf("bytes of table firewall: got %v, want 500", got)
	}
	if got := first["sextant_agent_table_entries{table=encap_source}"]; got != 1 {
		t.Errorf("entries of encap_source: got %v, want 1", got)
	}
	for _, err := range node.Apply(context.Background(), []contract.Update{{Op: contract.Delete, Entry: dropping}}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := gather(t, c)[hits]; got != 5 {
		t.Errorf("%s without its rule: got %v, want 5", hits, got)
	}
	for _, err := range node.Apply(context.Background(), []contract.Update{{Op: contract.Insert, Entry: dropping}}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	node.Count(dropping.Key(), contract.Counters{Packets: 2, Bytes: 200})
	if got := gather(t, c)[hits]; got != 7 {
		t.Errorf("%s with its rule again: got %v, want 7", hits, got)
	}
}

func TestDropsLiveLiveProbesAndSessionsAreThere(t *testing.T) {
	node := memory.New()
	node.CountCell("dedup_first", 17, contract.Counters{Packets: 40})
	node.CountCell("dedup_duplicate", 18, contract.Counters{Packets: 39})
	c := metrics.NewCollector(metrics.Options{
		Version: "1.2", Backend: "linux", DeviceID: 3, Tables: node, Cells: node,
		Liveness: watched{
			{SIDList: 7, Status: "UP", Sent: 100, Received: 97, Lost: 3, Delay: &contract.ProbeDelay{Avg: 1500 * time.Microsecond}},
			{SIDList: 8, Status: "DOWN", Sent: 10, Lost: 10},
		},
		Drops: func() ([]contract.Drop, error) {
			return []contract.Drop{{Program: "edge", Reason: `a "quoted" one`, Packets: 4, Bytes: 400}}, nil
		},
		Sessions: func() (int, bool) { return 2, true },
	})
	want := map[string]float64{
		"sextant_agent_info{backend=linux,device=3,version=1.2}":                  1,
		"sextant_agent_controller_sessions{}":                                     2,
		"sextant_agent_primary_connected{}":                                       1,
		`sextant_agent_dropped_packets_total{program=edge,reason=a "quoted" one}`: 4,
		`sextant_agent_dropped_bytes_total{program=edge,reason=a "quoted" one}`:   400,
		"sextant_agent_livelive_packets_total{result=first}":                      40,
		"sextant_agent_livelive_packets_total{result=duplicate}":                  39,
		"sextant_agent_watched_lists{status=down}":                                1,
		"sextant_agent_watched_lists{status=up}":                                  1,
		"sextant_agent_watched_lists{status=unknown}":                             0,
		"sextant_agent_probes_total{result=sent}":                                 110,
		"sextant_agent_probes_total{result=lost}":                                 13,
		"sextant_agent_probe_delay_seconds{list=7}":                               0.0015,
		"sextant_agent_source_unreadable{source=tables}":                          0,
	}
	got := gather(t, c)
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s: got %v, want %v", name, got[name], value)
		}
	}
	if _, there := got["sextant_agent_probe_delay_seconds{list=8}"]; there {
		t.Error("a list whose probes never came back has a delay")
	}
}

func TestASourceThatFailsLeavesTheOthers(t *testing.T) {
	c := metrics.NewCollector(metrics.Options{
		Tables: filled(t), Drops: func() ([]contract.Drop, error) { return nil, errors.New("no such namespace") },
	})
	got := gather(t, c)
	if got["sextant_agent_source_unreadable{source=drops}"] != 1 || got["sextant_agent_table_entries{table=route_v6}"] == 0 {
		t.Errorf("got %v", got)
	}
}

func TestListsWithADelayOfTheirOwnAreBounded(t *testing.T) {
	var lists watched
	for id := range contract.SIDListID(metrics.MostLists + 500) {
		lists = append(lists, contract.WatchedList{SIDList: id + 1, Status: "UP", Sent: 1, Delay: &contract.ProbeDelay{Avg: time.Millisecond}})
	}
	delays := 0
	got := gather(t, metrics.NewCollector(metrics.Options{Tables: memory.New(), Liveness: lists}))
	for name := range got {
		if strings.HasPrefix(name, "sextant_agent_probe_delay_seconds") {
			delays++
		}
	}
	if delays != metrics.MostLists {
		t.Errorf("got %d delays, want %d", delays, metrics.MostLists)
	}
	if got["sextant_agent_probes_total{result=sent}"] != metrics.MostLists+500 {
		t.Errorf("the sums have all lists: got %v", got["sextant_agent_probes_total{result=sent}"])
	}
}

func TestNamesPassPromlint(t *testing.T) {
	problems, err := testutil.CollectAndLint(metrics.NewCollector(metrics.Options{Tables: filled(t)}))
	if err != nil || len(problems) > 0 {
		t.Errorf("got %v, %v", []promlint.Problem(problems), err)
	}
}

func TestThePageListsTheMetricsOfTheAgentAndNoOthers(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Agent\n")
	var got, want []string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| `") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	types := map[prometheus.ValueType]string{prometheus.CounterValue: "counter", prometheus.GaugeValue: "gauge"}
	for _, d := range metrics.Catalog() {
		labels := "–"
		if len(d.Labels) > 0 {
			labels = "`" + strings.Join(d.Labels, "`, `") + "`"
		}
		want = append(want, fmt.Sprintf("| `%s` | %s | %s | %s |", d.Name, types[d.Type], labels, d.Help))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/reference/metrics.md (-code +page):\n%s", diff)
	}
}
