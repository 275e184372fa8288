// SPDX-License-Identifier: Apache-2.0
package org.sextant.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Packing;
import org.sextant.core.sid.SidFormat;

/** How long it takes to pack a path of uSIDs into containers; the aim is 1 µs for the uSID paper's seven nodes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PackingBench {
    private static final IpPrefix BLOCK = IpPrefix.parse("fcbb:bbbb::/32");

    @Param({"7", "22"})
    int hops;

    private List<Atom> path;

    @org.openjdk.jmh.annotations.Setup
    public void path() {
        List<Atom> atoms = new ArrayList<>();
        for (int i = 1; i < hops; i++) {
            atoms.add(new Atom.Compressed(BLOCK, SidFormat.F3216, List.of(0x100L * i), 0, false));
        }
        atoms.add(new Atom.Compressed(BLOCK, SidFormat.F3216, List.of(0x100L * hops, 0xf00dL), 0, false));
        path = List.copyOf(atoms);
    }

    @Benchmark
    public List<Container> pack() {
        return Packing.pack(path);
    }
}
