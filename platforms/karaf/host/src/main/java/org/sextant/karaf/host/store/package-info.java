// SPDX-License-Identifier: Apache-2.0
/** The durable store of the stand-alone host. */
package org.sextant.karaf.host.store;
