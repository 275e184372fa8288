// SPDX-License-Identifier: Apache-2.0
// bmv2 simple_switch_grpc: everything, lists of up to 6 segments.
#include <core.p4>
#include <v1model.p4>

#define PIPELINE_NAME "org.sextant.bmv2"
#define CPU_PORT 255

#define LIVE_LIVE
#define LIVE_LIVE_EPOCH
#define PUNT_DISCARD discard;
#define MY_SID_UDT46 udt46;
#define SID_LIST_ACTIONS \
    segments_1; segments_2; segments_3; segments_4; segments_5; segments_6;

#define ROUTE_COUNTER_DECLARATIONS \
    @id(ROUTE_V6_COUNTER_ID) \
    direct_counter(CounterType.packets_and_bytes) route_v6_counter; \
    @id(ROUTE_V4_COUNTER_ID) \
    direct_counter(CounterType.packets_and_bytes) route_v4_counter;
#define ROUTE_V6_COUNTERS counters = route_v6_counter;
#define ROUTE_V4_COUNTERS counters = route_v4_counter;

#include "../fixed/pipeline.p4"
