// SPDX-License-Identifier: Apache-2.0
/** Reads and runs scenarios in the format of ONOS's system test coordinator (STC), without an installation of STC. */
package org.sextant.scenario;
