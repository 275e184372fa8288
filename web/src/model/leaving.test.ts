// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { isLeaving, nodesOf, waitsFor } from "./leaving";

const held = (...nodes: readonly string[]) => nodes.map((node) => ({ node }));

it("only what was deleted is leaving", () => {
  expect(["REMOVING", "PENDING", "FAILED"].map((state) => isLeaving({ state }))).toEqual([true, false, false]);
});

it.each([
  [held(), ""],
  [held("l1", "l1"), "waiting for l1"],
  [held("l1", "l2", "l1"), "waiting for l1, l2"],
  [held("a", "b", "c", "d"), "waiting for a, b, c, d"],
  [held("a", "b", "c", "d", "e"), "waiting for a, b, c and 2 more"],
])("who must let go is named once, and many are counted: %j", (troubles, text) => {
  expect(waitsFor(troubles)).toBe(text);
});

it("a node that holds several entries is one node", () => {
  expect(nodesOf(held("l1", "l2", "l1"))).toEqual(["l1", "l2"]);
});
