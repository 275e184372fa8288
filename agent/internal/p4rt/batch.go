// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"
	"unicode/utf8"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"

	"sextant/agent/internal/canonical"
)

// gRPC sends a status in the headers that end an RPC, and a client takes only so many bytes of them: 8 KiB in some
// libraries unless configured otherwise, 16 MiB in Go's. The protocol asks for one p4.v1.Error per update; only the
// length of their sentences is ours to choose.
const (
	sentenceBudgetBytes = 64 << 10 // of all the sentences of one batch together
	shortestSentence    = 32       // bytes; below it a sentence says nothing, only its code is sent
)

// batchError is the status of a batch: nil if all went well, else UNKNOWN with one p4.v1.Error per
// request in the order of the requests (P4Runtime, "Error Reporting").
func batchError(what string, errs []error) error {
	var failed int
	var first string
	for i, err := range errs {
		if err == nil {
			continue
		}
		failed++
		if failed == 1 {
			first = fmt.Sprintf("%s %d: %s", what, i+1, cut(err.Error(), 1024))
		}
	}
	if failed == 0 {
		return nil
	}
	st := &statuspb.Status{
		Code:    int32(codes.Unknown),
		Message: fmt.Sprintf("%d of %d failed, first %s", failed, len(errs), first),
	}
	limit := sentenceBudgetBytes / failed
	if limit < shortestSentence {
		limit = 0
		st.Message += "; sentences of the others are left out for their number"
	}
	for _, err := range errs {
		detail := &p4.Error{CanonicalCode: int32(canonical.Code(err))}
		if err != nil {
			detail.Message = cut(err.Error(), limit)
		}
		packed, packErr := anypb.New(detail)
		if packErr != nil {
			return status.Errorf(codes.Internal, "pack the error of a %s: %v", what, packErr)
		}
		st.Details = append(st.Details, packed)
	}
	return status.ErrorProto(st)
}

// cut shortens text to at most limit bytes, between characters, and shows that it did.
func cut(text string, limit int) string {
	const mark = "…"
	if len(text) <= limit {
		return text
	}
	if limit <= len(mark) {
		return ""
	}
	end := limit - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
