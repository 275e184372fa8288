// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sextant/agent/internal/contract"
)

// Bounds of the cost of a scrape.
const (
	patience = 8 * time.Second // less than the time-out of Prometheus' default, 10 seconds
	// MostLists have a delay of their own; the others are in the sums only.
	MostLists = 1000
)

// cells of the contract's arrays of Live-Live: window * 16 + path, and path.
const (
	pathCells   = int(contract.MaxPath) + 1
	windowCells = (contract.MaxWindow + 1) * pathCells
)

// Options are the sources of metrics; Tables is needed.
type Options struct {
	Version, Backend string
	DeviceID         uint64
	Tables           interface {
		Entries(ctx context.Context, table string) ([]contract.Stored, error)
	}
	// Cells, Liveness and Drops are nil where the data plane has none.
	Cells    contract.CellReader
	Liveness contract.LivenessTeller
	Drops    func() ([]contract.Drop, error)
	// Sessions gives the number of controllers, and whether one is primary.
	Sessions func() (controllers int, primary bool)
}

type verdict struct {
	firewall contract.FirewallID
	verdict  contract.Verdict
}

// Collector reads the sources at each scrape, one scrape at a time.
type Collector struct {
	options Options
	known   map[string]*prometheus.Desc
	types   map[string]prometheus.ValueType

	mu             sync.Mutex
	packets, bytes *growth[contract.Key, string]
	verdicts       *growth[contract.Key, verdict]
	probes         *growth[probeKey, string]
	copies         *growth[string, string]
}

type probeKey struct {
	list   contract.SIDListID
	result string
}

// NewCollector makes a collector for a registry.
func NewCollector(o Options) *Collector {
	c := &Collector{
		options: o, known: map[string]*prometheus.Desc{}, types: map[string]prometheus.ValueType{},
		packets: newGrowth[contract.Key, string](), bytes: newGrowth[contract.Key, string](),
		verdicts: newGrowth[contract.Key, verdict](), probes: newGrowth[probeKey, string](), copies: newGrowth[string, string](),
	}
	for _, d := range Catalog() {
		c.known[d.Name] = prometheus.NewDesc(d.Name, d.Help, d.Labels, nil)
		c.types[d.Name] = d.Type
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *Collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range c.known {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	send := func(name string, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(c.known[name], c.types[name], value, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	send(info, 1, c.options.Version, c.options.Backend, strconv.FormatUint(c.options.DeviceID, 10))
	if c.options.Sessions != nil {
		open, primary := c.options.Sessions()
		send(controllers, float64(open))
		send(primaryConnected, one(primary))
	}
	send(unreadable, one(c.tables(ctx, send) != nil), "tables")
	if c.options.Drops != nil {
		send(unreadable, one(c.drops(send) != nil), "drops")
	}
	if c.options.Cells != nil {
		send(unreadable, one(c.liveLive(ctx, send) != nil), "livelive")
	}
	if c.options.Liveness != nil {
		c.liveness(send)
	}
}

type sender func(name string, value float64, labels ...string)

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (c *Collector) tables(ctx context.Context, send sender) error {
	rows, err := c.options.Tables.Entries(ctx, "")
	if err != nil {
		return err
	}
	entries := map[string]int{}
	for _, row := range rows {
		key := row.Entry.Key()
		entries[key.Table]++
		if row.Counters == nil {
			continue
		}
		c.packets.add(key, key.Table, row.Counters.Packets)
		c.bytes.add(key, key.Table, row.Counters.Bytes)
		if rule, is := row.Entry.(contract.Firewall); is {
			c.verdicts.add(key, verdict{rule.Firewall, rule.Verdict}, row.Counters.Packets)
		}
	}
	c.packets.done()
	c.bytes.done()
	c.verdicts.done()
	for _, kind := range contract.Kinds() {
		for _, table := range kind.Tables {
			send(tableEntries, float64(entries[table]), table)
		}
	}
	for table, sum := range c.packets.sums {
		send(tablePackets, float64(sum), table)
	}
	for table, sum := range c.bytes.sums {
		send(tableBytes, float64(sum), table)
	}
	for of, sum := range c.verdicts.sums {
		send(firewallPackets, float64(sum), strconv.FormatUint(uint64(of.firewall), 10), strings.TrimPrefix(string(of.verdict), "fw_"))
	}
	return nil
}

func (c *Collector) drops(send sender) error {
	drops, err := c.options.Drops()
	if err != nil {
		return err
	}
	type of struct{ program, reason string }
	packets, bytes := map[of]uint64{}, map[of]uint64{}
	for _, d := range drops {
		packets[of{d.Program, d.Reason}] += d.Packets
		bytes[of{d.Program, d.Reason}] += d.Bytes
	}
	for o := range packets {
		send(droppedPackets, float64(packets[o]), o.program, o.reason)
		send(droppedBytes, float64(bytes[o]), o.program, o.reason)
	}
	return nil
}

func (c *Collector) liveLive(ctx context.Context, send sender) error {
	for _, array := range []struct {
		result string
		count  int
	}{{"first", windowCells}, {"duplicate", windowCells}, {"late", windowCells}, {"stray", pathCells}, {"malformed", pathCells}} {
		cells, err := c.options.Cells.Cells(ctx, "dedup_"+array.result, 0, array.count)
		var without *contract.Error
		if errors.As(err, &without) && without.Code == contract.Unimplemented {
			return nil // a data plane without Live-Live
		}
		if err != nil {
			return err
		}
		var sum uint64
		for _, cell := range cells {
			sum += cell.Packets
		}
		c.copies.add(array.result, array.result, sum)
	}
	c.copies.done()
	for result, sum := range c.copies.sums {
		send(liveLivePackets, float64(sum), result)
	}
	return nil
}

func (c *Collector) liveness(send sender) {
	lists := c.options.Liveness.WatchedLists()
	statuses := map[string]int{}
	for i, list := range lists {
		statuses[list.Status]++
		for result, count := range map[string]uint64{"sent": list.Sent, "received": list.Received, "lost": list.Lost} {
			c.probes.add(probeKey{list.SIDList, result}, result, count)
		}
		if list.Delay != nil && i < MostLists {
			send(probeDelay, list.Delay.Avg.Seconds(), strconv.FormatUint(uint64(list.SIDList), 10))
		}
	}
	c.probes.done()
	for _, status := range []string{"UP", "DOWN", "UNKNOWN"} {
		send(watchedLists, float64(statuses[status]), strings.ToLower(status))
	}
	for result, sum := range c.probes.sums {
		send(probes, float64(sum), result)
	}
}
