// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"encoding/json"
	"fmt"
	"strconv"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// encodings that this agent speaks.
func encodings() []gpb.Encoding {
	return []gpb.Encoding{gpb.Encoding_JSON_IETF, gpb.Encoding_JSON, gpb.Encoding_PROTO}
}

func checkEncoding(e gpb.Encoding) error {
	for _, known := range encodings() {
		if e == known {
			return nil
		}
	}
	return status.Errorf(codes.Unimplemented, "encoding %v is not served; JSON_IETF, JSON and PROTO are", e)
}

// scalar is the value of a leaf in an encoding.
func scalar(v any, e gpb.Encoding) (*gpb.TypedValue, error) {
	if e != gpb.Encoding_PROTO {
		return jsonValue(jsonScalar(v, e), e)
	}
	switch x := v.(type) {
	case string:
		return &gpb.TypedValue{Value: &gpb.TypedValue_StringVal{StringVal: x}}, nil
	case bool:
		return &gpb.TypedValue{Value: &gpb.TypedValue_BoolVal{BoolVal: x}}, nil
	case uint8:
		return uintValue(uint64(x)), nil
	case uint16:
		return uintValue(uint64(x)), nil
	case uint32:
		return uintValue(uint64(x)), nil
	case uint64:
		return uintValue(x), nil
	default:
		return nil, fmt.Errorf("a leaf holds %T, which has no gNMI value", v)
	}
}

func uintValue(n uint64) *gpb.TypedValue {
	return &gpb.TypedValue{Value: &gpb.TypedValue_UintVal{UintVal: n}}
}

// jsonScalar: 64-bit numbers are text in JSON_IETF (RFC 7951, 6.1), numbers in plain JSON.
func jsonScalar(v any, e gpb.Encoding) any {
	if n, big := v.(uint64); big && e == gpb.Encoding_JSON_IETF {
		return strconv.FormatUint(n, 10)
	}
	return v
}

func jsonValue(v any, e gpb.Encoding) (*gpb.TypedValue, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode as JSON: %w", err)
	}
	if e == gpb.Encoding_JSON_IETF {
		return &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: raw}}, nil
	}
	return &gpb.TypedValue{Value: &gpb.TypedValue_JsonVal{JsonVal: raw}}, nil
}

// document is the subtree of node at path as one JSON value. In JSON_IETF a member carries its
// module where it is on top or its parent has another one (RFC 7951, 4).
func document(root *schemaNode, path []elem, under []leaf, e gpb.Encoding) (*gpb.TypedValue, error) {
	top := map[string]any{}
	for _, l := range under {
		place, parent := top, root.at(path)
		for depth := len(path); depth < len(l.path); depth++ {
			step := l.path[depth]
			node := parent.child(step.name)
			name := step.name
			if e == gpb.Encoding_JSON_IETF && (depth == len(path) || node.module != parent.module) {
				name = node.module + ":" + name
			}
			if depth == len(l.path)-1 {
				place[name] = jsonScalar(l.value, e)
				break
			}
			place, parent = enter(place, name, step), node
		}
	}
	return jsonValue(top, e)
}

// enter steps into a member: a container, or the entry of a list that has the step's key. Leaves
// come in document order, so the entry is the last one or new.
func enter(place map[string]any, name string, step elem) map[string]any {
	if step.key == "" {
		child, there := place[name].(map[string]any)
		if !there {
			child = map[string]any{}
			place[name] = child
		}
		return child
	}
	list, _ := place[name].([]*entry)
	if len(list) == 0 || list[len(list)-1].key != step.value {
		list = append(list, &entry{step.value, map[string]any{}})
		place[name] = list
	}
	return list[len(list)-1].members
}

// entry of a list; it prints as its members.
type entry struct {
	key     string
	members map[string]any
}

// MarshalJSON prints the members, to which the key belongs as a leaf.
func (e *entry) MarshalJSON() ([]byte, error) { return json.Marshal(e.members) }
