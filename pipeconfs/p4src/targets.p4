// SPDX-License-Identifier: Apache-2.0
// The features of targets: a line for each that not all have. The program wraps it in its WITH_…; a target
// that lacks it gets nothing in its place, and P4Info without it. A feature without a line does not compile.
#ifndef TARGETS_P4
#define TARGETS_P4

#define WITH_DISCARD(...) ON_BMV2(__VA_ARGS__)
#define WITH_DROP_STEERED(...) ON_BMV2(__VA_ARGS__) ON_LINUX(__VA_ARGS__)
#define WITH_EPOCH(...) ON_BMV2(__VA_ARGS__)
#define WITH_FIREWALL(...) ON_BMV2(__VA_ARGS__) ON_LINUX(__VA_ARGS__)
#define WITH_FLOW_STATE(...) ON_LINUX(__VA_ARGS__)
#define WITH_FLOW_STEERING(...) ON_LINUX(__VA_ARGS__)
#define WITH_LAST_HIT(...) ON_LINUX(__VA_ARGS__)
#define WITH_LIVENESS(...) ON_LINUX(__VA_ARGS__)
#define WITH_LIVE_LIVE(...) ON_BMV2(__VA_ARGS__) ON_LINUX(__VA_ARGS__)
#define WITH_MOBILE(...) ON_BMV2(__VA_ARGS__) ON_LINUX(__VA_ARGS__)
#define WITH_REDUCED_LISTS(...) ON_BMV2(__VA_ARGS__) ON_LINUX(__VA_ARGS__)
#define WITH_RESTORATION(...) ON_LINUX(__VA_ARGS__)
#define WITH_ROUTE_COUNTERS(...) ON_BMV2(__VA_ARGS__)
#define WITH_STANDBY(...) ON_LINUX(__VA_ARGS__)
#define WITH_UDT46(...) ON_BMV2(__VA_ARGS__)

#endif
