// SPDX-License-Identifier: Apache-2.0
// Writes the valid headers, outermost first.
#ifndef DEPARSER_P4
#define DEPARSER_P4

#include "headers.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.outer_ipv6);
        packet.emit(hdr.outer_srh);
        packet.emit(hdr.outer_segments);
        packet.emit(hdr.outer_first_segment);
        packet.emit(hdr.outer_live_live);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.ended_srh);
        packet.emit(hdr.ended_segments);
        packet.emit(hdr.live_live);
        packet.emit(hdr.ended_rest);
        packet.emit(hdr.before);
        packet.emit(hdr.ahead);
        packet.emit(hdr.srh);
        packet.emit(hdr.later_segments);
        packet.emit(hdr.skipped_segment);
        packet.emit(hdr.next_segment);
        packet.emit(hdr.srh_rest);
        packet.emit(hdr.behind);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv4_options);
        packet.emit(hdr.gtp_udp);
        packet.emit(hdr.gtp);
        packet.emit(hdr.gtp_optional);
        packet.emit(hdr.gtp_container);
        packet.emit(hdr.gtp_extensions);
        packet.emit(hdr.inner_ipv6);
        packet.emit(hdr.inner_ipv4);
        packet.emit(hdr.inner_ipv4_options);
        packet.emit(hdr.icmpv6);
        packet.emit(hdr.l4);
    }
}

#endif
