// SPDX-License-Identifier: Apache-2.0
/** Health of the controller, for probes of load balancers and orchestrators. */
package org.sextant.northbound.health;
