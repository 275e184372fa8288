// SPDX-License-Identifier: Apache-2.0
/** Rows of the contract in the classes of ONOS, both ways. Pure. */
package org.sextant.onos.table;
