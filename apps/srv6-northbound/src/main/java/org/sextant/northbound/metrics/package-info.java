// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics of the controller in the formats of Prometheus and OpenMetrics.
 *
 * <p>A scrape reads the published data of the engine, the inventory, the history and the JVM; it takes no turn of the
 * engine's thread and asks no node. {@link org.sextant.northbound.metrics.Metric} lists all metrics except those that
 * apps measure.
 */
package org.sextant.northbound.metrics;
