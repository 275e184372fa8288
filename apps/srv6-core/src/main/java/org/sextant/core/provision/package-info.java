// SPDX-License-Identifier: Apache-2.0
/** Gives every SRv6 node, without anybody asking, the entries of the underlay. */
package org.sextant.core.provision;
