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
    { node: "l1", why: "away", silent: false, entries: ["my_sid a", "my_sid b"] },
    { node: "l2", why: "away", silent: false, entries: ["my_sid a"] },
  ]);
});

it("what has no reason has its state", () => {
  expect(whyGroups([trouble("l1", "a"), trouble("l1", "b", "away")]).map(({ why }) => why)).toEqual([
    "PENDING",
    "away",
  ]);
});

it("all that waits for one node is one cause, wherever it is", () => {
  const waiting = (node: string, reason: string) => ({ ...trouble(node, "a", reason), waitsFor: "l1" });
  expect(
    whyGroups([waiting("l1", "l1 does not answer"), waiting("l3", "it waits for l1"), trouble("l3", "b")]),
  ).toEqual([
    { node: "l1", why: "l1 does not answer", silent: true, entries: ["my_sid a", "l3 my_sid a"] },
    { node: "l3", why: "PENDING", silent: false, entries: ["my_sid b"] },
  ]);
});
