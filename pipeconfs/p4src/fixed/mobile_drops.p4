// SPDX-License-Identifier: Apache-2.0
// Why packets to and from mobile sessions are dropped, one cell for each reason of gtp_drop_t. It is applied
// last: any control of the family may have dropped.
#ifndef MOBILE_DROPS_P4
#define MOBILE_DROPS_P4

#include "ids.p4"
#include "metadata.p4"
#include "sizes.p4"

@noWarn("unused")
control mobile_drops_control(in metadata_t meta) {

    // Cells, by reason: 0 malformed, 1 no rule for the tunnel, 2 segments left, 3 too big, 4 the packet
    // inside, 5 no source, 6 last hop, 7 address, 8 no room, 9 no list, 10 discarded, 11 no route.
    @id(GTP_DROPPED_ARRAY_ID)
    @name(".ingress.mobile.gtp_dropped")
    counter(GTP_DROP_REASONS, CounterType.packets_and_bytes) gtp_dropped;

    apply {
        if (meta.gtp_drop != gtp_drop_t.NONE) {
            gtp_dropped.count((bit<32>) (bit<8>) meta.gtp_drop - 1);
        }
    }
}

#endif
