// SPDX-License-Identifier: Apache-2.0
/** Policies as an app: the controller derives REST and commands from it. */
package org.sextant.usid.app;
