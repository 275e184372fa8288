// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import packing from "../../../conformance/vectors/packing.json";
import walk from "../../../conformance/vectors/walk.json";
import { consumedOf, cut, formatByName, shift } from "./container";
import { addressOf, digitsOf } from "./ipv6";
import { consume, stepsOf, takenBy } from "./walk";

interface Atom {
  readonly format?: string;
  readonly usids?: readonly string[];
}
interface WalkHop {
  readonly node: string;
  readonly behavior: string;
  readonly destinationAddress: string;
  readonly segmentsLeft: number;
  readonly leaving?: string;
}

/** The vectors are of one format: networks of other formats would say so. */
const F3216 = formatByName("F3216") ?? { name: "F3216", blockBits: 32, usidBits: 16 };

describe("containers of the shared vectors", () => {
  for (const vector of packing.vectors.filter((one) => "containers" in one.expected)) {
    const atoms = vector.input.atoms as readonly Atom[];
    const formats = new Set(atoms.map((atom) => atom.format));
    const format = formatByName([...formats][0] ?? "");
    if (formats.size !== 1 || format === undefined) {
      continue;
    }
    it(`${vector.name}: cut into cells, they are the uSIDs that were packed`, () => {
      const containers = (vector.expected as { containers: string[] }).containers;
      const cells = containers.flatMap((container) => cut(container, format).cells.filter((c) => c.kind !== "empty"));
      expect(cells.map((cell) => cell.digits)).toEqual(atoms.flatMap((atom) => atom.usids ?? []));
    });
  }
});

describe("walks of the shared vectors", () => {
  for (const vector of walk.vectors) {
    const { segments } = vector.input;
    const hops = vector.expected.hops as readonly WalkHop[];

    it(`${vector.name}: every node that takes uSIDs sends what the model says`, () => {
      hops.forEach((hop, i) => {
        const takes = takenBy(hop.behavior);
        if (takes === 0 || hop.leaving === undefined) {
          return;
        }
        const sent = consume(segments, hop.destinationAddress, hop.segmentsLeft, takes, F3216);
        expect(sent.destination).toBe(hop.leaving);
        const next = hops[i + 1];
        if (next !== undefined) {
          expect(sent).toEqual({ destination: next.destinationAddress, segmentsLeft: next.segmentsLeft });
        }
      });
    });

    it(`${vector.name}: every step shows the uSIDs that are still there`, () => {
      const steps = stepsOf(segments, hops, F3216);
      for (const step of steps) {
        const container = segments[step.container] ?? "";
        expect(shift(container, F3216, step.consumed)).toBe(addressOf(digitsOf(step.hop.destinationAddress)));
      }
    });
  }

  it("the paper's policy: one node encapsulates, five consume, the last of them advances, one decapsulates", () => {
    const paper = walk.vectors[0];
    const steps = stepsOf(paper?.input.segments ?? [], paper?.expected.hops ?? [], F3216);
    expect(steps.map((step) => step.action)).toEqual([
      "encapsulate",
      "consume",
      "consume",
      "consume",
      "consume",
      "advance",
      "decapsulate",
    ]);
    expect(steps.map((step) => step.takes)).toEqual([0, 1, 1, 1, 1, 1, 2]);
    expect(steps.map((step) => step.consumed)).toEqual([0, 0, 1, 2, 3, 4, 0]);
    expect(steps.map((step) => step.segmentsLeftSent)).toEqual([1, 1, 1, 1, 1, 0, undefined]);
  });
});

describe("addresses", () => {
  it.each(["::", "::1", "fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:300:f00d::", "2001:db8::1:0:0:1", "1::"])(
    "%s is written back as RFC 5952 has it",
    (address) => {
      expect(addressOf(digitsOf(address))).toBe(address);
    },
  );

  it.each(["", "1:2", "::1::", "fcbb:bbbb:12345::", "10.0.0.1"])("%j is refused", (text) => {
    expect(() => digitsOf(text)).toThrow("is not an IPv6 address");
  });

  it("a destination of another container is none of this one", () => {
    expect(consumedOf("fcbb:bbbb:200:300::", "fcbb:bbbb:700::", F3216)).toBeUndefined();
  });
});
