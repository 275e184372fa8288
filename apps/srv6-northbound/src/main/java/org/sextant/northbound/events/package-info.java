// SPDX-License-Identifier: Apache-2.0
/** News of the running controller as a stream, so that clients need not ask again and again. */
package org.sextant.northbound.events;
