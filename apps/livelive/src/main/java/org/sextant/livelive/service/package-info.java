// SPDX-License-Identifier: Apache-2.0
/** The flows of a running controller: their admission, numbers, counters and monitoring. */
package org.sextant.livelive.service;
