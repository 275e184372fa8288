// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { countText, rateText, widthOf } from "./format";

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

it("counts have groups of three", () => {
  expect([7, 1000, 1234567].map(countText)).toEqual(["7", "1\u202f000", "1\u202f234\u202f567"]);
});
