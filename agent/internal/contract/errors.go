// SPDX-License-Identifier: Apache-2.0

package contract

import "fmt"

// Code classifies an error the way P4Runtime's canonical codes do.
type Code int

// The codes a back end or the decoder may give.
const (
	InvalidArgument Code = iota + 1
	NotFound
	AlreadyExists
	FailedPrecondition
	ResourceExhausted
	Unimplemented
	Internal
	PermissionDenied
)

// Error is one update's failure: a code and a sentence a person can act on. Remedy, if any, states a remedy; Err is the
// error of the data plane.
type Error struct {
	Code    Code
	Message string
	Remedy  string
	Err     error
}

func (e *Error) Error() string {
	text := e.Message
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Remedy != "" {
		text += "; " + e.Remedy
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error with a formatted sentence.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
