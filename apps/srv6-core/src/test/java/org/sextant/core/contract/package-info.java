// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts that every implementation of a port must meet. Each host has a test class per port that extends one of
 * these.
 */
package org.sextant.core.contract;
