// SPDX-License-Identifier: Apache-2.0
/** The inventory of the stand-alone host: the network description, merged with what nodes and LLDP say. */
package org.sextant.karaf.host.inventory;
