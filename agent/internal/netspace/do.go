// SPDX-License-Identifier: Apache-2.0

package netspace

import (
	"fmt"
	"runtime"

	"github.com/vishvananda/netns"
)

// Do runs a function on a thread inside a namespace, whose name is for messages. Sockets that it opens there stay
// there. A thread that cannot return is not given back to the scheduler. None is where the process is, and takes no
// privilege.
func Do(in netns.NsHandle, name string, f func() error) error {
	if !in.IsOpen() {
		return f()
	}
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		home, err := netns.Get()
		if err != nil {
			result <- fmt.Errorf("find the thread's namespace: %w", err)
			return
		}
		defer home.Close()
		if err := netns.Set(in); err != nil {
			result <- fmt.Errorf("enter network namespace %s: %w", name, err)
			return
		}
		err = f()
		if back := netns.Set(home); back == nil {
			runtime.UnlockOSThread()
		}
		result <- err
	}()
	return <-result
}
