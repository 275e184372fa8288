// SPDX-License-Identifier: Apache-2.0

package linux

import "sextant/agent/internal/contract"

// A standby is a route to the same prefix behind the route proper, into the tunnel of its repair:
//
//	fcbb:bbbb:300::/48  via fd5e:7e00::2 dev eth2  metric 3
//	                    encap seg6 mode encap.red segs fcbb:bbbb:100:e003:700:600::  via fe80::1 dev sextant1  metric 4
//
// The kernel takes routes over ports without carrier for dead (ignore_routes_with_linkdown), and the next metric then:
// no agent and no controller is asked, and the first route is used again as soon as one of its ports has its carrier
// back. Where the list begins with a SID of this node, forwarded packets go through it in the same pass.
func (v view) standby(e contract.Standby) (objects, error) {
	table, err := tableOf(e.VRF)
	if err != nil {
		return objects{}, err
	}
	hops, err := v.tunnel(e.Key(), e.SIDList, e.Dst.Addr(), true)
	if err != nil {
		return objects{}, err
	}
	return oneRoute(ownRoute(table, e.Dst, metricStandby, hops...)), nil
}
