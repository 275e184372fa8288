// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { counted, countText, labelOf, rateText, widthOf } from "./format";

describe("rates", () => {
  it.each([
    [0, "0 b/s"],
    [999, "999 b/s"],
    [1_234, "1.2 kb/s"],
    [98_765_432, "99 Mb/s"],
    [10_000_000_000, "10 Gb/s"],
  ])("%d bits per second are %s", (bits, text) => {
    expect(rateText(bits)).toBe(text);
  });

  it("draw wider the higher they are, and noise not at all", () => {
    expect(widthOf(500)).toBe(0);
    expect(widthOf(1e6)).toBeGreaterThan(widthOf(1e5));
    expect(widthOf(1e15)).toBe(7);
  });
});

it("one is not several", () => {
  expect([counted(1, "link"), counted(0, "link"), counted(2, "policy", "policies")]).toEqual([
    "1 link",
    "0 links",
    "2 policies",
  ]);
});

it("a label has both ends of a long name, and cuts no letter in two", () => {
  expect(labelOf("spine-1")).toBe("spine-1");
  expect(labelOf("of-the-north-eastern-ring-0001")).toBe("of-the-nor…-ring-0001");
  expect(labelOf("🛰".repeat(30))).toBe(`${"🛰".repeat(10)}…${"🛰".repeat(10)}`);
  expect(labelOf("a".repeat(21))).toBe("a".repeat(21));
});

it("counts have groups of three", () => {
  expect([7, 1000, 1234567].map(countText)).toEqual(["7", "1\u202f000", "1\u202f234\u202f567"]);
});
