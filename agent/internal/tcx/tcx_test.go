// SPDX-License-Identifier: Apache-2.0

package tcx

import (
	"errors"
	"slices"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"

	"sextant/agent/internal/tcx/tcxtest"
)

const lo = 1 // the index of lo in every namespace

// scratch is a namespace of this test's thread.
func scratch(t *testing.T) Namespace {
	t.Helper()
	tcxtest.NeedRoot(t, "./internal/tcx")
	tcxtest.Alone(t)
	return Namespace{Do: func(f func() error) error { return f() }}
}

// program passes all packets on.
func program(t *testing.T, name string) *ebpf.Program {
	t.Helper()
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: name, Type: ebpf.SchedCLS, License: "GPL", Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, -1), asm.Return()},
	})
	if err != nil {
		t.Skipf("this kernel loads no such program (%v); use Linux 6.6 or newer with CONFIG_BPF_SYSCALL", err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// running are the names of the programs at lo, in their order, and their ids.
func running(t *testing.T) (names []string, ids []ebpf.ProgramID) {
	t.Helper()
	result, err := link.QueryPrograms(link.QueryOptions{Target: lo, Attach: ebpf.AttachTCXIngress})
	if err != nil {
		t.Skipf("this kernel has no TCX (%v); use Linux 6.6 or newer", err)
	}
	for _, one := range result.Programs {
		p, err := ebpf.NewProgramFromID(one.ID)
		if err != nil {
			t.Fatal(err)
		}
		info, err := p.Info()
		if err := errors.Join(err, p.Close()); err != nil {
			t.Fatal(err)
		}
		names, ids = append(names, info.Name), append(ids, one.ID)
	}
	return names, ids
}

func TestProgramsRunInTheirOrder(t *testing.T) {
	n := scratch(t)
	running(t)
	for _, step := range []struct {
		name   string
		before []string
		want   []string
	}{
		{"others", nil, []string{"others"}},
		{"copying", nil, []string{"others", "copying"}},
		{"counting", nil, []string{"others", "copying", "counting"}},
		{"filter", []string{"counting", "copying"}, []string{"others", "filter", "copying", "counting"}},
		{"alone", []string{"not_there"}, []string{"others", "filter", "copying", "counting", "alone"}},
	} {
		if err := n.Attach(lo, program(t, step.name), step.before...); err != nil {
			t.Fatal(err)
		}
		if got, _ := running(t); !slices.Equal(got, step.want) {
			t.Errorf("with %s the order is %v, want %v", step.name, got, step.want)
		}
	}
}

func TestAProgramIsExchangedInItsPlace(t *testing.T) {
	n := scratch(t)
	running(t)
	first := program(t, "filter")
	for _, p := range []*ebpf.Program{program(t, "others"), first, program(t, "copying")} {
		if err := n.Attach(lo, p); err != nil {
			t.Fatal(err)
		}
	}
	_, before := running(t)
	if err := n.Attach(lo, first); err != nil {
		t.Fatal(err)
	}
	if _, ids := running(t); !slices.Equal(ids, before) {
		t.Errorf("attaching what is there has changed %v to %v", before, ids)
	}
	if err := n.Attach(lo, program(t, "filter")); err != nil {
		t.Fatal(err)
	}
	names, ids := running(t)
	if want := []string{"others", "filter", "copying"}; !slices.Equal(names, want) || ids[1] == before[1] {
		t.Errorf("programs %v (%v, before %v), want %v", names, ids, before, want)
	}
}

func TestTheFirstProgramIsBeforeOthersAndStaysThere(t *testing.T) {
	n := scratch(t)
	running(t)
	for _, name := range []string{"others", "copying"} {
		if err := n.Attach(lo, program(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"first", "others", "copying"}
	for _, there := range []bool{false, true} {
		if got, err := n.AttachFirst(lo, program(t, "first")); err != nil || got != there {
			t.Errorf("one was there: %t, want %t (%v)", got, there, err)
		}
		if got, _ := running(t); !slices.Equal(got, want) {
			t.Errorf("the order is %v, want %v", got, want)
		}
	}
	if err := n.Attach(lo, program(t, "filter"), "others", "copying"); err != nil {
		t.Fatal(err)
	}
	if got, _ := running(t); !slices.Equal(got, []string{"first", "filter", "others", "copying"}) {
		t.Errorf("before others the order is %v", got)
	}
}

func TestOnlyTheNamedProgramIsDetached(t *testing.T) {
	n := scratch(t)
	running(t)
	for _, name := range []string{"others", "filter"} {
		if err := n.Attach(lo, program(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := n.Detach(lo, "filter"); err != nil {
			t.Fatal(err)
		}
	}
	if names, _ := running(t); !slices.Equal(names, []string{"others"}) {
		t.Errorf("left are %v", names)
	}
	if found, err := n.Attached(lo, "filter"); found != nil || err != nil {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestADeviceThatIsGoneIsTold(t *testing.T) {
	n := scratch(t)
	running(t)
	if _, err := n.Attached(4711, "filter"); err == nil || errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}
