// SPDX-License-Identifier: Apache-2.0
/** The shell: the common parts of its commands, and those that belong to no app. */
package org.sextant.northbound.cli;
