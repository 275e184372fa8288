// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"testing"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// FuzzPath: any path is refused with InvalidArgument or selects whole nodes of the tree: each node
// matches the path, none is selected twice, and it prints in every encoding.
func FuzzPath(f *testing.F) {
	for _, text := range []string{
		"/", "/interfaces", "/interfaces/interface", eth1 + "/state", eth1 + "/state/oper-status", "/interfaces/interface[name=*]/*",
		"/.../mac-address", "/*/*/*/*", "/...", "/.../...", eth1 + "/openconfig-if-ethernet:ethernet", "/interfaces/colour",
	} {
		raw, err := proto.Marshal(path(text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	root, all := schema(), leaves(testPorts(), nil)
	f.Fuzz(func(t *testing.T, raw []byte) {
		given := new(gpb.Path)
		if proto.Unmarshal(raw, given) != nil {
			return
		}
		p, err := parsePath(root, nil, given)
		if err != nil {
			if status.Code(err) != codes.InvalidArgument {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, node := range group(all, p) {
			text := pathText(node.path)
			if seen[text] {
				t.Fatalf("%s is selected twice", text)
			}
			seen[text] = true
			if p.matchLength(node.path) != len(node.path) {
				t.Fatalf("%s does not match %s", text, p.text)
			}
			for _, e := range encodings() {
				if _, err := node.updates(root, e); err != nil {
					t.Fatalf("%s in %v: %v", text, e, err)
				}
			}
		}
		if len(seen) > 1 && !p.wild(root) {
			t.Fatalf("%s selects %d nodes without a wildcard", p.text, len(seen))
		}
	})
}
