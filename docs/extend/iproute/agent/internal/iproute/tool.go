// SPDX-License-Identifier: Apache-2.0

package iproute

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"sextant/agent/internal/contract"
)

// tool runs commands in a network namespace.
type tool struct{ netns string }

// ip runs `ip` with these words; the error is what it said.
func (t tool) ip(words string) (string, error) {
	if t.netns != "" {
		words = "-n " + t.netns + " " + words
	}
	return output(exec.Command("ip", strings.Fields(words)...))
}

func output(command *exec.Cmd) (string, error) {
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", contract.Errorf(contract.Internal, "%s: %s", strings.Join(command.Args, " "), strings.TrimSpace(string(failed.Stderr)))
	}
	return string(out), err
}

// prepare makes the namespace a router. An SRH to its own addresses, which are no SIDs, is dropped. Without lo no IPv4 gateway
// is a valid one.
func (t tool) prepare(ports []string) error {
	if _, err := t.ip("link set lo up"); err != nil {
		return err
	}
	settings := []string{"net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1", "net.ipv4.conf.all.rp_filter=0"}
	for _, name := range append(slices.Clone(ports), "all") {
		settings = append(settings, "net.ipv6.conf."+name+".seg6_enabled=0")
	}
	words := append([]string{"sysctl", "-q", "-w"}, settings...)
	if t.netns != "" {
		words = append([]string{"ip", "netns", "exec", t.netns}, words...)
	}
	_, err := output(exec.Command(words[0], words[1:]...))
	return err
}

// exchange makes what is wanted, and removes what is not any more.
func (t tool) exchange(held, wanted []object) error {
	for _, o := range wanted {
		if _, err := t.ip(o.set); err != nil {
			return err
		}
	}
	for _, o := range held {
		if slices.ContainsFunc(wanted, func(w object) bool { return w.unset == o.unset }) {
			continue
		}
		if _, err := t.ip(o.unset); err != nil && t.shows([]object{o}) == nil {
			return err
		}
	}
	return nil
}

// shows says which of the objects the kernel does not have.
func (t tool) shows(objects []object) error {
	for _, o := range objects {
		seen, err := t.ip(o.show)
		if err != nil {
			return err
		}
		for _, want := range o.want {
			if !strings.Contains(strings.Join(strings.Fields(seen), " "), want) {
				return contract.Errorf(contract.Internal, "`ip %s` does not show %q", o.show, want)
			}
		}
	}
	return nil
}

// link is what `ip -j -s addr show` says of an interface.
type link struct {
	Index   uint32   `json:"ifindex"`
	Name    string   `json:"ifname"`
	MTU     uint32   `json:"mtu"`
	Flags   []string `json:"flags"`
	Address string   `json:"address"`
	Inet    []struct {
		Local string `json:"local"`
		Bits  int    `json:"prefixlen"`
	} `json:"addr_info"`
	Stats struct {
		Rx counts `json:"rx"`
		Tx counts `json:"tx"`
	} `json:"stats64"`
}

type counts struct {
	Bytes     uint64 `json:"bytes"`
	Packets   uint64 `json:"packets"`
	Errors    uint64 `json:"errors"`
	Dropped   uint64 `json:"dropped"`
	Multicast uint64 `json:"multicast"`
}

func (t tool) links() (map[string]link, error) {
	text, err := t.ip("-j -s addr show")
	if err != nil {
		return nil, err
	}
	var all []link
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("read what ip says of links: %w", err)
	}
	byName := map[string]link{}
	for _, l := range all {
		byName[l.Name] = l
	}
	return byName, nil
}
