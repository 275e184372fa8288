// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.sextant.core.loop.EngineLoad;

/**
 * One metric of a scrape, with at most {@link #MOST} series: the cost of a scrape does not grow with the objects that
 * clients create.
 */
final class Family {
    /** Series of one metric: the ports of 1,000 nodes with ten each; the first ones in the order of their source stay. */
    static final int MOST = 10_000;

    private static final double NANOS = 1e9;

    private final String name;
    private final Metric.Type type;
    private final String help;
    private final List<String> labels;
    private final Map<Labels, Sample> samples = new LinkedHashMap<>();
    private int leftOut;

    /** @param sum of a histogram or summary */
    private record Sample(double value, double sum, List<Long> buckets) {}

    /** @param name without the suffix of its type */
    Family(String name, Metric.Type type, String help, List<String> labels) {
        this.name = name;
        this.type = type;
        this.help = help;
        this.labels = labels;
    }

    /** A series without labels' values in common with another; the later one stays. */
    void add(double value, String... values) {
        put(new Sample(value, 0, List.of()), values);
    }

    /** As the other one; beyond 2<sup>53</sup> a count loses its last digits, as all values of Prometheus do. */
    void add(long value, String... values) {
        add((double) value, values);
    }

    /** A summary without quantiles. */
    void summary(long count, double sum, String... values) {
        put(new Sample((double) count, sum, List.of()), values);
    }

    void histogram(EngineLoad load) {
        put(new Sample(0, load.held().toNanos() / NANOS, load.holds()));
    }

    private void put(Sample sample, String... values) {
        Labels labelled = Labels.of(labels.toArray(new String[0]), values);
        if (samples.size() < MOST || samples.containsKey(labelled)) {
            samples.put(labelled, sample);
        } else {
            leftOut++;
        }
    }

    String name() {
        return name;
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    int leftOut() {
        return leftOut;
    }

    MetricSnapshot snapshot() {
        return switch (type) {
            case GAUGE -> described(GaugeSnapshot.builder(), this::gauges).build();
            case COUNTER -> described(CounterSnapshot.builder(), this::counters).build();
            case SUMMARY ->
                described(SummarySnapshot.builder(), this::summaries).build();
            case HISTOGRAM ->
                described(HistogramSnapshot.builder(), this::histograms).build();
        };
    }

    private <B extends MetricSnapshot.Builder<B>> B described(B builder, Consumer<B> points) {
        builder.name(name).help(help);
        for (Unit unit : List.of(Unit.SECONDS, Unit.BYTES, Unit.RATIO)) {
            if (name.endsWith("_" + unit)) {
                builder.unit(unit);
            }
        }
        points.accept(builder);
        return builder;
    }

    private void gauges(GaugeSnapshot.Builder builder) {
        samples.forEach((labelled, sample) -> builder.dataPoint(GaugeDataPointSnapshot.builder()
                .value(sample.value())
                .labels(labelled)
                .build()));
    }

    private void counters(CounterSnapshot.Builder builder) {
        samples.forEach((labelled, sample) -> builder.dataPoint(CounterDataPointSnapshot.builder()
                .value(sample.value())
                .labels(labelled)
                .build()));
    }

    private void summaries(SummarySnapshot.Builder builder) {
        samples.forEach((labelled, sample) -> builder.dataPoint(SummaryDataPointSnapshot.builder()
                .count((long) sample.value())
                .sum(sample.sum())
                .labels(labelled)
                .build()));
    }

    private void histograms(HistogramSnapshot.Builder builder) {
        List<Double> bounds = new ArrayList<>(
                EngineLoad.BOUNDS.stream().map(bound -> bound.toNanos() / NANOS).toList());
        bounds.add(Double.POSITIVE_INFINITY);
        samples.forEach((labelled, sample) -> builder.dataPoint(HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, sample.buckets()))
                .sum(sample.sum())
                .labels(labelled)
                .build()));
    }
}
