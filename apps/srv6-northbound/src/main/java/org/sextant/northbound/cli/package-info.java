// SPDX-License-Identifier: Apache-2.0
/** The shell: what its commands share, and those that belong to no app. */
package org.sextant.northbound.cli;
