// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/p4info"
	"sextant/agent/internal/p4rt"
)

const testPatience = 10 * time.Second

var namespaces atomic.Int64

// newNamespace makes a network namespace with one port, p1, that ends with the test.
func newNamespace(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to make network namespaces; run: sudo go test ./cmd/...")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("needs ip; run: sudo apt-get install iproute2")
	}
	name := fmt.Sprintf("sxa-%d-%d", os.Getpid(), namespaces.Add(1))
	shell(t, "ip", "netns", "add", name)
	t.Cleanup(func() { shell(t, "ip", "netns", "del", name) })
	shell(t, "ip", "-n", name, "link", "add", "p1", "address", "02:00:00:00:00:01", "type", "veth", "peer", "name", "far", "address", "02:00:00:00:00:02")
	shell(t, "ip", "-n", name, "link", "set", "p1", "up")
	shell(t, "ip", "-n", name, "link", "set", "far", "up")
	return name
}

func shell(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// agent is a running agent, as the command would run it.
type agent struct {
	t    *testing.T
	log  *logBuffer
	addr string
	stop context.CancelFunc
	done chan error
}

// logBuffer collects the log and notifies of each line.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
	news chan struct{}
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Write(p)
	select {
	case b.news <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

var servingLine = regexp.MustCompile(`msg=serving .*listen=(\S+)`)

// start runs an agent and waits for the line that says that it serves.
func start(t *testing.T, s settings) *agent {
	t.Helper()
	s.listen, s.insecure = "127.0.0.1:0", true
	ctx, cancel := context.WithCancel(context.Background())
	a := &agent{t: t, log: &logBuffer{news: make(chan struct{}, 1)}, stop: cancel, done: make(chan error, 1)}
	go func() { a.done <- run(ctx, s, newLogger(a.log, false)) }()
	t.Cleanup(a.end)
	deadline := time.After(testPatience)
	for {
		if m := servingLine.FindStringSubmatch(a.log.String()); m != nil {
			a.addr = m[1]
			return a
		}
		select {
		case <-a.log.news:
		case err := <-a.done:
			t.Fatalf("the agent ended: %v\n%s", err, a.log)
		case <-deadline:
			t.Fatalf("the agent does not serve within %v\n%s", testPatience, a.log)
		}
	}
}

// end stops the agent as SIGTERM does, once.
func (a *agent) end() {
	a.t.Helper()
	a.stop()
	if a.done == nil {
		return
	}
	select {
	case err := <-a.done:
		if err != nil {
			a.t.Errorf("the agent ended with %v\n%s", err, a.log)
		}
	case <-time.After(testPatience):
		a.t.Errorf("the agent does not stop within %v", testPatience)
	}
	a.done = nil
}

func (a *agent) dial(creds credentials.TransportCredentials) *grpc.ClientConn {
	a.t.Helper()
	conn, err := grpc.NewClient(a.addr, grpc.WithTransportCredentials(creds))
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// controller is a primary of the agent, with the pipeline config committed.
type controller struct {
	t      *testing.T
	p4     p4.P4RuntimeClient
	gnmi   gpb.GNMIClient
	stream p4.P4Runtime_StreamChannelClient
	schema *p4rt.Schema
}

const device = 3

func (a *agent) controller(cookie uint64) *controller {
	a.t.Helper()
	return controllerOf(a.t, a.dial(insecure.NewCredentials()), cookie)
}

func controllerOf(t *testing.T, conn *grpc.ClientConn, cookie uint64) *controller {
	t.Helper()
	c := &controller{t: t, p4: p4.NewP4RuntimeClient(conn), gnmi: gpb.NewGNMIClient(conn)}
	info, err := p4info.Message()
	if err != nil {
		t.Fatal(err)
	}
	if c.schema, err = p4rt.NewSchema(info); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	if c.stream, err = c.p4.StreamChannel(ctx); err != nil {
		t.Fatal(err)
	}
	claim := &p4.MasterArbitrationUpdate{DeviceId: device, ElectionId: &p4.Uint128{Low: 1}}
	if err := c.stream.Send(&p4.StreamMessageRequest{Update: &p4.StreamMessageRequest_Arbitration{Arbitration: claim}}); err != nil {
		t.Fatal(err)
	}
	if m, err := c.stream.Recv(); err != nil || m.GetArbitration().GetStatus().GetCode() != 0 {
		t.Fatalf("arbitration: %v, %v", m, err)
	}
	if cookie != 0 {
		_, err := c.p4.SetForwardingPipelineConfig(ctx, &p4.SetForwardingPipelineConfigRequest{
			DeviceId: device, ElectionId: &p4.Uint128{Low: 1}, Action: p4.SetForwardingPipelineConfigRequest_VERIFY_AND_COMMIT,
			Config: &p4.ForwardingPipelineConfig{P4Info: info, Cookie: &p4.ForwardingPipelineConfig_Cookie{Cookie: cookie}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *controller) write(typ p4.Update_Type, entries ...contract.Entry) error {
	c.t.Helper()
	r := &p4.WriteRequest{DeviceId: device, ElectionId: &p4.Uint128{Low: 1}}
	for _, e := range entries {
		te, err := c.schema.Encode(e)
		if err != nil {
			c.t.Fatal(err)
		}
		r.Updates = append(r.Updates, &p4.Update{Type: typ, Entity: &p4.Entity{Entity: &p4.Entity_TableEntry{TableEntry: te}}})
	}
	_, err := c.p4.Write(context.Background(), r)
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, d := range status.Convert(err).Details() {
		text += fmt.Sprintf("\n  %v", d)
	}
	return fmt.Errorf("%s", text)
}

// read returns the keys of all entries, in the node's order.
func (c *controller) read() []string {
	c.t.Helper()
	stream, err := c.p4.Read(context.Background(), &p4.ReadRequest{DeviceId: device, Entities: []*p4.Entity{
		{Entity: &p4.Entity_TableEntry{TableEntry: &p4.TableEntry{}}},
	}})
	if err != nil {
		c.t.Fatal(err)
	}
	var keys []string
	for {
		r, err := stream.Recv()
		if err != nil {
			if status.Code(err) != 0 && err.Error() != "EOF" {
				c.t.Fatal(err)
			}
			return keys
		}
		for _, e := range r.GetEntities() {
			u, err := c.schema.Update(&p4.Update{Type: p4.Update_INSERT, Entity: e})
			if err != nil {
				c.t.Fatal(err)
			}
			keys = append(keys, u.Entry.Key().String())
		}
	}
}

// config is the committed pipeline config, or nil.
func (c *controller) config() *p4.ForwardingPipelineConfig {
	c.t.Helper()
	r, err := c.p4.GetForwardingPipelineConfig(context.Background(), &p4.GetForwardingPipelineConfigRequest{DeviceId: device})
	if err != nil {
		c.t.Fatal(err)
	}
	return r.GetConfig()
}

func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }
func addr(s string) netip.Addr     { return netip.MustParseAddr(s) }
