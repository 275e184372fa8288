// SPDX-License-Identifier: Apache-2.0

package upf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/upf"
)

func TestOfSlicesThatTheSNSSAIWouldTellApartTheDefaultIsTaken(t *testing.T) {
	for _, c := range []struct {
		isDefault bool
		want      string
	}{{true, "second"}, {false, ""}} {
		w := newWorld(t, func(c *upf.Config) { c.Rules = nil })
		w.slices[0] = anchored("first", nil, "ims")
		for i, name := range []string{"a", "second"} {
			w.slices = append(w.slices, anchored(name, snssaiOf(i), "internet"))
		}
		w.slices[len(w.slices)-1].Default = c.isDefault
		w.look()
		s := w.smf("10.0.0.9")
		s.associate()
		p := append(parts(1, "10.60.0.1"), ie.NewAPNDNN("internet"))
		if c.want == "" {
			s.refused(s.establishment(1, p...), ie.CauseServiceNotSupported, ie.APNDNN)
			if args := fmt.Sprint(w.notes[len(w.notes)-1].Args...); !strings.Contains(args, "a, second") || !strings.Contains(args, "--slice a=dnn:internet") {
				t.Errorf("the log says %s", args)
			}
			continue
		}
		s.establish(1, p...)
		w.only(c.want)
	}
}

func snssaiOf(sst int) *fabric.SNSSAI { return &fabric.SNSSAI{SST: uint8(sst + 1)} }
