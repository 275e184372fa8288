// SPDX-License-Identifier: Apache-2.0

// Command flood attacks an agent as ./sextant test security does: docs/reference/attack-suite.md describes each attack.
// It says "at work" when all of the attack was begun, goes on until SIGTERM, and then prints the answers it received,
// as JSON: how often which status.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// An attack goes on until its context ends.
type attack func(ctx context.Context, t *target)

func attacks() map[string]attack {
	return map[string]attack{
		"any-steps": anySteps, "wildcards": wildcards, "deep-paths": deepPaths, "samplers": samplers, "deaf-subscribers": deafSubscribers,
		"large-messages": largeMessages, "unfinished-messages": unfinishedMessages,
		"streams": manyStreams, "connections": manyConnections, "silent-connections": silentConnections,
		"writes": writes, "reads": reads, "deaf-readers": deafReaders, "garbage": garbage, "elections": elections, "deaf-backups": deafBackups,
	}
}

// target is the attacked agent, and its answers.
type target struct {
	address string
	source  string // the attacker's own address
	device  uint64
	creds   credentials.TransportCredentials
	tls     *tls.Config // nil for plain text

	mu      sync.Mutex
	answers map[string]int
	begun   int
}

// begins counts a part of the attack that is under way, up to all.
func (t *target) begins(all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun++; t.begun == all {
		fmt.Println("at work")
	}
}

// heard counts an answer.
func (t *target) heard(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answers[status.Code(err).String()]++
}

// dial opens a connection of its own; it is closed with the context.
func (t *target) dial(ctx context.Context, options ...grpc.DialOption) *grpc.ClientConn {
	options = append(options, grpc.WithTransportCredentials(t.creds), grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
		return t.dialer().DialContext(ctx, "tcp", address)
	}))
	conn, err := grpc.NewClient("passthrough:///"+t.address, options...)
	if err != nil {
		fatal(err)
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	return conn
}

// dialer is one from the attacker's address.
func (t *target) dialer() *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(t.source)}}
}

func main() {
	names := slices.Sorted(maps.Keys(attacks()))
	t := &target{answers: map[string]int{}}
	var cert, key, ca, name string
	flag.StringVar(&t.address, "target", "", "host:port of the agent")
	flag.StringVar(&t.source, "source", "127.0.0.66", "address that the attacker has")
	flag.Uint64Var(&t.device, "device-id", 1, "its P4Runtime device id")
	flag.StringVar(&cert, "cert", "", "the attacker's certificate (PEM); without: plain text")
	flag.StringVar(&key, "key", "", "its key (PEM)")
	flag.StringVar(&ca, "ca", "", "the CA of the agent (PEM)")
	flag.StringVar(&name, "server-name", "", "the name in the agent's certificate")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "flood --target HOST:PORT ATTACK (until SIGTERM)\n  attacks: %s\n", strings.Join(names, " "))
		flag.PrintDefaults()
	}
	flag.Parse()
	run, known := attacks()[flag.Arg(0)]
	if flag.NArg() != 1 || !known || t.address == "" {
		flag.Usage()
		os.Exit(2)
	}
	t.creds = insecure.NewCredentials()
	if cert != "" {
		t.tls = clientTLS(cert, key, ca, name)
		t.creds = credentials.NewTLS(t.tls)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	run(ctx, t)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(t.answers); err != nil {
		fatal(err)
	}
}

func clientTLS(cert, key, ca, name string) *tls.Config {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		fatal(err)
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		fatal(fmt.Errorf("%s holds no certificate", ca))
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, RootCAs: pool, ServerName: name}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "flood:", err)
	os.Exit(1)
}

// together runs a function that many times at once, again and again until the context ends.
func together(ctx context.Context, count int, again func(ctx context.Context, number int)) {
	var group sync.WaitGroup
	for number := range count {
		group.Go(func() {
			for ctx.Err() == nil {
				again(ctx, number)
			}
		})
	}
	group.Wait()
}
