// SPDX-License-Identifier: Apache-2.0

// Package rtnl speaks rtnetlink for the objects of the agent: routes with seg6 and seg6local encapsulations, neighbours
// and addresses of one network namespace.
//
// Every type here is encoded and decoded by the same file, so that the request and the kernel's answer are values of
// one type and can be compared attribute by attribute. That comparison is the point: the kernel accepts attributes
// which it then ignores (seen on 6.18: PSP beside NEXT-C-SID, NEXT-C-SID on End.T).
package rtnl

// Attribute numbers of linux/rtnetlink.h, linux/neighbour.h and linux/if_addr.h.
const (
	rtaDst       = 1
	rtaOIF       = 4
	rtaGateway   = 5
	rtaPriority  = 6
	rtaMultipath = 9
	rtaTable     = 15
	rtaVia       = 18
	rtaEncapType = 21
	rtaEncap     = 22

	ndaDst      = 1
	ndaLLAddr   = 2
	ndaProtocol = 12

	ifaAddress = 1
	ifaLocal   = 2
	ifaFlags   = 8
	ifaProto   = 11
)

// Encapsulation types of linux/lwtunnel.h.
const (
	lwtSeg6      = 5
	lwtSeg6Local = 7
)

// Flags of a next hop, linux/rtnetlink.h.
const (
	rtnhDead   = 1
	rtnhOnLink = 4
)
