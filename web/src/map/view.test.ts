// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { fitting, hostSpread, iconSize, isClear, marginsBeside } from "./view";

const NETWORK = [
  { x: -100, y: 40 },
  { x: 800, y: 500 },
  { x: 300, y: 0 },
];

describe.each([
  [375, 280],
  [768, 400],
  [996, 848],
  [2000, 1388],
])("on a map of %i by %i", (width, height) => {
  const { zoom, pan } = fitting(NETWORK, { width, height });

  it("everything is in view, with room for names around", () => {
    for (const { x, y } of NETWORK) {
      const [across, down] = [x * zoom + pan.x, y * zoom + pan.y];
      expect(across).toBeGreaterThanOrEqual(30);
      expect(across).toBeLessThanOrEqual(width - 30);
      expect(down).toBeGreaterThanOrEqual(30);
      expect(down).toBeLessThanOrEqual(height - 30);
    }
  });

  it("icons can be pointed at, and hosts stand beside them", () => {
    expect(42 * iconSize(zoom)).toBeGreaterThanOrEqual(24);
    expect(78 * hostSpread(zoom) * zoom).toBeGreaterThanOrEqual(40);
  });
});

it("nothing lies under what covers the lower edge", () => {
  const { zoom, pan } = fitting(NETWORK, { width: 1000, height: 400 }, 90);
  const lowest = Math.max(...NETWORK.map(({ y }) => y * zoom + pan.y));
  expect(lowest).toBeLessThanOrEqual(400 - 90 - 20);
});

it("nothing lies under buttons at the left where there is a margin that keeps clear of them", () => {
  const size = { width: 375, height: 284 };
  const buttons = [
    { x: 14, y: 14, width: 38, height: 34 },
    { x: 14, y: 133, width: 36, height: 137 },
  ];
  const corner = [...NETWORK, { x: -100, y: 0 }, { x: -100, y: 500 }];
  const all = marginsBeside(buttons, size).map((margins) => fitting(corner, size, 0, undefined, margins));
  expect(all[0]).toEqual(fitting(corner, size));
  expect(isClear(corner, fitting(corner, size), buttons)).toBe(false);
  const clear = all.filter((viewport) => isClear(corner, viewport, buttons));
  expect(clear.length).toBeGreaterThan(0);
  for (const { zoom, pan } of clear) {
    expect(Math.min(...corner.map(({ x }) => x * zoom + pan.x))).toBeGreaterThan(50);
    expect(Math.max(...corner.map(({ x }) => x * zoom + pan.x))).toBeLessThanOrEqual(375 - 30);
  }
});

it("one place, or none, is no reason to come nearer than is good", () => {
  expect(fitting([{ x: 5, y: 5 }], { width: 1000, height: 800 }).zoom).toBeLessThan(2);
  expect(fitting([], { width: 0, height: 0 }).zoom).toBeGreaterThan(0);
});
