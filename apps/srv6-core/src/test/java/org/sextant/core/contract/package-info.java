// SPDX-License-Identifier: Apache-2.0
/** What every implementation of a port must do. Each host has a test class per port that extends one of these. */
package org.sextant.core.contract;
