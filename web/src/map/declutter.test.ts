// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { meet, placed, type Wish } from "./declutter";

const box = (x: number, y: number) => ({ x, y, width: 40, height: 14 });
const wish = (id: string, rank: number, ...places: readonly ReturnType<typeof box>[]): Wish => ({
  id,
  rank,
  places,
  must: false,
});

it("a name goes to its next place where the first is taken by one before it", () => {
  const found = placed([wish("second", 2, box(10, 0), box(10, 20)), wish("first", 1, box(0, 0))], []);
  expect([...found]).toEqual([
    ["first", box(0, 0)],
    ["second", box(10, 20)],
  ]);
});

it("a name that finds no place beside icons and names is left out, unless it must be read", () => {
  const icons = [{ x: 0, y: 0, width: 50, height: 50 }];
  expect(placed([wish("one", 1, box(10, 10))], icons).size).toBe(0);
  expect(placed([{ ...wish("one", 1, box(10, 10)), must: true }], icons).get("one")).toEqual(box(10, 10));
});

it("a name goes beside a line, and over it rather than nowhere", () => {
  const line = [{ x: 5, y: 5, width: 5, height: 5 }];
  expect(placed([wish("one", 1, box(0, 0), box(0, 20))], [], line).get("one")).toEqual(box(0, 20));
  expect(placed([wish("one", 1, box(0, 0))], [], line).get("one")).toEqual(box(0, 0));
});

it("no two of many lie over each other", () => {
  const wishes = Array.from({ length: 400 }, (_, i) => wish(`w${i}`, i, box((i * 37) % 500, (i * 53) % 300)));
  const boxes = [...placed(wishes, []).values()];
  expect(boxes.length).toBeGreaterThan(50);
  expect(boxes.filter((one, i) => boxes.slice(i + 1).some((other) => meet(one, other)))).toEqual([]);
});
