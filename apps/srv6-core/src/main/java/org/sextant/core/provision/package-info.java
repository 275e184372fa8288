// SPDX-License-Identifier: Apache-2.0
/** What every SRv6 node gets without anybody asking: its SIDs, adjacencies and the routes of the underlay. */
package org.sextant.core.provision;
