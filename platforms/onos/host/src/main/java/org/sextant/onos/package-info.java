// SPDX-License-Identifier: Apache-2.0
/** The four ports over the services of ONOS, and the component that starts them. */
package org.sextant.onos;
