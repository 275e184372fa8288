// SPDX-License-Identifier: Apache-2.0
// The order of a node's decisions; every target has this one.
#ifndef INGRESS_P4
#define INGRESS_P4

#include "admission.p4"
#include "copy.p4"
#include "edge.p4"
#include "encap.p4"
#include "epoch.p4"
#include "flow.p4"
#include "liveness.p4"
#include "mobile.p4"
#include "mobile_drops.p4"
#include "my_sid.p4"
#include "next_hop.p4"
#include "punt.p4"
#include "restoration.p4"
#include "route.p4"
#include "sid_list.p4"
#include "standby.p4"
#include "steering.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {

    punt_control() punt;
    edge_control() edge;
    admission_control() admission;
    my_sid_control() my_sid;
    steering_control() steering;
    WITH_LIVE_LIVE(flow_control() flow;)
    WITH_EPOCH(epoch_control() epoch;)
    WITH_MOBILE(mobile_control() mobile;)
    WITH_MOBILE(mobile_drops_control() mobile_drops;)
    WITH_LIVE_LIVE(copy_control() copy;)
    WITH_LIVENESS(liveness_control() liveness;)
    sid_list_control() sid_list;
    encap_control() encap;
    route_control() route;
    WITH_STANDBY(standby_control() standby;)
    next_hop_control() next_hop;
    WITH_RESTORATION(restoration_control() restoration;)

    // The egress port is only the queue that the packet waits in.
    @hidden
    action pass_again() {
        meta.passes = meta.passes + 1;
        standard_metadata.egress_spec = standard_metadata.ingress_port;
    }

    // Where the copies wait, multicast says.
    @hidden
    action copies_pass_again() {
        meta.passes = meta.passes + 1;
    }

    // It is dropped and counted where drops of the edge are, in the next pass.
    @hidden
    action leave_to_edge(edge_drop_t reason) {
        meta.edge_due = reason;
        meta.encapsulate = 0;
        meta.copy_group = 0;
        meta.another_pass = 1;
    }

    // A session's packet that this node has made another one has no route.
    @hidden
    @noWarn("unused")
    action drop_unroutable() {
        mark_to_drop(standard_metadata);
        meta.gtp_drop = gtp_drop_t.NO_ROUTE;
        meta.done = 1;
    }

    apply {
        if (hdr.packet_out.isValid()) {
            standard_metadata.egress_spec = hdr.packet_out.egress_port;
            hdr.packet_out.setInvalid();
            return;
        }
        if (meta.passes == 0) {
            punt.apply(hdr, meta, standard_metadata);
        }
        if (meta.done == 0) {
            edge.apply(hdr, meta, standard_metadata);
        }
        if (meta.done == 0) {
            admission.apply(hdr, meta, standard_metadata);
        }
        if (meta.done == 0 && meta.next_hop_known == 0 && meta.edge_waits == 0) {
            if (meta.copy_group != 0) {
                WITH_LIVE_LIVE(copy.apply(meta, standard_metadata);)
            } else {
                if (hdr.ipv6.isValid() && meta.vrf == MAIN_VRF) {
                    my_sid.apply(hdr, meta, standard_metadata);
                }
                WITH_MOBILE(mobile.apply(hdr, meta, standard_metadata);)
                WITH_MOBILE(if (meta.push.translated == 1 && meta.edge_gtp != edge_drop_t.NONE) {
                    leave_to_edge(meta.edge_gtp);
                })
                if (WITH_MOBILE(meta.done == 0 && meta.encapsulate == 0 &&)
                        meta.behavior == behavior_t.NONE && meta.travelling == 0) {
                    WITH_LIVE_LIVE(flow.apply(hdr, meta, standard_metadata);)
                    if (meta.copy_group == 0) {
                        steering.apply(hdr, meta, standard_metadata);
                    } else {
                        WITH_EPOCH(epoch.apply(meta);)
                    }
                }
            }
            bool stays = meta.another_pass == 1 || meta.next_hop_known == 1 || meta.copy_group != 0;
            if (meta.done == 0 && meta.encapsulate == 0 && !stays) {
                route.apply(hdr, meta);
                WITH_STANDBY(standby.apply(hdr, meta);)
                WITH_MOBILE(if (meta.next_hop_known == 0 && meta.of_session == 1) {
                    drop_unroutable();
                })
            }
            // A packet taken out here is judged in the next pass; one for another node to take out cannot be.
            bool is_sent_on = meta.another_pass == 0 || meta.encapsulate == 1 || meta.copy_group != 0;
            if (meta.done == 0 && meta.edge_unread == 1 && is_sent_on && meta.edge_due == edge_drop_t.NONE) {
                leave_to_edge(edge_drop_t.UNREADABLE);
            }
            if (meta.encapsulate == 1 || meta.copy_group != 0) {
                meta.edge_looks = 0; // pushed headers are this node's own
                meta.edge_looks_inside = 0;
            }
            if (meta.done == 0 && meta.encapsulate == 1) {
                WITH_LIVENESS(liveness.apply(meta);)
                sid_list.apply(hdr, meta);
                encap.apply(hdr, meta, standard_metadata);
            }
        }
        if (meta.done == 0 && meta.copy_group != 0) {
            meta.another_pass = 1;
            copies_pass_again();
        } else if (meta.done == 0 && meta.another_pass == 1) {
            pass_again();
        } else if (meta.done == 0) {
            next_hop.apply(hdr, meta, standard_metadata);
            WITH_RESTORATION(restoration.apply(standard_metadata);)
        }
        WITH_MOBILE(mobile_drops.apply(meta);)
    }
}

#endif
