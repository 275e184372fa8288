// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.OptionalDouble;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The JVM's own counters, by the names that Prometheus' clients give them, so that dashboards of the JVM fit. */
final class JvmMetrics {
    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;

    private JvmMetrics() {}

    static void collect(Scrape scrape) {
        memory(scrape, "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
        memory(scrape, "nonheap", ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            scrape.of(Metric.JVM_GC)
                    .summary(
                            collector.getCollectionCount(),
                            collector.getCollectionTime() / MILLIS,
                            collector.getName());
        }
        scrape.of(Metric.JVM_THREADS).add(ManagementFactory.getThreadMXBean().getThreadCount());
        scrape.of(Metric.START_TIME).add(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
        system("ProcessCpuTime")
                .ifPresent(nanos -> scrape.of(Metric.CPU_SECONDS).add(nanos / NANOS));
        system("OpenFileDescriptorCount")
                .ifPresent(count -> scrape.of(Metric.OPEN_FDS).add(count));
        system("MaxFileDescriptorCount")
                .ifPresent(count -> scrape.of(Metric.MAX_FDS).add(count));
    }

    private static void memory(Scrape scrape, String area, MemoryUsage usage) {
        scrape.of(Metric.JVM_MEMORY_USED).add(usage.getUsed(), area);
        scrape.of(Metric.JVM_MEMORY_COMMITTED).add(usage.getCommitted(), area);
        if (usage.getMax() >= 0) {
            scrape.of(Metric.JVM_MEMORY_MAX).add(usage.getMax(), area);
        }
    }

    /** By name, as the bean's own type is of a package that not every OSGi framework exports. */
    private static OptionalDouble system(String attribute) {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            Object value =
                    beans.getAttribute(new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME), attribute);
            return value instanceof Number number ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
        } catch (JMException notOfThisJvm) {
            return OptionalDouble.empty();
        }
    }
}
