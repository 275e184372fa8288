// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"strings"
	"testing"

	"sextant/agent/internal/contract"
)

// A host that has the address of the interface before would send into the void until it asks again.
func TestHostsHearOfANewMACAddressAtOnce(t *testing.T) {
	needTool(t, "ping", "iputils-ping")
	ns, h, state := newNamespace(t, "n"), newNamespace(t, "h"), t.TempDir()
	wire(t, h, "eth0", ns, "p1")
	host(t, h, "1", ns, "p1")
	ports := map[contract.PortID]string{1: "p1"}
	n := openNode(t, ns, state, ports)
	for _, gateway := range []string{"fd00:1::1", "10.1.0.1"} {
		ping(t, h, gateway)
	}
	knows := func(mac string) bool {
		neighbors := in(t, h, "ip neigh show to fd00:1::1; ip neigh show to 10.1.0.1")
		return strings.Count(neighbors, mac) == 2
	}
	in(t, ns, "ip link set p1 address 02:aa:bb:cc:dd:01")
	eventually(t, "the host knows the address that the port got", func() bool { return knows("02:aa:bb:cc:dd:01") })
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	in(t, ns, "ip link set p1 address 02:aa:bb:cc:dd:02")
	openNode(t, ns, state, ports)
	eventually(t, "the host knows the address that the port got while no agent ran", func() bool { return knows("02:aa:bb:cc:dd:02") })
}
