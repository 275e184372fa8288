// SPDX-License-Identifier: Apache-2.0

package identity_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	spb "github.com/openconfig/gnoi/system"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/identity"
)

// calls are all of every service, and whether they only read.
func calls() map[string]bool {
	reads := map[string]bool{}
	for _, service := range []grpc.ServiceDesc{p4.P4Runtime_ServiceDesc, gpb.GNMI_ServiceDesc, spb.System_ServiceDesc} {
		for _, m := range service.Methods {
			reads["/"+service.ServiceName+"/"+m.MethodName] = false
		}
		for _, m := range service.Streams {
			reads["/"+service.ServiceName+"/"+m.StreamName] = false
		}
	}
	for _, read := range []string{
		"/p4.v1.P4Runtime/Read", "/p4.v1.P4Runtime/GetForwardingPipelineConfig", "/p4.v1.P4Runtime/Capabilities",
		"/gnmi.gNMI/Get", "/gnmi.gNMI/Subscribe", "/gnmi.gNMI/Capabilities",
	} {
		reads[read] = true
	}
	return reads
}

// invoke calls a method with nothing, as a stream, which every call is on the wire.
func invoke(t *testing.T, conn *grpc.ClientConn, method string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method)
	if err != nil {
		return err
	}
	// A stream that was refused meanwhile takes no more; the reason is in its answer.
	_ = errors.Join(stream.SendMsg(&p4.CapabilitiesRequest{}), stream.CloseSend())
	return stream.RecvMsg(&p4.CapabilitiesResponse{})
}

func TestRolesAreHeldToInEveryCallOfEveryService(t *testing.T) {
	s := newSite(t).serve()
	if all := calls(); len(all) < 15 || !all["/p4.v1.P4Runtime/Read"] {
		t.Fatalf("these are not the calls of three services: %v", all)
	}
	for unit, may := range map[string]func(reads bool) bool{
		identity.ControllerUnit: func(bool) bool { return true },
		identity.MonitorUnit:    func(reads bool) bool { return reads },
		"sextant-node":          func(bool) bool { return false },
		"":                      func(bool) bool { return false },
	} {
		t.Run("OU "+unit, func(t *testing.T) {
			own := s.ca.Sign(unit, nil)
			conn := s.dial(&own)
			for method, reads := range calls() {
				want := codes.PermissionDenied
				if may(reads) {
					want = codes.Unimplemented // it got as far as the service
				}
				if err := invoke(t, conn, method); status.Code(err) != want {
					t.Errorf("%s: got %v, want %v", method, err, want)
				}
			}
		})
	}
}

func TestARefusalSaysWhoWhatAndWhy(t *testing.T) {
	s := newSite(t).serve()
	monitor, stranger := s.ca.Sign(identity.MonitorUnit, nil), s.ca.Sign("sales", nil)
	err := invoke(t, s.dial(&monitor), p4.P4Runtime_Write_FullMethodName)
	for _, want := range []string{"CN=c1", "may only read", "/p4.v1.P4Runtime/Write is for a controller"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
	err = invoke(t, s.dial(&stranger), p4.P4Runtime_Read_FullMethodName)
	for _, want := range []string{"CN=c1", "OU=sales", "OU=sextant-controller"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}

func TestAtASocketTheKernelSaysWhoItIs(t *testing.T) {
	own := uint32(os.Geteuid())
	for name, tc := range map[string]struct {
		users       map[uint32]identity.Role
		read, write codes.Code
	}{
		"its owner":        {identity.OwnUsers(), codes.Unimplemented, codes.Unimplemented},
		"one who may read": {map[uint32]identity.Role{own: identity.Monitor}, codes.Unimplemented, codes.PermissionDenied},
		"one of no role":   {map[uint32]identity.Role{own + 1: identity.Controller}, codes.PermissionDenied, codes.PermissionDenied},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "agent.sock")
			listener, err := identity.ListenUnix(context.Background(), path, tc.users)
			if err != nil {
				t.Fatal(err)
			}
			serve(t, listener, &identity.Credentials{Users: tc.users})
			conn := dial(t, "unix:"+path, insecure.NewCredentials())
			if err := invoke(t, conn, p4.P4Runtime_Read_FullMethodName); status.Code(err) != tc.read {
				t.Errorf("Read: got %v, want %v", err, tc.read)
			}
			if err := invoke(t, conn, p4.P4Runtime_Write_FullMethodName); status.Code(err) != tc.write {
				t.Errorf("Write: got %v, want %v", err, tc.write)
			}
		})
	}
}

func TestASocketIsItsOwnersAloneUnlessOthersAreNamed(t *testing.T) {
	for mode, users := range map[os.FileMode]map[uint32]identity.Role{
		0o600: identity.OwnUsers(), 0o666: {uint32(os.Geteuid()) + 1: identity.Monitor},
	} {
		path := filepath.Join(t.TempDir(), "agent.sock")
		listener, err := identity.ListenUnix(context.Background(), path, users)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("got %v, %v, want %v", info, err, mode)
		}
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestASocketThatIsTakenIsRefusedAndOneThatIsLeftIsReplaced(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	taken, left := filepath.Join(folder, "taken.sock"), filepath.Join(folder, "left.sock")
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := identity.ListenUnix(ctx, taken, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Close() }()
	killed, err := identity.ListenUnix(ctx, left, nil)
	if err != nil {
		t.Fatal(err)
	}
	killed.(*net.UnixListener).SetUnlinkOnClose(false) // a killed process unlinks nothing
	if err := killed.Close(); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		taken: "a process serves it", left: "", file: "it is no socket", filepath.Join(folder, strings.Repeat("x", 108)): "107 at most",
		filepath.Join(folder, "no", "folder"): "no such file",
	} {
		listener, err := identity.ListenUnix(ctx, path, nil)
		if says == "" {
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			_ = listener.Close()
			continue
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want that it says %q", path, err, says)
		}
	}
	if body := mustRead(t, file); string(body) != "precious" {
		t.Errorf("the file is now %q", body)
	}
}
