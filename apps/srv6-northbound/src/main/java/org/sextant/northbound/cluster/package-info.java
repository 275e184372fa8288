// SPDX-License-Identifier: Apache-2.0
/** Who is in the cluster, and who acts for which node. */
package org.sextant.northbound.cluster;
