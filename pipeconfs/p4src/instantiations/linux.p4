// SPDX-License-Identifier: Apache-2.0
// The Linux kernel, served by the agent. Against bmv2 it lacks: udt46 (End.DT46 needs VRF devices in strict
// mode), discard (nftables could, no intent needs it) and route counters (the kernel counts SIDs, not plain
// routes), and the epoch (the agent keeps its own). It alone has standbys and
// restoration, as it alone takes ports without carrier out of a route by itself, and watches lists, as an
// agent lives beside it. It pushes lists of up to 16 segments.
#include <core.p4>
#include <v1model.p4>

#define PIPELINE_NAME "org.sextant.linux"
#define CPU_PORT 255

#define SEGMENTS SEGMENTS_1_TO_16
#define ON_BMV2(...)
#define ON_LINUX(...) __VA_ARGS__
#define ON_VPP(...)

#include "../targets.p4"
#include "../fixed/pipeline.p4"
