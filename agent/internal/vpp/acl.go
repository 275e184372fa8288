// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"fmt"
	"strconv"
	"strings"

	"go.fd.io/govpp/api"
	"go.fd.io/govpp/binapi/acl"
	"go.fd.io/govpp/binapi/acl_types"
	"go.fd.io/govpp/binapi/interface_types"
	"go.fd.io/govpp/binapi/ip_types"
	"go.fd.io/govpp/binapi/vlib"

	"sextant/agent/internal/contract"
)

const (
	aclPlugin = "acl_plugin.so"
	// aclTag begins the tags of the agent's ACLs, the number of a port follows; others are never touched.
	aclTag = "sextant-edge-"
	newACL = ^uint32(0)
	// noSkip has ACLs see routing headers: they step over them otherwise. No message says so, and nothing shows it.
	noSkip = "set acl-plugin skip-ipv6-extension-header 43 0"
)

func aclMessages() []api.Message {
	return []api.Message{
		&acl.ACLAddReplace{}, &acl.ACLDel{}, &acl.ACLDump{}, &acl.ACLDetails{}, &acl.ACLInterfaceListDump{}, &acl.ACLInterfaceListDetails{},
		&acl.ACLInterfaceSetACLList{}, &acl.ACLStatsIntfCountersEnable{}, &vlib.CliInband{},
	}
}

// heldACL is one of the agent's ACLs as VPP shows it.
type heldACL struct {
	index uint32
	port  contract.PortID
	rules []acl_types.ACLRule
}

// aclList are the ACLs of an interface in their order.
type aclList struct{ input, output []uint32 }

// acls lists the agent's ACLs by their numbers, and where which ACLs are, foreign ones too.
func (c *conn) acls() (map[uint32]heldACL, map[uint32]aclList, error) {
	details, err := list[*acl.ACLDetails](c, &acl.ACLDump{ACLIndex: newACL})
	if err != nil {
		return nil, nil, err
	}
	own := map[uint32]heldACL{}
	for _, d := range details {
		number, found := strings.CutPrefix(strings.TrimRight(d.Tag, "\x00"), aclTag)
		port, err := strconv.ParseUint(number, 10, 32)
		if found && err == nil {
			own[d.ACLIndex] = heldACL{d.ACLIndex, contract.PortID(port), d.R}
		}
	}
	places, err := list[*acl.ACLInterfaceListDetails](c, &acl.ACLInterfaceListDump{SwIfIndex: interface_types.InterfaceIndex(^uint32(0))})
	lists := map[uint32]aclList{}
	for _, p := range places {
		inputs := min(int(p.NInput), len(p.Acls))
		lists[uint32(p.SwIfIndex)] = aclList{p.Acls[:inputs], p.Acls[inputs:]}
	}
	return own, lists, err
}

func (c *conn) addACL(port contract.PortID, rules []acl_types.ACLRule) (uint32, error) {
	what := aclName(port)
	reply, err := call[*acl.ACLAddReplaceReply](c, &acl.ACLAddReplace{
		ACLIndex: newACL, Tag: aclTag + strconv.FormatUint(uint64(port), 10), R: rules,
	})
	if err != nil {
		return 0, err
	}
	return reply.ACLIndex, refused(what, "take", reply.Retval, nil)
}

func (c *conn) deleteACL(held heldACL) error {
	reply, err := call[*acl.ACLDelReply](c, &acl.ACLDel{ACLIndex: held.index})
	return orRefused(err, func() error { return refused(aclName(held.port), "delete", reply.Retval, nil) })
}

// setACLs changes the ACLs of an interface in one step: no packet sees neither, or both.
func (c *conn) setACLs(port contract.PortID, swIfIndex uint32, to aclList) error {
	reply, err := call[*acl.ACLInterfaceSetACLListReply](c, &acl.ACLInterfaceSetACLList{
		SwIfIndex: interface_types.InterfaceIndex(swIfIndex), NInput: uint8(len(to.input)), Acls: append(to.input[:len(to.input):len(to.input)], to.output...),
	})
	return orRefused(err, func() error { return refused(aclName(port), "put in place", reply.Retval, nil) })
}

// prepareACLs has VPP count matches, and see routing headers.
func (c *conn) prepareACLs() error {
	// VPP 26.06 answers with the reply of acl_del, which has the same field; nothing can be refused.
	if _, err := call[api.Message](c, &acl.ACLStatsIntfCountersEnable{Enable: true}); err != nil {
		return err
	}
	answer, err := call[*vlib.CliInbandReply](c, &vlib.CliInband{Cmd: noSkip})
	if err == nil && (answer.Retval != 0 || strings.TrimSpace(answer.Reply) != "") {
		err = contract.Errorf(contract.Internal, "VPP does not take `%s`: %s (%d)", noSkip, strings.TrimSpace(answer.Reply), answer.Retval)
	}
	return err
}

type aclName contract.PortID

func (n aclName) String() string { return fmt.Sprintf("the ACL of port %d", uint(n)) }

// onTheWire are rules as VPP's API writes them.
func onTheWire(rules []aclRule) []acl_types.ACLRule {
	out := make([]acl_types.ACLRule, len(rules))
	for i, r := range rules {
		out[i] = acl_types.ACLRule{
			SrcPrefix: prefix(r.src), DstPrefix: prefix(r.dst), Proto: ip_types.IPProto(r.protocol),
			SrcportOrIcmptypeLast: ^uint16(0), DstportOrIcmpcodeLast: ^uint16(0),
		}
		if r.reason == edgePasses {
			out[i].IsPermit = acl_types.ACL_ACTION_API_PERMIT
		}
	}
	return out
}
