// SPDX-License-Identifier: Apache-2.0
/** Users and passwords of the stand-alone host. */
package org.sextant.karaf.host.security;
