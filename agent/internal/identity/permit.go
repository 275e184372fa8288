// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// monitorMay lists the methods that only read. Not StreamChannel, whose client may become primary; not gNOI's Ping,
// which has the node send packets. A method that is not listed is refused, so that a service that comes later is not
// open by mistake.
func monitorMay(method string) bool {
	switch method {
	case p4.P4Runtime_Read_FullMethodName,
		p4.P4Runtime_GetForwardingPipelineConfig_FullMethodName,
		p4.P4Runtime_Capabilities_FullMethodName,
		gpb.GNMI_Get_FullMethodName,
		gpb.GNMI_Subscribe_FullMethodName,
		gpb.GNMI_Capabilities_FullMethodName,
		"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
		"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo":
		return true
	}
	return false
}

// permit is nil, or PERMISSION_DENIED with a sentence.
func permit(ctx context.Context, method string) error {
	caller := callerOf(ctx)
	switch {
	case caller.Role == Controller, caller.Role == Monitor && monitorMay(method):
		return nil
	case caller.Role == Monitor:
		return status.Errorf(codes.PermissionDenied, "%s may only read, as a %s: %s is for a %s", caller.Name, Monitor, method, Controller)
	}
	return status.Errorf(codes.PermissionDenied, "%s has no role at this node: %s", caller.Name, caller.Remedy)
}

// ServerOptions hold every call of every service to the role of its caller.
func ServerOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.ChainUnaryInterceptor(func(ctx context.Context, r any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			if err := permit(ctx, info.FullMethod); err != nil {
				return nil, err
			}
			return next(ctx, r)
		}),
		grpc.ChainStreamInterceptor(func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
			if err := permit(stream.Context(), info.FullMethod); err != nil {
				return err
			}
			return next(srv, stream)
		}),
	}
}
