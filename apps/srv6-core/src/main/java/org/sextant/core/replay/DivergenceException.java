// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

/** What follows from a recorded message is not what followed from it when it was recorded. */
final class DivergedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DivergedException(String message) {
        super(message);
    }
}
