// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"time"
)

// TableRestoration is the table of ports that wait when their carrier is back.
const TableRestoration = "restoration"

// MaxWaitToRestore is an hour.
const MaxWaitToRestore = time.Hour

func restorationKind() Kind {
	return kindOf("restoration", decodeRestoration, Restoration.row, TableRestoration)
}

// Restoration keeps a port whose carrier is back out of routes until it has had it for Wait without a gap, or until a route
// with the port is written (wait-to-restore, ITU-T G.808.1): a route uses its other members or its standby meanwhile, and the
// port where it has neither.
type Restoration struct {
	Port PortID
	// Wait is whole milliseconds, more than none.
	Wait time.Duration
}

// Key of a port's wait is the port.
func (e Restoration) Key() Key { return Key{TableRestoration, fmt.Sprintf("port %d", e.Port)} }

// References is nothing.
func (e Restoration) References() []Key { return nil }

func (e Restoration) problem() string {
	switch {
	case e.Port == 0 || e.Port > MaxPort:
		return fmt.Sprintf("port %d is outside 1..%d", e.Port, MaxPort)
	case e.Wait < time.Millisecond || e.Wait > MaxWaitToRestore:
		return fmt.Sprintf("millis %d is outside 1..%d; a port without a row does not wait", e.Wait.Milliseconds(), MaxWaitToRestore.Milliseconds())
	}
	return ""
}

func decodeRestoration(r Row) Restoration {
	e := Restoration{Port: PortID(r.number("port"))}
	for _, c := range r.Actions {
		e.Wait = time.Duration(c.number("millis")) * time.Millisecond
	}
	return e
}

func (e Restoration) row() Row {
	return Row{
		Table: TableRestoration, Match: map[string]Match{"port": exact(e.Port)},
		Actions: []Call{{Action: "wait_to_restore", Args: map[string]Bits{"millis": Number(uint32(e.Wait.Milliseconds()))}}},
	}
}
