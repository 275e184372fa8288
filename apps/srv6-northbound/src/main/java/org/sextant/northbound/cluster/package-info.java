// SPDX-License-Identifier: Apache-2.0
/** The members of the cluster, and the one that acts for each node. */
package org.sextant.northbound.cluster;
