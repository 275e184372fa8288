// SPDX-License-Identifier: Apache-2.0

// Package canonical is the only place where contract errors become gRPC's canonical codes.
package canonical

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
)

// Code is the code of an error: its own if it is a contract error, otherwise Internal, because
// then the agent failed in a way it did not foresee.
func Code(err error) codes.Code {
	var e *contract.Error
	switch {
	case err == nil:
		return codes.OK
	case errors.As(err, &e):
		return contractCode(e.Code)
	case errors.Is(err, context.Canceled):
		return codes.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return codes.DeadlineExceeded
	default:
		return codes.Internal
	}
}

func contractCode(c contract.Code) codes.Code {
	switch c {
	case contract.InvalidArgument:
		return codes.InvalidArgument
	case contract.NotFound:
		return codes.NotFound
	case contract.AlreadyExists:
		return codes.AlreadyExists
	case contract.FailedPrecondition:
		return codes.FailedPrecondition
	case contract.ResourceExhausted:
		return codes.ResourceExhausted
	case contract.Unimplemented:
		return codes.Unimplemented
	case contract.PermissionDenied:
		return codes.PermissionDenied
	case contract.Internal:
		return codes.Internal
	default:
		return codes.Internal
	}
}

// Error is an error as the status of a whole RPC.
func Error(err error) error {
	if err == nil {
		return nil
	}
	return status.Error(Code(err), err.Error())
}
