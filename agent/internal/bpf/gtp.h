/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* GTP-U on the wire: TS 29.281, 5.1 and 5.2. */
#ifndef GTP_H
#define GTP_H

#include "packet.h"

#define UDP_BYTES 8
#define GTP_BYTES 8
#define GTP_PORT 2152
#define GTP_VERSION_AND_TYPE 0xf0 /* and the reserved bit is ignored */
#define GTPV1 0x30
#define GTP_EXTENSION 4
#define GTP_SEQUENCE_OR_NPDU 3
#define GTP_OPTIONAL_BYTES 4
#define G_PDU 255
#define MAX_GTP_EXTENSIONS 4

struct udp {
	__be16 src;
	__be16 dst;
	__be16 len;
	__be16 checksum;
};

struct gtpu {
	__u8 flags;
	__u8 type;
	__be16 len;
	__be32 teid;
};

#endif
