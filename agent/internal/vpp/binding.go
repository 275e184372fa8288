// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"go.fd.io/govpp/api"
	"go.fd.io/govpp/binapi/interface_types"
	"go.fd.io/govpp/binapi/ip_types"
	"go.fd.io/govpp/binapi/sr_types"
	"go.fd.io/govpp/codec"
)

// The one message that govpp's own bindings (VPP 25.10) lack: the second version of
// sr_localsid_add_del, of VPP 26.06's sr.api, which takes the lengths of a SID. The first one knows
// /48 and /64 only. A VPP whose message is another has another checksum, and is refused by name.

func init() {
	api.RegisterMessage((*localSIDAddDel)(nil), "sr_localsid_add_del_v2_8da7805a")
	api.RegisterMessage((*localSIDAddDelReply)(nil), "sr_localsid_add_del_v2_reply_e8d4e804")
}

type localSIDAddDel struct {
	IsDel                             bool
	LocalSID                          ip_types.IP6Address
	EndPSP                            bool
	Behavior                          sr_types.SrBehavior
	SwIfIndex                         interface_types.InterfaceIndex
	FibTable                          uint32
	NextHop                           ip_types.Address
	BlockBits, NodeBits, FunctionBits uint8
}

func (m *localSIDAddDel) Reset()                        { *m = localSIDAddDel{} }
func (*localSIDAddDel) GetMessageName() string          { return "sr_localsid_add_del_v2" }
func (*localSIDAddDel) GetCrcString() string            { return "8da7805a" }
func (*localSIDAddDel) GetMessageType() api.MessageType { return api.RequestMessage }

const localSIDAddDelBytes = 1 + 16 + 1 + 1 + 4 + 4 + 4 + 17 + 3

// Size in bytes on the wire, without the message header.
func (*localSIDAddDel) Size() int { return localSIDAddDelBytes }

// Marshal writes the fields in the order of sr.api; vlan_index, which VPP ignores, is 0.
func (m *localSIDAddDel) Marshal(b []byte) ([]byte, error) {
	if b == nil {
		b = make([]byte, m.Size())
	}
	buf := codec.NewBuffer(b)
	buf.EncodeBool(m.IsDel)
	buf.EncodeBytes(m.LocalSID[:], 16)
	buf.EncodeBool(m.EndPSP)
	buf.EncodeUint8(uint8(m.Behavior))
	buf.EncodeUint32(uint32(m.SwIfIndex))
	buf.EncodeUint32(0)
	buf.EncodeUint32(m.FibTable)
	buf.EncodeUint8(uint8(m.NextHop.Af))
	buf.EncodeBytes(m.NextHop.Un.XXX_UnionData[:], 16)
	buf.EncodeUint8(m.BlockBits)
	buf.EncodeUint8(m.NodeBits)
	buf.EncodeUint8(m.FunctionBits)
	return buf.Bytes(), nil
}

// Unmarshal reads the form that Marshal writes.
func (m *localSIDAddDel) Unmarshal(b []byte) error {
	buf := codec.NewBuffer(b)
	m.IsDel = buf.DecodeBool()
	copy(m.LocalSID[:], buf.DecodeBytes(16))
	m.EndPSP = buf.DecodeBool()
	m.Behavior = sr_types.SrBehavior(buf.DecodeUint8())
	m.SwIfIndex = interface_types.InterfaceIndex(buf.DecodeUint32())
	buf.DecodeUint32()
	m.FibTable = buf.DecodeUint32()
	m.NextHop.Af = ip_types.AddressFamily(buf.DecodeUint8())
	copy(m.NextHop.Un.XXX_UnionData[:], buf.DecodeBytes(16))
	m.BlockBits, m.NodeBits, m.FunctionBits = buf.DecodeUint8(), buf.DecodeUint8(), buf.DecodeUint8()
	return nil
}

type localSIDAddDelReply struct{ Retval int32 }

func (m *localSIDAddDelReply) Reset()                        { *m = localSIDAddDelReply{} }
func (*localSIDAddDelReply) GetMessageName() string          { return "sr_localsid_add_del_v2_reply" }
func (*localSIDAddDelReply) GetCrcString() string            { return "e8d4e804" }
func (*localSIDAddDelReply) GetMessageType() api.MessageType { return api.ReplyMessage }

// Size in bytes on the wire, without the message header.
func (*localSIDAddDelReply) Size() int { return 4 }

// Marshal writes the return value.
func (m *localSIDAddDelReply) Marshal(b []byte) ([]byte, error) {
	if b == nil {
		b = make([]byte, m.Size())
	}
	buf := codec.NewBuffer(b)
	buf.EncodeInt32(m.Retval)
	return buf.Bytes(), nil
}

// Unmarshal reads it.
func (m *localSIDAddDelReply) Unmarshal(b []byte) error {
	m.Retval = codec.NewBuffer(b).DecodeInt32()
	return nil
}
