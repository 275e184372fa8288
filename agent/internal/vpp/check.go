// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.fd.io/govpp/api"
	"go.fd.io/govpp/binapi/af_packet"
	"go.fd.io/govpp/binapi/feature"
	"go.fd.io/govpp/binapi/fib"
	interfaces "go.fd.io/govpp/binapi/interface"
	"go.fd.io/govpp/binapi/ip"
	"go.fd.io/govpp/binapi/ip_neighbor"
	"go.fd.io/govpp/binapi/sr"

	"sextant/agent/internal/contract"
)

// tested is the version of VPP that the conformance suite runs with.
const tested = "26.06"

const (
	wrongVersion = "use VPP " + tested + ", which this agent was tested with"
	noPlugin     = "load the plugin in VPP's configuration: `plugins { plugin %s { enable } }`"
)

// demand is a part of VPP's API, and the features that need it. The checksum of a message is part of its name, so a VPP
// whose message has other fields does not have it.
type demand struct {
	name, serves string
	needed       bool
	remedy       string
	messages     []api.Message
}

func demands() []demand {
	return []demand{
		{"local SIDs", "my_sid", true, wrongVersion, []api.Message{
			&localSIDAddDel{}, &sr.SrLocalsidsWithPacketStatsDump{}, &sr.SrLocalsidsWithPacketStatsDetails{},
		}},
		{"SR policies", "sid_list", true, wrongVersion, []api.Message{
			&sr.SrPolicyAddV2{}, &sr.SrPolicyModV2{}, &sr.SrPolicyDel{}, &sr.SrPoliciesV2Dump{}, &sr.SrPoliciesV2Details{},
			&sr.SrPoliciesWithSlIndexDump{}, &sr.SrPoliciesWithSlIndexDetails{},
		}},
		{"SR steering", "steering_v6, steering_v4: h_encaps", true, wrongVersion, []api.Message{
			&sr.SrSteeringAddDel{}, &sr.SrSteeringPolDump{}, &sr.SrSteeringPolDetails{},
		}},
		{"routes and tables", "route_v6, route_v4, udt6 and udt4 into VRFs", true, wrongVersion, []api.Message{
			&ip.IPRouteAddDelV2{}, &ip.IPRouteV2Dump{}, &ip.IPRouteV2Details{},
			&ip.IPTableAddDelV2{}, &ip.IPTableDump{}, &ip.IPTableDetails{}, &ip.IPAddressDump{}, &ip.IPAddressDetails{},
			&fib.FibSourceAdd{}, &fib.FibSourceDump{}, &fib.FibSourceDetails{},
		}},
		{"neighbours", "next_hop", true, wrongVersion, []api.Message{
			&ip_neighbor.IPNeighborAddDel{}, &ip_neighbor.IPNeighborDump{}, &ip_neighbor.IPNeighborDetails{},
		}},
		{"interfaces", "ports", true, wrongVersion, []api.Message{
			&interfaces.SwInterfaceDump{}, &interfaces.SwInterfaceDetails{}, &interfaces.SwInterfaceSetFlags{},
			&ip.SwInterfaceIP4EnableDisable{}, &ip.SwInterfaceIP6EnableDisable{}, &feature.FeatureIsEnabled{},
		}},
		{"ACLs", "edge_port, edge_sid, edge_source, edge_peer", false, fmt.Sprintf(noPlugin, aclPlugin), aclMessages()},
		{"af_packet", "carrier and LLDP of ports that are Linux interfaces", false, fmt.Sprintf(noPlugin, "af_packet_plugin.so"), []api.Message{
			&af_packet.AfPacketDump{}, &af_packet.AfPacketDetails{},
		}},
	}
}

// needed are the requests this back end cannot do without.
func needed() []api.Message {
	var messages []api.Message
	for _, d := range demands() {
		if d.needed {
			messages = append(messages, d.messages...)
		}
	}
	return messages
}

// absent are the features that no VPP of this API has, and the P4Info of VPP leaves out.
func absent() []contract.Feature {
	return []contract.Feature{
		{
			Name: "reduced lists (H.Encaps.Red)", Status: contract.Missing, Serves: "h_encaps_red, b6_encaps_red",
			Detail: "VPP writes the first of several segments into the SRH as well",
			Remedy: "let policies with this headend say \"encapsulation\": \"full\", or enter at another node",
		},
		{
			Name: "End.DT46", Status: contract.Missing, Serves: "udt46",
			Detail: "VPP has no such behavior", Remedy: "use udt6 and udt4, two SIDs",
		},
		{
			Name: "Live-Live", Status: contract.Missing, Serves: "flow_v6, flow_v4, copy, my_sid dedup and dedup_flow",
			Detail: "VPP can spray packets, but numbers none", Remedy: "let copied flows enter and end at Linux or P4 nodes",
		},
	}
}

// Check probes the features of a VPP. It only reads, also where the agent of that VPP runs. An obstacle to asking at
// all is the first feature; then there are no others.
func Check(options Options) []contract.Feature {
	o := options.withDefaults()
	reach := contract.Feature{Name: "VPP's API", Status: contract.OK, Needed: true, Serves: "everything"}
	c, version, err := reached(o)
	if err != nil {
		reach.Status = contract.Missing
		reach.Detail, reach.Remedy = told(err)
		return []contract.Feature{reach}
	}
	defer c.close()
	reach.Detail = version
	features := []contract.Feature{reach, versionOf(version)}
	for _, d := range demands() {
		features = append(features, d.ask(c))
	}
	features = append(features, c.pluginSRv6(), statisticsOf(o))
	return append(features, absent()...)
}

func reached(o Options) (*conn, string, error) {
	if o.Socket != "" {
		if err := reachable(o.Socket); err != nil {
			return nil, "", err
		}
	}
	c, err := connect(o)
	if err != nil {
		return nil, "", err
	}
	version, err := c.ask()
	if err != nil {
		c.close()
		return nil, "", err
	}
	return c, version, nil
}

// told splits an error into the observation and the remedy.
func told(err error) (detail, remedy string) {
	var e *contract.Error
	if !errors.As(err, &e) {
		return err.Error(), "see whether VPP runs, and what its log says"
	}
	detail = e.Message
	if e.Err != nil {
		detail += ": " + e.Err.Error()
	}
	return detail, cmp.Or(e.Remedy, "see whether VPP runs, and what its log says")
}

// versionOf cannot know the features of another version; the messages that the agent needs are asked for one by one.
func versionOf(version string) contract.Feature {
	f := contract.Feature{Name: "version " + tested, Status: contract.OK, Serves: "behavior as in docs/reference/conformance.md"}
	if !strings.Contains(version, tested) {
		f.Status, f.Detail, f.Remedy = contract.Unknown, "this is "+version, wrongVersion
	}
	return f
}

func (d demand) ask(c *conn) contract.Feature {
	f := contract.Feature{Name: d.name, Status: contract.OK, Needed: d.needed, Serves: d.serves}
	if lacking := c.lacking(d.messages); len(lacking) > 0 {
		f.Status, f.Detail, f.Remedy = contract.Missing, "absent, or with other fields: "+strings.Join(lacking, ", "), d.remedy
	}
	return f
}

// pluginSRv6 is the FIB source that VPP's SRv6 registers when it is there.
func (c *conn) pluginSRv6() contract.Feature {
	f := contract.Feature{Name: "SRv6 in the FIB", Status: contract.OK, Needed: true, Serves: "my_sid, steering"}
	if lacking := c.lacking([]api.Message{&fib.FibSourceDump{}, &fib.FibSourceDetails{}}); len(lacking) > 0 {
		f.Status, f.Detail, f.Remedy = contract.Unknown, "VPP does not list its FIB sources", wrongVersion
		return f
	}
	sources, err := list[*fib.FibSourceDetails](c, &fib.FibSourceDump{})
	switch {
	case err != nil:
		f.Status = contract.Unknown
		f.Detail, f.Remedy = told(err)
	case !slices.ContainsFunc(sources, func(s *fib.FibSourceDetails) bool { return s.Src.Name == srSource }):
		f.Status, f.Detail, f.Remedy = contract.Missing, "VPP has no FIB source "+srSource, wrongVersion
	}
	return f
}

func statisticsOf(o Options) contract.Feature {
	f := contract.Feature{Name: "statistics", Status: contract.OK, Serves: "counters of steering and ports"}
	if o.Stats == "" {
		f.Status, f.Detail, f.Remedy = contract.Missing, "no socket is named", "give --vpp-stats"
		return f
	}
	client := o.statistics()
	if err := client.Connect(); err != nil {
		f.Status, f.Detail = contract.Missing, err.Error()
		f.Remedy = "give VPP `statseg { socket-name " + o.Stats + " }`, or --vpp-stats its socket"
		return f
	}
	if err := client.Disconnect(); err != nil {
		f.Status, f.Detail, f.Remedy = contract.Unknown, err.Error(), "see what VPP's log says"
	}
	return f
}
