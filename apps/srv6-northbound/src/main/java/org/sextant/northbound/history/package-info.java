// SPDX-License-Identifier: Apache-2.0
/** How it was in the last hour: collected always, told over REST and shell. */
package org.sextant.northbound.history;
