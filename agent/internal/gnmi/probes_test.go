// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract"
)

func probedPort() contract.Port {
	return contract.Port{
		ID: 3, Name: "eth3", Probes: &contract.ProbeCounters{In: contract.Counters{Packets: 2, Bytes: 332}, Out: contract.Counters{Packets: 1 << 60, Bytes: 7}},
	}
}

const atEth3 = "/interfaces/interface[name=eth3]/state/probe-counters"

// They stand beside the counters, not among them: clients of OpenConfig's model know all that is there.
func TestProbesAreToldBesideTheCounters(t *testing.T) {
	n := startNode(t, probedPort())
	for _, at := range []string{atEth3, "/interfaces/interface[name=*]/state/probe-counters", "/interfaces/interface/state/sextant-probes:probe-counters"} {
		c := n.subscribe(list(&gpb.SubscriptionList{
			Mode: gpb.SubscriptionList_ONCE, Encoding: gpb.Encoding_PROTO, Subscription: []*gpb.Subscription{{Path: path(at)}},
		}))
		c.wants(atEth3+"/in-octets = 332", atEth3+"/in-pkts = 2", atEth3+"/out-octets = 7", atEth3+"/out-pkts = 1152921504606846976")
		c.wantsSync()
	}
}

func TestProbesAreSampled(t *testing.T) {
	n := startNode(t, probedPort())
	c := n.stream(sample(atEth3+"/in-pkts", 100*time.Millisecond))
	c.wants(atEth3 + "/in-pkts = 2")
	c.wantsSync()
	n.stream(onChange(atEth3)).breaks(codes.InvalidArgument, "use SAMPLE")
}
