// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { clockText } from "../../model/clock";
import { ghostOf, reroutedText } from "./wanted";

const since = "2026-11-23T06:43:00Z";
const now = Date.parse("2026-11-23T06:50:00Z");
const wanted = { since, valid: true, down: ["p6-v5"], links: ["p6/2-v5/1", "v5/1-p6/2", "my-node/1-p6/1"] };

it("a policy that is not on its path says since when and which it wants", () => {
  expect(reroutedText(wanted, now)).toBe(`rerouted since ${clockText(since, now)}, desired path down at p6-v5`);
  expect(reroutedText({ ...wanted, valid: false, down: ["a-b", "b-c"] }, now)).toBe(
    `no valid path since ${clockText(since, now)}, desired path down at a-b, b-c`,
  );
});

it("the ghost of a path has each of its links once", () => {
  expect(ghostOf(wanted)).toEqual({
    id: "wanted",
    look: "other",
    ghost: true,
    hops: [
      { from: "p6", to: "v5" },
      { from: "my-node", to: "p6" },
    ],
  });
});
