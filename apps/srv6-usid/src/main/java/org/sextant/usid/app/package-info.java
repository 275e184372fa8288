// SPDX-License-Identifier: Apache-2.0
/** Policies as an app: what the northbound makes REST and commands of. */
package org.sextant.usid.app;
