// SPDX-License-Identifier: Apache-2.0

// Package version has the version of the commands of this module.
package version

import (
	"fmt"
	"runtime/debug"
)

// Number is that of the release; the build adds the commit.
const Number = "0.1.0"

// Text adds the commit and the Go version that the build recorded.
func Text() string {
	text := Number
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			text += fmt.Sprintf(" (%.12s)", setting.Value)
		}
	}
	return text + " " + info.GoVersion
}
