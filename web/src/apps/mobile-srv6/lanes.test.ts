// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import type { SliceWay } from "./api";
import { directionLane, laneOf, linesOfAll, linesOfOne } from "./lanes";

const way = (direction: SliceWay["direction"], nodes: string, packets = "translated"): SliceWay =>
  ({ direction, packets, hops: nodes.split(" ").map((node) => ({ node })) }) as SliceWay;
const THERE = [way("uplink", "l1 l2 l2 l3"), way("uplink", "l1 l2 l3", "carried whole")];
const BACK = way("downlink", "l3 l2 l1");

it("slices have colours of their own, and a way back over the same links is no line more", () => {
  const lines = linesOfAll([
    { id: "urllc", ways: [...THERE, BACK] },
    { id: "internet", ways: [way("uplink", "l1 p7 l3"), way("downlink", "l3 v8 l1")] },
  ]);
  expect(lines.map(({ beside, hops }) => `${beside} ${hops.map(({ to }) => to).join(" ")}`)).toEqual([
    "1 l2 l3",
    "0 p7 l3",
    "0 v8 l1",
  ]);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(3);
});

it("of one slice each direction has a colour, and what is carried whole goes the same way", () => {
  const lines = linesOfOne([...THERE, BACK], 1);
  expect(lines.map(({ beside, look }) => `${beside} ${look}`)).toEqual(["1 forward", "4 back"]);
  expect(directionLane(1, "downlink")).toBe(4);
});

it("a slice's colour is its place by name, and there is one for each", () => {
  expect(["b", "a10", "a9"].map((id) => laneOf(id, ["b", "a10", "a9"]))).toEqual([2, 1, 0]);
  expect(laneOf("gone", [])).toBe(0);
});
