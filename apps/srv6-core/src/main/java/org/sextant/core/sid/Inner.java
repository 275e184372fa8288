// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import org.sextant.core.table.Behavior.Family;

/** The payload of a header: a packet of the user or, behind a binding SID, another header. */
public sealed interface Inner permits Header, Payload {

    /** IPV4 or IPV6. */
    Family family();
}
