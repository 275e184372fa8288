// SPDX-License-Identifier: Apache-2.0
// The order of a node's decisions; every target has this one.
#ifndef INGRESS_P4
#define INGRESS_P4

#include "encap.p4"
#include "my_sid.p4"
#include "next_hop.p4"
#include "punt.p4"
#include "route.p4"
#include "sid_list.p4"
#include "steering.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {

    punt_control() punt;
    my_sid_control() my_sid;
    steering_control() steering;
    sid_list_control() sid_list;
    encap_control() encap;
    route_control() route;
    next_hop_control() next_hop;

    apply {
        if (hdr.packet_out.isValid()) {
            standard_metadata.egress_spec = hdr.packet_out.egress_port;
            hdr.packet_out.setInvalid();
            return;
        }
        punt.apply(hdr, meta, standard_metadata);
        if (meta.done == 0 && hdr.ipv6.isValid()) {
            my_sid.apply(hdr, meta, standard_metadata);
        }
        if (meta.done == 0 && (meta.behavior == behavior_t.NONE || meta.decapsulated == 1)
                && meta.next_hop_known == 0) {
            steering.apply(hdr, meta);
        }
        if (meta.done == 0 && meta.encapsulate == 1) {
            sid_list.apply(hdr, meta);
            if (hdr.outer_ipv6.isValid()) {
                encap.apply(hdr, meta);
            }
        }
        if (meta.done == 0 && meta.next_hop_known == 0) {
            route.apply(hdr, meta);
        }
        if (meta.done == 0) {
            next_hop.apply(hdr, meta, standard_metadata);
        }
    }
}

#endif
