// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { intentsThen, isLink, linksThen } from "./then";

describe("the links of a moment", () => {
  const links = linksThen([
    { id: "l1/1-l2/1", up: true, bitsPerSecond: 800 },
    { id: "l2/1-l1/1", up: true, bitsPerSecond: 80 },
    { id: "p10/1-p9/2", up: false },
    { id: "p9/2-p10/1", up: true },
    { id: "x/1-a/1", up: true },
  ]);

  it("are there once, those that were down first", () => {
    expect(links).toEqual([
      { id: "p9/2-p10/1", one: "p9", other: "p10", up: false, there: undefined, back: undefined },
      { id: "l1/1-l2/1", one: "l1", other: "l2", up: true, there: 800, back: 80 },
      { id: "x/1-a/1", one: "x", other: "a", up: true, there: undefined, back: undefined },
    ]);
  });

  it("are found by either direction", () => {
    expect(links.filter((link) => isLink(link, "l2/1-l1/1")).map(({ id }) => id)).toEqual(["l1/1-l2/1"]);
  });
});

describe("the intents of a moment", () => {
  it("are those of one kind, and what was not well comes first", () => {
    const intents = [
      { kind: "policy", id: "a", state: "INSTALLED" },
      { kind: "policy", id: "b", state: "FAILED" },
      { kind: "slice", id: "c", state: "INSTALLED" },
    ];
    expect(intentsThen({ intents }, "policy")).toEqual([
      { name: "b", state: "FAILED" },
      { name: "a", state: "INSTALLED" },
    ]);
  });

  it("are not known of longer ago than the controller kept them, which is not that there were none", () => {
    expect(intentsThen({}, "policy")).toBeUndefined();
    expect(intentsThen({ intents: [] }, "policy")).toEqual([]);
  });
});
