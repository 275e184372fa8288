// SPDX-License-Identifier: Apache-2.0
/**
 * The contract between controller and node as constants: names, ids and widths of tables, match fields, actions,
 * parameters, counters and packet metadata. Generated from the P4Info of all targets, which must agree where they
 * overlap; a target that cannot do something lacks it in its own P4Info.
 */
package org.sextant.contract;
