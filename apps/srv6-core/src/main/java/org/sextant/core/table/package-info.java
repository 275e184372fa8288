// SPDX-License-Identifier: Apache-2.0
/** The entries of the contract (pipeconfs/p4src) as values. */
package org.sextant.core.table;
