// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { endText, wayOf } from "./way";

it("the way is drawn to whom the packet is delivered; a node that does two things is one place", () => {
  const hops = [{ node: "l1" }, { node: "l2" }, { node: "l2" }, { node: "l3" }];
  expect(wayOf(hops, { to: "h31" }).hops).toEqual([
    { from: "l1", to: "l2" },
    { from: "l2", to: "l3" },
    { from: "l3", to: "h31" },
  ]);
  expect(wayOf([{ node: "l1" }], {}).hops).toEqual([]);
});

it("the end is said in a sentence", () => {
  expect(endText({ outcome: "delivered", node: "l3", to: "h31" })).toBe("Delivered at l3 to h31.");
  expect(endText({ outcome: "dropped", node: "l2", why: "node l2 drops it" })).toBe("Dropped: node l2 drops it.");
  expect(endText({ outcome: "lost", node: "l2" })).toBe("Lost: at l2.");
});
