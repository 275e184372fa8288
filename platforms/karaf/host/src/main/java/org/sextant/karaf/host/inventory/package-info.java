// SPDX-License-Identifier: Apache-2.0
/** The inventory of the stand-alone host: the topology file, merged with the reports of nodes and LLDP. */
package org.sextant.karaf.host.inventory;
