// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/p4info"
	vppinfo "sextant/agent/internal/contract/p4info/vpp"
	"sextant/agent/internal/linux"
	"sextant/agent/internal/vpp"
)

// node is a back end that is open.
type node interface {
	contract.Backend
	// Uninstall removes all that the agent wrote into the data plane.
	Uninstall(context.Context) error
	Close() error
}

// The data planes that --backend names.
const (
	backendLinux = "linux"
	backendVPP   = "vpp"
)

// open opens the back end of the command line, and gives the P4Info that it serves.
func (s settings) open(log *slog.Logger) (node, *p4config.P4Info, error) {
	ports, err := parsePorts(s.ports)
	if err != nil {
		return nil, nil, err
	}
	if err := s.checkMeasuring(); err != nil {
		return nil, nil, err
	}
	say := func(format string, args ...any) { log.Info(fmt.Sprintf(format, args...)) }
	switch s.backend {
	case backendLinux:
		info, err := p4info.Message()
		if err != nil {
			return nil, nil, err
		}
		n, err := linux.Open(linux.Options{NetNS: s.netns, Ports: ports, StateDir: s.stateFolder(), Log: say, MeasureDelay: s.measureDelay})
		return opened(n, info, err)
	case backendVPP:
		info, err := vppinfo.Message()
		if err != nil {
			return nil, nil, err
		}
		n, err := vpp.Open(vpp.Options{
			Socket: s.vppAPI, Stats: s.statsSocket(), NetNS: s.netns, Ports: ports, StateDir: s.stateFolder(), Log: say,
		})
		return opened(n, info, err)
	}
	return nil, nil, unknownBackend(s.backend)
}

// Bounds of the time between test packets: the reflector answers two neighbours at the least, and at the most ten packets make a window.
const (
	leastMeasuring = 10 * time.Millisecond
	mostMeasuring  = time.Second
)

func (s settings) checkMeasuring() error {
	switch {
	case s.measureDelay == 0:
		return nil
	case s.backend != backendLinux:
		return fmt.Errorf("--measure-delay: only --backend %s measures", backendLinux)
	case s.measureDelay < leastMeasuring || s.measureDelay > mostMeasuring:
		return fmt.Errorf("--measure-delay %v: it is %v to %v, or 0 for not at all", s.measureDelay, leastMeasuring, mostMeasuring)
	}
	return nil
}

func unknownBackend(name string) error {
	return fmt.Errorf("--backend %s: it is %s or %s", name, backendLinux, backendVPP)
}

// statsSocket is beside the API's unless the command line says otherwise, as VPP puts it there by itself.
func (s settings) statsSocket() string {
	if s.vppStats != "" {
		return s.vppStats
	}
	return filepath.Join(filepath.Dir(s.vppAPI), "stats.sock")
}

// opened keeps a nil pointer from becoming an interface that is not nil.
func opened[N node](n N, info *p4config.P4Info, err error) (node, *p4config.P4Info, error) {
	if err != nil {
		return nil, nil, err
	}
	return n, info, nil
}
