// SPDX-License-Identifier: Apache-2.0
// SIDs where GTP-U begins again, End.M.GTP4.E and End.M.GTP6.E (RFC 9433, 6.6 and 6.5), and End.MAP (6.2).
//
//   IPv6 | any SRH, options | packet
//      ──> IPv4 or IPv6 | UDP | GTP-U | optional word, PDU Session Container | packet
//
// The checksum of UDP over IPv6 is over the packet as it goes on the wire, without the bytes behind it. bmv2
// sums up the bytes that no header has taken, all of them, or as many as truncate() leaves, and forgets about
// truncate() when the packet passes again. So the packet is cut to the bytes to sum up, leaves in the next
// pass, and is cut there to its length.
#ifndef MOBILE_END_P4
#define MOBILE_END_P4

#include "headers.p4"
#include "ids.p4"
#include "metadata.p4"

const bit<2> CONTAINER_IF_NOT_ZERO = 1;
const bit<2> CONTAINER_ALWAYS = 2;
const bit<16> IPV4_HEADER_LENGTH = 20;
const bit<16> TUNNEL_LENGTH = 16; // UDP and GTP-U
const bit<16> CONTAINER_LENGTH = 8; // with the optional word before it

// RFC 9433, 6.6. The SID holds the IPv4 destination at bit `at` and Args.Mob.Session behind it, the
// source address of the packet the IPv4 source at bit `source_at`. pdu_type: of the PDU Session
// Container, 0 downlink, 1 uplink. container: 0 never one, 1 where QFI or RQI is not 0, 2 always.
// udp_source: 0 is a hash of the flow inside.
@id(GTP4_E_ACTION_ID)
@noWarn("unused")
action gtp4_e(inout metadata_t meta,
              @id(1) bit<8> at,
              @id(2) bit<8> source_at,
              @id(3) bit<4> pdu_type,
              @id(4) bit<2> container,
              @id(5) bit<16> udp_source) {
    meta.behavior = behavior_t.GTP4_E;
    meta.end.at = at;
    meta.end.source_at = source_at;
    meta.end.pdu_type = pdu_type;
    meta.end.container = container;
    meta.end.udp_source = udp_source;
}

// RFC 9433, 6.5. The SID holds Args.Mob.Session at bit `at`; the next segment is the GTP endpoint.
@id(GTP6_E_ACTION_ID)
@noWarn("unused")
action gtp6_e(inout metadata_t meta,
              @id(1) bit<8> at,
              @id(2) ipv6_t_addr source,
              @id(3) bit<4> pdu_type,
              @id(4) bit<2> container,
              @id(5) bit<16> udp_source) {
    meta.behavior = behavior_t.GTP6_E;
    meta.end.at = at;
    meta.end.address = source;
    meta.end.pdu_type = pdu_type;
    meta.end.container = container;
    meta.end.udp_source = udp_source;
}

// RFC 9433, 6.3 and 6.4: gtp_rule decides about GTP-U that arrives at the SID (mobile.p4). Everything else to
// it is routed as if it were no SID.
@id(GTP6_D_ACTION_ID)
@noWarn("unused")
action gtp6_d(inout metadata_t meta) {
    meta.behavior = behavior_t.GTP6_D;
}

// RFC 9433, 6.2: End.MAP.
@id(MAP_ACTION_ID)
@noWarn("unused")
action map(inout metadata_t meta, @id(1) ipv6_t_addr sid) {
    meta.behavior = behavior_t.MAP;
    meta.end.address = sid;
}

@noWarn("unused")
control mobile_end_control(inout headers_t hdr,
                           inout metadata_t meta,
                           inout standard_metadata_t standard_metadata) {

    mobile_session_t args = 0;
    bit<32> inner_bytes = 0;
    bit<32> parsed_bytes = 0; // of the packet inside
    bit<16> tunnel_length = TUNNEL_LENGTH;
    bit<1> has_extension = 0;
    ipv4_t_addr src4 = 0;
    ipv4_t_addr dst4 = 0;
    ipv6_t_addr endpoint = 0;

    @hidden
    action drop(gtp_drop_t reason) {
        mark_to_drop(standard_metadata);
        meta.gtp_drop = reason;
        meta.done = 1;
    }

    @hidden
    action move_on() {
        hdr.ipv6.dst_addr = meta.end.address;
        meta.of_session = 1;
        meta.travelling = 1;
        meta.another_pass = 1;
    }

    // 0 where no whole packet is inside.
    @hidden
    action measure_ipv4() {
        bit<32> bytes = (bit<32>) hdr.inner_ipv4.total_len;
        bool whole = hdr.inner_ipv4.version == 4 && hdr.inner_ipv4.ihl >= 5
            && bytes >= (bit<32>) hdr.inner_ipv4.ihl << 2 && bytes <= meta.payload_bytes;
        inner_bytes = whole ? bytes : 0;
        parsed_bytes = (bit<32>) hdr.inner_ipv4.ihl << 2;
    }

    @hidden
    action measure_ipv6() {
        bit<32> bytes = (bit<32>) hdr.inner_ipv6.payload_len + IPV6_HEADER_BYTES;
        bool whole = hdr.inner_ipv6.version == 6 && bytes <= meta.payload_bytes;
        inner_bytes = whole ? bytes : 0;
        parsed_bytes = IPV6_HEADER_BYTES;
    }

    @hidden
    action read_session4() {
        ipv6_t_addr rest = hdr.ipv6.dst_addr << meta.end.at;
        dst4 = rest[127:96];
        args = rest[95:56];
        src4 = (hdr.ipv6.src_addr << meta.end.source_at)[127:96];
    }

    @hidden
    action read_session6() {
        args = (hdr.ipv6.dst_addr << meta.end.at)[127:88];
        endpoint = hdr.next_segment.sid;
    }

    @hidden
    action choose_port() {
        hash(meta.end.udp_source,
             HashAlgorithm.crc32,
             FIRST_DYNAMIC_PORT,
             { meta.flow_src, meta.flow_dst, meta.flow_protocol, meta.src_port, meta.dst_port },
             DYNAMIC_PORTS);
    }

    // An uplink has no RQI (TS 38.415, 5.5.2.2).
    @hidden
    action push_container() {
        hdr.gtp_optional.setValid();
        hdr.gtp_optional.sequence = 0;
        hdr.gtp_optional.npdu = 0;
        hdr.gtp_optional.next_extension = GTP_PDU_SESSION_CONTAINER;
        hdr.gtp_container.setValid();
        hdr.gtp_container.words = 1;
        hdr.gtp_container.pdu_type = meta.end.pdu_type;
        hdr.gtp_container.more = 0;
        hdr.gtp_container.paging = 0;
        hdr.gtp_container.rqi = meta.end.pdu_type == PDU_TYPE_DOWNLINK ? args[33:33] : 0;
        hdr.gtp_container.qfi = args[39:34];
        hdr.gtp_container.next_extension = 0;
        tunnel_length = TUNNEL_LENGTH + CONTAINER_LENGTH;
        has_extension = 1;
    }

    @hidden
    action push_tunnel() {
        meta.of_session = 1;
        hdr.gtp.setValid();
        hdr.gtp.version = GTP_VERSION;
        hdr.gtp.gtp = 1;
        hdr.gtp.reserved = 0;
        hdr.gtp.has_extension = has_extension;
        hdr.gtp.has_sequence = 0;
        hdr.gtp.has_npdu = 0;
        hdr.gtp.type = GTP_G_PDU;
        hdr.gtp.teid = args[31:0];
        hdr.gtp.length = tunnel_length - TUNNEL_LENGTH + inner_bytes[15:0];
        hdr.gtp_udp.setValid();
        hdr.gtp_udp.src_port = meta.end.udp_source;
        hdr.gtp_udp.dst_port = GTP_PORT;
        hdr.gtp_udp.length = tunnel_length + inner_bytes[15:0];
        hdr.gtp_udp.checksum = 0;
    }

    @hidden
    action take_extensions_off() {
        hdr.ended_srh.setInvalid();
        hdr.ended_segments.setInvalid();
        hdr.live_live.setInvalid();
        hdr.ended_rest.setInvalid();
        hdr.before.pop_front(MAX_EXTENSIONS);
        hdr.srh.setInvalid();
        hdr.later_segments.setInvalid();
        hdr.next_segment.setInvalid();
        hdr.srh_rest.setInvalid();
    }

    // TS 29.281, 4.4.2: the checksum of UDP may be 0.
    @hidden
    action begin_ipv4() {
        hdr.ethernet.ether_type = ETHER_IPV4;
        hdr.ipv4.setValid();
        hdr.ipv4.version = 4;
        hdr.ipv4.ihl = 5;
        hdr.ipv4.dscp_ecn = hdr.ipv6.traffic_class;
        hdr.ipv4.total_len = IPV4_HEADER_LENGTH + hdr.gtp_udp.length;
        hdr.ipv4.identification = 0;
        hdr.ipv4.flags = IPV4_DONT_FRAGMENT;
        hdr.ipv4.frag_offset = 0;
        hdr.ipv4.ttl = hdr.ipv6.hop_limit;
        hdr.ipv4.protocol = PROTO_UDP;
        hdr.ipv4.src_addr = src4;
        hdr.ipv4.dst_addr = dst4;
        hdr.ipv6.setInvalid();
        meta.begins_ipv4 = 1;
    }

    @hidden
    action begin_ipv6() {
        hdr.ipv6.payload_len = hdr.gtp_udp.length;
        hdr.ipv6.next_hdr = PROTO_UDP;
        hdr.ipv6.src_addr = meta.end.address;
        hdr.ipv6.dst_addr = endpoint;
        // The label is the flow's, never 0 (RFC 6438).
        hash(hdr.ipv6.flow_label,
             HashAlgorithm.crc32,
             (bit<20>) 1,
             { meta.flow_src, meta.flow_dst, meta.flow_protocol, meta.src_port, meta.dst_port },
             (bit<20>) 0xfffff);
        meta.ip_bytes = 0;
        meta.begins_ipv6 = 1;
        meta.travelling = 1;
        meta.another_pass = 1;
        truncate(inner_bytes - parsed_bytes);
    }

    apply {
        bool four = meta.behavior == behavior_t.GTP4_E;
        if (!four && meta.behavior != behavior_t.GTP6_E && meta.behavior != behavior_t.MAP) {
            return;
        }
        if (hdr.ipv6.hop_limit <= 1) {
            drop(gtp_drop_t.LAST_HOP);
            return;
        }
        if (meta.behavior == behavior_t.MAP) {
            move_on();
            return;
        }
        // A header that the parser has stopped at says more than there is.
        bool stopped = meta.protocol == PROTO_ROUTING || meta.protocol == PROTO_DESTINATION_OPTIONS
            || meta.protocol == PROTO_HOP_BY_HOP;
        if (stopped || meta.odd_routing == 1) {
            drop(gtp_drop_t.MALFORMED);
            return;
        }
        if (four == hdr.srh.isValid() || !four && hdr.srh.segments_left != 1) {
            drop(gtp_drop_t.SEGMENTS_LEFT);
            return;
        }
        if (hdr.inner_ipv4.isValid()) {
            measure_ipv4();
        } else if (hdr.inner_ipv6.isValid()) {
            measure_ipv6();
        }
        if (hdr.l4.isValid()) {
            parsed_bytes = parsed_bytes + 4;
        }
        if (inner_bytes < parsed_bytes || inner_bytes == 0) {
            drop(gtp_drop_t.INNER); // or ports were read behind its end
            return;
        }
        bool host = true;
        if (four) {
            read_session4();
            bit<8> src = src4[31:24];
            bit<8> dst = dst4[31:24];
            host = src != IPV4_THIS_NETWORK && src != IPV4_LOOPBACK && src < IPV4_MULTICAST
                && dst != IPV4_THIS_NETWORK && dst != IPV4_LOOPBACK && dst < IPV4_MULTICAST;
        } else {
            read_session6();
            host = endpoint != IPV6_UNSPECIFIED && endpoint[127:120] != IPV6_MULTICAST;
        }
        if (!host) {
            drop(gtp_drop_t.NO_HOST);
            return;
        }
        if (meta.end.udp_source == 0) {
            choose_port();
        }
        bool says = args[39:33] != 0;
        if (meta.end.container == CONTAINER_ALWAYS || meta.end.container == CONTAINER_IF_NOT_ZERO && says) {
            push_container();
        }
        bit<32> head_bytes = four ? IPV4_HEADER_BYTES : IPV6_HEADER_BYTES;
        if (head_bytes + (bit<32>) tunnel_length + inner_bytes > MAX_IP_BYTES) {
            drop(gtp_drop_t.TOO_BIG);
            return;
        }
        push_tunnel();
        take_extensions_off();
        if (four) {
            begin_ipv4();
        } else {
            begin_ipv6();
        }
    }
}

#endif
