// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sirupsen/logrus"
	"go.fd.io/govpp/adapter/socketclient"
	"go.fd.io/govpp/api"
	"go.fd.io/govpp/binapi/af_packet"
	"go.fd.io/govpp/binapi/memclnt"
	"go.fd.io/govpp/binapi/vpe"
	"go.fd.io/govpp/core"

	"sextant/agent/internal/contract"
)

// conn is one connection to VPP's API. It is made anew when VPP was restarted. Every request has a
// deadline, as VPP leaves messages it does not know without an answer.
type conn struct {
	core     *core.Connection
	patience time.Duration
	version  string
	// plugged: VPP has ACLs.
	plugged bool
	// lost is set when a request found VPP gone; nothing more is asked then.
	lost error
}

// silence stops govpp from logging its errors as well. Its logger is the process's, so it is set once.
//
//nolint:gochecknoglobals // as the logger is
var silence = sync.OnceFunc(func() {
	quiet := logrus.New()
	quiet.SetOutput(io.Discard)
	core.SetLogger(quiet)
	socketclient.SetLogger(quiet)
})

// dial connects and checks the messages. Its errors contain a remedy.
func dial(o Options) (*conn, error) {
	c, err := connect(o)
	if err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func connect(o Options) (*conn, error) {
	silence()
	connection, err := core.Connect(o.binary())
	if err != nil {
		return nil, unreachable(o.Socket, err)
	}
	return &conn{core: connection, patience: o.patience}, nil
}

// reachable distinguishes a socket that is missing from one without a server or without permission.
func reachable(path string) error {
	probe, err := net.Dial("unix", path)
	if err != nil {
		return unreachable(path, err)
	}
	return probe.Close()
}

func unreachable(path string, err error) error {
	e := &contract.Error{Code: contract.FailedPrecondition, Message: "VPP's API cannot be reached at " + path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Remedy = "start VPP, with `socksvr { socket-name " + path + " }` in its configuration, or give --vpp-api its socket"
	case errors.Is(err, fs.ErrPermission):
		e.Remedy = "run the agent as root, or as a member of the group that VPP's `unix { gid … }` names"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Remedy = "no process listens on this socket: start VPP"
	case errors.Is(err, os.ErrDeadlineExceeded):
		e.Remedy = "the process at this socket does not speak VPP's API: give --vpp-api the one of `socksvr`, not that of the command line"
	}
	return e
}

func (c *conn) check() error {
	version, err := c.ask()
	if err != nil {
		return err
	}
	c.version = version
	c.plugged = len(c.lacking(aclMessages())) == 0
	if lacking := c.lacking(needed()); len(lacking) > 0 {
		return &contract.Error{
			Code:    contract.FailedPrecondition,
			Message: fmt.Sprintf("%s lacks messages, or has them with other fields: %s", c.version, strings.Join(lacking, ", ")),
			Remedy:  wrongVersion,
		}
	}
	return nil
}

// ask asks for the program and its version.
func (c *conn) ask() (string, error) {
	version, err := call[*vpe.ShowVersionReply](c, &vpe.ShowVersion{})
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(version.Program + " " + version.Version), nil
}

// lacking gives the messages that this VPP does not know, with the checksums of their fields.
func (c *conn) lacking(messages []api.Message) []string {
	var names []string
	for _, m := range messages {
		if _, err := c.core.GetMessageID(m); err != nil {
			names = append(names, m.GetMessageName()+"_"+m.GetCrcString())
		}
	}
	return names
}

// hasACLs reports whether VPP has the ACL plug-in, of which the edge is made.
func (c *conn) hasACLs() bool { return c.plugged }

func (c *conn) close() { c.core.Disconnect() }

// exchange sends a request and hands its answers on until done says it was the last one.
func (c *conn) exchange(requests []api.Message, each func(api.Message) (done bool, err error)) error {
	if c.lost != nil {
		return c.lost
	}
	name := requests[0].GetMessageName()
	stream, err := c.core.NewStream(context.Background(), core.WithReplyTimeout(c.patience))
	if err != nil {
		return c.gone(name, err)
	}
	defer func() { _ = stream.Close() }()
	for _, request := range requests {
		if err := stream.SendMsg(request); err != nil {
			return c.gone(name, err)
		}
	}
	for {
		reply, err := stream.RecvMsg()
		if err != nil {
			return c.gone(name, err)
		}
		if done, err := each(reply); done || err != nil {
			return err
		}
	}
}

// gone remembers that VPP does not answer. A late answer could be taken for that of a later request, so
// the connection is not used again.
func (c *conn) gone(request string, err error) error {
	c.lost = &contract.Error{
		Code:    contract.FailedPrecondition,
		Message: fmt.Sprintf("VPP did not answer %s within %s", request, c.patience),
		Err:     err,
		Remedy:  "the agent connects again by itself; see whether VPP runs, and what its log says",
	}
	return c.lost
}

// call asks for one answer.
func call[R api.Message](c *conn, request api.Message) (R, error) {
	var answer R
	err := c.exchange([]api.Message{request}, func(m api.Message) (bool, error) {
		var ok bool
		if answer, ok = m.(R); !ok {
			return true, contract.Errorf(contract.Internal, "VPP answers %s with %s", request.GetMessageName(), m.GetMessageName())
		}
		return true, nil
	})
	return answer, err
}

// list asks for any number of answers; a ping behind the request marks their end.
func list[D api.Message](c *conn, request api.Message) ([]D, error) {
	var details []D
	err := c.exchange([]api.Message{request, &memclnt.ControlPing{}}, func(m api.Message) (bool, error) {
		switch m := m.(type) {
		case *memclnt.ControlPingReply:
			return true, nil
		case D:
			details = append(details, m)
			return false, nil
		}
		return true, contract.Errorf(contract.Internal, "VPP answers %s with %s", request.GetMessageName(), m.GetMessageName())
	})
	return details, err
}

// afPacket lists the interfaces that VPP reads off Linux interfaces; none where the plugin is absent.
func (c *conn) afPacket() ([]*af_packet.AfPacketDetails, error) {
	if _, err := c.core.GetMessageID(&af_packet.AfPacketDump{}); err != nil {
		return nil, nil //nolint:nilerr // the message is not there, and so is no such interface
	}
	return list[*af_packet.AfPacketDetails](c, &af_packet.AfPacketDump{})
}

// refused turns a return value into an error. The numbers of VPP's SRv6 code have no names of their own.
func refused(what fmt.Stringer, doing string, retval int32, known map[int32]string) error {
	if retval == 0 {
		return nil
	}
	reason := known[retval]
	if reason == "" {
		reason = api.RetvalToVPPApiError(retval).Error()
	}
	return contract.Errorf(contract.FailedPrecondition, "%s: VPP does not %s it: %s", what, doing, reason)
}
