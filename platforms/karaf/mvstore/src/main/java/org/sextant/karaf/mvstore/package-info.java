// SPDX-License-Identifier: Apache-2.0
/** The store of the former release, read once to be taken over. */
@org.jspecify.annotations.NullMarked
package org.sextant.karaf.mvstore;
