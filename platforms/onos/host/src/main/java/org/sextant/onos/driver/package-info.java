// SPDX-License-Identifier: Apache-2.0
/** Drivers for nodes of the contract: the classes that ONOS creates by name from srv6-drivers.xml and the pipeconfs. */
package org.sextant.onos.driver;
