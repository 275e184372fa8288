// SPDX-License-Identifier: Apache-2.0
// How the controls sit in v1model; the same for every instantiation.
#ifndef PIPELINE_P4
#define PIPELINE_P4

#include "checksum.p4"
#include "deparser.p4"
#include "egress.p4"
#include "ingress.p4"
#include "parser.p4"

@pkginfo(name = PIPELINE_NAME, version = "1")
V1Switch(
    packet_parser(),
    verify_checksums(),
    ingress(),
    egress(),
    compute_checksums(),
    packet_deparser()
) main;

#endif
