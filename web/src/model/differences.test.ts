// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { differences } from "./differences";

describe("two intents of one name", () => {
  it("differ in the fields that they say differently, and in no other", () => {
    expect(
      differences(
        { from: "h12", nodes: ["l1", "l3"], symmetry: "symmetric", decap: "f00d" },
        { from: "h12", nodes: ["l1", "p7", "l3"], symmetry: "symmetric", family: "ipv6" },
      ),
    ).toEqual([
      { field: "nodes", mine: "l1, l3", theirs: "l1, p7, l3" },
      { field: "decap", mine: "f00d", theirs: "–" },
      { field: "family", mine: "–", theirs: "ipv6" },
    ]);
  });

  it("do not differ by the order in which they say it", () => {
    expect(differences({ a: { x: 1, y: 2 }, b: 1 }, { b: 1, a: { y: 2, x: 1 } })).toEqual([]);
  });
});
