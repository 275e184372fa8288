// SPDX-License-Identifier: Apache-2.0
/** The inventory over ONOS's network configuration, devices, links and hosts. */
package org.sextant.onos.inventory;
