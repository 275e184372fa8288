// SPDX-License-Identifier: Apache-2.0
/** The history of the last hour: collected always, shown over REST and shell. */
package org.sextant.northbound.history;
