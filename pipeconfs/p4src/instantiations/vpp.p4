// SPDX-License-Identifier: Apache-2.0
// A VPP router, served by the agent through VPP's binary API. Against Linux it lacks reduced segment lists
// (VPP always writes the first segment of two or more into the SRH): h_encaps_red and b6_encaps_red,
// Live-Live and mobile sessions. It has no End.DT46 either, and no discard and no route counters, as
// Linux.
#include <core.p4>
#include <v1model.p4>

#define PIPELINE_NAME "org.sextant.vpp"
#define CPU_PORT 255

#define SEGMENTS SEGMENTS_1_TO_16
#define ON_BMV2(...)
#define ON_LINUX(...)
#define ON_VPP(...) __VA_ARGS__

#include "../targets.p4"
#include "../fixed/pipeline.p4"
