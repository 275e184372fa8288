// SPDX-License-Identifier: Apache-2.0
// bmv2 simple_switch_grpc: everything but mobile sessions, lists of up to 6 segments.
#include <core.p4>
#include <v1model.p4>

#define PIPELINE_NAME "org.sextant.bmv2"
#define CPU_PORT 255

#define SEGMENTS SEGMENTS_1_TO_6
#define WITH_DISCARD(...) __VA_ARGS__
#define WITH_EPOCH(...) __VA_ARGS__
#define WITH_LIVE_LIVE(...) __VA_ARGS__
#define WITH_MOBILE(...)
#define WITH_REDUCED_LISTS(...) __VA_ARGS__
#define WITH_ROUTE_COUNTERS(...) __VA_ARGS__
#define WITH_UDT46(...) __VA_ARGS__

#include "../fixed/pipeline.p4"
