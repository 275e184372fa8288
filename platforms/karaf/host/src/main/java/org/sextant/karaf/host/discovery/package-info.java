// SPDX-License-Identifier: Apache-2.0
/** Link discovery by LLDP. */
package org.sextant.karaf.host.discovery;
