// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { clustersOf, type Spot, type Window } from "./cluster";

const SPACING = 120;

/** A thousand places on a grid. */
const spots: readonly Spot[] = Array.from({ length: 1000 }, (_, i) => ({
  name: `n${i}`,
  x: (i % 40) * SPACING,
  y: Math.floor(i / 40) * SPACING,
  degree: i === 500 ? 9 : 4,
}));
const nobody = (): boolean => false;

/** A screen of 1000 by 800 pixels that shows a part of the plane. */
const at = (x: number, y: number, zoom: number): Window => ({
  x1: x,
  y1: y,
  x2: x + 1000 / zoom,
  y2: y + 800 / zoom,
  zoom,
});
const ALL = at(0, -500, 0.2);

function shown(window: Window, alone: (name: string) => boolean = nobody): { single: string[]; clusters: number } {
  const clusters = clustersOf(spots, window, alone);
  const hidden = new Set(clusters.flatMap(({ members }) => members));
  return { single: spots.map(({ name }) => name).filter((name) => !hidden.has(name)), clusters: clusters.length };
}

describe("clusters of a thousand nodes", () => {
  it("hold every node once, and leave as much as a screen has room for", () => {
    const clusters = clustersOf(spots, ALL, nobody);
    const members = clusters.flatMap((cluster) => cluster.members);
    expect(new Set(members).size).toBe(members.length);
    const { single } = shown(ALL);
    expect(members.length + single.length).toBe(spots.length);
    expect(clusters.length + single.length).toBeLessThan(150);
  });

  it("open where one comes near, and only there", () => {
    const { single, clusters } = shown(at(0, 0, 1));
    expect(single).toEqual(expect.arrayContaining(["n0", "n1", "n40", "n207"]));
    expect(clusters).toBeGreaterThan(10);
    expect(single.length + clusters).toBeLessThan(250);
  });

  it("never have more to draw than a few hundred things, from near to far", () => {
    for (let zoom = 0.1; zoom < 4; zoom *= 1.3) {
      const { single, clusters } = shown(at(1200, 900, zoom));
      expect(single.length + clusters, `at ${zoom}`).toBeLessThan(450);
    }
  });

  it("stay what they are where one moves sideways", () => {
    const keys = (window: Window): readonly string[] => clustersOf(spots, window, nobody).map(({ key }) => key);
    const before = new Set(keys(at(0, 0, 0.3)));
    const kept = keys(at(100, 60, 0.3)).filter((key) => before.has(key));
    expect(kept.length).toBeGreaterThan(0.8 * before.size);
  });

  it("take nobody in who is to be seen", () => {
    expect(shown(ALL, (name) => name === "n777").single).toContain("n777");
  });

  it("have the name of the node with most links", () => {
    expect(clustersOf(spots, ALL, nobody).find(({ members }) => members.includes("n500"))?.hub).toBe("n500");
  });

  it("end where everything stands in one place", () => {
    const heap = spots.map((spot) => ({ ...spot, x: 0, y: 0 }));
    expect(clustersOf(heap, at(-10, -10, 1), nobody)).toHaveLength(1);
    expect(clustersOf(heap, at(-10, -10, 4), nobody)).toHaveLength(0);
  });

  it("are none of nothing", () => {
    expect(clustersOf([], ALL, nobody)).toEqual([]);
  });
});
