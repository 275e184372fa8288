// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { loadOf, sentBy, type Rate } from "./load";
import type { MapLink } from "./network";

const a = { node: "l1", port: 1 };
const b = { node: "l2", port: 3 };
const link = { a, b } as MapLink;
const none: Rate = { inBitsPerSecond: 0, outBitsPerSecond: 0 };

test("the load of a link is the traffic of its busier direction, without probes", () => {
  const rates = new Map<string, Rate>([
    ["l1/1", { inBitsPerSecond: 900, outBitsPerSecond: 6000, outProbeBitsPerSecond: 5800 }],
    ["l2/3", { inBitsPerSecond: 6000, outBitsPerSecond: 900 }],
  ]);
  expect(loadOf(link, rates)).toBe(900);
  expect(sentBy(a, b, rates)).toEqual({ bitsPerSecond: 6000, probes: 5800 });
});

test("the receiver counts where the sender does not, its probes too", () => {
  const rates = new Map<string, Rate>([["l2/3", { ...none, inBitsPerSecond: 70, inProbeBitsPerSecond: 60 }]]);
  expect(sentBy(a, b, rates)).toEqual({ bitsPerSecond: 70, probes: 60 });
  expect(loadOf(link, rates)).toBe(10);
});

test("a link that neither end counts has no load", () => {
  expect(sentBy(a, b, new Map())).toBeUndefined();
  expect(loadOf(link, new Map())).toBe(0);
});
