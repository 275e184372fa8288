// SPDX-License-Identifier: Apache-2.0
// The Linux kernel, served by the agent. Against bmv2 it lacks: udt46 (End.DT46 needs VRF devices
// in strict mode), discard (nftables could, no intent needs it) and route counters (the kernel
// counts SIDs, not plain routes), and the epoch (the agent keeps its own).
// It pushes lists of up to 16 segments.
#include <core.p4>
#include <v1model.p4>

#define PIPELINE_NAME "org.sextant.linux"
#define CPU_PORT 255

#define LIVE_LIVE
#define PUNT_DISCARD
#define MY_SID_UDT46
#define SID_LIST_ACTIONS \
    segments_1; segments_2; segments_3; segments_4; segments_5; segments_6; \
    segments_7; segments_8; segments_9; segments_10; segments_11; segments_12; \
    segments_13; segments_14; segments_15; segments_16;

#define ROUTE_COUNTER_DECLARATIONS
#define ROUTE_V6_COUNTERS
#define ROUTE_V4_COUNTERS

#include "../fixed/pipeline.p4"
