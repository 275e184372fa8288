// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { whyGroups } from "./troubles";

const trouble = (node: string, match: string, reason?: string) => ({
  node,
  table: "my_sid",
  match,
  state: "PENDING",
  ...(reason === undefined ? {} : { reason }),
});

it("a reason that several entries of a node have is told once, with the entries", () => {
  expect(whyGroups([trouble("l1", "a", "away"), trouble("l2", "a", "away"), trouble("l1", "b", "away")])).toEqual([
    { node: "l1", why: "away", entries: ["my_sid a", "my_sid b"] },
    { node: "l2", why: "away", entries: ["my_sid a"] },
  ]);
});

it("what has no reason has its state", () => {
  expect(whyGroups([trouble("l1", "a"), trouble("l1", "b", "away")]).map(({ why }) => why)).toEqual([
    "PENDING",
    "away",
  ]);
});
