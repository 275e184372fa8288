// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

/** A recorded message leads to other calls than it did when it was recorded. */
final class DivergenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DivergenceException(String message) {
        super(message);
    }
}
