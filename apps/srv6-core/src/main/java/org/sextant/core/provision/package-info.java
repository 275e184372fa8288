// SPDX-License-Identifier: Apache-2.0
/** Gives every SRv6 node, without any request, the entries of the underlay. */
package org.sextant.core.provision;
