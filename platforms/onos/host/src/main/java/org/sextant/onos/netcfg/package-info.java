// SPDX-License-Identifier: Apache-2.0
/** The {@code srv6} sections of ONOS's network configuration, and how they become a network description. */
package org.sextant.onos.netcfg;
