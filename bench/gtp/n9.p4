// SPDX-License-Identifier: Apache-2.0
// N9 as GTP does it, for a bmv2 switch: the counterpart of n9.c on Linux (paper 003, Figure 4, option a).
// Part of ./sextant bench mobile only. Two tables define a node; their entries (TUNNELS, ROUTES) are in the
// file that includes this one: UPF #1 swaps a tunnel for the next UPF's, UPF #2 takes GTP off, any other
// node routes.
//
//     gNB --(TEID 1, 2)--> UPF #1 --(TEID 3, 4)--> UPF #2 --> data network
//
// IPv4 outside, no options, no fragments; at most one extension header of 4 octets: a PDU Session Container.
#include <core.p4>
#include <v1model.p4>

const bit<16> IPV4 = 0x0800;
const bit<8> UDP = 17;
const bit<16> GTPU_PORT = 2152;
const bit<8> G_PDU = 255;

header ethernet_t {
    bit<48> dst;
    bit<48> src;
    bit<16> type;
}

header ipv4_t {
    bit<4> version;
    bit<4> ihl;
    bit<8> tos;
    bit<16> length;
    bit<16> id;
    bit<16> fragment;
    bit<8> ttl;
    bit<8> protocol;
    bit<16> checksum;
    bit<32> src;
    bit<32> dst;
}

header udp_t {
    bit<16> src;
    bit<16> dst;
    bit<16> length;
    bit<16> checksum;
}

header gtpu_t {
    bit<5> version;
    bit<3> optional;
    bit<8> type;
    bit<16> length;
    bit<32> teid;
}

header words_t {
    bit<32> word;
}

struct headers_t {
    ethernet_t ethernet;
    ipv4_t ipv4;
    udp_t udp;
    gtpu_t gtpu;
    words_t optional;
    words_t container;
    ipv4_t inner;
}

struct metadata_t {}

parser N9Parser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                inout standard_metadata_t standard) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            IPV4: ipv4;
            default: accept;
        }
    }
    state ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.protocol) {
            (5, UDP): udp;
            default: accept;
        }
    }
    state udp {
        packet.extract(hdr.udp);
        transition select(hdr.udp.dst) {
            GTPU_PORT: gtpu;
            default: accept;
        }
    }
    state gtpu {
        packet.extract(hdr.gtpu);
        transition select(hdr.gtpu.type, hdr.gtpu.optional) {
            (G_PDU, 0): inner;
            (G_PDU, _): extended;
            default: accept;
        }
    }
    state extended {
        packet.extract(hdr.optional);
        transition select(hdr.optional.word[7:0]) {
            0: inner;
            0x85: container;
            default: accept;
        }
    }
    state container {
        packet.extract(hdr.container);
        transition inner;
    }
    state inner {
        packet.extract(hdr.inner);
        transition accept;
    }
}

control N9Verify(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control N9Ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    action discard() {
        mark_to_drop(standard);
    }

    // To the next UPF's tunnel; the source is this UPF.
    action swap(bit<32> next, bit<32> teid) {
        hdr.ipv4.src = hdr.ipv4.dst;
        hdr.ipv4.dst = next;
        hdr.udp.checksum = 0;
        hdr.gtpu.teid = teid;
    }

    action end() {
        hdr.ipv4 = hdr.inner;
        hdr.udp.setInvalid();
        hdr.gtpu.setInvalid();
        hdr.optional.setInvalid();
        hdr.container.setInvalid();
        hdr.inner.setInvalid();
    }

    // A hit: this node is an end of the tunnel.
    table tunnel {
        key = { hdr.ipv4.dst: exact; hdr.gtpu.teid: exact; }
        actions = { swap; end; @defaultonly NoAction; }
        const entries = { TUNNELS }
        const default_action = NoAction();
    }

    action forward(bit<9> port, bit<48> source, bit<48> destination) {
        standard.egress_spec = port;
        hdr.ethernet.src = source;
        hdr.ethernet.dst = destination;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    // A hit: the next hop.
    table route {
        key = { hdr.ipv4.dst: lpm; }
        actions = { forward; @defaultonly discard; }
        const entries = { ROUTES }
        const default_action = discard();
    }

    apply {
        if (hdr.inner.isValid()) {
            tunnel.apply();
        }
        if (hdr.ipv4.isValid() && hdr.ipv4.ttl > 1) {
            route.apply();
        } else {
            discard();
        }
    }
}

control N9Egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    apply {}
}

control N9Checksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5,
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.tos, hdr.ipv4.length, hdr.ipv4.id, hdr.ipv4.fragment,
              hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control N9Deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

V1Switch(N9Parser(), N9Verify(), N9Ingress(), N9Egress(), N9Checksum(), N9Deparser()) main;
