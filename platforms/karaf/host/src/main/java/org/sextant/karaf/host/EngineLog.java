// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import org.sextant.core.intent.EngineEvent;
import org.sextant.core.log.LogLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine's events in this host's log. */
final class EngineLog {
    private static final Logger LOG = LoggerFactory.getLogger(EngineLog.class);

    private EngineLog() {}

    static void log(EngineEvent event) {
        LogLine line = LogLine.of(event);
        Throwable cause = line.cause().orElse(null);
        switch (line.level()) {
            case ERROR -> LOG.error(line.text(), cause);
            case WARNING -> LOG.warn(line.text(), cause);
            case INFO -> LOG.info(line.text(), cause);
            default -> LOG.debug(line.text(), cause);
        }
    }
}
