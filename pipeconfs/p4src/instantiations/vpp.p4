// SPDX-License-Identifier: Apache-2.0
// A VPP router, served by the agent through VPP's binary API. Against Linux it lacks what reduces a
// segment list (VPP always writes the first segment of two or more into the SRH): h_encaps_red and
// b6_encaps_red. It has no End.DT46 either, and no discard and no route counters, as Linux.
#include <core.p4>
#include <v1model.p4>

#define PIPELINE_NAME "org.sextant.vpp"
#define CPU_PORT 255

#define PUNT_DISCARD
#define MY_SID_UDT46
#define WITHOUT_REDUCED_LISTS
#define SID_LIST_ACTIONS \
    segments_1; segments_2; segments_3; segments_4; segments_5; segments_6; \
    segments_7; segments_8; segments_9; segments_10; segments_11; segments_12; \
    segments_13; segments_14; segments_15; segments_16;

#define ROUTE_COUNTER_DECLARATIONS
#define ROUTE_V6_COUNTERS
#define ROUTE_V4_COUNTERS

#include "../fixed/pipeline.p4"
