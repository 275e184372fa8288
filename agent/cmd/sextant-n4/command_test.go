// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/agent/internal/n4/fakectl"
	"sextant/agent/internal/n4/upf"
)

func TestWordsThatMakeNoSenseAreNamedAndEndWith2(t *testing.T) {
	credentials := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(credentials, []byte("viewer=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(whole, []byte("admin=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"--listen", "0.0.0.0:8805"}, "it is the Node ID", 2},
		{[]string{"--listen", "nowhere"}, "--listen nowhere", 2},
		{[]string{"--ignore", "all"}, "sdf-filters", 2},
		{[]string{"--slice", "mbb"}, "NAME=default", 2},
		{[]string{"--slice", "mbb=snssai:300"}, "0 to 255", 2},
		{[]string{"--slice", "mbb=snssai:1-1"}, "six hexadecimal digits", 2},
		{[]string{"--n3", "198.51.100.1", "--n3", "198.51.100.2"}, "one of this family already", 2},
		{[]string{"--ue-pool", "10.60.0.0"}, "--ue-pool", 2},
		{[]string{"--smf", "smf.example"}, "--smf smf.example", 2},
		{[]string{"--smf", "10.0.0.9/33"}, "for example 10.0.0.9", 2},
		{[]string{"--echo"}, "--n3", 2},
		{[]string{"--name", "a/b"}, "--name", 2},
		{[]string{"--name", "-a"}, "--name", 2},
		{[]string{"--name", "fifteen-letters"}, "14 letters", 2},
		{[]string{"--patience", "0s"}, "longer than 0", 2},
		{[]string{"--max-sessions", "0"}, "1 or more", 2},
		{[]string{"--nonsense"}, "unknown flag", 2},
		{[]string{"begin"}, "neither a command nor an option", 2},
		{[]string{}, "--credentials FILE", 2},
		{[]string{"--credentials", credentials}, "admin=", 1},
		{[]string{"--credentials", credentials, "--controller", "http://admin:secret@10.0.0.1"}, "the password in --credentials", 2},
		{[]string{"--credentials", whole, "--netns", "no-such-namespace", "--state-dir", t.TempDir()}, "ip netns add no-such-namespace", 1},
		{[]string{"status", "--state-dir", t.TempDir()}, "no sextant-n4 answers", 1},
	} {
		_, stderr, code := runs(t, c.args...)
		if code != c.code || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "goroutine") || strings.Contains(stderr, "secret@") {
			t.Errorf("%v: code %d, want %d; %s", c.args, code, c.code, stderr)
		}
	}
}

func TestHelpHasExamplesAndWhatMayBeIgnored(t *testing.T) {
	stdout, _, code := runs(t, "--help")
	for _, want := range []string{"sextant-n4 --listen 10.0.0.4:8805", "qer-rates", "no charging by volume"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("code %d, --help lacks %q", code, want)
		}
	}
}

func TestStatusIsATableOrJSONAndNothingTellsThePassword(t *testing.T) {
	c := fakectl.New(fakectl.Anchored("mbb", "198.51.100.1"))
	p := launch(t, t.TempDir(), served(t, c), "--listen", freePort(t), "--slice", "mbb=default", "--ignore", "urr", "--verbose")
	eventually(t, "the slice is known", func() bool {
		s, err := p.status()
		return err == nil && len(s.Slices) == 1
	})
	stdout, stderr, code := runs(t, "status", "--state-dir", p.folder)
	if code != 0 || !strings.Contains(stdout, "SMF") || !strings.Contains(stdout, "mbb") {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
	stdout, _, code = runs(t, "status", "--state-dir", p.folder, "--json")
	var s upf.Status
	decode(t, stdout, &s)
	if code != 0 || s.Node != "127.0.0.1" || len(s.Ignores) != 1 || s.Slices[0].Name != "mbb" {
		t.Errorf("code %d: %+v", code, s)
	}
	if info, err := os.Stat(filepath.Join(p.folder, "status.sock")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info, err)
	}
	if text := p.log.String(); strings.Contains(text, fakectl.Password) {
		t.Errorf("the log has the password: %s", text)
	}
}
