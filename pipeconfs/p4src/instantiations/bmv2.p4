// SPDX-License-Identifier: Apache-2.0
// bmv2 simple_switch_grpc: everything but standbys, restoration, liveness and the steering of flows,
// lists of up to 6 segments.
#include <core.p4>
#include <v1model.p4>

#define PIPELINE_NAME "org.sextant.bmv2"
#define CPU_PORT 255

#define SEGMENTS SEGMENTS_1_TO_6
#define ON_BMV2(...) __VA_ARGS__
#define ON_LINUX(...)
#define ON_VPP(...)

#include "../targets.p4"
#include "../fixed/pipeline.p4"
